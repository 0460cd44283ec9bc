//! Running a network from one time to another: a single partition without interruption, or several in windows.

use setpoint_units::{Time, TimeDelta};

use crate::error::SimError;
use crate::index::PartNo;
use crate::monitor::Monitor;
use crate::network::components::Components;
use crate::network::node::after;
use crate::network::observe::Observers;
use crate::network::observe::passing::pass_on;
use crate::network::parallel::stage::{Assignment, Stage};
use crate::network::parallel::thread_policy::ThreadPolicy;
use crate::network::parallel::windows::{Next, Report, Windows};
use crate::network::parallel::workers::Workers;
use crate::stopwatch::Stopwatch;

/// How partitions are processed, and the threads that process them.
pub(in crate::network) struct Execution {
    /// The shortest time in which a frame or message can travel from one partition to another.
    pub(in crate::network) lookahead: TimeDelta,
    pub(in crate::network) policy: ThreadPolicy,
    pub(in crate::network) workers: Workers,
}

impl Execution {
    /// Processes all events before `time`, and runs observers when they are due.
    pub(in crate::network) fn run_until(
        &mut self,
        net: &mut Components,
        observers: &mut Observers,
        time: Time,
        monitor: &mut dyn Monitor,
    ) -> Result<(), SimError> {
        if net.parts.len() == 1 {
            return run_alone(net, observers, time, monitor);
        }
        while self.run_together(net, observers, time, monitor)? < time {}
        Ok(())
    }

    /// Processes events up to `time`, or until observers must run. Returns the time that was reached.
    fn run_together(
        &mut self,
        net: &mut Components,
        observers: &mut Observers,
        time: Time,
        monitor: &mut dyn Monitor,
    ) -> Result<Time, SimError> {
        // Without flow control, the samples at the end of the last stage have made transmissions that begin now final.
        let begun = if net.rules.lossless { net.now } else { after(net.now) };
        net.parts.iter_mut().for_each(|part| part.send_away(begun));
        net.exchange();
        let (threads, most) = self.policy.next_stage();
        let windows = Windows {
            time,
            lookahead: self.lookahead,
            ticks: net.rules.lossless,
            // Captured frames are passed on after every window, so that they do not accumulate.
            most: if net.parts.iter().any(|part| part.cx.tap.is_some()) { 1 } else { most },
        };
        let report = net.parts.iter_mut().fold(Report::NOTHING, |all, part| all.with(Report::of(part)));
        let reached = match windows.next(report, 0) {
            Next::Reached(time) => time,
            Next::Window(_) => self.run_stage(net, windows, threads),
        };
        check_violations(net, monitor)?;
        net.now = reached;
        net.parts.iter_mut().for_each(|part| part.cx.now = reached);
        pass_on(net, reached, monitor);
        // Traces are read only at times that do not depend on windows.
        let tick = net.parts.iter().filter_map(|part| part.cx.tick()).min();
        if reached == time || tick.is_some_and(|tick| tick <= reached) {
            observers.read_traces(net);
        }
        Ok(reached)
    }

    /// Runs partitions in windows, on at most the given number of threads. Returns the time that was reached.
    fn run_stage(&mut self, net: &mut Components, windows: Windows, threads: usize) -> Time {
        let (before, watch) = (net.events(), Stopwatch::start());
        let threads = self.workers.hire(threads.min(net.parts.len()));
        let assignment = Assignment::new(net.parts.iter().map(|part| part.load), threads);
        let stage = Stage::new(windows, assignment, self.workers.common(threads));
        let (parts, reached) = stage.run(std::mem::take(&mut net.parts), &mut self.workers);
        net.parts = parts;
        net.parts.iter_mut().for_each(|part| part.measure_load());
        let events = net.events() - before;
        self.policy.learn(threads, events, watch.elapsed());
        reached
    }
}

/// Processes all events of the only partition before `time`, and runs observers when they are due.
fn run_alone(
    net: &mut Components,
    observers: &mut Observers,
    time: Time,
    monitor: &mut dyn Monitor,
) -> Result<(), SimError> {
    loop {
        let only = &mut net.parts[PartNo(0)];
        only.cx.until = only.cx.tick().map_or(time, |tick| tick.min(time));
        only.process();
        let cx = &mut only.cx;
        net.now = cx.now;
        if let Some(error) = cx.violation.take() {
            pass_on(net, after(net.now), monitor);
            return Err(error);
        }
        if cx.was_interrupted() {
            pass_on(net, net.now, monitor);
            continue;
        }
        cx.now = cx.until;
        net.now = cx.now;
        observers.read_traces(net);
        if net.now == time {
            return Ok(());
        }
    }
}

/// Ends the run if a partition has an error; the earliest error is returned.
fn check_violations(net: &mut Components, monitor: &mut dyn Monitor) -> Result<(), SimError> {
    let violations = net.parts.iter_mut().filter_map(|part| {
        let error = part.cx.violation.take()?;
        Some((part.cx.now, error))
    });
    let order = |(now, error): &(Time, SimError)| (*now, error.port());
    let Some((now, error)) = violations.min_by_key(order) else { return Ok(()) };
    net.now = now;
    pass_on(net, after(now), monitor);
    Err(error)
}
