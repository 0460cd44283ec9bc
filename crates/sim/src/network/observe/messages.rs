//! A bounded record of individual messages, and exact counts of each fate.
//!
//! Up to the bound, all messages are kept. Beyond it, messages offered outside the measurement interval are
//! discarded, and then a uniform random sample of the others is kept (reservoir sampling), so that quantiles
//! stay unbiased. The counts are always exact.

use setpoint_random::RandomStream;
use setpoint_units::Time;

use crate::network::node::receive::Ended;
use crate::outcome::{Fate, MessageCounts, Offered};

/// Maximum number of messages kept.
pub(in crate::network) const BOUND: usize = 1_000_000;

#[derive(Clone, Debug)]
pub(in crate::network) struct Messages {
    kept: Vec<Ended>,
    counts: MessageCounts,
    /// When the measurement interval begins and, if it ends before the end of the run, when it ends.
    measured: (Time, Option<Time>),
    /// Measured messages seen since the bound was reached.
    seen: u64,
    bound: usize,
    entropy: RandomStream,
}

impl Messages {
    pub(in crate::network) fn new(measured: (Time, Option<Time>), entropy: RandomStream) -> Self {
        let counts = MessageCounts::default();
        Self { kept: Vec::new(), counts, measured, seen: 0, bound: BOUND, entropy }
    }

    pub(in crate::network) fn push(&mut self, message: Ended) {
        self.count(&message);
        if self.seen == 0 && self.kept.len() == self.bound {
            self.keep_measured();
        }
        if self.seen == 0 {
            self.kept.push(message);
        } else if offered(self.measured, &message) == Offered::Measured {
            self.replace_one(message);
        }
    }

    /// The kept messages and the counts of all messages.
    pub(in crate::network) fn take(&mut self) -> (Vec<Ended>, MessageCounts) {
        (std::mem::take(&mut self.kept), self.counts)
    }

    fn count(&mut self, message: &Ended) {
        let counts = match offered(self.measured, message) {
            Offered::Before => &mut self.counts.before,
            Offered::Measured => &mut self.counts.measured,
            Offered::After => &mut self.counts.after,
        };
        match message.fate {
            Fate::Completed => counts.completed += 1,
            Fate::Unfinished => counts.unfinished += 1,
            Fate::Damaged => counts.damaged += 1,
        }
    }

    /// Allocated capacity, in messages.
    pub(in crate::network) fn capacity(&self) -> usize {
        self.kept.capacity()
    }

    /// Discards messages offered outside the measurement interval. If that frees capacity, further
    /// messages continue to be kept.
    fn keep_measured(&mut self) {
        let measured = self.measured;
        self.kept.retain(|message| offered(measured, message) == Offered::Measured);
        if self.kept.len() == self.bound {
            self.seen = self.bound as u64;
        }
    }

    /// Keeps every measured message with the same probability.
    fn replace_one(&mut self, message: Ended) {
        self.seen += 1;
        let place = self.entropy.below(self.seen);
        if let Some(kept) = self.kept.get_mut(place as usize) {
            *kept = message;
        }
    }
}

/// When a message was offered, relative to the measurement interval.
fn offered((from, until): (Time, Option<Time>), message: &Ended) -> Offered {
    Offered::at(message.offered, from, until)
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use setpoint_units::TimeDelta;

    use super::*;
    use setpoint_random::Purpose;

    fn kept(bound: usize, measured: Range<u64>, count: u64) -> (Vec<u64>, u64) {
        let at = |micros| Time::ZERO + TimeDelta::from_micros(micros);
        let entropy = RandomStream::new(1, Purpose::Reservoir, 0);
        let mut messages =
            Messages { bound, ..Messages::new((at(measured.start), Some(at(measured.end))), entropy) };
        for number in 0..count {
            messages.push(Ended {
                flow: crate::ids::FlowId(0),
                fate: if number % 4 == 3 { Fate::Damaged } else { Fate::Completed },
                size: number,
                offered: at(number),
                completed: at(number + 1),
                waited: TimeDelta::ZERO,
                conversation: crate::index::Conversation(0),
            });
        }
        let (kept, counts) = messages.take();
        let (before, after) = (measured.start.min(count), count.saturating_sub(measured.end));
        assert_eq!((counts.before.total(), counts.after.total()), (before, after));
        assert_eq!(counts.measured.total(), count - before - after);
        assert_eq!(counts.total().damaged, count / 4);
        let kept: Vec<u64> = kept.iter().map(|message| message.size).collect();
        let discarded = count - kept.len() as u64;
        (kept, discarded)
    }

    #[test]
    fn all_are_kept_up_to_the_bound() {
        assert_eq!(kept(5, 3..9, 5), ((0..5).collect(), 0));
    }

    #[test]
    fn beyond_it_the_unmeasured_go_first() {
        assert_eq!(kept(5, 3..9, 8), ((3..8).collect(), 3));
        assert_eq!(kept(5, 3..6, 8), ((3..8).collect(), 3), "until there is room");
        assert_eq!(kept(5, 3..8, 20), ((3..8).collect(), 15));
    }

    #[test]
    fn then_a_random_choice_of_the_measured_stays() {
        let (kept, discarded) = kept(1_000, 500..200_000, 100_500);
        assert_eq!((kept.len(), discarded), (1_000, 99_500));
        assert!(kept.iter().all(|&number| number >= 500));
        let mean = kept.iter().sum::<u64>() as f64 / 1_000.0;
        // For a uniform distribution over 100 000, the mean of a thousand samples has a standard deviation of 0.9 % of the
        // range.
        assert!((mean - 50_500.0).abs() < 3_000.0, "{mean}");
    }
}
