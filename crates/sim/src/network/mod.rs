//! The running network: its components, the clock and the loop that moves both.
//!
//! Components live in flat vectors and know each other by index. What they do stands in the files
//! beside this one, by place: [`station`] (sending), [`bridge`] (forwarding), [`transmit`] (ports and
//! links), [`multicast`] (copies), [`cioq`] (bridges with input buffers), [`commit`] (departures decided in advance), [`pause`] (flow
//! control), [`trees`], [`victims`] and [`deadlock`] (what came of it), [`receive`] (arrivals at stations), [`reaction`] (rate
//! limiters).

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
mod transmit;
mod trees;
mod victims;

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
use crate::spec::{SampledFrames, Spec, TimedChange};

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
use trees::Trees;
use victims::Victims;

/// A network in motion.
pub(crate) struct Network {
    now: Time,
    events: EventQueue,
    ports: Vec<Port>,
    /// The output queues of bridge ports: [`Classes::count`] for each port, in the order of ports. Where bridges have
    /// input buffers, those of the ports that feed them come after, in the same order.
    queues: Vec<Queue>,
    stations: Vec<Station>,
    /// One per flow: a flow's home has its index.
    lanes: Vec<Lane>,
    flows: Vec<Flow>,
    /// The ports of every route, one route after another; those to groups come last.
    steps: Vec<u32>,
    groups: Groups,
    /// What bridges hold of each port that feeds them.
    inputs: Vec<Input>,
    /// The links whose inputs have room above XOFF.
    budgets: Vec<LinkBudget>,
    /// Which pauses each port obeys.
    pause_state: Vec<PauseState>,
    pause_rules: PauseRules,
    /// The inside of bridges that have input buffers.
    cioq: Option<Box<Cioq>>,
    /// How pauses spread.
    trees: Trees,
    /// Whom they delay without a part in the congestion.
    victims: Victims,
    /// Whether pauses have locked each other.
    deadlocks: DeadlockWatch,
    classes: Classes,
    reaction_params: ReactionPointParams,
    rules: Rules,
    changes: Vec<TimedChange>,
    /// The first change that has not happened yet.
    next_change: usize,
    recorder: Recorder,
    /// Notifications that arrived and wait for the reaction delay to pass.
    reacting: Ring<InFlight>,
    /// What a congestion point has to say about the frame it was shown: empty between frames.
    notifications: Vec<(FlowKey, Notification)>,
    /// Events so far when the books were last checked.
    books_checked: u64,
    /// The first loss where none may be.
    violation: Option<SimError>,
}

/// Constants of a run.
#[derive(Clone, Copy, Debug)]
struct Rules {
    overhead: Bytes,
    limiters: u32,
    sampled: SampledFrames,
    /// Whether congestion points decide which frames enter their queue.
    points_drop: bool,
    /// Whether congestion points look at whose account a frame is on.
    reads_tenants: bool,
    /// Whether frames carry the name of the point their source obeys.
    tags: bool,
    /// How limiters of flows to groups work.
    group: GroupParams,
    notification_bytes: u16,
    notification_class: u8,
    reaction_delay: TimeDelta,
    sample_interval: TimeDelta,
    end: Time,
}

/// The priorities in use, in ascending order: a frame's class is its priority's place among them.
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
    /// Runs to the end.
    pub(crate) fn run(mut self, spec: &Spec, monitor: &mut dyn Monitor) -> Result<Outcome, SimError> {
        self.begin(spec);
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
                    let decision = monitor.progress(self.now, self.events.popped());
                    if self.now >= self.rules.end {
                        break;
                    }
                    if decision == Decision::Stop {
                        return Err(SimError::Stopped { at: self.now });
                    }
                }
            }
            if self.violation.is_some() {
                break;
            }
        }
        match self.violation.take() {
            Some(error) => Err(error),
            None => Ok(self.finish(spec)),
        }
    }

    /// Schedules what is known from the start. Changes come first among events of equal time, then
    /// measurement, then samples.
    fn begin(&mut self, spec: &Spec) {
        if self.pause_rules.protected != 0 {
            self.learn_outputs();
            self.learn_passing();
        }
        self.events.push_all(self.changes.iter().map(|change| (change.at, Event::Change)));
        self.events.push(spec.measure_from, Event::MeasureFrom);
        self.schedule_sample();
    }

    /// The last sample is at the end, however the interval divides the run.
    fn schedule_sample(&mut self) {
        let next = self.now.saturating_add(self.rules.sample_interval).min(self.rules.end);
        self.events.push(next, Event::Sample);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is touched for every frame stays within the cache lines it was laid out for.
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
