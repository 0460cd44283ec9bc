//! An end station with reaction points, without I/O. It sits between the programs of a machine and its link.
//!
//! Frames from programs arrive at one port ([`PROGRAMS`]), are sorted into flows, tagged, paced and sent through the
//! other ([`LINK`]). Frames from the link are passed to the programs without their tags. Notifications, pauses and
//! announcements are not passed on.
//!
//! If bridges mark frames, the station declares the frames of its flows as ECN-capable, replies to marked frames with
//! congestion notification packets (CNP), and obeys those that report marks in its own flows.
//!
//! Frames from the link are not trusted. A notification is obeyed only if it names a flow of this station with its
//! destination and its priority or, in a CNP, its queue pair, and if the flow has sent at least as many frames as it
//! has received notifications. A pause cannot stop the station forever ([`crate::pauses`]).

mod answering;
mod counters;
mod flow;
mod notified;
mod plan;
mod record;
mod sending;

use std::collections::HashMap;

use setpoint_units::Time;
use setpoint_wire::roce::is_cnp;
use setpoint_wire::{Content, Frame, MacAddress, PrioritySet};

use crate::flow_name::FlowName;
use crate::marking::{managed, marks};
use crate::neighbour::{Neighbour, Profile};
use crate::node::{Egress, LinkState, Node};
use crate::pauses::Pauses;
use crate::transmitter::Transmitter;
use answering::Receivers;
use flow::Flow;

pub use counters::StationCounters;
pub use plan::{OwnFlow, StationPlan};
pub use record::StationFlow;

/// The port towards the programs: the TAP interface.
pub const PROGRAMS: usize = 0;
/// The port towards the link.
pub const LINK: usize = 1;

/// The buffer length for frames that the station generates itself; all of them are shorter.
const OWN_FRAME: usize = 512;

/// An end station.
#[derive(Debug)]
pub struct Station {
    plan: StationPlan,
    transmitter: Transmitter,
    pauses: Pauses,
    neighbour: Neighbour,
    /// The flows by their identifiers; the first takes the frames that belong to no flow.
    flows: Vec<Flow>,
    names: HashMap<FlowName, u16>,
    /// The congestion points that have notified this station.
    points: HashMap<[u8; 8], u32>,
    /// The flows that it receives, if receivers reply.
    receivers: Receivers,
    /// Event counters.
    pub counters: StationCounters,
    record: record::Record,
}

impl Station {
    /// A station without flows.
    pub fn new(plan: StationPlan) -> Self {
        Self {
            transmitter: Transmitter::new(plan.rate, plan.overhead),
            pauses: Pauses::new(plan.options.pause_patience),
            neighbour: Neighbour::new(profile(&plan)),
            flows: vec![sending::unsorted(&plan)],
            names: HashMap::new(),
            points: HashMap::new(),
            receivers: Receivers::default(),
            counters: StationCounters::default(),
            record: record::Record::default(),
            plan,
        }
    }

    fn accept(&mut self, now: Time, octets: &[u8], egress: &mut impl Egress) {
        self.counters.received += 1;
        let frame = match Frame::parse(octets, &self.plan.options.conventions) {
            Ok(frame) => frame,
            Err(error) => return self.counters.refuse(&error),
        };
        let to = frame.header.destination;
        match frame.content {
            Content::Pause(pause) if to == MacAddress::PAUSE => {
                self.pauses.on_pause(now, pause, self.transmitter.rate());
            }
            Content::Pfc(pfc) if to == MacAddress::PAUSE => {
                self.pauses.on_pfc(now, &pfc, self.transmitter.rate());
            }
            Content::Pause(_) | Content::Pfc(_) | Content::MacControl(_) => self.counters.bad_control += 1,
            Content::Lldp(announcement) if to.is_link_local() => {
                self.counters.announcements += 1;
                self.neighbour.on_announcement(now, &announcement);
                self.announce(now, egress);
            }
            _ if to != self.plan.address && !to.is_group() => self.counters.not_ours += 1,
            Content::Cnm(cnm) => self.on_notification(now, &frame.header, &cnm),
            _ if marks(&self.plan.control) && to == self.plan.address && is_cnp(octets) => {
                self.on_cnp(now, octets);
            }
            _ => {
                self.deliver(&frame, octets, egress);
                self.answer(now, &frame.header, octets, egress);
            }
        }
    }

    /// Delivers a frame to the programs, without its tags.
    fn deliver(&mut self, frame: &Frame<'_>, octets: &[u8], egress: &mut impl Egress) {
        self.counters.delivered += 1;
        let payload = &octets[frame.header.length() - 2..];
        let plain = [&octets[..12], payload].concat();
        egress.send(PROGRAMS, &plain);
    }

    fn announce(&mut self, now: Time, egress: &mut impl Egress) {
        let mut buffer = [0; OWN_FRAME];
        if let Some(octets) = self.neighbour.announce(now, &mut buffer) {
            egress.send(LINK, octets);
        }
    }

    /// Applies a new configuration. Flows are kept, and reaction points keep their state.
    pub fn reconfigure(&mut self, now: Time, plan: StationPlan) {
        self.transmitter.set_rate(plan.rate);
        self.neighbour.set_profile(profile(&plan));
        for flow in &mut self.flows {
            flow.set_params(now, &plan.control.reaction_point);
        }
        if plan.control.notification_point != self.plan.control.notification_point {
            self.receivers.clear();
        }
        self.plan = plan;
    }
}

impl Node for Station {
    /// Handles a frame from a program ([`PROGRAMS`]) or from the link ([`LINK`]).
    fn receive(&mut self, now: Time, port: usize, octets: &[u8], egress: &mut impl Egress) {
        self.poll(now, egress);
        match port {
            PROGRAMS => self.offer(now, octets, egress),
            _ => self.accept(now, octets, egress),
        }
    }

    fn poll(&mut self, now: Time, egress: &mut impl Egress) {
        for flow in &mut self.flows {
            if flow.timer().is_some_and(|due| due <= now) {
                flow.on_timer(now);
            }
        }
        self.answer_by_timer(now);
        self.drain(now, egress);
        self.announce(now, egress);
    }

    fn deadline(&self) -> Option<Time> {
        let timers = self.flows.iter().filter_map(Flow::timer);
        timers
            .chain([self.neighbour.due()])
            .chain(self.receivers.due())
            .chain(self.next().map(|(start, _)| start))
            .min()
    }

    /// Frames that a station sends while its link is down are lost, as on any machine.
    fn set_link(&mut self, _: Time, _: usize, _: LinkState, _: &mut impl Egress) {}

    fn sample(&mut self, now: Time) {
        self.record_sample(now);
    }

    fn measure_from(&mut self, now: Time) {
        self.begin_measurement(now);
    }

    fn thin(&mut self) {
        self.record.port.thin();
        self.flows.iter_mut().for_each(|flow| flow.record.thin());
    }
}

fn profile(plan: &StationPlan) -> Profile {
    Profile {
        address: plan.address,
        name: plan.name.clone(),
        defence: plan.options.defence,
        managed: PrioritySet(managed(&plan.control).0),
        lossless: PrioritySet(plan.lossless.0),
        interval: plan.options.announce_every,
    }
}
