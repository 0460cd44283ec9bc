//! A learning bridge with congestion points, without I/O: frames and times come in, frames go out.
//!
//! It follows the simulator's bridge: a frame enters the queue of its output and priority, the congestion point of that
//! queue observes it, and the queue is drained at a configured rate. Inputs count waiting bytes and pause their
//! neighbours. Times are those of an ideal port ([`crate::transmitter`]), so a bridge that is fed the same frames at the
//! same times makes the same decisions as the simulated one.
//!
//! Frames that arrive are not trusted. Truncated or invalid frames are counted and dropped, and the size of tables is
//! bounded.

mod counters;
mod flows;
mod forward;
mod input;
mod marking;
mod notify;
mod output;
mod plan;
mod point;
mod record;
mod snapshot;
mod table;

use setpoint_control::{FlowKey, Signal};
use setpoint_units::Time;
use setpoint_wire::{Content, EtherType, Frame, Header, MacAddress, Pause, Pfc, Priority, PrioritySet};

use crate::marking::managed;
use crate::neighbour::{Neighbour, Profile};
use crate::node::{Egress, LinkState, Node};
use crate::transmitter::Transmitter;
use flows::Flows;
use input::{Input, Tell};
use marking::Fate;
use output::{Output, Waiting};
use point::Point;
use table::AddressTable;

pub use counters::BridgeCounters;
pub use plan::{BridgePlan, FlowPlan, Notified, PortPlan};
pub use record::Numbers;
pub use snapshot::{Marks, Snapshot};

/// The buffer length for frames that the bridge generates itself; all of them are shorter.
const OWN_FRAME: usize = 1_024;

/// A bridge.
#[derive(Debug)]
pub struct Bridge {
    plan: BridgePlan,
    ports: Vec<Port>,
    table: AddressTable,
    flows: Flows,
    /// Event counters.
    pub counters: BridgeCounters,
    record: record::Record,
    last_look: snapshot::LastLook,
    outbox: Vec<(FlowKey, Signal)>,
    /// Buffers of frames that have left, for reuse.
    spare: Vec<Vec<u8>>,
}

#[derive(Debug)]
struct Port {
    output: Output,
    input: Input,
    points: [Point; 8],
    neighbour: Neighbour,
    link: LinkState,
}

impl Bridge {
    /// A bridge with empty tables.
    pub fn new(plan: BridgePlan) -> Self {
        let ports = plan.ports.iter().map(|port| Port::new(&plan, port)).collect();
        let record = record::Record::new(plan.flows.len(), plan.ports.len());
        Self {
            ports,
            table: AddressTable::default(),
            flows: Flows::new(plan.flows.clone()),
            counters: BridgeCounters::default(),
            record,
            last_look: snapshot::LastLook::default(),
            outbox: Vec::new(),
            spare: Vec::new(),
            plan,
        }
    }

    /// Handles frames for the bridge itself, and forwards the others.
    fn sort(&mut self, now: Time, port: usize, octets: &[u8], frame: &Frame<'_>, egress: &mut impl Egress) {
        let to = frame.header.destination;
        match &frame.content {
            Content::Pause(pause) if to == MacAddress::PAUSE => self.on_pause(now, port, *pause),
            Content::Pfc(pfc) if to == MacAddress::PAUSE => self.on_pfc(now, port, pfc),
            Content::Pause(_) | Content::Pfc(_) | Content::MacControl(_) => self.counters.bad_control += 1,
            Content::Lldp(announcement) if to.is_link_local() => {
                self.counters.announcements += 1;
                self.ports[port].neighbour.on_announcement(now, announcement);
                self.announce(now, port, egress);
            }
            _ if to.is_link_local() => self.counters.link_local += 1,
            _ => self.forward(now, port, octets, frame.header, egress),
        }
    }

    fn on_pause(&mut self, now: Time, port: usize, pause: Pause) {
        let output = &mut self.ports[port].output;
        output.pauses.on_pause(now, pause, output.transmitter.rate());
    }

    fn on_pfc(&mut self, now: Time, port: usize, pfc: &Pfc) {
        let output = &mut self.ports[port].output;
        output.pauses.on_pfc(now, pfc, output.transmitter.rate());
    }

    fn drain(&mut self, now: Time, port: usize, egress: &mut impl Egress) {
        while let Some((start, priority, mut waiting)) = self.ports[port].output.take(now) {
            let index = usize::from(priority.number());
            let Port { output, points, .. } = &mut self.ports[port];
            points[index].leave(output.lengths[index] + waiting.length, start);
            let fate = self.mark_departing(start, port, priority, &mut waiting);
            self.release(now, priority, &waiting, egress);
            match fate {
                Fate::Forwarded => self.send(start, port, waiting, egress),
                Fate::Dropped => self.discard(port, priority, waiting),
            }
        }
    }

    /// Frees the buffer space of a frame that leaves.
    fn release(&mut self, now: Time, priority: Priority, waiting: &Waiting, egress: &mut impl Egress) {
        let Some(from) = waiting.holds else { return };
        let tell = self.ports[from].input.release(&self.plan.flow_control, priority, waiting.length);
        self.tell(now, from, tell, egress);
    }

    /// Sends a frame that pauses or resumes a neighbour.
    fn tell(&mut self, now: Time, port: usize, tell: Tell, egress: &mut impl Egress) {
        let Tell::Changed(changed) = tell else { return };
        let Port { input, output, .. } = &mut self.ports[port];
        let address = self.plan.ports[port].address;
        let rate = output.transmitter.rate();
        let Some(frame) = input.frame(now, &self.plan.flow_control, rate, (address, changed)) else { return };
        let mut buffer = [0; OWN_FRAME];
        if let Ok(octets) = frame.encode(&self.plan.options.conventions, &mut buffer) {
            egress.send(port, octets);
        }
    }

    fn announce(&mut self, now: Time, port: usize, egress: &mut impl Egress) {
        let mut buffer = [0; OWN_FRAME];
        if let Some(octets) = self.ports[port].neighbour.announce(now, &mut buffer) {
            egress.send(port, octets);
        }
    }

    /// Applies a new configuration with the same ports. Queues and tables are kept; congestion points whose parameters
    /// have changed restart.
    pub fn reconfigure(&mut self, plan: BridgePlan) {
        debug_assert_eq!(plan.ports.len(), self.ports.len(), "a bridge keeps its ports");
        let control = plan.control != self.plan.control;
        for (port, new) in self.ports.iter_mut().zip(&plan.ports) {
            port.output.transmitter.set_rate(new.rate);
            port.input.set_room(new.room.get());
            port.neighbour.set_profile(profile(&plan, new));
            if control {
                for (number, point) in port.points.iter_mut().enumerate() {
                    point.replace(&plan.control, new.points[number], spec_priority(number));
                }
            }
        }
        self.flows.set_plan(plan.flows.clone());
        self.plan = plan;
    }
}

impl Node for Bridge {
    fn receive(&mut self, now: Time, port: usize, octets: &[u8], egress: &mut impl Egress) {
        self.poll(now, egress);
        self.counters.received += 1;
        match Frame::parse(octets, &self.plan.options.conventions) {
            Err(error) => self.counters.refuse(&error),
            Ok(frame) if hides_tag(&frame.header) => self.counters.invalid += 1,
            Ok(frame) if frame.header.source.is_group() => self.counters.bad_source += 1,
            Ok(frame) => {
                self.table.learn(now, frame.header.source, port);
                self.sort(now, port, octets, &frame, egress);
            }
        }
    }

    /// Sends frames whose transmission has begun, renewed pauses, and announcements.
    fn poll(&mut self, now: Time, egress: &mut impl Egress) {
        for port in 0..self.ports.len() {
            if self.ports[port].link == LinkState::Down {
                continue;
            }
            self.drain(now, port, egress);
            if self.ports[port].input.due().is_some_and(|due| due <= now) {
                self.tell(now, port, Tell::Changed(PrioritySet(0)), egress);
            }
            self.announce(now, port, egress);
        }
    }

    fn deadline(&self) -> Option<Time> {
        let up = self.ports.iter().filter(|port| port.link == LinkState::Up);
        let dues = up.flat_map(|port| [port.output.due(), port.input.due(), Some(port.neighbour.due())]);
        dues.flatten().min()
    }

    /// When a link goes down, the frames waiting for it are lost.
    fn set_link(&mut self, now: Time, port: usize, link: LinkState, egress: &mut impl Egress) {
        if std::mem::replace(&mut self.ports[port].link, link) == link || link == LinkState::Up {
            return;
        }
        self.table.forget(port);
        let lengths = self.ports[port].output.lengths;
        for (point, length) in self.ports[port].points.iter_mut().zip(lengths) {
            point.leave(length, now);
        }
        for (priority, waiting) in self.ports[port].output.clear() {
            self.counters.no_link += 1;
            self.release(now, priority, &waiting, egress);
        }
    }

    fn sample(&mut self, now: Time) {
        self.record_sample(now);
    }

    fn measure_from(&mut self, now: Time) {
        self.begin_measurement(now);
    }

    fn thin(&mut self) {
        self.record.thin();
    }
}

impl Port {
    fn new(plan: &BridgePlan, port: &PortPlan) -> Self {
        let transmitter = Transmitter::new(port.rate, plan.overhead);
        let point =
            |number: usize| Point::new(&plan.control, plan.seed, port.points[number], spec_priority(number));
        Self {
            output: Output::new(transmitter, plan.options.pause_patience),
            input: Input::new(port.room.get()),
            points: std::array::from_fn(point),
            neighbour: Neighbour::new(profile(plan, port)),
            link: LinkState::Up,
        }
    }
}

/// Whether a tag follows the CN-TAG. If the CN-TAG were removed, the hidden tag would take effect, with a priority
/// that the port of arrival did not check.
fn hides_tag(header: &Header) -> bool {
    header.cn_tag.is_some() && matches!(header.ether_type, EtherType::VLAN | EtherType::CN_TAG)
}

fn profile(plan: &BridgePlan, port: &PortPlan) -> Profile {
    Profile {
        address: port.address,
        name: port.name.clone(),
        defence: plan.options.defence,
        managed: PrioritySet(managed(&plan.control).0),
        lossless: PrioritySet(plan.flow_control.protected().0),
        interval: plan.options.announce_every,
    }
}

fn spec_priority(number: usize) -> setpoint_sim::Priority {
    setpoint_sim::Priority::new(number as u8).expect("there are eight priorities")
}

fn wire_priority(priority: setpoint_sim::Priority) -> Priority {
    Priority::ALL[priority.index()]
}
