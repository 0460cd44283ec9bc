//! Running a network from one time to another: a single partition without interruption, or several in windows.
//!
//! Within a window, no partition can affect another. A window begins when the next event in any partition is due, and is as
//! long as the lookahead. Under flow control, no window crosses a tick, at which observers read the traces of all
//! partitions. The windows between two observations form a [`Stage`], which may run on several threads.

use std::time::Instant;

use setpoint_units::{Time, TimeDelta};

use crate::error::SimError;
use crate::index::PartNo;
use crate::monitor::Monitor;
use crate::network::Network;
use crate::network::node::after;
use crate::network::node::partition::Partition;
use crate::network::node::traces::tick_after;
use crate::network::parallel::stage::{Assignment, Stage};

impl Network {
    /// Processes all events before `time`, and runs observers when they are due.
    pub(in crate::network) fn run_until(
        &mut self,
        time: Time,
        monitor: &mut dyn Monitor,
    ) -> Result<(), SimError> {
        if self.parts.len() == 1 {
            return self.run_alone(time, monitor);
        }
        while self.run_together(time, monitor)? < time {}
        Ok(())
    }

    fn run_alone(&mut self, time: Time, monitor: &mut dyn Monitor) -> Result<(), SimError> {
        loop {
            let only = &mut self.parts[PartNo(0)];
            only.cx.until = only.cx.tick().map_or(time, |tick| tick.min(time));
            only.process();
            let cx = &mut only.cx;
            self.now = cx.now;
            if let Some(error) = cx.violation.take() {
                self.pass_on(after(self.now), monitor);
                return Err(error);
            }
            if cx.was_interrupted() {
                self.pass_on(self.now, monitor);
                continue;
            }
            cx.now = cx.until;
            self.now = cx.now;
            self.read_traces();
            if self.now == time {
                return Ok(());
            }
        }
    }

    /// Processes events up to `time`, or until observers must run. Returns the time that was reached.
    fn run_together(&mut self, time: Time, monitor: &mut dyn Monitor) -> Result<Time, SimError> {
        // Without flow control, samples at the end of the last stage have settled the transmissions that begin now.
        let begun = if self.rules.lossless { self.now } else { after(self.now) };
        self.parts.iter_mut().for_each(|part| part.send_away(begun));
        self.exchange();
        let (threads, most) = self.policy.next_stage();
        let windows = Windows {
            time,
            lookahead: self.lookahead,
            ticks: self.rules.lossless,
            // Captured frames are passed on after every window, so that they do not accumulate.
            most: if self.parts.iter().any(|part| part.cx.tap.is_some()) { 1 } else { most },
        };
        let report = self.parts.iter_mut().fold(Report::NOTHING, |all, part| all.with(Report::of(part)));
        let reached = match windows.next(report, 0) {
            Next::Reached(time) => time,
            Next::Window(_) => self.run_stage(windows, threads),
        };
        self.check_violations(monitor)?;
        self.now = reached;
        self.parts.iter_mut().for_each(|part| part.cx.now = reached);
        self.pass_on(reached, monitor);
        // Traces are read only at times that do not depend on windows.
        let tick = self.parts.iter().filter_map(|part| part.cx.tick()).min();
        if reached == time || tick.is_some_and(|tick| tick <= reached) {
            self.read_traces();
        }
        Ok(reached)
    }

    /// Runs partitions in windows, on at most the given number of threads. Returns the time that was reached.
    fn run_stage(&mut self, windows: Windows, threads: usize) -> Time {
        let (before, begin) = (self.events(), Instant::now());
        let threads = self.workers.hire(threads.min(self.parts.len()));
        let assignment = Assignment::new(self.parts.iter().map(|part| part.load), threads);
        let stage = Stage::new(windows, assignment, self.workers.common(threads));
        let (parts, reached) = stage.run(std::mem::take(&mut self.parts), &mut self.workers);
        self.parts = parts;
        self.parts.iter_mut().for_each(|part| part.measure_load());
        let events = self.events() - before;
        self.policy.learn(threads, events, begin.elapsed());
        reached
    }

    /// Delivers the messages that partitions have sent each other outside windows.
    pub(in crate::network) fn exchange(&mut self) {
        for from in self.parts.numbers() {
            for to in self.parts.numbers() {
                let mut batch = std::mem::take(self.parts[from].cx.outbox.batch_for(to));
                self.parts[to].receive(&mut batch);
                *self.parts[from].cx.outbox.batch_for(to) = batch;
            }
        }
    }

    /// Ends the run if a partition has an error; the earliest error is returned.
    fn check_violations(&mut self, monitor: &mut dyn Monitor) -> Result<(), SimError> {
        let violations = self.parts.iter_mut().filter_map(|part| {
            let error = part.cx.violation.take()?;
            Some((part.cx.now, error))
        });
        let order = |(now, error): &(Time, SimError)| (*now, error.port());
        let Some((now, error)) = violations.min_by_key(order) else { return Ok(()) };
        self.now = now;
        self.pass_on(after(now), monitor);
        Err(error)
    }
}

/// The rules by which windows follow each other.
pub(in crate::network) struct Windows {
    /// The end of the last window.
    time: Time,
    lookahead: TimeDelta,
    /// Whether windows end at ticks.
    ticks: bool,
    /// The largest number of windows in a stage.
    most: u64,
}

/// The report of partitions after a window.
#[derive(Clone, Copy)]
pub(in crate::network) struct Report {
    /// The next time at which a partition has an event.
    pub(in crate::network) next: Time,
    /// The time at which the first recorded trace must be read.
    pub(in crate::network) tick: Time,
    /// Whether the run must end.
    pub(in crate::network) violated: bool,
}

impl Report {
    pub(in crate::network) const NOTHING: Self = Self { next: Time::MAX, tick: Time::MAX, violated: false };

    pub(in crate::network) fn of(part: &mut Partition) -> Self {
        Self {
            next: part.next_time().unwrap_or(Time::MAX),
            tick: part.cx.tick().unwrap_or(Time::MAX),
            violated: part.cx.violation.is_some(),
        }
    }

    pub(in crate::network) fn with(self, other: Self) -> Self {
        Self {
            next: self.next.min(other.next),
            tick: self.tick.min(other.tick),
            violated: self.violated || other.violated,
        }
    }
}

/// The next step after a window.
pub(in crate::network) enum Next {
    /// A window that ends at this time.
    Window(Time),
    /// This time has been reached, and observers must run.
    Reached(Time),
}

impl Windows {
    /// The next step, given the report of all partitions and the number of windows so far.
    pub(in crate::network) fn next(&self, report: Report, count: u64) -> Next {
        let stop = report.tick.min(self.time);
        if report.violated || report.next >= stop {
            return Next::Reached(stop);
        }
        if count == self.most {
            return Next::Reached(report.next);
        }
        let end = report.next.saturating_add(self.lookahead).min(self.time);
        Next::Window(if self.ticks { end.min(tick_after(report.next)) } else { end })
    }
}
