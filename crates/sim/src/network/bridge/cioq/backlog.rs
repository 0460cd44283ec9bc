//! The outputs for which inputs hold frames, used for congestion trees and deadlocks.

use super::super::super::context::Context;
use super::super::Bridges;
use super::slots::{NONE, Slot, Stage};
use super::{Arbiter, Cioq};
use crate::ids::PortId;
use crate::index::{PortNo, SlotNo, VoqNo};
use crate::spec::Delivery;

/// The frames of an input and class for one output.
struct Bundle<'a> {
    cioq: &'a Cioq,
    voq: VoqNo,
    arbiter: &'a Arbiter,
}

impl Bridges {
    /// The outputs for which an input holds frames of some classes, in ascending order, with the room these
    /// frames take.
    pub(in super::super) fn held_for(&self, cx: &Context, input: PortNo, classes: u8) -> Vec<(PortId, u64)> {
        self.backlogs(cx, input, classes, |bundle| bundle.units(|slot| slot.held))
    }

    /// Like [`Bridges::held_for`], but counting only frames that stay while their output sends nothing.
    pub(in super::super) fn stuck_for(&self, cx: &Context, input: PortNo, classes: u8) -> Vec<(PortId, u64)> {
        self.backlogs(cx, input, classes, |bundle| match bundle.cioq.rules.delivery {
            Delivery::Reliable => bundle.units(|slot| slot.held),
            Delivery::Plain => {
                let waiting = bundle.units(|slot| slot.held && slot.stage == Stage::Waiting);
                waiting.saturating_sub(bundle.arbiter.usable())
            }
        })
    }

    /// Counts units for each output, class by class.
    fn backlogs(
        &self,
        cx: &Context,
        input: PortNo,
        classes: u8,
        units: impl Fn(&Bundle<'_>) -> u32,
    ) -> Vec<(PortId, u64)> {
        let Some(cioq) = &self.cioq else { return Vec::new() };
        let of_class = |output: PortNo, class: u8| {
            let voq = cioq.voq(input, output, class);
            let arbiter = &cioq.arbiters[self.queue_of(output, class)];
            u64::from(units(&Bundle { cioq, voq, arbiter }))
        };
        let of_output = |&output: &PortNo| {
            let units: u64 =
                cx.classes.in_set(classes & cioq.data.set).map(|class| of_class(output, class)).sum();
            (self.ports[output].id, units * cioq.rules.unit)
        };
        self.outputs_of(input).iter().map(of_output).filter(|&(_, bytes)| bytes > 0).collect()
    }
}

impl Bundle<'_> {
    /// The units of the frames that `counts` selects, from the input's buffer to the output's.
    fn units(&self, counts: impl Fn(&Slot) -> bool) -> u32 {
        let slots = &self.cioq.slots;
        let stored = self.arbiter.stored.iter().map(|&slot| &slots[slot]);
        let own = stored.filter(|slot| slot.voq == self.voq);
        self.cioq.frames_of(self.voq).chain(own).filter(|slot| counts(slot)).map(|slot| slot.units).sum()
    }
}

impl Cioq {
    /// The frames of a virtual output queue, oldest first.
    fn frames_of(&self, voq: VoqNo) -> impl Iterator<Item = &Slot> {
        let first = self.voqs[voq].first();
        let next = |slot: &SlotNo| Some(self.slots[*slot].next).filter(|&next| next != NONE);
        std::iter::successors(Some(first).filter(|&first| first != NONE), next).map(|slot| &self.slots[slot])
    }
}
