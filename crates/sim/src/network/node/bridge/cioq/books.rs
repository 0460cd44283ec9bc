//! Consistency checks inside bridges.

use super::super::Bridges;
use super::Edge;
use super::expected::Record;
use super::pool::Pool;
use super::slots::{Slot, SlotStage};
use crate::frame::{Frame, FrameKind};
use crate::index::{PortNo, QueueNo, Stretch, VoqNo};
use crate::network::node::context::Context;
use crate::outcome::FabricOutcome;

impl Bridges {
    /// The frames that are inside bridges but not in an output queue.
    pub(in super::super) fn inside(&self) -> impl Iterator<Item = &Frame> {
        let at_inputs = self.slots().filter(|slot| slot.stage == SlotStage::Waiting).map(|slot| &slot.frame);
        let between = self.records().filter(|record| record.is_between()).map(|record| &record.frame);
        at_inputs.chain(between)
    }

    /// The number of slots and records, which is the cost of visiting all frames inside bridges.
    pub(in super::super) fn frames_inside(&self) -> usize {
        self.cioq.as_ref().map_or(0, |cioq| {
            let slots: usize = cioq.slots.iter().map(Pool::len).sum();
            slots + cioq.records.iter().map(Pool::len).sum::<usize>()
        })
    }

    /// The records of all bridges.
    fn records(&self) -> impl Iterator<Item = &Record> {
        self.cioq.iter().flat_map(|cioq| cioq.records.iter()).flat_map(Pool::iter)
    }

    /// The slots of all bridges.
    fn slots(&self) -> impl Iterator<Item = &Slot> {
        self.cioq.iter().flat_map(|cioq| cioq.slots.iter()).flat_map(Pool::iter)
    }

    /// Whether inputs hold exactly the frames recorded for them, within the size of their buffers, and
    /// whether all buffer space at outputs is either allocated or free.
    pub(in super::super) fn inside_adds_up(&self, cx: &Context) -> bool {
        let Some(cioq) = &self.cioq else { return true };
        let first = self.queues.numbers().next().unwrap_or_default();
        let mut bytes: Stretch<QueueNo, u64> = Stretch::new(first, self.queues.iter().map(|_| 0));
        let mut units: Stretch<QueueNo, u32> = Stretch::new(first, self.queues.iter().map(|_| 0));
        let mut credits = Stretch::new(first, cioq.arbiters.iter().map(|arbiter| arbiter.credits));
        let first_pair = cioq.voqs.numbers().next().unwrap_or_default();
        let mut held: Stretch<VoqNo, u32> = Stretch::new(first_pair, cioq.voqs.iter().map(|_| 0));
        for slot in self.slots().filter(|slot| slot.held) {
            let input = self.queue_of(cx.routes.input_of(slot.frame), slot.frame.class());
            bytes[input] += u64::from(slot.frame.bytes());
            units[input] += slot.units;
            held[slot.voq] += slot.units;
        }
        for record in self.records().filter(|record| record.takes_room()) {
            credits[record.queue] += record.units;
        }
        for (queue, credits) in self.queues.iter().zip(credits.iter_mut()) {
            let notifications = queue.frames.iter().filter(|frame| frame.kind() == FrameKind::Notification);
            *credits += notifications.map(|frame| cioq.rules.units(frame.bytes())).sum::<u32>();
        }
        let as_said = |(number, edge): (PortNo, &Edge)| {
            self.ports[number].queues == QueueNo::NONE
                || cx.classes.in_set(u8::MAX).all(|class| {
                    let input = self.queue_of(number, class);
                    self.queues[self.input_queue(number, class)].length == bytes[input]
                        && edge.used[class as usize] == units[input]
                        && units[input] <= cioq.rules.input_units
                })
        };
        cioq.inputs.numbered().all(as_said)
            && credits.iter().all(|&units| units == cioq.rules.output_units)
            && cioq.voqs.iter().zip(held.iter()).all(|(voq, &held)| voq.held == held)
    }

    /// Counts of cells and frames inside bridges.
    pub(in crate::network) fn fabric_outcome(&self) -> FabricOutcome {
        self.cioq.as_ref().map(|cioq| cioq.counters).unwrap_or_default()
    }

    /// Reports the buffer space that each input should count for protected classes.
    pub(in super::super) fn count_held(&self, cx: &Context, mut count: impl FnMut(PortNo, u8, u64)) {
        let Some(cioq) = &self.cioq else { return };
        for slot in self.slots().filter(|slot| slot.held) {
            let held = u64::from(slot.units) * cioq.rules.unit;
            count(cx.routes.input_of(slot.frame), slot.frame.class(), held);
        }
    }
}
