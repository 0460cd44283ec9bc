//! What inputs hold for which output: for congestion trees and deadlocks.

use super::super::Network;
use super::Cioq;
use super::slots::{NONE, Slot, Stage};
use crate::spec::Delivery;

impl Network {
    /// For which outputs an input holds frames of some classes, in ascending order, and how much room they take.
    pub(in super::super) fn held_for(&self, input: u32, classes: u8) -> Vec<(u32, u64)> {
        self.backlogs(input, classes, |slot| slot.held)
    }

    /// The same of frames that stay for as long as their output sends nothing.
    pub(in super::super) fn stuck_for(&self, input: u32, classes: u8) -> Vec<(u32, u64)> {
        let Some(cioq) = &self.cioq else { return Vec::new() };
        if cioq.rules.delivery == Delivery::Reliable {
            return self.held_for(input, classes);
        }
        let mut stuck = self.backlogs(input, classes, |slot| slot.stage == Stage::Waiting);
        for (output, bytes) in &mut stuck {
            let of_class = (0..self.classes.count() as u8).filter(|class| classes & (1 << class) != 0);
            let credits = of_class.map(|class| cioq.arbiters[self.queue_of(*output, class)].credits);
            *bytes = bytes.saturating_sub(u64::from(credits.sum::<u32>()) * cioq.rules.unit);
        }
        stuck.retain(|&(_, bytes)| bytes > 0);
        stuck
    }

    fn backlogs(&self, input: u32, classes: u8, counts: impl Fn(&Slot) -> bool) -> Vec<(u32, u64)> {
        let Some(cioq) = &self.cioq else { return Vec::new() };
        let of_class = |class: &u8| classes & (1 << class) != 0;
        let mut backlog = Vec::new();
        for &output in self.outputs_of(input) {
            let mut units = 0;
            for class in (0..self.classes.count() as u8).filter(of_class) {
                let stored = cioq.arbiters[self.queue_of(output, class)].stored.iter();
                let stored =
                    stored.map(|&slot| &cioq.slots[slot]).filter(|slot| self.input_of(&slot.frame) == input);
                let voq = cioq.voq(input, output, class, self.classes.count());
                let counted = cioq.frames_of(voq).chain(stored).filter(|slot| counts(slot));
                units += counted.map(|slot| u64::from(slot.units)).sum::<u64>();
            }
            backlog.push((output, units * cioq.rules.unit));
        }
        backlog.retain(|&(_, bytes)| bytes > 0);
        backlog
    }
}

impl Cioq {
    /// The frames of a virtual output queue, from the oldest.
    fn frames_of(&self, voq: u32) -> impl Iterator<Item = &Slot> {
        let first = self.voqs[voq as usize].first();
        let next = |slot: &u32| Some(self.slots[*slot].next).filter(|&next| next != NONE);
        std::iter::successors(Some(first).filter(|&first| first != NONE), next).map(|slot| &self.slots[slot])
    }
}
