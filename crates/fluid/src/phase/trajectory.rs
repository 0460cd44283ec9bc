//! Trajectories in the phase plane.

/// When a line crossing takes effect.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Switching {
    /// At once; if both sides lead to the line, the motion slides along it (Filippov).
    Immediate,
    /// After this many seconds, during which the old subsystem continues beyond the line (section 2.3,
    /// figure 4). Zero or less means immediate.
    Delayed(f64),
}

/// A trajectory, with a point for every step, every crossing and every change of subsystem.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trajectory {
    /// Times, in seconds.
    pub time_s: Vec<f64>,
    /// Offsets of the queue, in bytes.
    pub offset: Vec<f64>,
    /// Excesses of the rates, in bytes per second.
    pub excess: Vec<f64>,
    /// Intervals of sliding: start and end, in seconds.
    pub sliding: Vec<(f64, f64)>,
    /// Line crossings: the time and the index in [`Plane::lines`](super::Plane::lines).
    pub crossings: Vec<(f64, usize)>,
}

impl Trajectory {
    /// The last point.
    pub fn end(&self) -> (f64, f64) {
        (self.offset.last().copied().unwrap_or(0.0), self.excess.last().copied().unwrap_or(0.0))
    }

    /// The time spent sliding, in seconds.
    pub fn time_sliding(&self) -> f64 {
        self.sliding.iter().map(|(from, to)| to - from).sum()
    }

    /// The time at which |y| first falls to `excess` or below; `None` if it never does.
    pub fn reaches_balance(&self, excess: f64) -> Option<f64> {
        let place = self.excess.iter().position(|value| value.abs() <= excess)?;
        self.time_s.get(place).copied()
    }

    /// The smallest and largest offset from a given time on; `None` after the end.
    pub fn range_from(&self, time_s: f64) -> Option<(f64, f64)> {
        let first = self.time_s.partition_point(|time| *time < time_s);
        let part = self.offset.get(first..).filter(|part| !part.is_empty())?;
        Some(part.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), value| {
            (least.min(*value), most.max(*value))
        }))
    }

    /// The offset at which the motion has settled: the final offset, if the motion has moved by at most
    /// `distance` bytes since `since_s`.
    pub fn rest(&self, since_s: f64, distance: f64) -> Option<f64> {
        let (least, most) = self.range_from(since_s)?;
        (most - least <= distance).then_some(self.end().0)
    }

    /// The offset at an instant, interpolated linearly.
    pub fn offset_at(&self, time_s: f64) -> f64 {
        self.between(time_s, &self.offset)
    }

    /// The excess at an instant, interpolated linearly.
    pub fn excess_at(&self, time_s: f64) -> f64 {
        self.between(time_s, &self.excess)
    }

    /// A copy with fewer points, for drawing: the ends, and points that differ from the last kept one by more
    /// than a thousandth of the scales, which are in bytes and bytes per second.
    #[must_use]
    pub fn thinned(&self, (offset, excess): (f64, f64)) -> Self {
        let mut thin =
            Self { sliding: self.sliding.clone(), crossings: self.crossings.clone(), ..Self::default() };
        let last = self.time_s.len().saturating_sub(1);
        for index in 0..self.time_s.len() {
            let (x, y) = (self.offset[index], self.excess[index]);
            let (old_x, old_y) = thin.end();
            let moved = libm::hypot((x - old_x) / offset, (y - old_y) / excess) > 1e-3;
            if moved || index == 0 || index == last {
                thin.push(self.time_s[index], x, y);
            }
        }
        thin
    }

    pub(super) fn push(&mut self, time: f64, offset: f64, excess: f64) {
        self.time_s.push(time);
        self.offset.push(offset);
        self.excess.push(excess);
    }

    /// Records sliding, merged with the last interval if the two are adjacent.
    pub(super) fn slides(&mut self, from: f64, to: f64) {
        match self.sliding.last_mut() {
            Some(last) if last.1 >= from => last.1 = to,
            _ => self.sliding.push((from, to)),
        }
    }

    fn between(&self, time: f64, values: &[f64]) -> f64 {
        let after = self.time_s.partition_point(|known| *known < time);
        let (Some(value), Some(before)) = (values.get(after), after.checked_sub(1)) else {
            return values.get(after.min(values.len().saturating_sub(1))).copied().unwrap_or(0.0);
        };
        let (from, to) = (self.time_s[before], self.time_s[after]);
        let part = if to > from { (time - from) / (to - from) } else { 1.0 };
        values[before] + (value - values[before]) * part
    }
}
