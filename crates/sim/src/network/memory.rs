//! The memory use of a running network.

use setpoint_units::{Bytes, Rate, Time, TimeDelta};

use super::Network;
use super::flow::{Ended, Flow, Limiters, LostFrames};
use super::lane::{Lane, Limiter};
use super::pause::{Input, PauseState};
use super::port::Port;
use super::queue::Queue;
use super::station::Station;
use crate::error::SimError;
use crate::memory::{Memory, MemoryPart};
use crate::spec::TimedChange;

impl Network {
    /// Stops the run if it exceeds its memory limit.
    pub(super) fn check_memory(&self, limit: Bytes) -> Result<(), SimError> {
        let memory = self.memory();
        let (used, most) = (memory.total(), memory.largest());
        if used <= limit {
            return Ok(());
        }
        Err(SimError::OutOfMemory { at: self.now, used, limit, most, part: memory.of(most) })
    }

    /// Current memory use. Small parts that do not grow with the run are left out.
    fn memory(&self) -> Memory {
        let mut memory = Memory::default();
        let mut add = |part, bytes: usize| memory.add(part, bytes as u64);
        add(MemoryPart::Flows, self.flow_bytes());
        let port = size_of::<Port>() + size_of::<Input>() + size_of::<PauseState>();
        add(MemoryPart::Ports, self.ports.len() * port + self.stations.len() * size_of::<Station>());
        let spans: usize = self.queues.iter().map(|queue| queue.dwell.heap_bytes()).sum();
        add(MemoryPart::Queues, self.queues.len() * size_of::<Queue>() + spans);
        add(MemoryPart::Frames, self.frame_bytes());
        add(MemoryPart::Inputs, self.cioq.as_ref().map_or(0, |cioq| cioq.table_bytes()));
        add(MemoryPart::Series, self.recorder.series_bytes());
        add(MemoryPart::Messages, self.recorder.messages.capacity() * size_of::<Ended>());
        memory
    }

    fn flow_bytes(&self) -> usize {
        let each = size_of::<Flow>() + size_of::<Limiters>() + size_of::<Lane>() + size_of::<TimedChange>();
        let limiters = self.lanes.iter().filter(|lane| lane.limiter.is_some()).count();
        let lost = |lost: &LostFrames| lost.capacity() * size_of::<(Time, u16)>();
        let own = |flow: &Flow| flow.source.heap_bytes() + flow.books.lost.as_deref().map_or(0, lost);
        self.flows.len() * each
            + self.steps.len() * size_of::<u32>()
            + limiters * size_of::<Limiter>()
            + self.flows.iter().map(own).sum::<usize>()
    }

    fn frame_bytes(&self) -> usize {
        let in_queue = |queue: &Queue| queue.frames.heap_bytes() + queue.committed.heap_bytes();
        let queued: usize = self.queues.iter().map(in_queue).sum();
        let flying: usize = self.ports.iter().map(|port| port.flight.heap_bytes()).sum();
        let inside = self.cioq.as_ref().map_or(0, |cioq| cioq.frame_bytes());
        queued + flying + inside + self.reacting.heap_bytes()
    }
}

/// Bytes of one sample of a flow, of a queue and of a port.
pub(super) const FLOW_SAMPLE: usize = size_of::<u64>() + size_of::<u32>() + size_of::<Option<Rate>>();
pub(super) const QUEUE_SAMPLE: usize = 3 * size_of::<u64>() + size_of::<u32>();
pub(super) const PORT_SAMPLE: usize = size_of::<u64>() + 2 * size_of::<TimeDelta>();
pub(super) const RECEIVER_SAMPLE: usize = size_of::<u64>();
