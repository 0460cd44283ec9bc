//! Consistency checks inside bridges.

use super::super::Network;
use super::slots::Stage;
use crate::frame::{Frame, FrameKind};

impl Network {
    /// The frames that are inside bridges but not in an output queue.
    pub(in super::super) fn inside(&self) -> impl Iterator<Item = &Frame> {
        let slots = self.cioq.iter().flat_map(|cioq| cioq.slots.iter());
        slots.filter(|slot| slot.stage < Stage::Stored).map(|slot| &slot.frame)
    }

    /// The number of frames inside bridges, which is the cost of visiting all of them.
    pub(in super::super) fn frames_inside(&self) -> usize {
        self.cioq.as_ref().map_or(0, |cioq| cioq.slots.iter().count())
    }

    /// Whether inputs hold exactly the frames recorded for them, within their room, and whether all room at
    /// outputs is either allocated or free.
    pub(in super::super) fn inside_adds_up(&self) -> bool {
        let Some(cioq) = &self.cioq else { return true };
        let classes = self.classes.count();
        let outputs = self.ports.len() * classes;
        let (mut bytes, mut units) = (vec![0u64; outputs], vec![0u32; outputs]);
        let mut credits: Vec<u32> = cioq.arbiters.iter().map(|arbiter| arbiter.credits).collect();
        for slot in cioq.slots.iter() {
            if slot.held {
                let input = self.queue_of(self.input_of(&slot.frame), slot.frame.class);
                bytes[input] += u64::from(slot.frame.bytes);
                units[input] += slot.units;
            }
            if (Stage::Granted..=Stage::Stored).contains(&slot.stage) {
                credits[self.queue_of(self.output_of(&slot.frame), slot.frame.class)] += slot.units;
            }
        }
        for (queue, credits) in self.queues.iter().zip(&mut credits) {
            let notifications = queue.frames.iter().filter(|frame| frame.kind == FrameKind::Notification);
            *credits += notifications.map(|frame| cioq.rules.units(frame.bytes)).sum::<u32>();
        }
        let as_said = |input: usize| {
            self.queues[outputs + input].length == bytes[input]
                && cioq.inputs[input / classes].used[input % classes] == units[input]
                && units[input] <= cioq.rules.input_units
        };
        (0..outputs).all(as_said) && credits.iter().all(|&units| units == cioq.rules.output_units)
    }

    /// Reports the room that each input should count for protected classes.
    pub(in super::super) fn count_held(&self, mut count: impl FnMut(u32, u8, u64)) {
        let Some(cioq) = &self.cioq else { return };
        for slot in cioq.slots.iter().filter(|slot| slot.held) {
            let held = u64::from(slot.units) * cioq.rules.unit;
            count(self.input_of(&slot.frame), slot.frame.class, held);
        }
    }
}
