//! The context that all components use: the clock, events, links, routes, and the records of delivered and lost frames.

mod dependents;
mod failures;
mod members;
mod messages;
mod reports;
mod tap;
mod traces;

use std::collections::BTreeMap;
use std::sync::Arc;

use setpoint_control::{Answers, BridgeNeeds, GroupParams, SourceNeeds};
use setpoint_units::{Bytes, Time, TimeDelta};

use crate::error::SimError;
use crate::events::{Event, EventQueue};
use crate::frame::{Frame, InFlight};
use crate::ids::{PortId, Priority, PrioritySet};
use crate::index::PartNo;
use crate::network::node::link::{End, Links};
use crate::network::node::milestones::Milestones;
use crate::network::node::multicast::Groups;
use crate::network::node::receive::Receivers;
use crate::network::node::remote::Outbox;
use crate::network::node::reports::Reports;
use crate::network::node::routes::Routes;
use crate::network::node::tap::Tap;
use crate::network::node::traces::Trace;
use crate::outcome::LinkLosses;
use crate::spec::SampledFrames;

pub(in crate::network) use failures::LostOn;

/// The context in which components handle an event.
pub(in crate::network) struct Context {
    pub(in crate::network) part: PartNo,
    pub(in crate::network) now: Time,
    /// Events before this time are processed next. This time is lowered if observers must act earlier.
    pub(in crate::network) until: Time,
    pub(in crate::network) events: EventQueue,
    /// Whether the state of events is prefetched before they are processed.
    pub(in crate::network) looks_ahead: bool,
    pub(in crate::network) links: Links,
    pub(in crate::network) routes: Routes,
    pub(in crate::network) groups: Groups,
    pub(in crate::network) receivers: Receivers,
    pub(in crate::network) rules: Rules,
    pub(in crate::network) classes: Classes,
    /// Data that travel with the frames of this partition.
    pub(in crate::network) reports: Reports,
    /// Messages for other partitions.
    pub(in crate::network) outbox: Outbox,
    /// Links to other partitions with frames that have not been sent there yet.
    pub(in crate::network) away: Vec<PortId>,
    /// The partition of every bridge.
    pub(in crate::network) part_of: Arc<[PartNo]>,
    /// Traces that observers have not read yet, in chronological order.
    pub(in crate::network) traces: Vec<Trace>,
    /// The error that ends the run, such as the loss of a lossless frame.
    pub(in crate::network) violation: Option<SimError>,
    /// The frames of observed ports, if there are any.
    pub(in crate::network) tap: Option<Box<Tap>>,
    /// Frames lost on links that have failed, by the port that sent them.
    pub(in crate::network) lost_on_links: BTreeMap<PortId, LinkLosses>,
    /// The milestones of messages that wait for other messages.
    pub(in crate::network) milestones: Milestones,
}

/// Settings of a run.
#[derive(Clone, Copy, Debug)]
pub(in crate::network) struct Rules {
    pub(in crate::network) overhead: Bytes,
    pub(in crate::network) limiters: u32,
    pub(in crate::network) sampled: SampledFrames,
    /// Whether flow control protects any class.
    pub(in crate::network) lossless: bool,
    /// Whether departures may be decided in advance.
    pub(in crate::network) decides_in_advance: bool,
    /// The services that congestion points need.
    pub(in crate::network) bridges: BridgeNeeds,
    /// The deliveries to which receivers may reply.
    pub(in crate::network) answers: Answers,
    /// The services that reaction points need.
    pub(in crate::network) sources: SourceNeeds,
    /// Whether frames are dropped, marked or stamped at bridges.
    pub(in crate::network) intervenes: bool,
    /// Whether frames are marked or stamped when they leave the queue of a bridge.
    pub(in crate::network) sees_departures: bool,
    /// Whether stations add tags, reports, requests for replies or the ends of messages to the frames that they send.
    pub(in crate::network) labels: bool,
    /// Whether messages wait for other messages.
    pub(in crate::network) dependents: bool,
    /// Whether priorities take turns at ports, in proportion to their weights.
    pub(in crate::network) takes_turns: bool,
    /// Whether bridges or stations do more than forward frames by strict priority, limit rates and send notifications. If
    /// not, the code for events omits the tests for everything else.
    pub(in crate::network) extras: bool,
    /// The rule that the limiters of flows to groups follow.
    pub(in crate::network) group: GroupParams,
    pub(in crate::network) notification_bytes: u16,
    pub(in crate::network) notification_class: u8,
    pub(in crate::network) reaction_delay: TimeDelta,
    pub(in crate::network) sample_interval: TimeDelta,
    pub(in crate::network) end: Time,
}

/// The priorities in use, in ascending order. A frame's class is the rank of its priority.
#[derive(Clone, Debug)]
pub(in crate::network) struct Classes {
    pub(in crate::network) priorities: Vec<Priority>,
}

impl Rules {
    /// The rules, with the settings that follow from the needs of the points.
    pub(in crate::network) fn with_needs(
        self,
        bridges: BridgeNeeds,
        answers: Answers,
        sources: SourceNeeds,
    ) -> Self {
        // Unless every frame is acknowledged, the reports of bridges would never reach a source.
        let telemetry = sources.telemetry && answers == Answers::EveryFrame;
        let sources = SourceNeeds { telemetry, ..sources };
        let sees_departures = bridges.departures || sources.telemetry;
        let intervenes = bridges.admission || bridges.marks || sees_departures;
        let labels = sources.tags || sources.telemetry || answers == Answers::EveryFrame || self.dependents;
        Self {
            bridges,
            answers,
            sources,
            intervenes,
            sees_departures,
            labels,
            extras: intervenes || labels || sources.window || answers != Answers::Never || self.takes_turns,
            ..self
        }
    }

    /// Whether receivers may reply.
    #[inline]
    pub(in crate::network) fn answers(&self) -> bool {
        self.answers != Answers::Never
    }
}

impl Classes {
    pub(in crate::network) fn count(&self) -> usize {
        self.priorities.len()
    }

    pub(in crate::network) fn of(&self, priority: Priority) -> u8 {
        let place = self.priorities.iter().position(|&other| other == priority);
        place.expect("every priority in use has a class") as u8
    }

    /// The priorities of the classes in a bit set.
    pub(in crate::network) fn priorities_of(&self, set: u8) -> PrioritySet {
        self.in_set(set).fold(PrioritySet::NONE, |all, class| all.with(self.priorities[class as usize]))
    }

    /// The classes in a bit set, in ascending order.
    pub(in crate::network) fn in_set(&self, set: u8) -> impl Iterator<Item = u8> + use<> {
        (0..self.count() as u8).filter(move |class| set & (1 << class) != 0)
    }
}

impl Context {
    /// Puts a frame on a link.
    #[inline(always)]
    pub(in crate::network) fn launch(&mut self, link: PortId, flying: InFlight) {
        let entry = &mut self.links[link];
        match entry.to {
            End::Bridge(_) => {
                if entry.flight.is_empty() {
                    self.events.push(flying.at, Event::Arrive(link));
                }
                entry.flight.push_back(flying);
            }
            End::Away(..) => {
                if entry.flight.is_empty() {
                    self.away.push(link);
                }
                entry.flight.push_back(flying);
            }
            End::Station(_) => {
                entry.flight.push_back(flying);
                if flying.frame.is_one_way() {
                    self.deliver_due(link);
                } else {
                    self.events.push(flying.at, Event::Arrive(link));
                }
            }
            End::Broken | End::BrokenToStation(_) => {
                self.lose_on_link(link, flying.frame, LostOn::Sending);
            }
        }
    }

    /// Removes the first frame in flight to a bridge, which has arrived, and schedules the arrival of the next.
    #[inline]
    pub(in crate::network) fn land(&mut self, link: PortId) -> Option<Frame> {
        let flight = &mut self.links[link].flight;
        let InFlight { frame, .. } = flight.pop_front()?;
        if let Some(next) = flight.front() {
            self.events.push(next.at, Event::Arrive(link));
        }
        Some(frame)
    }

    /// Removes the first frame in flight to a station, if it has arrived by now.
    pub(in crate::network) fn land_due(&mut self, link: PortId) -> Option<InFlight> {
        let flight = &mut self.links[link].flight;
        let first = *flight.front()?;
        if first.at > self.now {
            return None;
        }
        flight.pop_front()
    }

    /// Records the data frames that have arrived over a link to a station by now, up to the first that requests a reply.
    #[inline]
    pub(in crate::network) fn deliver_due(&mut self, link: PortId) {
        let Self { links, receivers, groups, now, .. } = self;
        let flight = &mut links[link].flight;
        while let Some(&InFlight { at, frame }) = flight.front()
            && at <= *now
            && frame.is_one_way()
        {
            flight.pop_front();
            receivers.deliver(groups, frame, at);
        }
    }

    /// Whether this is the only partition.
    pub(in crate::network) fn is_alone(&self) -> bool {
        self.part_of.iter().all(|part| *part == self.part)
    }

    /// Ends the run.
    #[cold]
    pub(in crate::network) fn fail(&mut self, error: SimError) {
        self.violation = Some(error);
        self.interrupt();
    }

    /// Stops processing events after the current one.
    pub(in crate::network) fn interrupt(&mut self) {
        self.until = Time::ZERO;
    }

    /// Whether an interruption left events unprocessed.
    pub(in crate::network) fn was_interrupted(&self) -> bool {
        self.until < self.now
    }
}
