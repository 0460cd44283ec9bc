//! Consistency checks inside bridges.

use super::super::super::context::Context;
use super::super::Bridges;
use super::Edge;
use super::slots::Stage;
use crate::frame::{Frame, FrameKind};
use crate::index::{PortNo, QueueNo, Table};
use crate::outcome::FabricOutcome;

impl Bridges {
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
    pub(in super::super) fn inside_adds_up(&self, cx: &Context) -> bool {
        let Some(cioq) = &self.cioq else { return true };
        let outputs = self.ports.len() * self.classes;
        let none = || (0..outputs).map(|_| 0);
        let (mut bytes, mut units): (Table<QueueNo, u64>, Table<QueueNo, u32>) =
            (none().collect(), none().map(|zero| zero as u32).collect());
        let mut credits: Table<QueueNo, u32> = cioq.arbiters.iter().map(|arbiter| arbiter.credits).collect();
        for slot in cioq.slots.iter() {
            if slot.held {
                let input = self.queue_of(cx.routes.input_of(&slot.frame), slot.frame.class);
                bytes[input] += u64::from(slot.frame.bytes);
                units[input] += slot.units;
            }
            if (Stage::Granted..=Stage::Stored).contains(&slot.stage) {
                credits[self.queue_of(cx.routes.output_of(&slot.frame), slot.frame.class)] += slot.units;
            }
        }
        for (queue, credits) in self.queues.iter().zip(credits.iter_mut()) {
            let notifications = queue.frames.iter().filter(|frame| frame.kind == FrameKind::Notification);
            *credits += notifications.map(|frame| cioq.rules.units(frame.bytes)).sum::<u32>();
        }
        let as_said = |(number, edge): (PortNo, &Edge)| {
            cx.classes.in_set(u8::MAX).all(|class| {
                let input = self.queue_of(number, class);
                self.queues[self.input_queue(number, class)].length == bytes[input]
                    && edge.used[class as usize] == units[input]
                    && units[input] <= cioq.rules.input_units
            })
        };
        cioq.inputs.numbered().all(as_said) && credits.iter().all(|&units| units == cioq.rules.output_units)
    }

    /// Counts of cells and frames inside.
    pub(in super::super::super) fn fabric_outcome(&self) -> FabricOutcome {
        self.cioq.as_ref().map(|cioq| cioq.counters).unwrap_or_default()
    }

    /// Reports the room that each input should count for protected classes.
    pub(in super::super) fn count_held(&self, cx: &Context, mut count: impl FnMut(PortNo, u8, u64)) {
        let Some(cioq) = &self.cioq else { return };
        for slot in cioq.slots.iter().filter(|slot| slot.held) {
            let held = u64::from(slot.units) * cioq.rules.unit;
            count(cx.routes.input_of(&slot.frame), slot.frame.class, held);
        }
    }
}
