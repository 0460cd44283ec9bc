//! The interface of bridges to other modules: measurements, checks, congestion trees and deadlocks.

use setpoint_control::CulpritCounters;
use setpoint_units::TimeDelta;

use super::core::Core;
use super::set::{BridgeSet, Buffering};
use super::{Bridges, Queue};
use crate::frame::Frame;
use crate::ids::{PortId, Priority};
use crate::index::{PortNo, QueueNo, Stretch};
use crate::network::node::context::Context;
use crate::outcome::FabricOutcome;
use crate::spec::Side;

/// The location of a queue.
#[derive(Clone, Copy, Debug)]
pub(in crate::network) struct QueuePlace {
    pub(in crate::network) side: Side,
    /// The port that an output queue feeds, or that feeds an input buffer.
    pub(in crate::network) port: PortId,
    pub(in crate::network) class: u8,
}

impl Core {
    /// The location of a queue.
    pub(in crate::network) fn queue_place(&self, queue: QueueNo) -> QueuePlace {
        let (side, port, class) = self.place_of(queue);
        let port = match side {
            Side::Output => self.ports[port].id,
            Side::Input => self.feeding(port),
        };
        QueuePlace { side, port, class }
    }

    /// The number of frames of a counter's classes that wait for an output.
    pub(in crate::network) fn frames_at(&self, cx: &Context, output: PortNo, counter: usize) -> usize {
        let queues = self.queues_of(cx, output, self.pause_rules.classes_of(counter));
        queues.map(|queue| self.queues[queue].frames.len()).sum()
    }

    pub(super) fn queues_of(
        &self,
        cx: &Context,
        output: PortNo,
        classes: u8,
    ) -> impl Iterator<Item = QueueNo> {
        cx.classes.in_set(classes).map(move |class| self.queue_of(output, class))
    }

    /// Whether the lengths of output queues match the frames in them.
    pub(super) fn queues_add_up(&self) -> Result<(), &'static str> {
        let is_output = |queue: &QueueNo| self.place_of(*queue).0 == Side::Output;
        match self.queues.numbers().filter(is_output).all(|queue| self.queues[queue].adds_up()) {
            true => Ok(()),
            false => Err("a queue's length differs from the total length of its frames"),
        }
    }

    /// Zero for each counter of each input.
    pub(super) fn nothing_held(&self) -> Stretch<PortNo, [u64; Priority::COUNT]> {
        Stretch::new(self.first_port(), self.inputs.iter().map(|_| [0; Priority::COUNT]))
    }

    /// Whether the inputs' counters equal the buffer space that protected frames occupy.
    pub(super) fn inputs_add_up(
        &self,
        held: &Stretch<PortNo, [u64; Priority::COUNT]>,
    ) -> Result<(), &'static str> {
        match self.inputs.iter().zip(held.iter()).all(|(input, held)| input.held() == held) {
            true => Ok(()),
            false => Err("an input's counter does not match its waiting frames"),
        }
    }
}

impl<B> BridgeSet<B>
where
    Self: Buffering,
{
    /// The output for which an input holds the most bytes.
    pub(super) fn cause_of(&self, cx: &Context, input: PortNo, counter: usize) -> PortId {
        match self.core.outputs_of(input) {
            [only] => self.core.id_of(*only),
            several => {
                let first = self.core.id_of(several[0]);
                most(&self.waiting_of(cx, input, counter)).unwrap_or(first)
            }
        }
    }
}

impl Bridges {
    /// The outputs for which an input's frames wait, in ascending order, each with the number of bytes included in the given
    /// counter, counting only frames that stay as long as their output sends nothing. `bridges_at` returns the bridges in an
    /// output's partition.
    pub(in crate::network) fn stuck_at<'a>(
        &self,
        cx: &Context,
        input: PortNo,
        counter: usize,
        bridges_at: impl Fn(PortNo) -> &'a Self,
    ) -> Vec<(PortId, u64)> {
        match self {
            Self::OutputQueued(bridges) => bridges.waiting_of(cx, input, counter),
            Self::SharedBuffer(bridges) => bridges.waiting_of(cx, input, counter),
            Self::Cioq(bridges) => bridges.stuck_for(cx, input, counter, |output| bridges_at(output).cioq()),
        }
    }

    /// All frames inside bridges: those that wait for their ports, and those that have not reached an output queue.
    pub(in crate::network) fn frames(&self) -> impl Iterator<Item = &Frame> {
        let queued = self.core().queues().iter().flat_map(|queue| queue.frames.iter());
        queued.chain(self.cioq().into_iter().flat_map(BridgeSet::frames_inside))
    }

    /// The number of frames inside bridges: the effort of visiting all of them grows with this number.
    pub(in crate::network) fn frame_count(&self) -> usize {
        let queued: usize = self.core().queues().iter().map(|queue: &Queue| queue.frames.len()).sum();
        queued + self.cioq().map_or(0, BridgeSet::inside_count)
    }

    /// Whether the counters of queues, inputs and buffers match the frames inside.
    pub(in crate::network) fn adds_up(&self, cx: &Context) -> Result<(), &'static str> {
        match self {
            Self::OutputQueued(bridges) => bridges.adds_up(cx),
            Self::SharedBuffer(bridges) => bridges.adds_up(cx),
            Self::Cioq(bridges) => bridges.adds_up(cx),
        }
    }

    /// The time that a frame takes from arrival at an input to arrival at an output in an otherwise empty network.
    pub(in crate::network) fn idle_crossing(&self, input: PortNo, output: PortNo, bytes: u16) -> TimeDelta {
        self.cioq().map_or(TimeDelta::ZERO, |bridges| bridges.idle_crossing(input, output, bytes))
    }

    /// Counters of the culprit searches of an input buffer.
    pub(in crate::network) fn culprit_counters(&self, queue: QueueNo) -> CulpritCounters {
        self.cioq().map(|bridges| bridges.culprit_counters(queue)).unwrap_or_default()
    }

    /// Counts of cells and frames inside bridges.
    pub(in crate::network) fn fabric_outcome(&self) -> FabricOutcome {
        self.cioq().map(BridgeSet::fabric_outcome).unwrap_or_default()
    }

    /// Bytes used by the tables of buffers.
    pub(in crate::network) fn table_bytes(&self) -> usize {
        self.cioq().map_or(0, BridgeSet::table_bytes) + self.shared().map_or(0, BridgeSet::counter_bytes)
    }

    /// Bytes used by frames and cells inside bridges that are not in an output queue, and by messages about them.
    pub(in crate::network) fn inside_bytes(&self) -> usize {
        self.cioq().map_or(0, BridgeSet::inside_bytes)
    }
}

/// The output with the most bytes; in a tie, the lowest port.
pub(in crate::network) fn most(waiting: &[(PortId, u64)]) -> Option<PortId> {
    let least_port_last = waiting.iter().rev();
    least_port_last.max_by_key(|&&(_, bytes)| bytes).map(|&(output, _)| output)
}
