//! The path of a program's frame to the link: sorting, tagging, pacing.

use setpoint_sim::{Purpose, RandomStream, Reaction};
use setpoint_units::{Time, TimeDelta};
use setpoint_wire::{CnTag, Content, Frame, Header, MIN_FRAME, Priority, VlanTag, ecn};

use super::flow::{Flow, Waiting};
use super::{LINK, OwnFlow, Station, StationPlan};
use crate::flow_name::FlowName;
use crate::neighbour::Defence;
use crate::node::Egress;
use crate::transmitter::wire_length;

/// The maximum number of flows per station. Further frames belong to no flow and are not limited.
const MOST_FLOWS: usize = 1_024;
/// The maximum number of waiting frames per flow; a program that sends faster loses frames, as at any full interface
/// queue.
pub(super) const MOST_WAITING: usize = 64;
/// The identifier of a flow that has been idle for this long may be reused.
const IDLE: TimeDelta = TimeDelta::from_secs(60);

/// The entry for frames that belong to no flow, such as ARP. They are never limited, and have the priority of
/// notifications: at a lower priority, data could delay them forever. A frame with its own tag keeps that tag, and is
/// held while the priority in the tag is paused.
pub(super) fn unsorted(plan: &StationPlan) -> Flow {
    let priority = Priority::ALL[plan.control.notification_priority.index()];
    let entropy = RandomStream::new(plan.seed, Purpose::ReactionPoint, u32::MAX);
    Flow::new(None, priority, 1, entropy).with_reaction(Reaction::Uncontrolled)
}

impl Station {
    /// Takes a frame from a program.
    pub(super) fn offer(&mut self, now: Time, octets: &[u8], egress: &mut impl Egress) {
        let (header, payload) = match Header::parse(octets) {
            Ok(parsed) => parsed,
            Err(error) => return self.counters.refuse(&error),
        };
        let flow = FlowName::of(&header, payload).map_or(0, |name| self.flow(now, &name, &header));
        if self.flows[usize::from(flow)].len() >= MOST_WAITING {
            self.counters.refused += 1;
            return;
        }
        let tag = header.vlan.unwrap_or(VlanTag::of_priority(self.flows[usize::from(flow)].priority));
        let octets = self.tagged(now, flow, Header { vlan: Some(tag), ..header }, payload);
        let length = wire_length(octets.len());
        let waiting = Waiting { octets, length, priority: tag.priority, arrived: now };
        self.flows[usize::from(flow)].push(waiting);
        self.drain(now, egress);
    }

    /// The identifier of a flow; 0 if none is free.
    fn flow(&mut self, now: Time, name: &FlowName, header: &Header) -> u16 {
        if let Some(&flow) = self.names.get(name) {
            return flow;
        }
        let Some(index) = self.free_identifier(now) else { return 0 };
        let priority = header.vlan.map_or(self.plan.priority, |tag| tag.priority);
        let unplanned =
            OwnFlow { number: u32::MAX - index as u32, weight: 1, reaction: Reaction::Controlled };
        let OwnFlow { number, weight, reaction } =
            self.plan.flows.get(index - 1).copied().unwrap_or(unplanned);
        let entropy = RandomStream::new(self.plan.seed, Purpose::ReactionPoint, number);
        let flow = Flow::new(Some(*name), priority, weight, entropy).with_reaction(reaction);
        match self.flows.get_mut(index) {
            Some(old) => {
                old.name.and_then(|name| self.names.remove(&name));
                *old = flow;
            }
            None => self.flows.push(flow),
        }
        self.flows[index].last_used = now;
        self.flows[index].served = self.least_served();
        self.names.insert(*name, index as u16);
        index as u16
    }

    /// An identifier that is new or whose flow is idle.
    fn free_identifier(&self, now: Time) -> Option<usize> {
        if self.flows.len() <= MOST_FLOWS {
            return Some(self.flows.len());
        }
        let is_idle = |flow: &Flow| {
            flow.len() == 0 && flow.limit().is_none() && now.saturating_since(flow.last_used) > IDLE
        };
        (1..self.flows.len()).find(|&index| is_idle(&self.flows[index]))
    }

    /// The initial amount of service of a new flow, so that it does not keep sending until it has caught up
    /// with the others.
    fn least_served(&self) -> u64 {
        let waiting = self.flows.iter().filter(|flow| flow.len() > 0);
        waiting.map(|flow| flow.served).min().unwrap_or(0)
    }

    /// A frame with the given C-tag and, if the bridge understands it, its flow's CN-TAG.
    fn tagged(&self, now: Time, flow: u16, header: Header, payload: &[u8]) -> Vec<u8> {
        let priority = self.flows[usize::from(flow)].priority;
        let ready = self.neighbour.defence(now, priority) == Some(Defence::InteriorReady);
        let header = Header { cn_tag: (flow != 0 && ready).then_some(CnTag { flow }), ..header };
        let mut octets = vec![0; (header.length() + payload.len()).max(MIN_FRAME)];
        let frame = Frame { header, content: Content::Data(payload) };
        let encoded = frame.encode(&self.plan.options.conventions, &mut octets).map(<[u8]>::len);
        debug_assert!(encoded.is_ok(), "a parsed header can be encoded: {encoded:?}");
        octets.truncate(encoded.unwrap_or(0));
        if self.reacts_to_marks(usize::from(flow)) {
            // A program may send a packet that is not valid IPv4; such a packet is left unchanged.
            let _ = ecn::declare(&mut octets);
        }
        octets
    }

    /// The next flow to send, and when: of the flows that could send first, the one with the highest priority, and among
    /// those of equal priority, the one that has been served least.
    pub(super) fn next(&self) -> Option<(Time, usize)> {
        let mut best: Option<(Time, u8, u64, usize)> = None;
        for (index, flow) in self.flows.iter().enumerate() {
            let Some((ready, priority)) = flow.ready() else { continue };
            let start = self.transmitter.start(ready.max(self.pauses.ready(priority)));
            let key = (start, 7 - flow.priority.number(), flow.served, index);
            if best.is_none_or(|best| key < best) {
                best = Some(key);
            }
        }
        best.map(|(start, _, _, index)| (start, index))
    }

    /// Sends the frames whose transmission has begun by now.
    pub(super) fn drain(&mut self, now: Time, egress: &mut impl Egress) {
        self.pauses.expire(now);
        while let Some((start, index)) = self.next().filter(|(start, _)| *start <= now) {
            let Some(waiting) = self.flows[index].take(start, self.plan.overhead.get()) else { return };
            self.transmitter.transmit(start, waiting.length);
            egress.send(LINK, &waiting.octets);
        }
    }
}
