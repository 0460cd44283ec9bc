//! The outputs for which inputs hold frames, used for congestion trees and deadlocks.

use super::super::super::context::Context;
use super::super::Bridges;
use super::{Arbiter, Cioq};
use crate::ids::PortId;
use crate::index::PortNo;
use crate::spec::Delivery;

impl Bridges {
    /// The outputs for which an input holds frames of some classes, in ascending order, with the room these
    /// frames take.
    pub(in super::super) fn held_for(&self, cx: &Context, input: PortNo, classes: u8) -> Vec<(PortId, u64)> {
        self.backlogs(cx, input, classes, |cioq, output, class| cioq.held(input, output, class))
    }

    /// Like [`Bridges::held_for`], but counting only frames that stay while their output sends nothing.
    pub(in super::super) fn stuck_for(&self, cx: &Context, input: PortNo, classes: u8) -> Vec<(PortId, u64)> {
        self.backlogs(cx, input, classes, |cioq, output, class| match cioq.rules.delivery {
            Delivery::Reliable => cioq.held(input, output, class),
            Delivery::Plain => {
                let arbiter: &Arbiter = &cioq.arbiters[self.queue_of(output, class)];
                cioq.without_grant(input, output, class).saturating_sub(arbiter.usable())
            }
        })
    }

    /// Counts units for each output, class by class.
    fn backlogs(
        &self,
        cx: &Context,
        input: PortNo,
        classes: u8,
        units: impl Fn(&Cioq, PortNo, u8) -> u32,
    ) -> Vec<(PortId, u64)> {
        let Some(cioq) = &self.cioq else { return Vec::new() };
        let of_output = |&output: &PortNo| {
            let classes = cx.classes.in_set(classes & cioq.data.set);
            let units: u64 = classes.map(|class| u64::from(units(cioq, output, class))).sum();
            (self.ports[output].id, units * cioq.rules.unit)
        };
        self.outputs_of(input).iter().map(of_output).filter(|&(_, bytes)| bytes > 0).collect()
    }
}

impl Cioq {
    /// The units of an input's buffer that frames for an output take.
    fn held(&self, input: PortNo, output: PortNo, class: u8) -> u32 {
        self.voqs[self.pair(input, output, class)].held
    }

    /// The part of them whose frames have not been granted room at the output.
    fn without_grant(&self, input: PortNo, output: PortNo, class: u8) -> u32 {
        let expected = &self.expected[self.pair(output, input, class)];
        let granted = expected.granted(&self.records[self.bridge_of[output]]);
        let waiting = self.voqs[self.pair(input, output, class)].frames(&self.slots[self.bridge_of[input]]);
        waiting.skip(granted).filter(|slot| slot.held).map(|slot| slot.units).sum()
    }
}
