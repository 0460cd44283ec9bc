//! Replies to marked frames: the notification points of the flows that this station receives.
//!
//! A flow is identified by the source of its frames and by the fields that [`FlowName`] lists. Its notification point decides
//! when to send a congestion notification packet (CNP), as in the simulator. The packet is a RoCEv2 frame with the priority
//! of notifications. It is not limited, and leaves before data of lower priorities.

use std::collections::{BTreeSet, HashMap};

use setpoint_control::{Answer, Answers, Delivery, Mark, NotificationPoint, NotificationPointParams, Reply};
use setpoint_units::{Bytes, Time, TimeDelta};
use setpoint_wire::roce::{Connection, End};
use setpoint_wire::{Dscp, Ecn, Header, MacAddress, Priority, RoceFrame, VlanTag, ecn};

use super::flow::Waiting;
use super::sending::MOST_WAITING;
use super::{OWN_FRAME, Station};
use crate::flow_name::FlowName;
use crate::node::Egress;
use crate::transmitter::wire_length;

/// The maximum number of flows whose marks a station tracks, so that forged frames use bounded memory. Marks of further
/// flows are not reported.
const MOST_FLOWS: usize = 4_096;
/// A flow that has been silent for this long may be replaced by another one.
const IDLE: TimeDelta = TimeDelta::from_secs(60);

/// The flows that a station receives.
#[derive(Debug, Default)]
pub(super) struct Receivers {
    flows: Vec<Receiver>,
    numbers: HashMap<(MacAddress, FlowName), usize>,
    /// The flows with pending timers, by the times at which these are due.
    timers: BTreeSet<(Time, usize)>,
}

/// A flow that this station receives.
#[derive(Debug)]
struct Receiver {
    source: MacAddress,
    name: FlowName,
    point: NotificationPoint,
    /// The identifier of the VLAN in which its last frame arrived.
    vlan: u16,
    /// Bytes that arrived.
    arrived: Bytes,
    last: Time,
    /// The time in `timers`.
    armed: Option<Time>,
}

/// An arriving frame that a notification point observes.
struct Arriving {
    source: MacAddress,
    name: FlowName,
    vlan: u16,
    length: Bytes,
    mark: Mark,
}

impl Receivers {
    /// The time at which the next timer is due.
    pub(super) fn due(&self) -> Option<Time> {
        self.timers.first().map(|(due, _)| *due)
    }

    /// Forgets all flows: the rules for replies have changed.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Passes a frame to the notification point of its flow. Returns the flow if its source must be notified.
    fn on_arrival(&mut self, now: Time, params: &NotificationPointParams, frame: &Arriving) -> Option<usize> {
        let number = self.number(now, params, frame)?;
        let flow = &mut self.flows[number];
        flow.arrived += frame.length;
        (flow.last, flow.vlan) = (now, frame.vlan);
        // Frames do not carry the time at which they were sent, and replies without acknowledgement do not need it.
        let (settled, mark) = (flow.arrived, frame.mark);
        let delivery = Delivery { now, frame: frame.length, sent_at: now, mark, settled, hops: &[] };
        let reply = flow.point.on_delivery(&delivery);
        self.arm(number);
        (reply == Some(Reply::Congestion)).then_some(number)
    }

    /// The number of a frame's flow; none if there are too many flows.
    fn number(&mut self, now: Time, params: &NotificationPointParams, frame: &Arriving) -> Option<usize> {
        let key = (frame.source, frame.name);
        if let Some(&number) = self.numbers.get(&key) {
            return Some(number);
        }
        let number = self.free_number(now)?;
        let (source, name) = key;
        let (point, arrived) = (NotificationPoint::new(params), Bytes::ZERO);
        let flow = Receiver { source, name, point, vlan: frame.vlan, arrived, last: now, armed: None };
        match self.flows.get_mut(number) {
            Some(old) => {
                self.numbers.remove(&(old.source, old.name));
                *old = flow;
            }
            None => self.flows.push(flow),
        }
        self.numbers.insert(key, number);
        Some(number)
    }

    /// A number that is unused or whose flow is idle.
    fn free_number(&self, now: Time) -> Option<usize> {
        if self.flows.len() < MOST_FLOWS {
            return Some(self.flows.len());
        }
        let is_idle = |flow: &Receiver| flow.armed.is_none() && now.saturating_since(flow.last) > IDLE;
        self.flows.iter().position(is_idle)
    }

    fn arm(&mut self, number: usize) {
        let flow = &mut self.flows[number];
        let due = flow.point.timer();
        if let Some(before) = std::mem::replace(&mut flow.armed, due) {
            self.timers.remove(&(before, number));
        }
        self.timers.extend(due.map(|due| (due, number)));
    }

    /// Handles the first timer that is due. Returns the time at which it was due, and its flow if the flow's source must be
    /// notified.
    fn on_timer(&mut self, now: Time) -> Option<(Time, Option<usize>)> {
        let (due, number) = self.timers.first().copied().filter(|(due, _)| *due <= now)?;
        let reply = self.flows[number].point.on_timer(due);
        self.arm(number);
        Some((due, (reply == Some(Reply::Congestion)).then_some(number)))
    }
}

impl Station {
    /// Passes a frame from the link to the notification point of its flow, and replies if that point decides to.
    pub(super) fn answer(&mut self, now: Time, header: &Header, octets: &[u8], egress: &mut impl Egress) {
        let Some(frame) = self.arriving(header, octets) else { return };
        self.counters.marked += u64::from(frame.mark == Mark::Congested);
        let params = self.plan.control.notification_point;
        if params.answers() == Answers::MarkedFrames && frame.mark == Mark::Clear {
            return;
        }
        if let Some(flow) = self.receivers.on_arrival(now, &params, &frame) {
            self.notify(now, flow);
            self.drain(now, egress);
        }
    }

    /// Queues the replies that are due, as if they had been waiting since they were due.
    pub(super) fn answer_by_timer(&mut self, now: Time) {
        while let Some((due, flow)) = self.receivers.on_timer(now) {
            if let Some(flow) = flow {
                self.notify(due, flow);
            }
        }
    }

    /// A frame of a flow whose source reacts to marks: ECN-capable IPv4, in a priority under congestion control. A bridge may
    /// have removed the tag with the priority.
    fn arriving(&self, header: &Header, octets: &[u8]) -> Option<Arriving> {
        let control = &self.plan.control;
        if control.notification_point.answers() == Answers::Never {
            return None;
        }
        let managed = |priority: Priority| control.priorities.0 >> priority.number() & 1 == 1;
        let tag = header.vlan.unwrap_or_default();
        if header.vlan.is_some_and(|tag| !managed(tag.priority)) {
            return None;
        }
        let name = FlowName::of(header, &octets[header.length()..])?;
        let mark = match ecn::of(octets)? {
            Ecn::NotEct => return None,
            Ecn::Ect0 | Ecn::Ect1 => Mark::Clear,
            Ecn::Ce => Mark::Congested,
        };
        name.ipv4_ends()?;
        let length = Bytes::new(wire_length(octets.len()));
        Some(Arriving { source: header.source, name, vlan: tag.vlan, length, mark })
    }

    /// Queues a congestion notification packet to the source of a flow.
    fn notify(&mut self, now: Time, flow: usize) {
        if self.flows[0].len() >= MOST_WAITING {
            self.counters.cnps_dropped += 1;
            return;
        }
        let priority = Priority::ALL[self.plan.control.notification_priority.index()];
        let Some(connection) = self.connection(flow, priority) else { return };
        let mut buffer = [0; OWN_FRAME];
        let Ok(octets) = RoceFrame::cnp(&connection).encode(&mut buffer) else { return };
        let (octets, length) = (octets.to_vec(), wire_length(octets.len()));
        self.counters.cnps += 1;
        self.flows[0].push(Waiting { octets, length, priority, arrived: now });
    }

    /// The direction from this station to the source of a flow. The queue pair is that of the flow at its source.
    fn connection(&self, flow: usize, priority: Priority) -> Option<Connection> {
        let Receiver { source, name, vlan, .. } = &self.receivers.flows[flow];
        let [from, to] = name.ipv4_ends()?;
        let queue_pair = name.queue_pair();
        Some(Connection {
            source: End { address: self.plan.address, ipv4: to, queue_pair },
            destination: End { address: *source, ipv4: from, queue_pair },
            vlan: Some(VlanTag { vlan: *vlan, ..VlanTag::of_priority(priority) }),
            dscp: Dscp::class_selector(priority),
            ecn: Ecn::NotEct,
            source_port: FIRST_PORT | queue_pair.get() as u16 & !FIRST_PORT,
        })
    }
}

/// The first UDP source port of RoCEv2. The lower 14 bits come from the queue pair.
const FIRST_PORT: u16 = 0xc000;
