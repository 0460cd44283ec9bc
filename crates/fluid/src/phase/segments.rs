//! Sliding segments of switching lines: theorem 1.

use super::line::{Line, Place, Region};
use super::memory::{Clock, Memory};
use super::plane::Plane;
use super::walk::leads_to_line;

/// A part of a switching line along which the motion slides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    /// The index of its line in [`Plane::lines`].
    pub line: usize,
    /// Its ends (offset, excess), by ascending offset.
    pub ends: [(f64, f64); 2],
}

/// Number of points tested on a line; between two points with different results, bisection finds the end of a
/// segment.
const TRIED: usize = 1000;
const HALVINGS: usize = 60;

impl Plane {
    /// The parts of all lines, within the [window](Plane::window), at which both sides lead to the line. For
    /// QCN they depend on the target N R(0) - A; the default corresponds to the line rate.
    pub fn sliding_segments(&self, target: Option<f64>) -> Vec<Segment> {
        let memory = Memory { target: target.unwrap_or(self.window.excess.1), since: 0.0 };
        let lines = self.lines();
        (0..lines.len()).flat_map(|line| self.on_line(&lines, line, &memory)).collect()
    }

    fn on_line(&self, lines: &[Line], index: usize, memory: &Memory) -> Vec<Segment> {
        let line = lines[index];
        let upright = line.excess_part == 0.0;
        let Some([from, to]) = line.across(&self.window).filter(|_| !upright) else { return Vec::new() };
        let at = |part: f64| {
            let offset = from.0 + (to.0 - from.0) * part;
            (offset, line.excess_at(offset).unwrap_or_default())
        };
        let slides = |part: f64| self.slides_at(lines, index, at(part), memory);
        let parts: Vec<f64> = (0..=TRIED).map(|tried| tried as f64 / TRIED as f64).collect();
        let mut segments = Vec::new();
        let mut start = slides(0.0).then_some(0.0);
        for pair in parts.windows(2) {
            match (start, slides(pair[1])) {
                (None, true) => start = Some(border(slides, pair[1], pair[0])),
                (Some(begin), false) => {
                    segments.push((begin, border(slides, pair[0], pair[1])));
                    start = None;
                }
                _ => {}
            }
        }
        segments.extend(start.map(|begin| (begin, 1.0)));
        segments.into_iter().map(|(begin, end)| Segment { line: index, ends: [at(begin), at(end)] }).collect()
    }

    fn slides_at(&self, lines: &[Line], index: usize, (x, y): (f64, f64), memory: &Memory) -> bool {
        let place = Place { x, y, growth: y };
        let here = Region::of(lines, &place);
        let side =
            |region| lines[index].slope(&place, self.law.slope(region, &place, memory, Clock::at(0.0)));
        leads_to_line(side(here.with_above(index)), side(here.with_below(index)))
    }
}

/// The last position that slides, between a position that slides and one that does not.
fn border(slides: impl Fn(f64) -> bool, mut yes: f64, mut no: f64) -> f64 {
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(yes, no);
        if slides(middle) {
            yes = middle;
        } else {
            no = middle;
        }
    }
    yes
}
