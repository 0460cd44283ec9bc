//! The memory use of a running network.

use setpoint_units::{Bytes, TimeDelta};

use super::Network;
use super::bridge::{Input, Queue};
use super::link::Link;
use super::pause::PauseState;
use super::port::Port;
use super::receive::Ended;
use super::routes::{FlowFacts, Hop};
use crate::error::SimError;
use crate::ids::PortId;
use crate::memory::{Memory, MemoryPart};
use crate::sample::FlowSample;

impl Network {
    /// Stops the run if it exceeds its memory limit.
    pub(super) fn check_memory(&self, limit: Bytes) -> Result<(), SimError> {
        let memory = self.memory();
        let (used, most) = (memory.total(), memory.largest());
        if used <= limit {
            return Ok(());
        }
        Err(SimError::OutOfMemory { at: self.cx.now, used, limit, most, part: memory.of(most) })
    }

    /// Current memory use. Small parts that do not grow with the run are left out.
    fn memory(&self) -> Memory {
        let mut memory = Memory::default();
        let mut add = |part, bytes: usize| memory.add(part, bytes as u64);
        let flow = size_of::<FlowFacts>();
        let routes = self.cx.routes.len() * (size_of::<Hop>() + size_of::<PortId>());
        let flows = self.stations.senders().len() * flow + self.stations.sender_bytes();
        add(MemoryPart::Flows, flows + routes + self.cx.receivers.bytes());
        let (links, ports) = (self.cx.links.len(), self.bridges.ports().len());
        let port = size_of::<Port>() + size_of::<Input>() + size_of::<PauseState>();
        let fixed = links * size_of::<Link>() + ports * port + self.stations.station_bytes();
        add(MemoryPart::Ports, fixed);
        let queues = self.bridges.queues();
        let spans: usize = queues.iter().map(|queue| queue.dwell.heap_bytes()).sum();
        add(MemoryPart::Queues, queues.len() * size_of::<Queue>() + spans);
        add(MemoryPart::Frames, self.frame_bytes());
        add(MemoryPart::Inputs, self.bridges.table_bytes());
        add(MemoryPart::Series, self.recorder.series_bytes());
        let messages = self.messages.capacity() + self.cx.receivers.ended.capacity();
        add(MemoryPart::Messages, messages * size_of::<Ended>());
        memory
    }

    fn frame_bytes(&self) -> usize {
        let in_queue = |queue: &Queue| queue.frames.heap_bytes() + queue.committed.heap_bytes();
        let queued: usize = self.bridges.queues().iter().map(in_queue).sum();
        let flying: usize = self.cx.links.iter().map(|link| link.flight.heap_bytes()).sum();
        queued + flying + self.bridges.inside_bytes() + self.stations.frame_bytes()
    }
}

/// Bytes of one sample of a flow, of a queue and of a port.
pub(super) const FLOW_SAMPLE: usize = size_of::<FlowSample>();
pub(super) const QUEUE_SAMPLE: usize = 3 * size_of::<u64>() + size_of::<u32>();
pub(super) const PORT_SAMPLE: usize = size_of::<u64>() + 2 * size_of::<TimeDelta>();
pub(super) const RECEIVER_SAMPLE: usize = size_of::<u64>();
