//! The path of a frame through the bridge.

use setpoint_control::{Admission, FlowKey};
use setpoint_sim::SampledFrames;
use setpoint_units::Time;
use setpoint_wire::roce::is_cnp;
use setpoint_wire::{Header, Priority, VlanTag};

use super::input::protects;
use super::marking::Fate;
use super::output::Waiting;
use super::{Bridge, LinkState, Port};
use crate::flow_name::FlowName;
use crate::marking::marks;
use crate::neighbour::Defence;
use crate::node::Egress;
use crate::transmitter::wire_length;

/// A frame on its way through the bridge.
pub(super) struct Passing<'a> {
    pub(super) header: Header,
    pub(super) octets: &'a [u8],
    pub(super) priority: Priority,
    pub(super) from: usize,
    pub(super) flow: FlowKey,
}

impl Bridge {
    /// Queues a frame at its outputs.
    pub(super) fn forward(
        &mut self,
        now: Time,
        from: usize,
        octets: &[u8],
        mut header: Header,
        egress: &mut impl Egress,
    ) {
        let priority = self.defend(now, from, &mut header);
        let flow = self.flow(&header, priority, from, octets);
        let passing = Passing { header, octets, priority, from, flow };
        let known =
            if header.destination.is_group() { None } else { self.table.find(now, header.destination) };
        match known {
            Some(to) if to == from => self.counters.filtered += 1,
            Some(to) => self.enqueue(now, to, &passing, egress),
            None => {
                self.counters.flooded += 1;
                for to in (0..self.ports.len()).filter(|&to| to != from) {
                    self.enqueue(now, to, &passing, egress);
                }
            }
        }
    }

    /// The flow of a frame. If the algorithm marks frames, they have no CN-TAG, so flows are distinguished by their
    /// numbers in congestion notification packets.
    fn flow(&mut self, header: &Header, priority: Priority, from: usize, octets: &[u8]) -> FlowKey {
        let tag = header.cn_tag.map_or(0, |tag| tag.flow.into());
        if !marks(&self.plan.control) {
            return self.flows.of(header, priority, from, tag);
        }
        self.counters.cnps += u64::from(is_cnp(octets));
        let name = FlowName::of(header, &octets[header.length()..]);
        let identifier = name.map_or(tag, |name| name.queue_pair().get());
        self.flows.of(header, priority, from, identifier)
    }

    /// The priority of an arriving frame. At an edge, a priority under congestion notification is replaced.
    fn defend(&mut self, now: Time, from: usize, header: &mut Header) -> Priority {
        let Some(tag) = &mut header.vlan else { return Priority::default() };
        if self.ports[from].neighbour.defence(now, tag.priority) == Some(Defence::Edge) {
            self.counters.remapped += 1;
            tag.priority = self.plan.options.alternate_priority;
        }
        tag.priority
    }

    /// Queues a frame at an output, or sends it at once.
    fn enqueue(&mut self, now: Time, to: usize, passing: &Passing<'_>, egress: &mut impl Egress) {
        if self.ports[to].link == LinkState::Down {
            self.counters.no_link += 1;
            return;
        }
        self.flows.place(passing.flow, to, passing.priority);
        let octets = self.rewritten(now, to, passing);
        let length = wire_length(octets.len());
        let index = usize::from(passing.priority.number());
        let before = self.ports[to].output.lengths[index];
        let planned = self.flows.get(passing.flow).and_then(|flow| flow.planned);
        planned.inspect(|flow| self.record.arrive(*flow, length));
        if !self.admit(now, to, passing, length, egress) {
            planned.inspect(|flow| self.record.drop(*flow, length));
            self.spare.push(octets);
            return;
        }
        let mut waiting = Waiting::new(octets, length, now);
        (waiting.planned, waiting.flow) = (planned, Some(passing.flow));
        let arrival = self.arrival(now, passing, length, before + length);
        if self.mark_arriving(to, passing.priority, &arrival, &mut waiting) == Fate::Dropped {
            return self.discard(to, passing.priority, waiting);
        }
        if !self.ports[to].output.is_idle(now, passing.priority) {
            self.wait(now, to, passing, waiting, egress);
        } else if self.mark_departing(now, to, passing.priority, &mut waiting) == Fate::Dropped {
            return self.discard(to, passing.priority, waiting);
        } else {
            self.send(now, to, waiting, egress);
        }
        self.observe(now, to, passing, (length, before + length), egress);
    }

    /// Whether a frame may enter a queue; if not, counts it.
    fn admit(
        &mut self,
        now: Time,
        to: usize,
        passing: &Passing<'_>,
        length: u64,
        egress: &mut impl Egress,
    ) -> bool {
        let (priority, index) = (passing.priority, usize::from(passing.priority.number()));
        if protects(&self.plan.flow_control, priority) {
            let fits = self.ports[passing.from].input.has_room(&self.plan.flow_control, priority, length);
            self.counters.lost += u64::from(!fits);
            return fits;
        }
        let queue = self.ports[to].output.lengths[index];
        let arrival = self.arrival(now, passing, length, queue);
        let refused = self.plan.control.congestion_point.needs().admission
            && self.ports[to].points[index].admit(&arrival) == Admission::Drop;
        if !refused && queue + length <= self.plan.buffer.get() {
            return true;
        }
        self.counters.dropped += 1;
        let point = &mut self.ports[to].points[index];
        (point.dropped_frames, point.dropped) = (point.dropped_frames + 1, point.dropped + length);
        if self.plan.control.sampled == SampledFrames::Arriving {
            self.observe(now, to, passing, (length, queue), egress);
        }
        false
    }

    fn wait(
        &mut self,
        now: Time,
        to: usize,
        passing: &Passing<'_>,
        mut waiting: Waiting,
        egress: &mut impl Egress,
    ) {
        let (priority, length) = (passing.priority, waiting.length);
        let lossless = protects(&self.plan.flow_control, priority);
        waiting.holds = lossless.then_some(passing.from);
        self.push(now, to, priority, waiting);
        if lossless {
            let tell = self.ports[passing.from].input.hold(&self.plan.flow_control, priority, length);
            self.tell(now, passing.from, tell, egress);
        }
    }

    pub(super) fn push(&mut self, now: Time, to: usize, priority: Priority, waiting: Waiting) {
        let index = usize::from(priority.number());
        let Port { output, points, .. } = &mut self.ports[to];
        points[index].leave(output.lengths[index], now);
        output.push(priority, waiting);
        points[index].largest = points[index].largest.max(output.lengths[index]);
    }

    /// A frame as it leaves through a port: with its priority, and without a CN-TAG if the neighbour does not support
    /// it.
    fn rewritten(&mut self, now: Time, to: usize, passing: &Passing<'_>) -> Vec<u8> {
        let mut octets = self.spare.pop().unwrap_or_default();
        octets.clear();
        let defence = self.ports[to].neighbour.defence(now, passing.priority);
        let strip = passing.header.cn_tag.is_some()
            && matches!(defence, Some(Defence::Edge | Defence::Interior) | None);
        octets.extend_from_slice(passing.octets);
        if let Some(VlanTag { priority, .. }) = passing.header.vlan {
            octets[14] = octets[14] & 0x1f | priority.number() << 5;
        }
        if strip {
            self.counters.untagged += 1;
            let tag = if passing.header.vlan.is_some() { 16 } else { 12 };
            octets.drain(tag..tag + 4);
        }
        octets
    }

    /// Sends a frame whose transmission begins at `start`.
    pub(super) fn send(&mut self, start: Time, to: usize, waiting: Waiting, egress: &mut impl Egress) {
        self.ports[to].output.transmitter.transmit(start, waiting.length);
        egress.send(to, &waiting.octets);
        if let Some(flow) = waiting.planned {
            self.record.deliver(flow, waiting.length);
        }
        if self.spare.len() < 1_024 {
            self.spare.push(waiting.octets);
        }
    }
}
