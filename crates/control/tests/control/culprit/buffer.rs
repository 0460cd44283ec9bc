//! An input buffer in which some frames stay briefly and others for a long time, and a goodness-of-fit test.

use std::collections::VecDeque;

use setpoint_control::culprit::{CulpritArray, Owner, Search, Units};
use setpoint_control::{Entropy, FlowKey};

use crate::entropy::Xorshift;

pub(crate) const CLASS: u8 = 3;
pub(crate) const CULPRIT: FlowKey = FlowKey(1);
pub(crate) const VICTIM: FlowKey = FlowKey(6);

/// A frame of 1522 bytes in units of 256 bytes.
const FRAME: u32 = 6;

pub(crate) fn owner(flow: u32) -> Owner {
    Owner { flow: FlowKey(flow), class: CLASS }
}

pub(crate) fn one_word(random_reads: u32) -> Search {
    Search { words_per_read: 1, random_reads }
}

/// The input port of the paper's section III-A: three frames in ten belong to a culprit and leave in order; the
/// other seven belong to a victim, which has up to three frames in the buffer at once. The culprit's backlog
/// oscillates between 28 and 72 frames, the paper's two PAUSE thresholds, so units are allocated and released
/// all over the buffer.
pub(crate) struct Input {
    pub(crate) array: CulpritArray,
    culprit: VecDeque<Units>,
    victim: VecDeque<Units>,
    drains: Drains,
    random: Xorshift,
}

/// Whether two of the culprit's frames leave for each that arrives, or none.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Drains {
    Yes,
    No,
}

impl Input {
    /// An input with an array of the given number of units, after 10 000 frames.
    pub(crate) fn settled(units: u32) -> Self {
        let mut input = Self {
            array: CulpritArray::new(units),
            culprit: VecDeque::new(),
            victim: VecDeque::new(),
            drains: Drains::No,
            random: Xorshift::default(),
        };
        for _ in 0..10_000 {
            input.arrive();
        }
        input
    }

    /// A frame arrives, and other frames of its flow may leave.
    pub(crate) fn arrive(&mut self) {
        if self.random.next_u32() % 10 < 3 {
            self.culprit.push_back(self.array.store(owner(CULPRIT.0), FRAME).expect("there is room"));
            self.drains = match self.culprit.len() {
                72.. => Drains::Yes,
                ..=28 => Drains::No,
                _ => self.drains,
            };
            if self.drains == Drains::Yes {
                self.culprit.drain(..2).for_each(|units| self.array.release(units));
            }
        } else {
            self.victim.push_back(self.array.store(owner(VICTIM.0), FRAME).expect("there is room"));
            let left = self.random.next_u32() as usize % 4;
            while self.victim.len() > left {
                self.victim.pop_front().into_iter().for_each(|units| self.array.release(units));
            }
        }
    }

    /// The victim's share of the occupied units.
    pub(crate) fn victims_share(&self) -> f64 {
        self.victim.len() as f64 / (self.victim.len() + self.culprit.len()) as f64
    }
}

/// Pearson's statistic: how far the counts are from the expected shares.
pub(crate) fn chi_square(counts: &[u64], shares: &[f64]) -> f64 {
    let draws = counts.iter().sum::<u64>() as f64;
    let terms = counts.iter().zip(shares).map(|(count, share)| {
        let expected = draws * share;
        (*count as f64 - expected).powi(2) / expected
    });
    terms.sum()
}
