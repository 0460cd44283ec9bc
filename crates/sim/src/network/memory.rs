//! The memory use of a running network.

use setpoint_units::Bytes;

use crate::error::SimError;
use crate::ids::PortId;
use crate::memory::{Memory, MemoryPart};
use crate::network::components::Components;
use crate::network::node::bridge::{Bridges, Input, Queue};
use crate::network::node::context::Context;
use crate::network::node::link::Link;
use crate::network::node::partition::Partition;
use crate::network::node::pause::PauseState;
use crate::network::node::port::Port;
use crate::network::node::receive::Ended;
use crate::network::node::routes::{FlowFacts, Hop};
use crate::network::node::station::Stations;
use crate::network::observe::Observers;

/// Stops the run if it exceeds its memory limit.
pub(in crate::network) fn check_memory(
    net: &Components,
    observers: &Observers,
    limit: Bytes,
) -> Result<(), SimError> {
    let memory = memory(net, observers);
    let (used, most) = (memory.total(), memory.largest());
    if used <= limit {
        return Ok(());
    }
    Err(SimError::OutOfMemory { at: net.now, used, limit, most, part: memory.of(most) })
}

/// Current memory use. Small parts that do not grow with the run are left out.
pub(in crate::network) fn memory(net: &Components, observers: &Observers) -> Memory {
    let mut memory = Memory::default();
    let mut add = |part, bytes: usize| memory.add(part, bytes as u64);
    let flows = net.routes.flow_count() * size_of::<FlowFacts>();
    let routes = net.routes.len() * (size_of::<Hop>() + size_of::<PortId>());
    add(MemoryPart::Flows, flows + routes);
    for part in net.parts.iter() {
        let Partition { cx, stations, bridges, .. } = &**part;
        add(MemoryPart::Flows, stations.sender_bytes() + cx.receivers.bytes());
        let port = size_of::<Port>() + size_of::<Input>() + size_of::<PauseState>();
        let ports = cx.links.len() * size_of::<Link>() + bridges.core().ports().len() * port;
        add(MemoryPart::Ports, ports + stations.station_bytes());
        let queues = bridges.core().queues();
        let spans: usize = queues.iter().map(|queue| queue.dwell.heap_bytes()).sum();
        add(MemoryPart::Queues, queues.len() * size_of::<Queue>() + spans);
        add(MemoryPart::Frames, frame_bytes(cx, stations, bridges));
        add(MemoryPart::Inputs, bridges.table_bytes());
        add(MemoryPart::Messages, cx.receivers.ended.capacity() * size_of::<Ended>());
        add(MemoryPart::Messages, cx.milestones.heap_bytes());
    }
    add(MemoryPart::Messages, observers.holds.heap_bytes());
    add(MemoryPart::Series, observers.recorder.series_bytes());
    add(MemoryPart::Messages, observers.messages.capacity() * size_of::<Ended>());
    memory
}

fn frame_bytes(cx: &Context, stations: &Stations, bridges: &Bridges) -> usize {
    let in_queue = |queue: &Queue| queue.frames.heap_bytes() + queue.committed.heap_bytes();
    let queued: usize = bridges.core().queues().iter().map(in_queue).sum();
    let flying: usize = cx.links.iter().map(|link| link.flight.heap_bytes()).sum();
    queued + flying + bridges.inside_bytes() + stations.frame_bytes()
}
