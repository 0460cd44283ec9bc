//! A stage of a run: windows that follow each other without observers in between, on one thread or on several.
//!
//! Every thread has some of the partitions. It processes their events up to the end of the window and puts their parcels into
//! the letterboxes of the others. When all threads have done that, it empties the letterboxes of its own partitions and reports
//! when something happens next there. When all have reported, each of them knows the next window.

use std::cmp::Reverse;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use setpoint_units::Time;

use super::barrier::Barrier;
use super::parcel::Parcel;
use super::partition::Partition;
use super::windows::{Next, Report, Windows};
use super::workers::{Share, Workers};
use crate::index::{Number, PartNo, Table};
use crate::rehearsal::Rehearsal;

/// A stage, as all its threads know it.
pub(super) struct Stage {
    windows: Windows,
    duties: Duties,
    letterboxes: Arc<Letterboxes>,
    meeting: Arc<Meeting>,
}

impl Stage {
    /// A stage on the threads of a meeting.
    pub(super) fn new(
        windows: Windows,
        duties: Duties,
        (letterboxes, meeting): (Arc<Letterboxes>, Arc<Meeting>),
    ) -> Self {
        Self { windows, duties, letterboxes, meeting }
    }

    /// Runs all partitions. Returns them with the time that was reached, and how long one thread worked.
    pub(super) fn run(
        self,
        parts: Table<PartNo, Box<Partition>>,
        workers: &mut Workers,
    ) -> (Table<PartNo, Box<Partition>>, Time, Rehearsal) {
        let threads = self.meeting.threads();
        let mut shares: Vec<Share> = (0..threads).map(|_| Share::new()).collect();
        for (part, &thread) in parts.into_iter().zip(&self.duties.thread_of) {
            shares[if threads == 1 { 0 } else { thread }].push(part);
        }
        let stage = Arc::new(self);
        let mut own = shares.remove(0);
        for (other, mut share) in shares.into_iter().enumerate() {
            let stage = Arc::clone(&stage);
            workers.start(other, move || {
                stage.run_share(other + 1, &mut share);
                share
            });
        }
        let end = panic::catch_unwind(AssertUnwindSafe(|| stage.run_share(0, &mut own)));
        let (mut end, mut all) = (end, own);
        for other in 1..threads {
            match workers.finish(other - 1) {
                Ok(share) => all.extend(share),
                // The first panic is the cause of those of the threads that waited.
                Err(panic) if !Barrier::is_consequence(&*panic) => end = Err(panic),
                Err(_) => {}
            }
        }
        let (reached, measured) = end.unwrap_or_else(|panic| panic::resume_unwind(panic));
        all.sort_unstable_by_key(|part| part.cx.part);
        (all.into_iter().collect(), reached, measured)
    }

    /// Runs the partitions of a thread. Returns the time that was reached, and how long it worked.
    fn run_share(&self, thread: usize, share: &mut [Box<Partition>]) -> (Time, Rehearsal) {
        let Self { windows, duties, letterboxes, meeting } = self;
        let _attendance = meeting.barrier.attend();
        let mut watch = Stopwatch::new(windows.rehearses, duties);
        loop {
            meeting.report(thread, share, &mut watch);
            meeting.barrier.wait();
            let end = match windows.next(meeting.reports(), watch.sum.windows) {
                Next::Window(end) => end,
                Next::Reached(time) => return (time, watch.sum),
            };
            for part in share.iter_mut() {
                watch.time(part, |part| {
                    part.run_window(end);
                    letterboxes.send(part);
                });
            }
            meeting.barrier.wait();
            share.iter_mut().for_each(|part| watch.time(part, |part| letterboxes.receive(part)));
            watch.end_window();
        }
    }
}

/// Which partitions a thread has.
pub(super) struct Duties {
    /// For each partition, its thread.
    thread_of: Vec<usize>,
    threads: usize,
}

impl Duties {
    /// Gives threads about the same work, measured by how long partitions took recently: the largest partition first, and each
    /// to the thread that has the least.
    pub(super) fn new(loads: impl Iterator<Item = Duration>, threads: usize) -> Self {
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

/// Where the threads of a stage meet.
pub(super) struct Meeting {
    /// For each thread, its report; times in picoseconds.
    next: Vec<AtomicU64>,
    tick: Vec<AtomicU64>,
    violated: Vec<AtomicU64>,
    barrier: Barrier,
}

impl Meeting {
    /// A meeting of a number of threads.
    pub(super) fn new(threads: usize) -> Self {
        let atomics = || (0..threads).map(|_| AtomicU64::new(0)).collect();
        Self { next: atomics(), tick: atomics(), violated: atomics(), barrier: Barrier::new(threads) }
    }

    /// The number of threads.
    fn threads(&self) -> usize {
        self.next.len()
    }

    /// Reports for the partitions of a thread.
    fn report(&self, thread: usize, share: &mut [Box<Partition>], watch: &mut Stopwatch<'_>) {
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
}

/// For each partition, the parcels from each of the others. Empty between stages.
pub(super) struct Letterboxes(Vec<Vec<Mutex<Vec<Parcel>>>>);

impl Letterboxes {
    /// The letterboxes of a number of partitions.
    pub(super) fn new(parts: usize) -> Self {
        let boxes = |_| (0..parts).map(|_| Mutex::default()).collect();
        Self((0..parts).map(boxes).collect())
    }

    /// Puts the parcels of a partition into the letterboxes of the others.
    fn send(&self, part: &mut Partition) {
        let from = part.cx.part.place();
        for (to, boxes) in self.0.iter().enumerate() {
            let parcels = part.cx.outbox.parcels_for(PartNo::of_place(to));
            if !parcels.is_empty() {
                // It is empty, and keeps its memory for the next parcels.
                let mut letterbox = boxes[from].lock().unwrap_or_else(PoisonError::into_inner);
                debug_assert!(letterbox.is_empty(), "parcels were not received");
                std::mem::swap(&mut *letterbox, parcels);
            }
        }
    }

    /// Empties the letterboxes of a partition.
    fn receive(&self, part: &mut Partition) {
        for letterbox in &self.0[part.cx.part.place()] {
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
