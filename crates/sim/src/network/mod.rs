//! The running network: its components, the clock and the event loop.
//!
//! Components live in flat vectors and refer to each other by index. Their behaviour is in the files of this
//! folder: [`station`] (sending), [`bridge`] (forwarding), [`transmit`] (ports and links), [`multicast`]
//! (copies), [`cioq`] (bridges with input buffers), [`commit`] (departures decided in advance), [`pause`]
//! (flow control), [`tap`] (frames shown to an observer), [`trees`], [`victims`] and [`deadlock`] (its consequences), [`receive`] (arrivals at
//! stations), [`reaction`] (rate limiters).

mod books;
mod bridge;
mod build;
mod changes;
mod cioq;
mod commit;
mod deadlock;
mod finish;
mod flow;
mod forecast;
mod lane;
mod memory;
mod messages;
mod multicast;
mod pause;
mod port;
mod queue;
mod reaction;
mod receive;
mod recorder;
mod schedule;
mod station;
mod tap;
mod transmit;
mod trees;
mod victims;
mod watch;

use setpoint_control::{FlowKey, GroupParams, Notification, ReactionPointParams};
use setpoint_units::{Bytes, Time, TimeDelta};

use crate::error::SimError;
use crate::events::{Event, EventQueue};
use crate::frame::InFlight;
use crate::ids::Priority;
use crate::lossless::LinkBudget;
use crate::monitor::{Decision, Monitor};
use crate::outcome::Outcome;
use crate::ring::Ring;
use crate::sample::Sample;
use crate::spec::{SampledFrames, Spec, TimedChange};

pub use build::point_id;
pub use forecast::memory_of;

use cioq::Cioq;
use deadlock::DeadlockWatch;
use flow::Flow;
use lane::Lane;
use multicast::Groups;
use pause::{Input, PauseRules, PauseState};
use port::Port;
use queue::Queue;
use recorder::Recorder;
use station::Station;
use tap::Tap;
use trees::Trees;
use victims::Victims;

/// A running network.
pub(crate) struct Network {
    now: Time,
    events: EventQueue,
    ports: Vec<Port>,
    /// The output queues of bridge ports: [`Classes::count`] for each port, in port order. If bridges have
    /// input buffers, these follow, ordered by the ports that feed them.
    queues: Vec<Queue>,
    stations: Vec<Station>,
    /// One per flow: a flow's home lane has its index.
    lanes: Vec<Lane>,
    flows: Vec<Flow>,
    /// The ports of every route, one route after another; routes to groups come last.
    steps: Vec<u32>,
    groups: Groups,
    /// For each port that feeds a bridge, the bytes that the bridge holds from it.
    inputs: Vec<Input>,
    /// The budgets of links under flow control.
    budgets: Vec<LinkBudget>,
    /// The pauses in effect at each port.
    pause_state: Vec<PauseState>,
    pause_rules: PauseRules,
    /// The interior of bridges with input buffers.
    cioq: Option<Box<Cioq>>,
    /// Congestion trees.
    trees: Trees,
    /// Flows delayed by congestion that they did not cause.
    victims: Victims,
    /// Deadlock detection.
    deadlocks: DeadlockWatch,
    classes: Classes,
    reaction_params: ReactionPointParams,
    rules: Rules,
    changes: Vec<TimedChange>,
    /// The first change that has not been applied yet.
    next_change: usize,
    recorder: Recorder,
    /// Notifications that wait for the reaction delay.
    reacting: Ring<InFlight>,
    /// The notifications that a congestion point issued for the current frame; empty between frames.
    notifications: Vec<(FlowKey, Notification)>,
    /// The event count when the books were last checked.
    books_checked: u64,
    /// The first loss of a lossless frame.
    violation: Option<SimError>,
    /// The frames of observed ports, if there are any.
    tap: Option<Box<Tap>>,
    /// Whether the event loop must look at `violation` and `tap` before the next event.
    interrupted: bool,
}

/// Constants of a run.
#[derive(Clone, Copy, Debug)]
struct Rules {
    overhead: Bytes,
    limiters: u32,
    sampled: SampledFrames,
    /// Whether congestion points decide which frames enter their queues.
    points_drop: bool,
    /// Whether congestion points look at a frame's tenant.
    reads_tenants: bool,
    /// Whether frames carry the congestion point that their source's limiter follows.
    tags: bool,
    /// How the limiters of flows to groups work.
    group: GroupParams,
    notification_bytes: u16,
    notification_class: u8,
    reaction_delay: TimeDelta,
    sample_interval: TimeDelta,
    end: Time,
}

/// The priorities in use, in ascending order. A frame's class is the rank of its priority.
#[derive(Clone, Debug)]
struct Classes {
    priorities: Vec<Priority>,
}

impl Classes {
    fn count(&self) -> usize {
        self.priorities.len()
    }

    fn of(&self, priority: Priority) -> u8 {
        let place = self.priorities.iter().position(|&other| other == priority);
        place.expect("every priority in use has a class") as u8
    }
}

impl Network {
    /// Runs the network to the end.
    pub(crate) fn run(mut self, spec: &Spec, monitor: &mut dyn Monitor) -> Result<Outcome, SimError> {
        self.tap(spec, monitor);
        self.begin(spec);
        let mut shown = monitor.wants_samples().then(Sample::default);
        while let Some((time, event)) = self.events.pop() {
            debug_assert!(time >= self.now, "time runs backwards");
            self.now = time;
            match event {
                Event::Arrive(port) => self.arrive(port),
                Event::Ready(port) => self.ready(port),
                Event::Send(station) => self.send(station),
                Event::ReactionTimer(lane) => self.reaction_timer(lane),
                Event::React(_) => self.react_to_next(),
                Event::PauseEnd(port) => self.pause_end(port),
                Event::PauseRefresh(input) => self.pause_refresh(input),
                Event::Control => self.control(),
                Event::Crossed(input) => self.crossed(input),
                Event::CellRoom(port) => self.cell_room(port),
                Event::Complete(slot) => self.complete(slot),
                Event::KeepAlive(input) => self.keep_alive(input),
                Event::Change => self.apply_changes(),
                Event::MeasureFrom => self.measure_from_now(),
                Event::Sample => {
                    self.sample()?;
                    if let Some(limit) = monitor.memory_limit() {
                        self.check_memory(limit)?;
                    }
                    self.pass_on(self.now, monitor);
                    if let Some(sample) = &mut shown {
                        self.describe(sample);
                        monitor.sampled(sample);
                    }
                    let decision = monitor.progress(self.now, self.events.popped());
                    if self.now >= self.rules.end {
                        break;
                    }
                    if decision == Decision::Stop {
                        return Err(SimError::Stopped { at: self.now });
                    }
                }
            }
            if self.interrupted {
                self.interrupted = false;
                self.pass_on(self.now, monitor);
                if self.violation.is_some() {
                    break;
                }
            }
        }
        // A transmission that begins at the end has begun.
        self.pass_on(self.now + TimeDelta::from_picos(1), monitor);
        match self.violation.take() {
            Some(error) => Err(error),
            None => Ok(self.finish(spec)),
        }
    }

    /// Schedules the initial events. At equal times, changes come first, then measurement, then samples.
    fn begin(&mut self, spec: &Spec) {
        if self.pause_rules.protected != 0 {
            self.learn_outputs();
            self.learn_passing();
        }
        self.events.push_all(self.changes.iter().map(|change| (change.at, Event::Change)));
        self.events.push(spec.measure_from, Event::MeasureFrom);
        self.schedule_sample();
    }

    /// Schedules the next sample. The last one is at the end, even if the interval does not divide the run.
    fn schedule_sample(&mut self) {
        let next = self.now.saturating_add(self.rules.sample_interval).min(self.rules.end);
        self.events.push(next, Event::Sample);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The structures accessed for every frame must fit in the cache lines they were designed for.
    #[test]
    fn components_fit_their_cache_lines() {
        let lines = |size: usize| size / 64;
        assert_eq!(lines(size_of::<Station>()), 1);
        assert_eq!(lines(size_of::<Port>()), 2);
        assert_eq!(lines(size_of::<Lane>()), 2);
        assert_eq!(lines(size_of::<Flow>()), 3);
        assert_eq!(lines(size_of::<Queue>()), 5);
    }
}
