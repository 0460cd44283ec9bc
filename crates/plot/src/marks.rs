//! Drawing lines, bands and bars.

use std::fmt::Write as _;

use super::decimate::{Column, columns, is_dense, stretches};
use super::frame::Frame;
use super::svg::{Svg, short};
use super::{
    Band, Bars, Colour, Figure, Line, Mark, Reduction, Shape, Surface, Whiskers, dashes, handles, path,
    symbol,
};

/// Draws all marks, the first one at the bottom.
pub(super) fn draw(svg: &mut Svg, figure: &Figure, frame: &Frame) {
    let switches = handles::switches(figure);
    let marks = || figure.marks.iter().zip(&switches);
    let bars = || marks().filter_map(|(mark, series)| Some((bars_of(mark)?, series)));
    let count = bars().count();
    for (index, (bars, series)) in bars().enumerate() {
        handles::of_series(svg, *series, |svg| draw_bars(svg, figure, frame, bars, (index, count)));
    }
    let mut arrows = Vec::new();
    for (mark, series) in marks().filter(|(mark, _)| bars_of(mark).is_none()) {
        handles::of_series(svg, *series, |svg| draw_mark(svg, (figure, frame), mark, &mut arrows));
    }
}

fn bars_of(mark: &Mark) -> Option<&Bars> {
    match mark {
        Mark::Bars(bars) => Some(bars),
        Mark::Line(_) | Mark::Band(_) | Mark::Whiskers(_) | Mark::Path(_) | Mark::Points(_) => None,
    }
}

/// Draws a mark other than bars, which depend on the number of sets and are drawn separately.
fn draw_mark(svg: &mut Svg, (figure, frame): (&Figure, &Frame), mark: &Mark, arrows: &mut Vec<(f64, f64)>) {
    match mark {
        Mark::Line(line) => draw_line(svg, figure, frame, line),
        Mark::Band(band) => draw_band(svg, figure, frame, band),
        Mark::Whiskers(whiskers) => draw_whiskers(svg, figure, frame, whiskers),
        Mark::Path(path) => path::draw(svg, (figure, frame), path, arrows),
        Mark::Points(points) => symbol::draw(svg, figure, frame, points),
        Mark::Bars(_) => {}
    }
}

/// Draws a dense line as its mean over a shaded range from the smallest to the largest value.
fn draw_line(svg: &mut Svg, figure: &Figure, frame: &Frame, line: &Line) {
    let points = clipped(&line.points, figure.x.range, line.shape);
    let stroke = stroke(line, svg.surface());
    if is_dense(&points, frame.columns()) {
        let reduced = columns(&points, &figure.x, frame.columns());
        let outline = reduced.iter().map(|&Column { x, low, high, .. }| (x, low, high));
        svg.fill(&ribbon(figure, frame, outline), line.colour, " fill-opacity=\"0.28\"");
        let means: Vec<_> = reduced.iter().map(|column| (column.x, column.mean)).collect();
        return svg.stroke(&course(figure, frame, &means, Shape::Straight), line.colour, &stroke);
    }
    if line.shape == Shape::Area {
        for stretch in stretches(&points) {
            svg.fill(&area(figure, frame, stretch), line.colour, " fill-opacity=\"0.28\"");
        }
    }
    svg.stroke(&course(figure, frame, &points, line.shape), line.colour, &stroke);
    if line.shape == Shape::Dotted {
        let places = points.iter().filter_map(|&(x, y)| Some((frame.x(figure, x)?, frame.y(figure, y)?)));
        places.for_each(|place| dot(svg, place, line.colour));
    }
}

/// The part of a curve within the range of the horizontal axis, cut at the height at which it crosses the edge of the
/// plot. Points that are not finite are kept as gaps.
fn clipped(points: &[(f64, f64)], (low, high): (f64, f64), shape: Shape) -> Vec<(f64, f64)> {
    let mut kept = Vec::with_capacity(points.len());
    let mut before: Option<(f64, f64)> = None;
    for &point in points {
        if let Some(from) = before {
            let crossed = [low, high].into_iter().filter(|edge| (from.0 < *edge) != (point.0 < *edge));
            let mut cuts: Vec<f64> = crossed.filter(|&edge| edge != from.0 && edge != point.0).collect();
            if point.0 < from.0 {
                cuts.reverse();
            }
            kept.extend(cuts.into_iter().map(|edge| (edge, crossing(from, point, edge, shape))));
        }
        let finite = point.0.is_finite() && point.1.is_finite();
        if !finite || (low..=high).contains(&point.0) {
            kept.push(point);
        }
        before = finite.then_some(point);
    }
    kept
}

/// Height of the curve between two points.
fn crossing(from: (f64, f64), to: (f64, f64), x: f64, shape: Shape) -> f64 {
    match shape {
        Shape::Step | Shape::Area => from.1,
        Shape::Straight | Shape::Dashed | Shape::Dotted | Shape::Strong | Shape::Faint => {
            from.1 + (to.1 - from.1) * (x - from.0) / (to.0 - from.0)
        }
    }
}

/// Draws the dot of a measurement on a line.
pub(super) fn dot(svg: &mut Svg, at: (f64, f64), colour: Colour) {
    match dashes::dot(colour, svg.surface()) {
        Some(shape) => symbol::symbol(svg, shape, at, 4.0, colour),
        None => svg.circle(at, 3.2, colour, ""),
    }
}

fn stroke(line: &Line, surface: Surface) -> String {
    let dashes = match line.shape {
        Shape::Dashed | Shape::Area => "",
        _ => dashes::dashes(line.colour, surface),
    };
    format!("{}{dashes}", pen(line.shape))
}

const fn pen(shape: Shape) -> &'static str {
    match shape {
        Shape::Dashed => " stroke-width=\"1.8\" stroke-linejoin=\"round\" stroke-dasharray=\"6 4\"",
        Shape::Area => " stroke-width=\"1.2\" stroke-linejoin=\"round\"",
        Shape::Strong => " stroke-width=\"2.8\" stroke-linejoin=\"round\"",
        Shape::Faint => " stroke-width=\"1.1\" stroke-opacity=\"0.6\" stroke-linejoin=\"round\"",
        Shape::Straight | Shape::Step | Shape::Dotted => " stroke-width=\"1.6\" stroke-linejoin=\"round\"",
    }
}

/// A path through the points that starts again after each gap.
fn course(figure: &Figure, frame: &Frame, points: &[(f64, f64)], shape: Shape) -> String {
    let mut path = String::new();
    for stretch in stretches(points) {
        let mut command = 'M';
        for &(x, y) in stretch {
            let (Some(x), Some(y)) = (frame.x(figure, x), frame.y(figure, y)) else { continue };
            if command == 'L' && matches!(shape, Shape::Step | Shape::Area) {
                write!(path, "H{}", short(x)).expect("writing to a string cannot fail");
            }
            write!(path, "{command}{} {}", short(x), short(y)).expect("writing to a string cannot fail");
            command = 'L';
        }
    }
    path
}

fn area(figure: &Figure, frame: &Frame, stretch: &[(f64, f64)]) -> String {
    let ends = (
        stretch.first().and_then(|p| frame.x(figure, p.0)),
        stretch.last().and_then(|p| frame.x(figure, p.0)),
    );
    let (Some(first), Some(last)) = ends else { return String::new() };
    let mut path = course(figure, frame, stretch, Shape::Area);
    write!(path, "L{} {}H{}Z", short(last), short(frame.bottom), short(first))
        .expect("writing to a string cannot fail");
    path
}

fn draw_band(svg: &mut Svg, figure: &Figure, frame: &Frame, band: &Band) {
    let edge = |pick: fn(&(f64, f64, f64)) -> f64| {
        let points: Vec<_> = band.points.iter().map(|point| (point.0, pick(point))).collect();
        columns(&points, &figure.x, frame.columns())
    };
    let (low, high) = (edge(|point| point.1), edge(|point| point.2));
    let outline = low.iter().zip(&high).map(|(low, high)| match band.reduction {
        Reduction::Means => (low.x, low.mean, high.mean),
        Reduction::Extremes => (low.x, low.low, high.high),
    });
    let more = format!(" fill-opacity=\"{:.2}\"", band.opacity);
    svg.fill(&ribbon(figure, frame, outline), band.colour, &more);
}

/// A closed path along the upper edge and back along the lower one.
fn ribbon(figure: &Figure, frame: &Frame, outline: impl Iterator<Item = (f64, f64, f64)>) -> String {
    let place = |(x, low, high)| Some((frame.x(figure, x)?, frame.y(figure, low)?, frame.y(figure, high)?));
    let places: Vec<(f64, f64, f64)> = outline.filter_map(place).collect();
    let mut path = String::new();
    let there = places.iter().map(|place| (place.0, place.2));
    let back = places.iter().rev().map(|place| (place.0, place.1));
    for (index, (x, y)) in there.chain(back).enumerate() {
        let command = if index == 0 { 'M' } else { 'L' };
        write!(path, "{command}{} {}", short(x), short(y)).expect("writing to a string cannot fail");
    }
    if !path.is_empty() {
        path.push('Z');
    }
    path
}

fn draw_bars(svg: &mut Svg, figure: &Figure, frame: &Frame, bars: &Bars, (index, count): (usize, usize)) {
    let (low, high) = figure.x.range;
    let place = (frame.right - frame.left) / (high - low);
    let gap = if place > 6.0 { (place * 0.28).min(40.0) } else { place * 0.1 };
    let width = ((place - gap) / count as f64).min(44.0);
    for (number, &value) in bars.values.iter().enumerate() {
        let (Some(centre), Some(top)) = (frame.x(figure, number as f64), frame.y(figure, value)) else {
            continue;
        };
        let left = centre - width * count as f64 / 2.0 + width * index as f64;
        let inner = if count > 1 { width - 1.0 } else { width };
        let round = if width > 5.0 { " rx=\"1.5\"" } else { "" };
        let (colour, edge) = dashes::bar(bars.colour, svg.surface());
        svg.rectangle((left, top), (inner, frame.bottom - top), colour, &format!("{round}{edge}"));
    }
}

fn draw_whiskers(svg: &mut Svg, figure: &Figure, frame: &Frame, whiskers: &Whiskers) {
    const CAP: f64 = 4.0;
    let mut path = String::new();
    for &(x, low, high) in &whiskers.points {
        let ends = (frame.x(figure, x), frame.y(figure, low), frame.y(figure, high));
        let (Some(x), Some(low), Some(high)) = ends else { continue };
        let (x, low, high) = (short(x), short(low), short(high));
        let cap = 2.0 * CAP;
        write!(path, "M{x} {low}m-{CAP} 0h{cap}m-{CAP} 0V{high}m-{CAP} 0h{cap}")
            .expect("writing to a string cannot fail");
    }
    // On a dark bar, only the halo is visible.
    if figure.marks.iter().any(|mark| bars_of(mark).is_some()) {
        svg.stroke(&path, Colour::Paper, " stroke-width=\"3.6\"");
    }
    svg.stroke(&path, whiskers.colour, " stroke-width=\"1.4\"");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_ends_where_it_crosses_the_edge_of_the_plot() {
        let rising = [(0.0, 0.0), (2.0, 0.5), (6.0, 1.0)];
        assert_eq!(clipped(&rising, (0.0, 4.0), Shape::Straight), [(0.0, 0.0), (2.0, 0.5), (4.0, 0.75)]);
        assert_eq!(clipped(&rising, (0.0, 4.0), Shape::Step), [(0.0, 0.0), (2.0, 0.5), (4.0, 0.5)]);
        assert_eq!(clipped(&rising, (3.0, 5.0), Shape::Straight), [(3.0, 0.625), (5.0, 0.875)]);
        assert_eq!(clipped(&rising, (0.0, 6.0), Shape::Straight), rising);
        let back: Vec<_> = rising.into_iter().rev().collect();
        assert_eq!(clipped(&back, (3.0, 5.0), Shape::Straight), [(5.0, 0.875), (3.0, 0.625)]);
    }

    #[test]
    fn a_gap_is_not_bridged_by_the_edge() {
        let gap = [(0.0, 1.0), (1.0, f64::NAN), (9.0, 1.0)];
        let kept = clipped(&gap, (0.0, 4.0), Shape::Straight);
        assert_eq!(kept.len(), 2);
        assert!(kept[1].1.is_nan());
    }
}
