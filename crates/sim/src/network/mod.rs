//! The running network: stations, bridges and links, and their observers.
//!
//! A [`Partition`] contains some of the bridges and the stations on their links. [`Stations`](station::Stations) and
//! [`Bridges`](bridge::Bridges) own their state. They handle events with a [`Context`](context::Context), which contains the
//! clock, the events, the links between them and the routes. They communicate with each other only through frames on links,
//! and with other partitions through [messages](remote). Behaviour is in the folder of its component: [`station`] (sending,
//! rate limiters, pauses), [`bridge`] (forwarding, queues, congestion points, flow control, and [`cioq`](bridge) with input
//! buffers), [`receive`] (arrivals at stations), [`multicast`] (copies).
//!
//! [`Network`] runs its partitions from one item of the [`agenda`] to the next ([`windows`]) and observes the run:
//! [`recorder`] (time series), [`books`] (conservation), [`trees`], [`victims`] and [`deadlock`] (the consequences of flow
//! control, derived from the [`traces`] that components record), and [`tap`] (frames passed to an observer). It also applies
//! [`changes`] during the run.

mod agenda;
mod ahead;
mod barrier;
mod books;
mod bridge;
mod build;
mod changes;
mod context;
mod conversation;
mod deadlock;
mod expected;
mod finish;
mod forecast;
mod link;
mod memory;
mod messages;
mod multicast;
mod partition;
mod pause;
mod places;
mod plan;
mod port;
mod receive;
mod recorder;
mod remote;
mod rendezvous;
mod reports;
mod routes;
mod stage;
mod station;
mod tap;
mod thread_policy;
mod threads;
mod traces;
mod trees;
mod victims;
mod watch;
mod windows;
mod workers;

use setpoint_units::{Time, TimeDelta};

use crate::error::SimError;
use crate::ids::{FlowId, PortId};
use crate::index::{PartNo, PortNo, QueueNo, ReceiverNo, SenderNo, Table};
use crate::lossless::LinkBudget;
use crate::monitor::{Decision, Monitor};
use crate::outcome::{Copies, Outcome};
use crate::sample::Sample;
use crate::spec::Spec;

pub use build::point_id;
pub use forecast::memory_of;

use agenda::{Agenda, Item};
use bridge::QueueNumbers;
use changes::starts_and_stops;
use context::{Classes, Rules};
use deadlock::DeadlockWatch;
use messages::Messages;
use partition::Partition;
use pause::{PauseRules, PauseState};
use places::{Ends, Owner, Owners, Place};
use port::Port;
use receive::Books;
use recorder::Recorder;
use routes::Routes;
use station::Sender;
use thread_policy::ThreadPolicy;
use traces::Trace;
use trees::Trees;
use victims::Victims;
use workers::Workers;

/// A running network.
pub(crate) struct Network {
    parts: Table<PartNo, Box<Partition>>,
    /// The time that the whole network has reached.
    now: Time,
    /// The shortest time in which a frame or message gets from one partition to another.
    lookahead: TimeDelta,
    policy: ThreadPolicy,
    workers: Workers,
    owners: Owners,
    senders: Ends<SenderNo>,
    receivers: Ends<ReceiverNo>,
    /// Tables and settings of which every partition also has a copy.
    routes: Routes,
    rules: Rules,
    classes: Classes,
    pause_rules: PauseRules,
    queue_numbers: QueueNumbers,
    /// The budgets of links under flow control.
    budgets: Vec<LinkBudget>,
    /// Memory for the traces that are being read.
    traces: Vec<Trace>,
    /// Congestion trees.
    trees: Trees,
    /// Flows delayed by congestion that they did not cause.
    victims: Victims,
    /// Deadlock detection.
    deadlocks: DeadlockWatch,
    agenda: Agenda,
    messages: Messages,
    recorder: Recorder,
    /// The event count when the books were last checked.
    books_checked: u64,
}

impl Network {
    /// Runs the network to the end.
    pub(crate) fn run(mut self, spec: &Spec, monitor: &mut dyn Monitor) -> Result<Outcome, SimError> {
        self.tap(spec, monitor);
        for part in self.parts.iter_mut() {
            part.cx.rules.decides_in_advance &= monitor.decides_in_advance();
        }
        self.begin(spec);
        let mut shown = monitor.wants_samples().then(Sample::default);
        loop {
            self.run_until(self.agenda.next(), monitor)?;
            match self.agenda.take() {
                Item::Change(change) => self.apply(change),
                Item::MeasureFrom => self.measure_from_now(),
                Item::Sample => {
                    self.sample()?;
                    if self.report(monitor, &mut shown)? == Decision::Stop {
                        break;
                    }
                }
            }
        }
        // Without flow control, a transmission that starts exactly at the end of the run counts as begun.
        self.pass_on(if self.rules.lossless { self.now } else { after(self.now) }, monitor);
        Ok(self.finish(spec))
    }

    /// Reports a sample to the monitor, which may stop the run. Returns whether the run ends here.
    fn report(
        &mut self,
        monitor: &mut dyn Monitor,
        shown: &mut Option<Sample>,
    ) -> Result<Decision, SimError> {
        if let Some(limit) = monitor.memory_limit() {
            self.check_memory(limit)?;
        }
        self.pass_on(self.now, monitor);
        if let Some(sample) = shown {
            self.describe(sample);
            monitor.sampled(sample);
        }
        let decision = monitor.progress(self.now, self.events());
        match decision {
            _ if self.now >= self.rules.end => Ok(Decision::Stop),
            Decision::Stop => Err(SimError::Stopped { at: self.now }),
            Decision::Continue => Ok(Decision::Continue),
        }
    }

    /// Prepares observers, and schedules the starts and stops of flows.
    fn begin(&mut self, spec: &Spec) {
        if self.rules.lossless {
            self.learn_outputs();
            self.learn_passing();
        }
        for part in self.parts.iter_mut() {
            let cx = &mut part.cx;
            let own = cx.part;
            let sender_of = |flow| Some(self.senders.of(flow)).filter(|end| end.0 == own).map(|end| end.1);
            cx.events.plan(starts_and_stops(spec, &cx.routes, sender_of));
        }
        if self.memory().total() > ahead::WORTHWHILE * self.policy.most().min(self.parts.len()) as u64 {
            self.parts.iter_mut().for_each(|part| part.cx.look_ahead());
        }
    }

    /// All flows, in order.
    fn flows(&self) -> impl Iterator<Item = FlowId> + use<> {
        (0..self.routes.flow_count() as u32).map(FlowId)
    }

    /// A flow at its station.
    fn sender(&self, flow: FlowId) -> &Sender {
        let (part, sender) = self.senders.of(flow);
        &self.parts[part].stations.senders()[sender]
    }

    /// Bytes that a flow has sent.
    fn sent_by(&self, flow: FlowId) -> u64 {
        let (part, sender) = self.senders.of(flow);
        self.parts[part].stations.sent_by(sender)
    }

    /// The counts of a flow at its destination.
    fn books_of(&self, flow: FlowId) -> &Books {
        self.parts[self.receivers.of(flow).0].cx.receivers.books(flow)
    }

    /// The copies that bridges created of a flow's frames.
    fn copies_of(&self, flow: FlowId) -> Copies {
        // Frames to groups stay in one partition.
        self.parts[PartNo(0)].cx.groups.copies_of(flow)
    }

    /// Events so far.
    fn events(&self) -> u64 {
        self.parts.iter().map(|part| part.cx.events.popped()).sum()
    }

    /// A port, with the pauses in effect.
    fn port(&self, port: PortId) -> (&Port, &PauseState) {
        let Owner { part, place } = self.owners[port];
        match place {
            Place::Station(station) => self.parts[part].stations.port(station),
            Place::Bridge(port) => self.parts[part].bridges.port(port),
        }
    }

    /// The input at the far end of a port's link, if it belongs to a bridge, with its partition.
    fn far_input(&self, port: PortId) -> Option<(&Partition, PortNo)> {
        let Owner { part, place } = self.owners[port.peer()];
        match place {
            Place::Station(_) => None,
            Place::Bridge(input) => Some((&self.parts[part], input)),
        }
    }

    /// The partition of a queue.
    fn part_of_queue(&self, queue: QueueNo) -> PartNo {
        let (_, port, _) = self.queue_numbers.place_of(queue);
        self.part_of_port(port)
    }

    /// The partition of a bridge's port.
    fn part_of_port(&self, port: PortNo) -> PartNo {
        let has_it = |number: &PartNo| self.parts[*number].bridges.ports().includes(port);
        self.parts.numbers().find(has_it).expect("every port is in a partition")
    }
}

/// The last instant before the given one.
fn just_before(now: Time) -> Time {
    Time::from_picos(now.as_picos().saturating_sub(1))
}

/// The end of an instant.
fn after(now: Time) -> Time {
    now + TimeDelta::from_picos(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The structures accessed for every frame must fit in the cache lines they were designed for.
    #[test]
    fn components_fit_their_cache_lines() {
        let lines = |size: usize| size / 64;
        assert_eq!(lines(size_of::<Port>()), 2);
        assert!(size_of::<link::Link>() <= 32);
        assert_eq!(lines(size_of::<station::Lane>()), 1);
        assert_eq!(lines(size_of::<station::Sender>()), 2);
        assert_eq!(lines(size_of::<receive::Receiver>()), 1);
        assert_eq!(lines(size_of::<bridge::Queue>()), 5);
    }
}
