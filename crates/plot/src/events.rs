//! Events on the time axis, labelled above the plot.
//!
//! Labels are placed in up to three rows so that they do not overlap. If they do not fit, every event is labelled
//! with a number, and the numbered list appears in the page's table of events, or below a standalone figure. If
//! several events have the same label, only the first is labelled, with the number of events or their period.

use super::Figure;
use super::svg::Anchor;
use super::text::text_width;

/// Rows of labels above a plot.
const ROWS: usize = 3;
/// If at least this many events have the same label, they share one.
const REPEATED: usize = 3;

/// An event at a point in time.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Position on the horizontal axis.
    pub at: f64,
    /// A description of the event, in a few words.
    pub label: String,
    /// Its number in the list of events, from 1.
    pub number: usize,
}

/// Merges simultaneous events, so that there is one per time, and numbers them in order.
///
/// ```
/// use setpoint_plot::merged;
///
/// let events = merged([(2e-3, "stop".into()), (1e-3, "flow 1 starts".into()), (1e-3, "flow 2 starts".into())]);
/// assert_eq!(events[0].label, "flow 1 starts; flow 2 starts");
/// assert_eq!((events[1].number, events[1].label.as_str()), (2, "stop"));
/// ```
pub fn merged(events: impl IntoIterator<Item = (f64, String)>) -> Vec<Event> {
    let mut sorted: Vec<(f64, String)> = events.into_iter().filter(|(at, _)| at.is_finite()).collect();
    sorted.sort_by(|first, second| first.0.total_cmp(&second.0));
    let mut groups: Vec<(f64, Vec<String>)> = Vec::new();
    for (at, label) in sorted {
        match groups.last_mut() {
            Some((moment, labels)) if *moment == at => labels.push(label),
            _ => groups.push((at, vec![label])),
        }
    }
    let event = |(index, (at, labels)): (usize, (f64, Vec<String>))| Event {
        at,
        label: together(&labels),
        number: index + 1,
    };
    groups.into_iter().enumerate().map(event).collect()
}

fn together(labels: &[String]) -> String {
    match labels {
        [] => String::new(),
        [one] => one.clone(),
        [first, second] => format!("{first}; {second}"),
        [first, rest @ ..] => format!("{first} and {} more", rest.len()),
    }
}

/// Positions of the labels of the events.
#[derive(Clone, Debug)]
pub(super) struct Placement {
    pub(super) places: Vec<Place>,
    /// Upper edge of the plot.
    pub(super) bottom: f64,
    /// Whether events are labelled with numbers.
    pub(super) numbered: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Place {
    /// Time of the event, and its horizontal position.
    pub(super) time: f64,
    pub(super) x: f64,
    pub(super) label_x: f64,
    pub(super) anchor: Anchor,
    pub(super) base_line: f64,
    /// Empty if the label of an earlier event includes this one.
    pub(super) text: String,
}

/// Places labels in rows below `top`.
pub(super) fn place(figure: &Figure, (left, right): (f64, f64), top: f64, font: f64) -> Placement {
    let within = |at: f64| figure.x.position(at).filter(|position| (0.0..=1.0).contains(position));
    let placed = figure.events.iter().map(|event| (within(event.at), event));
    let visible: Vec<(f64, &Event)> =
        placed.filter_map(|(share, event)| Some((left + share? * (right - left), event))).collect();
    if visible.is_empty() {
        return Placement { places: Vec::new(), bottom: top + 6.0, numbered: false };
    }
    let size = font - 1.0;
    let row = size + 5.0;
    let labels = labels(figure, &visible);
    let labelled = visible.iter().copied().zip(labels);
    if let Some((places, rows)) = in_rows(labelled, (left, right), (top, size, row)) {
        return Placement { places, bottom: top + rows as f64 * row, numbered: false };
    }
    Placement { places: numbers(&visible, top + size, size), bottom: top + row, numbered: true }
}

/// The label of each event; a repeated label is written once.
fn labels(figure: &Figure, visible: &[(f64, &Event)]) -> Vec<String> {
    let alike = |event: &Event| -> Vec<f64> {
        visible.iter().filter(|(_, other)| other.label == event.label).map(|(_, other)| other.at).collect()
    };
    let label = |(_, event): &(f64, &Event)| {
        let times = alike(event);
        match times[..] {
            [first, ..] if times.len() >= REPEATED && first == event.at => {
                let period = period(&times)
                    .map_or(String::new(), |period| format!(" every {}", figure.x.unit.text(period)));
                format!("{}{period} ({} times)", event.label, times.len())
            }
            _ if times.len() >= REPEATED => String::new(),
            _ => event.label.clone(),
        }
    };
    visible.iter().map(label).collect()
}

/// The distance between times, if it is constant.
fn period(times: &[f64]) -> Option<f64> {
    let mut steps = times.windows(2).map(|pair| pair[1] - pair[0]);
    let first = steps.next()?;
    steps.all(|step| (step - first).abs() <= 1e-6 * first.abs()).then_some(first)
}

/// A number for each event, except where it would overlap the number before it.
fn numbers(visible: &[(f64, &Event)], base_line: f64, size: f64) -> Vec<Place> {
    let mut end = f64::NEG_INFINITY;
    let mut number = |&(x, event): &(f64, &Event)| {
        let text = event.number.to_string();
        let half = text_width(&text, size) / 2.0;
        let fits = x - half >= end;
        end = if fits { x + half + 3.0 } else { end };
        let text = if fits { text } else { String::new() };
        Place { time: event.at, x, label_x: x, anchor: Anchor::Middle, base_line, text }
    };
    visible.iter().map(&mut number).collect()
}

/// Fills rows greedily from the first; `None` if a label does not fit.
fn in_rows<'a>(
    events: impl Iterator<Item = ((f64, &'a Event), String)>,
    (left, right): (f64, f64),
    (top, size, row): (f64, f64, f64),
) -> Option<(Vec<Place>, usize)> {
    let mut ends = [left; ROWS];
    let mut places = Vec::new();
    let mut rows = 1;
    for ((x, event), text) in events {
        if text.is_empty() {
            let (anchor, base_line) = (Anchor::Start, top + size);
            places.push(Place { time: event.at, x, label_x: x, anchor, base_line, text });
            continue;
        }
        let width = text_width(&text, size) + 8.0;
        let (anchor, from) = if x + width <= right { (Anchor::Start, x) } else { (Anchor::End, x - width) };
        let index = ends.iter().position(|end| from >= *end - 0.5)?;
        ends[index] = from + width + 8.0;
        rows = rows.max(index + 1);
        let label_x = if anchor == Anchor::Start { x + 5.0 } else { x - 5.0 };
        let base_line = top + index as f64 * row + size;
        places.push(Place { time: event.at, x, label_x, anchor, base_line, text });
    }
    Some((places, rows))
}

/// The list of numbered events, for a standalone figure.
pub(super) fn list(figure: &Figure, placement: &Placement) -> Vec<String> {
    if !placement.numbered {
        return Vec::new();
    }
    let line = |event: &Event| format!("{}: {}, {}", event.number, figure.x.unit.text(event.at), event.label);
    let mut lines: Vec<String> = figure.events.iter().take(30).map(line).collect();
    if figure.events.len() > lines.len() {
        lines.push(format!("… and {} more", figure.events.len() - lines.len()));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Axis, Size, Surface, Unit};

    fn texts(times: &[(f64, &str)]) -> Vec<String> {
        let time = Axis::linear("Time", Unit::Seconds, (0.0, 0.06));
        let mut figure = Figure::new("queue", "Queue", time, Axis::from_zero("Queue", Unit::Bytes, 1e3));
        figure.events = merged(times.iter().map(|(at, label)| (*at, (*label).to_owned())));
        let svg = figure.svg(Size::Wide, Surface::Page);
        assert_eq!(svg.matches("class=\"time event\"").count(), times.len());
        let labels = svg.split("class=\"time event\"").skip(1).filter_map(|rest| rest.split("</g>").next());
        let words = labels.filter_map(|group| group.split("</text>").next()?.rsplit_once('>'));
        words.map(|(_, words)| words.replace('\u{a0}', " ")).filter(|words| !words.is_empty()).collect()
    }

    #[test]
    fn a_repeated_label_is_written_once() {
        let start = "16 flows start";
        let periodic: Vec<_> = (0..12).map(|index| (0.005 * f64::from(index), start)).collect();
        assert_eq!(texts(&periodic), ["16 flows start every 5 ms (12 times)"]);
        let irregular = [(0.001, start), (0.002, start), (0.01, start), (0.03, "link slows down")];
        assert_eq!(texts(&irregular), ["16 flows start (3 times)", "link slows down"]);
        assert_eq!(texts(&irregular[1..]), [start, start, "link slows down"]);
    }
}
