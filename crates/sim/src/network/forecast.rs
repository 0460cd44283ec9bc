//! An upper bound on a spec's memory use, estimated before the network is built.
//!
//! The estimate uses the sizes of the actual structures. Buffers count as full, and rings and vectors that grow
//! by doubling count as twice their content. A run rarely fills all its buffers, so it uses less;
//! it exceeds the estimate only by small amounts.

use setpoint_control::{Audience, Counters, CulpritArray, EveryFlow, FlowKey, Signal};
use setpoint_units::{Bytes, Rate, TimeDelta};

use crate::dwell::Dwell;
use crate::error::SpecError;
use crate::frame::{Frame, InFlight};
use crate::ids::PortId;
use crate::lossless::budgets;
use crate::memory::{Memory, MemoryPart};
use crate::network::build::{classes, recorded_ports, recorded_queues};
use crate::network::node::bridge::{self, Committed, Input, Queue};
use crate::network::node::expected::Expected;
use crate::network::node::link::Link;
use crate::network::node::milestones::Milestones;
use crate::network::node::pause::PauseState;
use crate::network::node::port::Port;
use crate::network::node::receive::{Ended, Receivers};
use crate::network::node::routes::{FlowFacts, Hop};
use crate::network::node::station::{Dispatch, Lane, Limiter, Limiters, Sender, Station};
use crate::network::node::turns::Turns;
use crate::network::observe::messages;
use crate::network::observe::recorder::{
    FLOW_SAMPLE, FlowSeries, PORT_SAMPLE, PortSeries, QUEUE_SAMPLE, QueueSeries, RECEIVER_SAMPLE,
    SOURCE_SAMPLE, samples,
};
use crate::outcome::{
    DependentOutcome, FlowOutcome, IncompleteMessage, MessageOutcome, Passage, PortOutcome, QueueOutcome,
};
use crate::routing::{Route, routes};
use crate::spec::{Bridges, Change, FlowSpec, MessageOrder, Scheduling, Spec, TimedChange};
use crate::topology::NodeKind;
use crate::traffic::source::{Message, Source};

/// The maximum memory use of a run, by part. Excludes memory outside the simulator.
///
/// # Errors
/// Returns an error if a flow has no path to its destination.
pub fn memory_of(spec: &Spec) -> Result<Memory, SpecError> {
    let routes = routes(spec)?;
    let forecast = Forecast {
        spec,
        frame: typical_frame(spec),
        ports: recorded_ports(&routes),
        rooms: rooms(spec, &routes),
        routes,
    };
    let mut memory = Memory::default();
    memory.add(MemoryPart::Flows, forecast.flows());
    memory.add(MemoryPart::Ports, forecast.ports());
    memory.add(MemoryPart::Queues, forecast.queues());
    memory.add(MemoryPart::Frames, forecast.frames());
    memory.add(MemoryPart::Inputs, forecast.inputs());
    memory.add(MemoryPart::Series, forecast.series());
    memory.add(MemoryPart::Messages, forecast.messages());
    Ok(memory)
}

struct Forecast<'a> {
    spec: &'a Spec,
    /// The mean frame length of the flow with the shortest frames, in bytes.
    frame: u64,
    /// The ports on the paths of flows.
    ports: Vec<PortId>,
    /// For each port, the maximum number of bytes of its frames that wait in a bridge.
    rooms: Vec<u64>,
    routes: Vec<Route>,
}

/// The overhead of an allocation.
const ALLOCATION: usize = 16;

impl Forecast<'_> {
    fn flows(&self) -> u64 {
        let spec = self.spec;
        let hops = |route: &Route| route.paths().map(<[PortId]>::len).sum::<usize>();
        let one = |(flow, route): (&FlowSpec, &Route)| {
            // Routes are stored twice while the network is built.
            let routes = (2 * hops(route) + route.paths().count() * 8) * size_of::<PortId>();
            let table = hops(route) * (size_of::<Hop>() + size_of::<PortId>());
            Source::heap_bytes_of(&flow.traffic) + Receivers::bytes_of(flow) + routes + table
        };
        let fixed = size_of::<Sender>()
            + size_of::<FlowFacts>()
            + size_of::<Lane>()
            + size_of::<Limiters>()
            + size_of::<Limiter>()
            + size_of::<FlowSeries>()
            + size_of::<FlowOutcome>()
            // During the run and in the outcome.
            + 2 * Counters::HEAP_BYTES
            + 6 * ALLOCATION;
        let own: usize = spec.flows.iter().zip(&self.routes).map(one).sum();
        // Each flow's start event and its entry in its station's heap.
        let flows = spec.flows.len() * (fixed + 4 * size_of::<u128>()) + own;
        flows as u64 + self.independent_messages()
    }

    /// Independent messages that are being sent or are in transit. Tables of senders and lanes are copied to twice the
    /// space when they grow.
    fn independent_messages(&self) -> u64 {
        let one = 3 * (size_of::<Sender>() + size_of::<Lane>())
            + Dispatch::BYTES_OF_MESSAGE
            + size_of::<Limiters>()
            + size_of::<Limiter>()
            + Counters::HEAP_BYTES
            + size_of::<Message>()
            + Expected::BYTES_OF_MESSAGE
            + 5 * ALLOCATION
            // Its entry in its station's heap.
            + 4 * size_of::<u128>();
        let flows = self.spec.flows.iter().filter(|flow| flow.sends_independent_messages());
        let most = f64::from(MessageOrder::MOST_AT_ONCE);
        let (mut mean, mut each) = (0.0, 0.0);
        for flow in flows {
            let messages = flow.traffic.messages_in(self.spec.duration);
            mean += messages.min(most);
            each += at_most(messages).min(most);
        }
        (at_most(mean).min(each) as u64).saturating_mul(one as u64)
    }

    fn ports(&self) -> u64 {
        let topology = &self.spec.topology;
        let port = size_of::<Port>()
            + size_of::<Link>()
            + size_of::<Input>()
            + size_of::<PauseState>()
            + 2 * size_of::<Vec<u32>>();
        let turns = match self.spec.scheduling {
            Scheduling::Strict => 0,
            Scheduling::Ets(_) => size_of::<Turns>(),
        };
        let node = size_of::<Station>() + 2 * size_of::<Vec<u32>>() + 2 * ALLOCATION + turns + ALLOCATION;
        let recorded = self.ports.len() * (size_of::<PortSeries>() + size_of::<PortOutcome>());
        (topology.links().len() * 2 * (port + turns) + topology.nodes().len() * node + recorded) as u64
    }

    fn queues(&self) -> u64 {
        let spec = self.spec;
        let classes = classes(spec);
        let sides = if matches!(spec.bridges, Bridges::Cioq(_)) { 2 } else { 1 };
        let outside = spec.topology.ports().filter(|port| !spec.topology.is_inside(*port)).count();
        let all = outside * classes.count() * sides;
        let recorded = recorded_queues(spec, &classes, &self.routes).len();
        // The outcome gets a copy of each histogram.
        let used = 2 * Dwell::MOST_HEAP_BYTES
            + spec.control.congestion_point.heap_bytes()
            + audience(spec)
            + size_of::<QueueSeries>()
            + size_of::<QueueOutcome>();
        (all * size_of::<Queue>() + recorded * used) as u64
    }

    /// Frames waiting in bridges and frames on links. Rings double, and are copied when they grow.
    fn frames(&self) -> u64 {
        // The same frames may have been in flight, committed and queued at different times, so all three rings may
        // have grown.
        let waiting = (2 * (size_of::<InFlight>() + size_of::<Committed>() + size_of::<Frame>())) as u64;
        let flying = (2 * size_of::<InFlight>()) as u64;
        let one = |&port: &PortId| {
            let link = self.spec.topology.link_at(port.link());
            let (on_link, queued) = (sent_in(link.rate, link.delay), self.held_of(port));
            self.frames_in(on_link) * flying + self.frames_in(queued) * waiting
        };
        self.ports.iter().map(one).fold(0, u64::saturating_add)
    }

    /// The maximum number of bytes of a port's frames that wait in a bridge.
    fn held_of(&self, port: PortId) -> u64 {
        let spec = self.spec;
        let link = spec.topology.link_at(port.link());
        if spec.topology.node_at(spec.topology.target(port)).kind == NodeKind::Station {
            return 0;
        }
        self.rooms[port.index()].min(sent_in(link.rate, spec.duration))
    }

    fn frames_in(&self, bytes: u64) -> u64 {
        bytes / self.frame + 2
    }

    /// Tables of bridges with input buffers or a shared buffer.
    fn inputs(&self) -> u64 {
        let spec = self.spec;
        let bridges = match spec.bridges {
            Bridges::OutputQueued => return 0,
            Bridges::SharedBuffer(_) => return bridge::shared_bytes(spec, classes(spec).count()),
            Bridges::Cioq(cioq) => cioq,
        };
        let units = |port: &PortId| self.held_of(*port).div_ceil(bridges.unit.get());
        let words = if bridge::keeps_culprits(spec) { 2 * CulpritArray::BYTES_PER_UNIT as u64 } else { 0 };
        let frame = bridge::SLOT_BYTES as u64 * 2;
        let held = |port: &PortId| units(port) * words + self.frames_in(self.held_of(*port)) * frame;
        self.ports
            .iter()
            .map(held)
            .fold(bridge::fixed_bytes(spec, classes(spec).count()), u64::saturating_add)
    }

    fn series(&self) -> u64 {
        let queues = recorded_queues(self.spec, &classes(self.spec), &self.routes).len();
        let members = |route: &Route| if let Route::Tree(paths) = route { paths.len() } else { 0 };
        let receivers: usize = self.routes.iter().map(members).sum();
        let of_source = if self.spec.control.acknowledges() { SOURCE_SAMPLE } else { 0 };
        let sample = self.spec.flows.len() * (FLOW_SAMPLE + of_source)
            + queues * QUEUE_SAMPLE
            + self.ports.len() * PORT_SAMPLE
            + receivers * RECEIVER_SAMPLE;
        (sample as u64).saturating_mul(samples(self.spec) as u64)
    }

    /// All offered messages, regardless of their fate, up to the number kept. Sorting them at the
    /// end needs a copy.
    fn messages(&self) -> u64 {
        let offered: f64 =
            self.spec.flows.iter().map(|flow| flow.traffic.messages_in(self.spec.duration)).sum();
        // A flow with a single message offers one at each start.
        let started = |change: &&TimedChange| matches!(change.change, Change::StartFlow(_));
        let messages = offered + self.spec.changes.iter().filter(started).count() as f64;
        let kept = at_most(messages).min(messages::BOUND as f64) as u64;
        let outcome = size_of::<MessageOutcome>().max(size_of::<IncompleteMessage>());
        kept * (3 * size_of::<Ended>() + outcome) as u64 + self.dependents()
    }

    /// Messages that wait for others: milestones, outcomes and passages.
    fn dependents(&self) -> u64 {
        let one = |(flow, route): (&FlowSpec, &Route)| {
            let links = route.paths().map(<[PortId]>::len).max().unwrap_or(0);
            let each = 2 * Milestones::bytes_of_message(links)
                + size_of::<DependentOutcome>()
                + links * size_of::<Passage>();
            flow.traffic.dependent_messages().len() as u64 * each as u64
        };
        self.spec.flows.iter().zip(&self.routes).map(one).sum()
    }
}

/// A bound that a Poisson-distributed variable with the given mean practically never exceeds: six standard deviations above
/// its mean.
fn at_most(mean: f64) -> f64 {
    if mean > 0.0 { mean + 6.0 * libm::sqrt(mean) + 8.0 } else { 0.0 }
}

/// The buffer space in bridges for the frames of each port: thresholds and headroom if flow control protects
/// them, otherwise buffers.
fn rooms(spec: &Spec, routes: &[Route]) -> Vec<u64> {
    let input = match spec.bridges {
        Bridges::OutputQueued => 0,
        // Any input may fill the whole buffer.
        Bridges::SharedBuffer(shared) => return vec![shared.size.get(); spec.topology.links().len() * 2],
        Bridges::Cioq(cioq) => cioq.input_buffer.get(),
    };
    let output = spec.buffer.get();
    let mut rooms = vec![input.saturating_add(output); spec.topology.links().len() * 2];
    let beside = if spec.buffer_limits_flows() { output } else { 0 };
    for budget in budgets(spec, routes) {
        rooms[budget.port.index()] = budget.buffer().get().saturating_add(beside);
    }
    rooms
}

/// The mean frame length of the flow with the shortest frames.
fn typical_frame(spec: &Spec) -> u64 {
    let shortest = spec.flows.iter().map(|flow| flow.traffic.mean_frame(flow.frame)).fold(f64::MAX, f64::min);
    (shortest as u64).clamp(1, u64::from(u16::MAX))
}

/// Bytes that a port can send in a time span.
fn sent_in(rate: Rate, time: TimeDelta) -> u64 {
    let bits = u128::from(rate.bits_per_second()) * u128::from(time.as_picos()) / 1_000_000_000_000;
    Bytes::new(u64::try_from(bits / 8).unwrap_or(u64::MAX)).get()
}

/// The heap memory of a congestion point that notifies every flow. Its lists double when they grow.
fn audience(spec: &Spec) -> usize {
    match spec.control.audience {
        Audience::Sampled => 0,
        Audience::EveryFlow => {
            let lists = 2 * spec.flows.len() * size_of::<FlowKey>() + 4 * size_of::<(FlowKey, Signal)>();
            size_of::<EveryFlow>() + lists
        }
    }
}
