//! The outputs for which inputs hold frames, used to detect congestion trees and deadlocks.

use super::super::set::BridgeSet;
use super::Cioq;
use crate::ids::PortId;
use crate::index::PortNo;
use crate::network::node::context::Context;
use crate::spec::Delivery;

impl BridgeSet<Cioq> {
    /// The outputs for which an input holds frames of the given classes, in ascending order, with the buffer
    /// space that these frames occupy.
    pub(super) fn held_for(&self, cx: &Context, input: PortNo, classes: u8) -> Vec<(PortId, u64)> {
        self.backlogs(cx, input, classes, |cioq, output, class| cioq.held(input, output, class))
    }

    /// Like [`BridgeSet::held_for`], but counts only frames that stay as long as their output sends nothing.
    pub(in super::super) fn stuck_for<'a>(
        &self,
        cx: &Context,
        input: PortNo,
        counter: usize,
        bridges_at: impl Fn(PortNo) -> Option<&'a Self>,
    ) -> Vec<(PortId, u64)> {
        let classes = self.core.pause_rules.classes_of(counter);
        self.backlogs(cx, input, classes, |cioq, output, class| match cioq.rules.delivery {
            Delivery::Reliable => match cioq.held(input, output, class) {
                0 => 0,
                held => held.saturating_sub(cioq.freed_soon(input, output, class)),
            },
            Delivery::Plain => {
                let (granted, usable) =
                    bridges_at(output).map_or((0, 0), |bridges| bridges.prospect(output, input, class));
                cioq.without_grant(input, output, class, granted).saturating_sub(usable)
            }
        })
    }

    /// The number of an input's frames whose grants are in transit from an output, and the units that the output can grant
    /// even if it sends nothing.
    fn prospect(&self, output: PortNo, input: PortNo, class: u8) -> (usize, u32) {
        let cioq = &self.buffers;
        let expected = &cioq.expected[cioq.pair(output, input, class)];
        let granted = expected.granted(&cioq.records[cioq.bridge_of[output]]);
        (granted, cioq.arbiters[self.core.queue_of(output, class)].usable())
    }

    /// Counts units for each output, class by class.
    fn backlogs(
        &self,
        cx: &Context,
        input: PortNo,
        classes: u8,
        units: impl Fn(&Cioq, PortNo, u8) -> u32,
    ) -> Vec<(PortId, u64)> {
        let cioq = &self.buffers;
        let of_output = |&output: &PortNo| {
            let classes = cx.classes.in_set(classes & cioq.data.set);
            let units: u64 = classes.map(|class| u64::from(units(cioq, output, class))).sum();
            (self.core.id_of(output), units * cioq.rules.unit)
        };
        self.core.outputs_of(input).iter().map(of_output).filter(|&(_, bytes)| bytes > 0).collect()
    }
}

impl Cioq {
    /// The units of an input's buffer that frames for an output occupy.
    fn held(&self, input: PortNo, output: PortNo, class: u8) -> u32 {
        self.voqs[self.pair(input, output, class)].held
    }

    /// Like [`Self::held`], but counts only frames that have left the output and whose acknowledgements are in
    /// transit to the input.
    fn freed_soon(&self, input: PortNo, output: PortNo, class: u8) -> u32 {
        let (bridge, pair) = (self.bridge_of[input], self.pair(input, output, class));
        let slots = self.inboxes[bridge].acknowledged().map(|slot| &self.slots[bridge][slot]);
        slots.filter(|slot| slot.held && slot.voq == pair).map(|slot| slot.units).sum()
    }

    /// Like [`Self::held`], but counts only frames that have not been granted buffer space at the output, given the
    /// number of grants in transit.
    fn without_grant(&self, input: PortNo, output: PortNo, class: u8, granted: usize) -> u32 {
        let waiting = self.voqs[self.pair(input, output, class)].frames(&self.slots[self.bridge_of[input]]);
        waiting.skip(granted).filter(|slot| slot.held).map(|slot| slot.units).sum()
    }
}
