//! The running network: stations, bridges and links, and their observers.
//!
//! [`Stations`] and [`Bridges`] own their state. They handle events with a [`Context`], which has the
//! clock, the events, the links between them and the routes, and they talk to each other only through frames on links. Behaviour is
//! in the folder of its component: [`station`] (sending, rate limiters, pauses), [`bridge`] (forwarding, queues, congestion
//! points, flow control, and [`cioq`](bridge) with input buffers), [`receive`] (arrivals at stations), [`multicast`] (copies).
//!
//! [`Network`] runs the event loop from one item of the [`agenda`] to the next and watches: [`recorder`] (time series), [`books`] (conservation), [`trees`], [`victims`] and
//! [`deadlock`] (the consequences of flow control, from [`notes`] that components leave), [`tap`] (frames shown to an observer), [`changes`] during the run.

mod agenda;
mod books;
mod bridge;
mod build;
mod changes;
mod context;
mod deadlock;
mod finish;
mod forecast;
mod link;
mod memory;
mod messages;
mod multicast;
mod notes;
mod pause;
mod port;
mod receive;
mod recorder;
mod routes;
mod station;
mod tap;
mod trees;
mod victims;
mod watch;

use setpoint_units::{Time, TimeDelta};

use crate::error::SimError;
use crate::events::Event;
use crate::ids::{FlowId, PortId};
use crate::lossless::LinkBudget;
use crate::monitor::{Decision, Monitor};
use crate::outcome::Outcome;
use crate::sample::Sample;
use crate::spec::Spec;

pub use build::point_id;
pub use forecast::memory_of;

use agenda::{Agenda, Item};
use bridge::Bridges;
use changes::starts_and_stops;
use context::Context;
use deadlock::DeadlockWatch;
use link::{End, Owner, Owners};
use messages::Messages;
use pause::PauseState;
use port::Port;
use recorder::Recorder;
use station::{Sender, Stations};
use trees::Trees;
use victims::Victims;

/// A running network.
pub(crate) struct Network {
    cx: Context,
    stations: Stations,
    bridges: Bridges,
    owners: Owners,
    /// The budgets of links under flow control.
    budgets: Vec<LinkBudget>,
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
        self.pass_on(after(self.cx.now), monitor);
        Ok(self.finish(spec))
    }

    /// Processes all events before a time, and shows observers what they need to see.
    fn run_until(&mut self, time: Time, monitor: &mut dyn Monitor) -> Result<(), SimError> {
        loop {
            self.cx.until = self.cx.tick().map_or(time, |tick| tick.min(time));
            self.process();
            if let Some(error) = self.cx.violation.take() {
                self.pass_on(after(self.cx.now), monitor);
                return Err(error);
            }
            if self.cx.was_interrupted() {
                self.pass_on(self.cx.now, monitor);
                continue;
            }
            self.cx.now = self.cx.until;
            if !self.cx.notes.is_empty() {
                self.read_notes();
            }
            if self.cx.now == time {
                return Ok(());
            }
        }
    }

    /// Processes events until the limit.
    fn process(&mut self) {
        let Self { cx, stations, bridges, .. } = self;
        while let Some((time, event)) = cx.events.pop_before(cx.until) {
            debug_assert!(time >= cx.now, "time runs backwards");
            cx.now = time;
            match event {
                Event::Arrive(link) => match cx.links[link].to {
                    End::Bridge(port) => bridges.arrive(cx, link, port),
                    End::Station(station) => stations.arrive(cx, link, station),
                },
                Event::Ready(port) => bridges.ready(cx, port),
                Event::Send(station) => stations.send(cx, station),
                Event::ReactionTimer(lane) => stations.reaction_timer(cx, lane),
                Event::React(station) => stations.react_to_next(cx, station),
                Event::StationPauseEnd(station) => stations.pause_end(cx, station),
                Event::PortPauseEnd(port) => bridges.pause_end(cx, port),
                Event::PauseRefresh(input) => bridges.pause_refresh(cx, input),
                Event::Control(bridge) => bridges.control(cx, bridge),
                Event::Crossed(input) => bridges.crossed(cx, input),
                Event::CellRoom(port) => bridges.cell_room(cx, port),
                Event::Left(bridge, slot) => bridges.free_input(cx, bridge, slot),
                Event::Complete(bridge, record) => bridges.complete(cx, bridge, record),
                Event::KeepAlive(input) => bridges.keep_alive(cx, input),
                Event::Start(sender) => stations.start(cx, sender),
                Event::Stop(sender) => stations.stop(cx, sender),
            }
        }
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
        self.pass_on(self.cx.now, monitor);
        if let Some(sample) = shown {
            self.describe(sample);
            monitor.sampled(sample);
        }
        let decision = monitor.progress(self.cx.now, self.cx.events.popped());
        match decision {
            _ if self.cx.now >= self.cx.rules.end => Ok(Decision::Stop),
            Decision::Stop => Err(SimError::Stopped { at: self.cx.now }),
            Decision::Continue => Ok(Decision::Continue),
        }
    }

    /// Prepares observers, and schedules the starts and stops of flows.
    fn begin(&mut self, spec: &Spec) {
        if self.cx.rules.lossless {
            self.learn_outputs();
            self.learn_passing();
        }
        let Context { events, routes, .. } = &mut self.cx;
        let stations = &self.stations;
        events.push_all(starts_and_stops(spec, routes, |flow| stations.sender_of(flow)));
    }

    /// All flows, in order.
    fn flows(&self) -> impl Iterator<Item = FlowId> + use<> {
        (0..self.cx.routes.flows.len() as u32).map(FlowId)
    }

    /// A flow at its station.
    fn sender(&self, flow: FlowId) -> &Sender {
        &self.stations.senders()[self.stations.sender_of(flow)]
    }

    /// A port, with the pauses in effect.
    fn port(&self, port: PortId) -> (&Port, &PauseState) {
        match self.owners[port] {
            Owner::Station(station) => self.stations.port(station),
            Owner::Bridge(port) => self.bridges.port(port),
        }
    }
}

/// The end of an instant: a transmission that begins at the end of a run has begun.
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
