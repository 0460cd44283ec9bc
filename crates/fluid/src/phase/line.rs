//! Lines at which the system switches from one formula to another.

use super::bounds::Window;

/// A switching line: the points where `offset_part x + excess_part y = level`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Its equation, such as `Fb = 0`.
    pub name: &'static str,
    /// The coefficient of the offset, which is in bytes.
    pub offset_part: f64,
    /// The coefficient of the excess, which is in bytes per second.
    pub excess_part: f64,
    /// The value of the sum for points on the line.
    pub level: f64,
    /// The meaning of y while the queue is held.
    pub(super) measure: Measure,
}

/// The quantity that a line evaluates besides the offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Measure {
    /// The queue growth, which is zero while the queue is held.
    Growth,
    /// The excess of the rates, even while the queue is held.
    Excess,
}

/// The side of every line that a point is on: one bit per line, set if the sum is above its level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Region(u8);

/// A point and the slope of the queue there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Place {
    pub(super) x: f64,
    pub(super) y: f64,
    /// x', which is y unless the queue is held.
    pub(super) growth: f64,
}

impl Line {
    /// How far above its level the sum is.
    pub(super) fn value(&self, place: &Place) -> f64 {
        let moving = match self.measure {
            Measure::Growth => place.growth,
            Measure::Excess => place.y,
        };
        self.offset_part * place.x + self.excess_part * moving - self.level
    }

    /// The slope of the sum, given y', while the queue is not held.
    pub(super) fn slope(&self, place: &Place, excess_slope: f64) -> f64 {
        self.offset_part * place.growth + self.excess_part * excess_slope
    }

    /// The excess on the line at an offset; `None` on a vertical line.
    pub fn excess_at(&self, offset: f64) -> Option<f64> {
        (self.excess_part != 0.0).then(|| (self.level - self.offset_part * offset) / self.excess_part)
    }

    /// The part of the line inside a window, from the lowest offset to the highest; `None` if it lies
    /// outside.
    pub fn across(&self, window: &Window) -> Option<[(f64, f64); 2]> {
        let (left, right) = window.offset;
        let (low, high) = window.excess;
        if self.excess_part == 0.0 {
            let offset = self.level / self.offset_part;
            return (left..=right).contains(&offset).then_some([(offset, low), (offset, high)]);
        }
        let (mut from, mut to) = (left, right);
        if self.offset_part != 0.0 {
            let at = |excess: f64| (self.level - self.excess_part * excess) / self.offset_part;
            let (one, other) = (at(low), at(high));
            (from, to) = (from.max(one.min(other)), to.min(one.max(other)));
        }
        // Rounding must not move an end out of the window.
        let end = |offset: f64| Some(window.hold((offset, self.excess_at(offset)?)));
        let inside = (low..=high).contains(&self.excess_at(from)?) || self.offset_part != 0.0;
        if from <= to && inside { Some([end(from)?, end(to)?]) } else { None }
    }
}

impl Region {
    /// The region of a point; a point on a line belongs to the lower side.
    pub(super) fn of(lines: &[Line], place: &Place) -> Self {
        let bit = |(index, line): (usize, &Line)| u8::from(line.value(place) > 0.0) << index;
        Self(lines.iter().enumerate().map(bit).sum())
    }

    pub(super) fn is_above(self, line: usize) -> bool {
        self.0 & (1 << line) != 0
    }

    pub(super) fn with_above(self, line: usize) -> Self {
        Self(self.0 | 1 << line)
    }

    pub(super) fn with_below(self, line: usize) -> Self {
        Self(self.0 & !(1 << line))
    }

    /// The only line between two regions; `None` if there are several.
    pub(super) fn line_between(self, other: Self) -> Option<usize> {
        let different = self.0 ^ other.0;
        different.is_power_of_two().then(|| different.trailing_zeros() as usize)
    }
}
