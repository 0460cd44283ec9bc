//! Groups and attributes by which a page's script finds the parts of a drawing: the series behind each entry of
//! the legend, and everything that moves when a time axis is zoomed. Standalone files contain none of them.
//!
//! | part | markup |
//! |---|---|
//! | a mark, an entry of the legend | `<g data-series="0">`, the index of its series in [`Figure::data`] |
//! | ticks and caption of a time axis | `<g class="time ticks">`, `<g class="time caption">` |
//! | a labelled line or arrow at an instant | `<g class="time flag" data-at="1.5" data-gap="6">`, in seconds and pixels |
//! | an event, whose label is placed in rows | `<g class="time event" data-at="1.5" data-gap="5">` |
//! | the unmeasured part and its label | `<g class="time unmeasured" data-at="0.5">` |
//! | the range of a time axis | `data-time="0 4"` on the drawing |
//!
//! Marks of a time series write every horizontal position as the argument of an absolute `M`, `L` or `H`, or as
//! `cx`; symbols and caps continue with relative commands, so that their size is kept.

use super::legend_layout::{is_shown, share_entry};
use super::number::number;
use super::svg::Svg;
use super::{Figure, Mark, Plane, Scale, Surface, Unit};

/// Whether the horizontal axis is a time axis, which the reader can zoom.
pub(super) fn is_over_time(figure: &Figure) -> bool {
    let x = &figure.x;
    figure.plane == Plane::Chart
        && x.unit == Unit::Seconds
        && x.scale == Scale::Linear
        && x.marked.is_empty()
        && !figure.marks.iter().any(|mark| matches!(mark, Mark::Bars(_)))
}

/// The attribute with the range of a time axis.
pub(super) fn range(figure: &Figure) -> String {
    let (low, high) = figure.x.range;
    if is_over_time(figure) {
        format!(" data-time=\"{} {}\"", number(low, 7), number(high, 7))
    } else {
        String::new()
    }
}

/// The attributes of a part drawn at an instant.
pub(super) fn at(class: &str, time: f64) -> String {
    format!("class=\"time {class}\" data-at=\"{}\"", number(time, 7))
}

/// The attributes of a line or arrow at an instant, with a label `gap` pixels next to it.
pub(super) fn beside(class: &str, time: f64, gap: f64) -> String {
    format!("{} data-gap=\"{gap}\"", at(class, time))
}

/// Draws a group with these attributes if the figure is a time series on a page.
pub(super) fn timed(svg: &mut Svg, figure: &Figure, attributes: &str, draw: impl FnOnce(&mut Svg)) {
    grouped(svg, is_over_time(figure).then_some(attributes), draw);
}

/// Draws a mark or an entry of the legend, as part of a series.
pub(super) fn of_series(svg: &mut Svg, series: Option<usize>, draw: impl FnOnce(&mut Svg)) {
    let attributes = series.map(|series| format!("data-series=\"{series}\""));
    grouped(svg, attributes.as_deref(), draw);
}

fn grouped(svg: &mut Svg, attributes: Option<&str>, draw: impl FnOnce(&mut Svg)) {
    let attributes = attributes.filter(|_| svg.surface() == Surface::Page);
    let Some(attributes) = attributes else { return draw(svg) };
    svg.raw(&format!("<g {attributes}>"));
    draw(svg);
    svg.raw("</g>");
}

/// For each mark, the series whose switch in the legend hides it. A mark without a name belongs to the last named one
/// before it that has the same colour (whiskers belong to their line), or else to the first one after it (a band belongs
/// to the line drawn on top of it). Figures without a legend, and planes, have no switches.
pub(super) fn switches(figure: &Figure) -> Vec<Option<usize>> {
    if figure.plane != Plane::Chart || !is_shown(figure) {
        return vec![None; figure.marks.len()];
    }
    let marks = &figure.marks;
    let ordinal = |index: usize| marks[..index].iter().filter(|mark| !mark.name().is_empty()).count();
    let owner = |index: usize| {
        let mark = &marks[index];
        let named = |other: &usize| !marks[*other].name().is_empty();
        if named(&index) {
            return (0..=index).find(|&other| other == index || share_entry(&marks[other], mark));
        }
        let around = (0..index).rev().chain(index + 1..marks.len());
        around.filter(named).find(|&other| marks[other].colour() == mark.colour())
    };
    (0..marks.len()).map(|index| owner(index).map(ordinal)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Axis, Colour, Event, Line, Points, Shape, Size, Symbol, Whiskers};

    fn line(name: &str, series: usize) -> Mark {
        let points = vec![(0.0, 0.0), (4.0, 1.0)];
        Mark::Line(Line { name: name.into(), colour: Colour::Series(series), shape: Shape::Straight, points })
    }

    fn chart() -> Figure {
        let y = Axis::from_zero("Queue", Unit::Bytes, 1.0);
        let mut figure = Figure::new("queue", "Queue", Axis::linear("Time", Unit::Seconds, (0.0, 4.0)), y);
        let points = vec![(1.0, 0.2, 0.4)];
        let whiskers = Whiskers { name: String::new(), colour: Colour::Series(0), points };
        figure.marks = vec![line("a", 0), line("b", 1), Mark::Whiskers(whiskers), line("", 5)];
        figure.events.push(Event { at: 1.25, label: "start".into(), number: 1 });
        figure.unmeasured = Some(0.001);
        figure
    }

    #[test]
    fn a_mark_without_a_name_follows_the_mark_of_its_colour() {
        assert_eq!(switches(&chart()), [Some(0), Some(1), Some(0), None]);
        let below = Figure { marks: vec![line("", 1), line("a", 0), line("b", 1)], ..chart() };
        assert_eq!(switches(&below), [Some(1), Some(0), Some(1)]);
        let plane = Figure { plane: Plane::Phase, ..chart() };
        assert_eq!(switches(&plane), [None; 4]);
        let single = Figure { marks: vec![line("a", 0)], ..chart() };
        assert_eq!(switches(&single), [None]);
    }

    #[test]
    fn only_pages_have_handles() {
        let page = chart().svg(Size::Wide, Surface::Page);
        for part in [
            "data-time=\"0 4\"",
            "<g class=\"time ticks\"><line",
            "<g class=\"time caption\"><text",
            "<g class=\"time event\" data-at=\"1.25\" data-gap=\"5\"><line",
            "<g class=\"time unmeasured\" data-at=\"0.001\" visibility=\"hidden\"><rect",
            "<g class=\"legend\"><g data-series=\"0\">",
        ] {
            assert!(page.contains(part), "{part}");
        }
        let file = chart().svg(Size::Wide, Surface::File(crate::Style::SCREEN));
        for part in ["data-", "class=\"time", "class=\"legend", "visibility"] {
            assert!(!file.contains(part), "{part}");
        }
    }

    #[test]
    fn symbols_and_whiskers_have_one_absolute_position_per_point() {
        let points = |symbol| {
            let (name, colour, points) = (String::new(), Colour::Series(0), vec![(1.0, 0.5)]);
            Mark::Points(Points { name, colour, symbol, points })
        };
        let symbols = [Symbol::Disc, Symbol::Ring, Symbol::Triangle, Symbol::Square, Symbol::Cross];
        let whiskers = chart().marks.remove(2);
        for mark in symbols.map(points).into_iter().chain([whiskers]) {
            let figure = Figure { marks: vec![mark], ..chart() };
            let svg = figure.svg(Size::Wide, Surface::Page);
            let marks = svg.split("<g class=\"marks\">").nth(1).and_then(|rest| rest.split("</g>").next());
            let marks = marks.expect("marks");
            let starts = marks.split(['M', 'L', 'H']).skip(1).chain(marks.split(" cx=\"").skip(1));
            let number = |text: &str| text.split([' ', '"']).next().and_then(|text| text.parse().ok());
            let positions: Vec<Option<f64>> = starts.map(number).collect();
            // The plot extends from 46 to 1026 pixels.
            assert!(!positions.is_empty() && positions.iter().all(|x| *x == Some(291.0)), "{marks}");
        }
    }

    #[test]
    fn only_time_axes_can_be_zoomed() {
        assert!(is_over_time(&chart()));
        let lag = Axis { marked: vec![1.0], ..chart().x };
        let sizes = Axis::linear("Size", Unit::Bytes, (0.0, 4.0));
        for x in [lag, sizes, Axis::logarithmic("Completion time", Unit::Seconds, (1e-3, 4.0))] {
            let figure = Figure { x, ..chart() };
            assert!(!is_over_time(&figure));
            assert!(!figure.svg(Size::Narrow, Surface::Page).contains("class=\"time"));
        }
    }
}
