//! The times at which a solution is not smooth.

/// Jumps in derivatives above this order do not matter for steps of order four: their error within a step is
/// of the same order as the step's own.
const HIGHEST_ORDER: u32 = 4;

/// Maximum number of pending breakpoints. With many delays, those of the lowest order matter most.
const MOST_WAITING: usize = 4096;

/// Two breakpoints closer than this fraction of their time are merged.
const SAME: f64 = 16.0 * f64::EPSILON;

/// Pending breakpoints.
///
/// A jump in the `k`-th derivative at time `t` makes derivative `k + 1` jump at `t + d` for every delay `d`
/// (smoothing). A breakpoint is propagated when it is reached, so only one generation is pending at any time.
///
/// Invariant: sorted by descending time; no two are closer than [`SAME`].
#[derive(Clone, Debug, Default)]
pub(super) struct Breakpoints {
    waiting: Vec<Breakpoint>,
}

/// A jump in a derivative of some order; order zero is a jump in the solution itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Breakpoint {
    pub(super) time: f64,
    pub(super) order: u32,
    pub(super) cause: Cause,
}

/// The cause of a breakpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cause {
    /// The right-hand side jumps at this time by definition.
    Jump,
    /// An earlier breakpoint, delayed.
    Delay,
}

impl Breakpoints {
    /// Adds a breakpoint unless it is too smooth to matter; merges it with one at the same time.
    pub(super) fn add(&mut self, breakpoint: Breakpoint) {
        if breakpoint.order > HIGHEST_ORDER {
            return;
        }
        let place = self.waiting.partition_point(|other| other.time > breakpoint.time);
        let near = [place.checked_sub(1), Some(place)]
            .into_iter()
            .flatten()
            .find(|&index| self.waiting.get(index).is_some_and(|other| same(other.time, breakpoint.time)));
        match near {
            Some(index) => self.waiting[index].merge(breakpoint),
            None => self.insert(place, breakpoint),
        }
    }

    /// Adds the breakpoints that a jump at a given time causes after each delay.
    pub(super) fn spread(&mut self, time: f64, order: u32, delays: &[f64]) {
        for delay in delays {
            self.add(Breakpoint { time: time + delay, order: order + 1, cause: Cause::Delay });
        }
    }

    pub(super) fn next(&self) -> Option<Breakpoint> {
        self.waiting.last().copied()
    }

    /// Removes and returns the next breakpoint if it is at or before this time.
    pub(super) fn take(&mut self, time: f64) -> Option<Breakpoint> {
        self.waiting.pop_if(|next| next.time <= time || same(next.time, time))
    }

    fn insert(&mut self, place: usize, breakpoint: Breakpoint) {
        self.waiting.insert(place, breakpoint);
        if self.waiting.len() > MOST_WAITING {
            let smoothest = (0..self.waiting.len()).max_by_key(|&index| self.waiting[index].order);
            self.waiting.remove(smoothest.expect("breakpoints are pending"));
        }
    }
}

impl Breakpoint {
    fn merge(&mut self, other: Self) {
        self.order = self.order.min(other.order);
        if other.cause == Cause::Jump {
            self.cause = Cause::Jump;
            self.time = other.time;
        }
    }
}

fn same(one: f64, other: f64) -> bool {
    (one - other).abs() <= SAME * one.abs().max(other.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn jump(time: f64, order: u32) -> Breakpoint {
        Breakpoint { time, order, cause: Cause::Jump }
    }

    fn drain(mut breakpoints: Breakpoints) -> Vec<(f64, u32)> {
        std::iter::from_fn(|| breakpoints.take(f64::INFINITY)).map(|next| (next.time, next.order)).collect()
    }

    #[test]
    fn they_come_in_the_order_of_time_and_merge_to_the_roughest() {
        let mut breakpoints = Breakpoints::default();
        for (time, order) in [(3.0, 1), (1.0, 2), (2.0, 4), (1.0 + f64::EPSILON, 1)] {
            breakpoints.add(jump(time, order));
        }
        assert_eq!(drain(breakpoints), [(1.0 + f64::EPSILON, 1), (2.0, 4), (3.0, 1)]);
    }

    #[test]
    fn they_spread_by_every_delay_until_they_are_smooth() {
        let mut breakpoints = Breakpoints::default();
        breakpoints.spread(1.0, 1, &[0.5, 2.0]);
        assert_eq!(drain(breakpoints.clone()), [(1.5, 2), (3.0, 2)]);
        breakpoints.spread(5.0, HIGHEST_ORDER, &[0.5, 2.0]);
        assert_eq!(drain(breakpoints), [(1.5, 2), (3.0, 2)]);
    }

    #[test]
    fn the_smoothest_give_way_when_too_many_wait() {
        let mut breakpoints = Breakpoints::default();
        for index in 0..5000_u32 {
            breakpoints.add(jump(f64::from(index), if index % 2 == 0 { 1 } else { 3 }));
        }
        let waiting = drain(breakpoints);
        assert_eq!(waiting.len(), MOST_WAITING);
        assert_eq!(waiting.iter().filter(|(_, order)| *order == 1).count(), 2500);
    }

    #[test]
    fn one_that_is_still_to_come_is_not_taken() {
        let mut breakpoints = Breakpoints::default();
        breakpoints.add(jump(1.0, 1));
        assert_eq!(breakpoints.take(0.999), None);
        assert_eq!(breakpoints.take(1.0 - f64::EPSILON), Some(jump(1.0, 1)));
        assert_eq!(breakpoints.next(), None);
    }
}
