//! Drawing lines, bands and bars.

use std::fmt::Write as _;

use super::decimate::{Column, columns, is_dense, stretches};
use super::frame::Frame;
use super::svg::{Svg, short};
use super::{Band, Bars, Figure, Line, Mark, Shape};

/// Draws every mark, the first the lowest.
pub(super) fn draw(svg: &mut Svg, figure: &Figure, frame: &Frame) {
    let bars: Vec<&Bars> = figure.marks.iter().filter_map(bars_of).collect();
    let count = bars.len();
    for (index, bars) in bars.into_iter().enumerate() {
        draw_bars(svg, figure, frame, bars, (index, count));
    }
    for mark in &figure.marks {
        match mark {
            Mark::Line(line) => draw_line(svg, figure, frame, line),
            Mark::Band(band) => draw_band(svg, figure, frame, band),
            Mark::Bars(_) => {}
        }
    }
}

fn bars_of(mark: &Mark) -> Option<&Bars> {
    match mark {
        Mark::Bars(bars) => Some(bars),
        Mark::Line(_) | Mark::Band(_) => None,
    }
}

/// A dense line is drawn as its mean over a shade from the smallest to the largest value.
fn draw_line(svg: &mut Svg, figure: &Figure, frame: &Frame, line: &Line) {
    if is_dense(&line.points, frame.columns()) {
        let reduced = columns(&line.points, figure.x.range, frame.columns());
        let outline = reduced.iter().map(|&Column { x, low, high, .. }| (x, low, high));
        svg.fill(&ribbon(figure, frame, outline), line.colour, " fill-opacity=\"0.28\"");
        let means: Vec<_> = reduced.iter().map(|column| (column.x, column.mean)).collect();
        return svg.stroke(&path(figure, frame, &means, Shape::Straight), line.colour, stroke(line.shape));
    }
    if line.shape == Shape::Area {
        for stretch in stretches(&line.points) {
            svg.fill(&area(figure, frame, stretch), line.colour, " fill-opacity=\"0.28\"");
        }
    }
    svg.stroke(&path(figure, frame, &line.points, line.shape), line.colour, stroke(line.shape));
}

const fn stroke(shape: Shape) -> &'static str {
    match shape {
        Shape::Dashed => " stroke-width=\"1.8\" stroke-linejoin=\"round\" stroke-dasharray=\"6 4\"",
        Shape::Area => " stroke-width=\"1.2\" stroke-linejoin=\"round\"",
        Shape::Straight | Shape::Step => " stroke-width=\"1.6\" stroke-linejoin=\"round\"",
    }
}

/// A path through the points, with a new start after each gap.
fn path(figure: &Figure, frame: &Frame, points: &[(f64, f64)], shape: Shape) -> String {
    let mut path = String::new();
    for stretch in stretches(points) {
        let mut command = 'M';
        for &(x, y) in stretch {
            let (Some(x), Some(y)) = (frame.x(figure, x), frame.y(figure, y)) else { continue };
            if command == 'L' && matches!(shape, Shape::Step | Shape::Area) {
                write!(path, "H{}", short(x)).expect("a string takes everything");
            }
            write!(path, "{command}{} {}", short(x), short(y)).expect("a string takes everything");
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
    let mut path = path(figure, frame, stretch, Shape::Area);
    write!(path, "L{} {}H{}Z", short(last), short(frame.bottom), short(first))
        .expect("a string takes everything");
    path
}

fn draw_band(svg: &mut Svg, figure: &Figure, frame: &Frame, band: &Band) {
    // Quantiles are smooth in themselves: a mean over each column of both edges is enough.
    let edge = |pick: fn(&(f64, f64, f64)) -> f64| {
        let points: Vec<_> = band.points.iter().map(|point| (point.0, pick(point))).collect();
        columns(&points, figure.x.range, frame.columns())
    };
    let (low, high) = (edge(|point| point.1), edge(|point| point.2));
    let outline = low.iter().zip(&high).map(|(low, high)| (low.x, low.mean, high.mean));
    let more = format!(" fill-opacity=\"{:.2}\"", band.opacity);
    svg.fill(&ribbon(figure, frame, outline), band.colour, &more);
}

/// A closed path there along the upper edge and back along the lower one.
fn ribbon(figure: &Figure, frame: &Frame, outline: impl Iterator<Item = (f64, f64, f64)>) -> String {
    let place = |(x, low, high)| Some((frame.x(figure, x)?, frame.y(figure, low)?, frame.y(figure, high)?));
    let places: Vec<(f64, f64, f64)> = outline.filter_map(place).collect();
    let mut path = String::new();
    let there = places.iter().map(|place| (place.0, place.2));
    let back = places.iter().rev().map(|place| (place.0, place.1));
    for (index, (x, y)) in there.chain(back).enumerate() {
        let command = if index == 0 { 'M' } else { 'L' };
        write!(path, "{command}{} {}", short(x), short(y)).expect("a string takes everything");
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
        let more = if width > 5.0 { " rx=\"1.5\"" } else { "" };
        svg.rectangle((left, top), (inner, frame.bottom - top), bars.colour, more);
    }
}
