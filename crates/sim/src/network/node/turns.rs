//! Turns of the classes at a port under enhanced transmission selection.
//!
//! Weighted classes take turns. At the beginning of its turn a class gets credit in proportion to its weight, and it sends
//! while its credit is positive; a frame may exceed the credit, and the class owes the difference in its next turn (surplus
//! round robin). Over any time in which several classes have frames, the link time of each therefore differs from its share by
//! less than one turn. A class that has nothing to send, or that is paused, loses its credit but keeps its debt.
//!
//! Frames of a class without a competitor are not charged and change nothing, so that a port may decide their departures in
//! advance ([`super::bridge`]) without counting turns. For the same reason classes lose their remaining credit as soon as
//! fewer than two of them are waiting, rather than when a class without a competitor has sent its last frame.

use setpoint_units::Bytes;

use super::context::Classes;
use super::port::highest;
use crate::ids::Priority;
use crate::spec::{Ets, Scheduling, Spec};

/// The turns of the classes at one port.
#[derive(Clone, Debug)]
pub(in crate::network) struct Turns {
    /// Strict classes, one bit each.
    strict: u8,
    /// The class whose turn it is.
    current: u8,
    /// Whether at least two weighted classes have been waiting ever since the last selection among several.
    contended: bool,
    /// Bytes that each class gets per turn.
    quanta: [i64; Priority::COUNT],
    /// Bytes that each class may still send in its turn. If negative, its debt.
    credit: [i64; Priority::COUNT],
}

impl Turns {
    /// The turns at a port of a spec's network, if the spec has weighted priorities.
    pub(in crate::network) fn of(spec: &Spec, classes: &Classes) -> Option<Self> {
        match &spec.scheduling {
            Scheduling::Strict => None,
            Scheduling::Ets(ets) => Some(Self::new(ets, classes, longest_frame(spec))),
        }
    }

    /// The turns of classes whose frames occupy a link for at most as long as `longest` bytes. A turn of the class with the
    /// least weight is long enough for one such frame.
    fn new(ets: &Ets, classes: &Classes, longest: Bytes) -> Self {
        let (mut strict, mut quanta) = (0, [0; Priority::COUNT]);
        let weights = || classes.priorities.iter().map(|priority| ets.weight(*priority));
        let least = weights().flatten().map(|weight| u64::from(weight.get())).min().unwrap_or(1);
        let unit = longest.get().div_ceil(least) as i64;
        for (class, weight) in weights().enumerate() {
            match weight {
                Some(weight) => quanta[class] = i64::from(weight.get()) * unit,
                None => strict |= 1 << class,
            }
        }
        Self { strict, current: 0, contended: false, quanta, credit: [0; Priority::COUNT] }
    }

    /// The class that sends next, among classes that have frames and are not paused.
    pub(in crate::network) fn next(&mut self, ready: u8) -> Option<u8> {
        if let Some(class) = highest(ready & self.strict) {
            return Some(class);
        }
        if ready.count_ones() < 2 {
            self.contended = false;
            return highest(ready);
        }
        for (class, credit) in self.credit.iter_mut().enumerate() {
            if !self.contended || ready & (1 << class) == 0 {
                *credit = (*credit).min(0);
            }
        }
        self.contended = true;
        // A class's debt is less than the longest frame, so it has credit after at most two turns.
        while ready & (1 << self.current) == 0 || self.credit[self.current as usize] <= 0 {
            self.current = next_in(ready, self.current);
            self.credit[self.current as usize] += self.quanta[self.current as usize];
        }
        Some(self.current)
    }

    /// Charges the class that was selected last for a frame, including its preamble and gap.
    pub(in crate::network) fn charge(&mut self, class: u8, bytes: Bytes) {
        if self.contended && self.strict & (1 << class) == 0 {
            self.credit[class as usize] -= bytes.get() as i64;
        }
    }

    /// Records which classes are waiting after a frame has left its queue.
    pub(in crate::network) fn keep(&mut self, waiting: u8) {
        self.contended &= (waiting & !self.strict).count_ones() > 1;
    }
}

/// The next member of a set after the given class; the highest member is followed by the lowest. The set is not
/// empty.
fn next_in(set: u8, after: u8) -> u8 {
    let higher = set & (0xfe << after);
    (if higher == 0 { set } else { higher }).trailing_zeros() as u8
}

/// The longest time for which a frame occupies a link, expressed in bytes.
fn longest_frame(spec: &Spec) -> Bytes {
    let frames = spec.flows.iter().map(|flow| flow.frame).chain([spec.control.notification_size]);
    frames.max().unwrap_or(Bytes::new(1)) + spec.overhead
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU16;

    use super::*;

    /// Turns of the priorities 0, 3 and 6, of which the first two have the given weights.
    fn turns(weights: [u16; 2], longest: u64) -> Turns {
        let priorities = [0, 3, 6].map(|number| Priority::new(number).unwrap());
        let weighted = priorities.into_iter().zip(weights.map(|weight| NonZeroU16::new(weight).unwrap()));
        let ets = weighted.fold(Ets::default(), |ets, (priority, weight)| ets.with(priority, weight));
        Turns::new(&ets, &Classes { priorities: priorities.to_vec() }, Bytes::new(longest))
    }

    /// The classes that send the next frames, if all frames of the classes have the given lengths.
    fn sent(turns: &mut Turns, ready: u8, lengths: [u64; 3], count: usize) -> Vec<u8> {
        let mut one = || {
            let class = turns.next(ready)?;
            turns.charge(class, Bytes::new(lengths[class as usize]));
            Some(class)
        };
        (0..count).filter_map(|_| one()).collect()
    }

    #[test]
    fn a_strict_class_goes_first() {
        let mut turns = turns([1, 1], 1000);
        assert_eq!(sent(&mut turns, 0b111, [1000; 3], 3), [2, 2, 2]);
        assert_eq!(turns.next(0), None);
    }

    /// Weights 1 and 3: a turn is one frame of the first class or three of the second.
    #[test]
    fn classes_take_turns_in_proportion_to_their_weights() {
        let mut turns = turns([1, 3], 1000);
        assert_eq!(sent(&mut turns, 0b011, [1000; 3], 9), [1, 1, 1, 0, 1, 1, 1, 0, 1]);
    }

    /// The quantum of each class is 1500 B. Class 0 sends 1000 B twice and owes 500 B, so that it has 1000 B in its second
    /// turn; class 1 sends its 1500 B exactly.
    #[test]
    fn a_frame_beyond_the_credit_is_owed() {
        let mut turns = turns([2, 2], 1500);
        let lengths = [1000, 1500, 64];
        assert_eq!(sent(&mut turns, 0b011, lengths, 8), [1, 0, 0, 1, 0, 1, 0, 0]);
        assert_eq!(turns.credit, [-500, 0, 0, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn an_absent_class_loses_its_credit_but_keeps_its_debt() {
        let mut turns = turns([1, 1], 1000);
        turns.credit = [-300, 700, 0, 0, 0, 0, 0, 0];
        turns.contended = true;
        assert_eq!(turns.next(0b100), Some(2));
        assert_eq!(turns.credit[..2], [-300, 700], "a strict class does not end the turn of another class");
        turns.keep(0b001);
        assert_eq!(turns.next(0b011), Some(1));
        assert_eq!(turns.credit[..2], [-300, 1000]);
    }

    #[test]
    fn a_class_without_a_competitor_is_not_charged() {
        let mut turns = turns([1, 1], 1000);
        assert_eq!(sent(&mut turns, 0b001, [1000; 3], 5), [0; 5]);
        assert_eq!(turns.credit, [0; 8]);
        assert_eq!(sent(&mut turns, 0b011, [1000; 3], 4), [1, 0, 1, 0]);
    }

    #[test]
    fn shares_are_exact_in_the_long_run() {
        let mut turns = turns([40, 60], 1518);
        let lengths = [64, 1518, 64];
        let mut bytes = [0_u64; 2];
        for class in sent(&mut turns, 0b011, lengths, 100_000) {
            bytes[class as usize] += lengths[class as usize];
        }
        let share = bytes[0] as f64 / (bytes[0] + bytes[1]) as f64;
        // Each class differs from its share by at most one turn, which is at most 2277 B.
        assert!((share - 0.4).abs() < 2.0 * 2277.0 / (bytes[0] + bytes[1]) as f64, "{share}");
    }

    #[test]
    fn the_next_class_follows_in_a_circle() {
        assert_eq!([0, 1, 4, 7].map(|class| next_in(0b1001_0010, class)), [1, 4, 7, 1]);
        assert_eq!(next_in(0b0000_0001, 7), 0);
    }
}
