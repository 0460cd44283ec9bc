//! The running network: its components, their parallel execution, and the observers of a run.
//!
//! * [`node`]: stations, bridges and links. They communicate with each other only through frames on links, and with other
//!   partitions through [messages](node::remote). Behaviour is in the folder of its component: [`station`](node::station)
//!   (sending, rate limiters, pauses), [`bridge`](node::bridge) (forwarding, queues, congestion points, flow control, and
//!   `cioq` with input buffers), [`receive`](node::receive) (arrivals at stations), [`multicast`](node::multicast) (copies).
//! * [`parallel`]: the plan of the partitions, and the windows in which threads process them.
//! * [`observe`]: time series, conservation, congestion trees, victims and deadlocks (the consequences of flow control,
//!   derived from the [`traces`](node::traces) that components record), and frames passed to an observer.
//!
//! [`Network`] runs its partitions from one item of the [`agenda`] to the next and applies [`changes`] during the run.

mod agenda;
mod build;
mod changes;
mod finish;
mod forecast;
mod memory;
mod node;
mod observe;
mod parallel;

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
use changes::starts_and_stops;
use node::bridge::QueueNumbers;
use node::context::{Classes, Rules};
use node::partition::Partition;
use node::pause::{PauseRules, PauseState};
use node::places::{Ends, Owner, Owners, Place};
use node::port::Port;
use node::receive::Books;
use node::routes::Routes;
use node::station::Sender;
use node::traces::Trace;
use observe::deadlock::DeadlockWatch;
use observe::messages::Messages;
use observe::recorder::Recorder;
use observe::trees::Trees;
use observe::victims::Victims;
use parallel::thread_policy::ThreadPolicy;
use parallel::workers::Workers;

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
    /// Tables and settings; every partition has a copy of them too.
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
        self.pass_on(if self.rules.lossless { self.now } else { node::after(self.now) }, monitor);
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
        if self.memory().total() > node::ahead::WORTHWHILE * self.policy.most().min(self.parts.len()) as u64 {
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

    /// The copies of a flow's frames that bridges created.
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
            Place::Bridge(port) => self.parts[part].bridges.core().port(port),
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
        let has_it = |number: &PartNo| self.parts[*number].bridges.core().ports().includes(port);
        self.parts.numbers().find(has_it).expect("every port is in a partition")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The structures accessed for every frame must fit in the cache lines they were designed for.
    #[test]
    fn components_fit_their_cache_lines() {
        let lines = |size: usize| size / 64;
        assert_eq!(lines(size_of::<Port>()), 2);
        assert!(size_of::<node::link::Link>() <= 32);
        assert_eq!(lines(size_of::<node::station::Lane>()), 1);
        assert_eq!(lines(size_of::<node::station::Sender>()), 2);
        assert_eq!(lines(size_of::<node::receive::Receiver>()), 1);
        assert_eq!(lines(size_of::<node::bridge::Queue>()), 5);
    }
}
