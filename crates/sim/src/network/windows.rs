//! Running a network from one time to another: a single partition without interruption, or several in windows.
//!
//! Within a window, no partition can affect another. A window begins when something happens next and is as long as the
//! lookahead. Under flow control, no window crosses a tick, at which observers read the notes of all partitions.
//!
//! Every thread has some of the partitions. It processes their events up to the end of the window and puts their parcels into
//! the letterboxes of the others. When all threads have done that, it empties the letterboxes of its own partitions and reports
//! when something happens next there. When all have reported, each of them knows the next window.

use std::cmp::Reverse;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use setpoint_units::{Time, TimeDelta};

use super::barrier::Barrier;
use super::notes::tick_after;
use super::parcel::Parcel;
use super::partition::Partition;
use super::{Network, after};
use crate::error::SimError;
use crate::index::{Number, PartNo};
use crate::monitor::Monitor;
use crate::rehearsal::Rehearsal;

/// Windows after which the number of threads may change, so that their speeds can be compared. Small in tests, which would hardly
/// ever reach it.
const STRETCH: u64 = if cfg!(debug_assertions) { 40 } else { 500 };

impl Network {
    /// Processes all events before a time, and shows observers what they need to see.
    pub(super) fn run_until(&mut self, time: Time, monitor: &mut dyn Monitor) -> Result<(), SimError> {
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
            self.read_notes();
            if self.now == time {
                return Ok(());
            }
        }
    }

    /// Processes events up to a time, or until observers must see something. Returns the time that was reached.
    fn run_together(&mut self, time: Time, monitor: &mut dyn Monitor) -> Result<Time, SimError> {
        // Without flow control, samples at the end of the last stretch have settled the transmissions that begin now.
        let begun = if self.rules.lossless { self.now } else { after(self.now) };
        self.parts.iter_mut().for_each(|part| part.send_away(begun));
        self.exchange();
        let windows = Windows {
            time,
            lookahead: self.lookahead,
            ticks: self.rules.lossless,
            rehearses: self.crew.rehearses(),
            // Captured frames are passed on after every window, so that they do not pile up.
            most: if self.parts.iter().any(|part| part.cx.tap.is_some()) { 1 } else { STRETCH },
        };
        let (before, begin, threads) = (self.events(), Instant::now(), self.crew.size());
        let duties = Duties::new(self.parts.iter().map(|part| part.load), self.crew.most());
        let mut parts: Vec<&mut Partition> = self.parts.iter_mut().collect();
        let (reached, stretch) = run(&mut parts, &windows, &duties, threads);
        parts.into_iter().for_each(Partition::measure_load);
        let events = self.events() - before;
        self.crew.learn(threads, events, begin.elapsed());
        self.rehearsal.add(&Rehearsal { events, ..stretch });
        self.check_violations(monitor)?;
        self.now = reached;
        self.parts.iter_mut().for_each(|part| part.cx.now = reached);
        self.pass_on(reached, monitor);
        // Only at times that do not depend on windows.
        let tick = self.parts.iter().filter_map(|part| part.cx.tick()).min();
        if reached == time || tick.is_some_and(|tick| tick <= reached) {
            self.read_notes();
        }
        Ok(reached)
    }

    /// Delivers what partitions have sent each other outside of windows.
    pub(super) fn exchange(&mut self) {
        for from in self.parts.numbers() {
            for to in self.parts.numbers() {
                let mut parcels: Vec<Parcel> = std::mem::take(self.parts[from].cx.outbox.parcels_for(to));
                self.parts[to].receive(parcels.drain(..));
                *self.parts[from].cx.outbox.parcels_for(to) = parcels;
            }
        }
    }

    /// Ends the run if something is wrong in a partition: with what happened first.
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

/// How windows follow each other.
struct Windows {
    /// Where the last one ends.
    time: Time,
    lookahead: TimeDelta,
    /// Whether windows end at ticks.
    ticks: bool,
    /// The largest number of windows in a stretch.
    most: u64,
    /// Whether the work of each partition is measured.
    rehearses: bool,
}

/// What partitions report after a window.
#[derive(Clone, Copy)]
struct Report {
    /// When something happens next.
    next: Time,
    /// When the first note that was left must be read.
    tick: Time,
    /// Whether the run must end.
    violated: bool,
}

impl Report {
    const NOTHING: Self = Self { next: Time::MAX, tick: Time::MAX, violated: false };

    fn of(part: &mut Partition) -> Self {
        Self {
            next: part.next_time().unwrap_or(Time::MAX),
            tick: part.cx.tick().unwrap_or(Time::MAX),
            violated: part.cx.violation.is_some(),
        }
    }

    fn with(self, other: Self) -> Self {
        Self {
            next: self.next.min(other.next),
            tick: self.tick.min(other.tick),
            violated: self.violated || other.violated,
        }
    }
}

/// What follows a window.
enum Next {
    /// A window with this end.
    Window(Time),
    /// A time has been reached, and observers see the network.
    Reached(Time),
}

impl Windows {
    /// What follows, given the report of all partitions and the number of windows so far.
    fn next(&self, report: Report, count: u64) -> Next {
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

/// Which partitions a thread has.
struct Duties {
    /// For each partition, its thread.
    thread_of: Vec<usize>,
    threads: usize,
}

impl Duties {
    /// Gives threads about the same work, measured by how long partitions took recently: the largest partition first, and each
    /// to the thread that has the least.
    fn new(loads: impl Iterator<Item = Duration>, threads: usize) -> Self {
        // A partition costs something even if nothing happens in it.
        let cost = |load: Duration| load + Duration::from_nanos(1);
        let mut loads: Vec<(Duration, usize)> =
            loads.enumerate().map(|(place, load)| (cost(load), place)).collect();
        let threads = threads.clamp(1, loads.len());
        let (mut thread_of, mut sums) = (vec![0; loads.len()], vec![Duration::ZERO; threads]);
        loads.sort_unstable_by_key(|&(load, place)| (Reverse(load), place));
        for (load, place) in loads {
            let (least, sum) = sums
                .iter_mut()
                .enumerate()
                .min_by_key(|(thread, sum)| (**sum, *thread))
                .expect("there is at least one thread");
            *sum += load;
            thread_of[place] = least;
        }
        Self { thread_of, threads }
    }
}

/// Runs partitions in windows, on all threads or on one. Returns the time that was reached, and how long one thread worked.
fn run(
    parts: &mut [&mut Partition],
    windows: &Windows,
    duties: &Duties,
    threads: usize,
) -> (Time, Rehearsal) {
    let threads = threads.clamp(1, duties.threads);
    let shared = Shared::new(parts.len(), threads);
    let mut shares: Vec<Vec<&mut Partition>> = (0..threads).map(|_| Vec::new()).collect();
    for (part, &thread) in parts.iter_mut().zip(&duties.thread_of) {
        shares[if threads == 1 { 0 } else { thread }].push(part);
    }
    thread::scope(|scope| {
        // If a thread cannot be started, those that were must not wait for it.
        let _attendance = shared.barrier.attend();
        let mut shares = shares.into_iter().enumerate();
        let own = shares.next();
        let others: Vec<_> = shares
            .map(|(thread, mut share)| {
                let shared = &shared;
                scope.spawn(move || shared.run(thread, &mut share, windows, duties))
            })
            .collect();
        let run = || {
            own.map_or((windows.time, Rehearsal::default()), |(thread, mut share)| {
                shared.run(thread, &mut share, windows, duties)
            })
        };
        let mut end = panic::catch_unwind(AssertUnwindSafe(run));
        for other in others {
            let other = other.join();
            // The first panic is the cause of those of the threads that waited.
            if other.as_ref().is_err_and(|panic| !Barrier::is_consequence(&**panic)) {
                end = other;
            }
        }
        end.unwrap_or_else(|panic| panic::resume_unwind(panic))
    })
}

/// Measures the work of each thread, if one does it for all in a rehearsal.
struct Stopwatch<'a> {
    duties: &'a Duties,
    /// For each thread, its work in this window; empty if nothing is measured.
    window: Vec<Duration>,
    sum: Rehearsal,
}

impl<'a> Stopwatch<'a> {
    fn new(rehearses: bool, duties: &'a Duties) -> Self {
        let window = if rehearses { vec![Duration::ZERO; duties.threads] } else { Vec::new() };
        Self { duties, window, sum: Rehearsal::default() }
    }

    /// Does some work of a partition.
    fn time(&mut self, part: &mut Partition, work: impl FnOnce(&mut Partition)) {
        let took = part.timed(work);
        if !self.window.is_empty() {
            self.window[self.duties.thread_of[part.cx.part.place()]] += took;
        }
    }

    /// Ends a window.
    fn end_window(&mut self) {
        self.sum.windows += 1;
        self.sum.work += self.window.iter().sum::<Duration>();
        self.sum.longest += self.window.iter().max().copied().unwrap_or_default();
        self.window.fill(Duration::ZERO);
    }
}

/// What threads have in common.
struct Shared {
    /// For each partition, the parcels from each of the others.
    letterboxes: Vec<Vec<Mutex<Vec<Parcel>>>>,
    /// For each thread, its report; times in picoseconds.
    next: Vec<AtomicU64>,
    tick: Vec<AtomicU64>,
    violated: Vec<AtomicU64>,
    barrier: Barrier,
}

impl Shared {
    fn new(parts: usize, threads: usize) -> Self {
        let atomics = || (0..threads).map(|_| AtomicU64::new(0)).collect();
        let letterbox = |_| (0..parts).map(|_| Mutex::default()).collect();
        Self {
            letterboxes: (0..parts).map(letterbox).collect(),
            next: atomics(),
            tick: atomics(),
            violated: atomics(),
            barrier: Barrier::new(threads),
        }
    }

    /// Runs the partitions of a thread.
    fn run(
        &self,
        thread: usize,
        share: &mut [&mut Partition],
        windows: &Windows,
        duties: &Duties,
    ) -> (Time, Rehearsal) {
        let _attendance = self.barrier.attend();
        let mut watch = Stopwatch::new(windows.rehearses, duties);
        loop {
            self.report(thread, share, &mut watch);
            self.barrier.wait();
            let end = match windows.next(self.reports(), watch.sum.windows) {
                Next::Window(end) => end,
                Next::Reached(time) => return (time, watch.sum),
            };
            for part in share.iter_mut() {
                watch.time(part, |part| {
                    part.run_window(end);
                    self.send(part);
                });
            }
            self.barrier.wait();
            share.iter_mut().for_each(|part| watch.time(part, |part| self.receive(part)));
            watch.end_window();
        }
    }

    /// Reports for the partitions of a thread.
    fn report(&self, thread: usize, share: &mut [&mut Partition], watch: &mut Stopwatch<'_>) {
        let mut report = Report::NOTHING;
        for part in share.iter_mut() {
            watch.time(part, |part| report = report.with(Report::of(part)));
        }
        self.next[thread].store(report.next.as_picos(), Ordering::Relaxed);
        self.tick[thread].store(report.tick.as_picos(), Ordering::Relaxed);
        self.violated[thread].store(report.violated.into(), Ordering::Relaxed);
    }

    /// What all threads have reported. The barrier orders this after their reports.
    fn reports(&self) -> Report {
        let least = |of: &[AtomicU64]| of.iter().map(|value| value.load(Ordering::Relaxed)).min();
        let time = |of| least(of).map_or(Time::MAX, Time::from_picos);
        let violated = self.violated.iter().any(|value| value.load(Ordering::Relaxed) != 0);
        Report { next: time(&self.next), tick: time(&self.tick), violated }
    }

    /// Puts the parcels of a partition into the letterboxes of the others.
    fn send(&self, part: &mut Partition) {
        let from = part.cx.part.place();
        for (to, boxes) in self.letterboxes.iter().enumerate() {
            let parcels = part.cx.outbox.parcels_for(PartNo::of_place(to));
            if !parcels.is_empty() {
                let mut letterbox = boxes[from].lock().unwrap_or_else(PoisonError::into_inner);
                letterbox.append(parcels);
            }
        }
    }

    /// Empties the letterboxes of a partition.
    fn receive(&self, part: &mut Partition) {
        for letterbox in &self.letterboxes[part.cx.part.place()] {
            let mut parcels = letterbox.lock().unwrap_or_else(PoisonError::into_inner);
            part.receive(parcels.drain(..));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_have_about_the_same_work() {
        let threads = |loads: &[u64], threads| {
            Duties::new(loads.iter().map(|load| Duration::from_micros(*load)), threads).thread_of
        };
        assert_eq!(threads(&[0, 0, 0, 0], 2), [0, 1, 0, 1]);
        assert_eq!(threads(&[100, 10, 20, 60], 2), [0, 1, 1, 1]);
        assert_eq!(threads(&[5, 9], 1), [0, 0]);
        assert_eq!(threads(&[5], 8), [0]);
    }
}
