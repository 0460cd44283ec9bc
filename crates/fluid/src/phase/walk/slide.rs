//! Sliding along a switching line.
//!
//! Sliding has a closed form. On a line `u x + v y = level` with x' = y, staying on the line means
//! y' = -(u/v) y, regardless of which mixture of the two sides produces it (Filippov). The motion
//! slides while both sides lead to the line.

use super::{HALVINGS, Walk};
use crate::phase::line::{Line, Region};
use crate::phase::memory::Clock;

impl Walk<'_> {
    /// Handles a start on a line: slides, or picks the side to which both fields lead.
    pub(super) fn start_on_a_line(&mut self) {
        let place = self.place();
        for index in 0..self.lines.len() {
            let line = self.lines[index];
            let scale =
                (line.offset_part * self.x).abs() + (line.excess_part * self.y).abs() + line.level.abs();
            if line.value(&place).abs() > 1e-12 * scale {
                continue;
            }
            if self.delay == 0.0 && self.slides_along(index) {
                self.slide_from_here(index);
                return;
            }
            let (above, _) = self.slopes_beside(index);
            self.seen = if above > 0.0 { self.seen.with_above(index) } else { self.seen.with_below(index) };
            self.acting = self.seen;
            self.leaving = Some(index);
        }
    }

    /// Starts sliding. Moves the point exactly onto the line, since the crossing was located only to about
    /// the last bit.
    pub(super) fn slide_from_here(&mut self, line: usize) {
        self.y = self.lines[line].excess_at(self.x).unwrap_or(self.y);
        self.sliding = Some(line);
    }

    /// Theorem 1: whether both sides lead to a line that the motion is on. A side that leads along the line
    /// counts.
    pub(super) fn slides_along(&self, line: usize) -> bool {
        let held = self.held();
        if held.queue || held.rate || self.lines[line].excess_part == 0.0 {
            return false;
        }
        let (above, below) = self.slopes_beside(line);
        leads_to_line(above, below)
    }

    /// The slopes of a line's value on its upper and lower side.
    fn slopes_beside(&self, line: usize) -> (f64, f64) {
        let place = self.place();
        let side = |region: Region| {
            // As if the side had just been entered, since sliding means endless changes of side.
            let memory = self.plane.law.changed(self.memory, &self.change(region, &|time| self.past(time)));
            let slope = self.plane.law.slope(region, &place, &memory, Clock::at(self.now));
            self.lines[line].slope(&place, slope)
        };
        (side(self.seen.with_above(line)), side(self.seen.with_below(line)))
    }

    pub(super) fn slide(&mut self, index: usize, until: f64) {
        let line = self.lines[index];
        let from = self.now;
        let longest = self.plane.step().min(until - from);
        let (x, y) = (self.x, self.y);
        let mut after = |step: f64| {
            (self.x, self.y) = along(&line, x, y, step);
            self.now = (from + step).max(from.next_up());
            self.slides_along(index)
        };
        let still = after(longest);
        if !still {
            let (mut yes, mut no) = (0.0, longest);
            for _ in 0..HALVINGS {
                let middle = f64::midpoint(yes, no);
                if after(middle) {
                    yes = middle;
                } else {
                    no = middle;
                }
            }
            after(no);
        }
        self.course.slides(from, self.now);
        if !still {
            self.leave(index);
        }
    }

    /// Leaves the line to the side that no longer leads to it.
    fn leave(&mut self, line: usize) {
        let (above, _) = self.slopes_beside(line);
        let region = if above > 0.0 { self.seen.with_above(line) } else { self.seen.with_below(line) };
        self.sliding = None;
        self.seen = region;
        self.act(region);
        self.leaving = Some(line);
    }
}

/// Whether both sides lead to the line, or one leads to it and the other along it.
pub(in crate::phase) fn leads_to_line(above: f64, below: f64) -> bool {
    above <= 0.0 && below >= 0.0 && (above < 0.0 || below > 0.0)
}

/// The motion along a line.
fn along(line: &Line, x: f64, y: f64, step: f64) -> (f64, f64) {
    if line.offset_part == 0.0 {
        return (x + y * step, y);
    }
    let y = y * libm::exp(-line.offset_part / line.excess_part * step);
    ((line.level - line.excess_part * y) / line.offset_part, y)
}
