//! The running network: stations, bridges and links, and their observers.
//!
//! [`Stations`] and [`Bridges`] own their state. They handle events with a [`Context`], which has the
//! clock, the events, the links between them and the routes, and they talk to each other only through frames on links. Behaviour is
//! in the folder of its component: [`station`] (sending, rate limiters, pauses), [`bridge`] (forwarding, queues, congestion
//! points, flow control, and [`cioq`](bridge) with input buffers), [`receive`] (arrivals at stations), [`multicast`] (copies).
//!
//! [`Network`] runs the event loop and watches: [`recorder`] (time series), [`books`] (conservation), [`trees`], [`victims`] and
//! [`deadlock`] (the consequences of flow control), [`tap`] (frames shown to an observer), [`changes`] during the run.

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

use setpoint_units::TimeDelta;

use crate::error::SimError;
use crate::events::{Event, Whole};
use crate::ids::PortId;
use crate::lossless::LinkBudget;
use crate::monitor::{Decision, Monitor};
use crate::outcome::Outcome;
use crate::sample::Sample;
use crate::spec::{Spec, TimedChange};

pub use build::point_id;
pub use forecast::memory_of;

use bridge::Bridges;
use changes::starts_and_stops;
use context::Context;
use deadlock::DeadlockWatch;
use link::{End, Owner, Owners};
use pause::PauseState;
use port::Port;
use recorder::Recorder;
use station::Stations;
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
    changes: Vec<TimedChange>,
    /// The first change that has not been applied yet.
    next_change: usize,
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
        while let Some((time, event)) = self.cx.events.pop() {
            debug_assert!(time >= self.cx.now, "time runs backwards");
            self.cx.now = time;
            let Self { cx, stations, bridges, .. } = &mut self;
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
                Event::Start(flow) => stations.start(cx, flow),
                Event::Stop(flow) => self.stop(flow),
                Event::Whole(Whole::Change) => self.apply_change(),
                Event::Whole(Whole::MeasureFrom) => self.measure_from_now(),
                Event::Whole(Whole::Sample) => {
                    self.sample()?;
                    if self.report(monitor, &mut shown)? == Decision::Stop {
                        break;
                    }
                }
            }
            if self.cx.interrupted {
                self.cx.interrupted = false;
                self.attend_to_pauses();
                self.pass_on(self.cx.now, monitor);
                if self.cx.violation.is_some() {
                    break;
                }
            }
        }
        // A transmission that begins at the end has begun.
        self.pass_on(self.cx.now + TimeDelta::from_picos(1), monitor);
        match self.cx.violation.take() {
            Some(error) => Err(error),
            None => Ok(self.finish(spec)),
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

    /// Schedules the initial events. At equal times, changes come first, then starts and stops, then measurement, then samples.
    fn begin(&mut self, spec: &Spec) {
        if self.bridges.pause_rules().protected != 0 {
            self.learn_outputs();
            self.learn_passing();
        }
        let Context { events, routes, .. } = &mut self.cx;
        let changes = self.changes.iter().map(|change| (change.at, Event::Whole(Whole::Change)));
        events.push_all(changes.chain(starts_and_stops(spec, routes)));
        self.cx.events.push(spec.measure_from, Event::Whole(Whole::MeasureFrom));
        self.schedule_sample();
    }

    /// Schedules the next sample. The last one is at the end, even if the interval does not divide the run.
    fn schedule_sample(&mut self) {
        let rules = &self.cx.rules;
        let next = self.cx.now.saturating_add(rules.sample_interval).min(rules.end);
        self.cx.events.push(next, Event::Whole(Whole::Sample));
    }

    /// A port, with the pauses in effect.
    fn port(&self, port: PortId) -> (&Port, &PauseState) {
        match self.owners[port] {
            Owner::Station(station) => self.stations.port(station),
            Owner::Bridge(port) => self.bridges.port(port),
        }
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
        assert!(size_of::<link::Link>() <= 32);
        assert_eq!(lines(size_of::<station::Lane>()), 1);
        assert_eq!(lines(size_of::<station::Sender>()), 2);
        assert_eq!(lines(size_of::<receive::Receiver>()), 1);
        assert_eq!(lines(size_of::<bridge::Queue>()), 5);
    }
}
