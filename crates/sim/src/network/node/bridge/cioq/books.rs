//! Consistency checks inside bridges.

use super::super::set::BridgeSet;
use super::expected::Record;
use super::pool::Pool;
use super::slots::{Slot, SlotStage};
use super::{Cioq, Edge};
use crate::frame::{Frame, FrameKind};
use crate::ids::Priority;
use crate::index::{PortNo, QueueNo, Stretch, VoqNo};
use crate::network::node::context::Context;
use crate::outcome::FabricOutcome;

impl BridgeSet<Cioq> {
    /// The frames inside bridges that are not in an output queue.
    pub(in super::super) fn frames_inside(&self) -> impl Iterator<Item = &Frame> {
        let at_inputs = self.slots().filter(|slot| slot.stage == SlotStage::Waiting).map(|slot| &slot.frame);
        let between = self.records().filter(|record| record.is_between()).map(|record| &record.frame);
        at_inputs.chain(between)
    }

    /// The number of slots and records: the effort of visiting all frames inside bridges grows with this number.
    pub(in super::super) fn inside_count(&self) -> usize {
        let slots: usize = self.buffers.slots.iter().map(Pool::len).sum();
        slots + self.buffers.records.iter().map(Pool::len).sum::<usize>()
    }

    /// The records of all bridges.
    fn records(&self) -> impl Iterator<Item = &Record> {
        self.buffers.records.iter().flat_map(Pool::iter)
    }

    /// The slots of all bridges.
    fn slots(&self) -> impl Iterator<Item = &Slot> {
        self.buffers.slots.iter().flat_map(Pool::iter)
    }

    /// Whether inputs hold exactly the frames recorded for them, within the size of their buffers, and
    /// whether all buffer space at outputs is either allocated or free.
    pub(super) fn inside_adds_up(&self, cx: &Context) -> bool {
        let cioq = &self.buffers;
        let first = self.core.queues.numbers().next().unwrap_or_default();
        let mut bytes: Stretch<QueueNo, u64> = Stretch::new(first, self.core.queues.iter().map(|_| 0));
        let mut units: Stretch<QueueNo, u32> = Stretch::new(first, self.core.queues.iter().map(|_| 0));
        let mut credits = Stretch::new(first, cioq.arbiters.iter().map(|arbiter| arbiter.credits));
        let first_pair = cioq.voqs.numbers().next().unwrap_or_default();
        let mut held: Stretch<VoqNo, u32> = Stretch::new(first_pair, cioq.voqs.iter().map(|_| 0));
        for slot in self.slots().filter(|slot| slot.held) {
            let input = self.core.queue_of(cx.routes.input_of(slot.frame), slot.frame.class());
            bytes[input] += u64::from(slot.frame.bytes());
            units[input] += slot.units;
            held[slot.voq] += slot.units;
        }
        for record in self.records().filter(|record| record.takes_room()) {
            credits[record.queue] += record.units;
        }
        for (queue, credits) in self.core.queues.iter().zip(credits.iter_mut()) {
            let notifications = queue.frames.iter().filter(|frame| frame.kind() == FrameKind::Notification);
            *credits += notifications.map(|frame| cioq.rules.units(frame.bytes())).sum::<u32>();
        }
        let as_said = |(number, edge): (PortNo, &Edge)| {
            self.core.ports[number].queues == QueueNo::NONE
                || cx.classes.in_set(u8::MAX).all(|class| {
                    let input = self.core.queue_of(number, class);
                    self.core.queues[self.core.input_queue(number, class)].length == bytes[input]
                        && edge.used[class as usize] == units[input]
                        && units[input] <= cioq.rules.input_units
                })
        };
        cioq.inputs.numbered().all(as_said)
            && credits.iter().all(|&units| units == cioq.rules.output_units)
            && cioq.voqs.iter().zip(held.iter()).all(|(voq, &held)| voq.held == held)
    }

    /// Counts of cells and frames inside bridges.
    pub(in super::super) fn fabric_outcome(&self) -> FabricOutcome {
        self.buffers.counters
    }

    /// The buffer space that each input should count for protected classes.
    pub(super) fn held_at_inputs(&self, cx: &Context) -> Stretch<PortNo, [u64; Priority::COUNT]> {
        let rules = &self.core.pause_rules;
        let mut held = self.core.nothing_held();
        for slot in self.slots().filter(|slot| slot.held && rules.protects(slot.frame.class())) {
            let counter = rules.counter(slot.frame.class());
            held[cx.routes.input_of(slot.frame)][counter] += u64::from(slot.units) * self.buffers.rules.unit;
        }
        held
    }
}
