//! A stage of a run: a sequence of windows without observers in between, on one thread or several.
//!
//! Every thread runs some of the partitions. It processes their events up to the end of the window and puts their messages
//! into the mailboxes of the others. When all threads have done so, it empties the mailboxes of its own partitions and
//! reports when their next event is due. When all threads have reported, each of them can compute the next window.

use std::cmp::Reverse;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::time::Duration;

use setpoint_units::Time;

use crate::index::{PartNo, Table};
use crate::network::node::partition::Partition;
use crate::network::parallel::barrier::Barrier;
use crate::network::parallel::rendezvous::{Mailboxes, Rendezvous};
use crate::network::parallel::windows::{Next, Report, Windows};
use crate::network::parallel::workers::{Share, Workers};

/// A stage: the state that all its threads share.
pub(in crate::network) struct Stage {
    windows: Windows,
    assignment: Assignment,
    mailboxes: Arc<Mailboxes>,
    rendezvous: Arc<Rendezvous>,
}

impl Stage {
    /// A stage that runs on the threads of a rendezvous.
    pub(in crate::network) fn new(
        windows: Windows,
        assignment: Assignment,
        (mailboxes, rendezvous): (Arc<Mailboxes>, Arc<Rendezvous>),
    ) -> Self {
        Self { windows, assignment, mailboxes, rendezvous }
    }

    /// Runs all partitions. Returns them with the time that was reached.
    pub(in crate::network) fn run(
        self,
        parts: Table<PartNo, Box<Partition>>,
        workers: &mut Workers,
    ) -> (Table<PartNo, Box<Partition>>, Time) {
        let threads = self.rendezvous.threads();
        let mut shares: Vec<Share> = (0..threads).map(|_| Share::new()).collect();
        for (part, &thread) in parts.into_iter().zip(&self.assignment.thread_of) {
            shares[thread].push(part);
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
                // The first panic makes the waiting threads panic too.
                Err(panic) if !Barrier::is_consequence(&*panic) => end = Err(panic),
                Err(_) => {}
            }
        }
        let reached = end.unwrap_or_else(|panic| panic::resume_unwind(panic));
        all.sort_unstable_by_key(|part| part.cx.part);
        (all.into_iter().collect(), reached)
    }

    /// Runs the partitions of a thread. Returns the time that was reached.
    fn run_share(&self, thread: usize, share: &mut [Box<Partition>]) -> Time {
        let Self { windows, mailboxes, rendezvous, .. } = self;
        let _attendance = rendezvous.barrier.attend();
        let mut done = 0;
        loop {
            let mut report = Report::NOTHING;
            for part in share.iter_mut() {
                part.timed(|part| report = report.with(Report::of(part)));
            }
            rendezvous.report(thread, report);
            rendezvous.barrier.wait();
            let end = match windows.next(rendezvous.reports(), done) {
                Next::Window(end) => end,
                Next::Reached(time) => return time,
            };
            for part in share.iter_mut() {
                part.timed(|part| {
                    part.run_window(end);
                    mailboxes.send(part);
                });
            }
            rendezvous.barrier.wait();
            for part in share.iter_mut() {
                part.timed(|part| mailboxes.receive(part));
            }
            done += 1;
        }
    }
}

/// The partitions of each thread.
pub(in crate::network) struct Assignment {
    /// For each partition, its thread.
    thread_of: Vec<usize>,
}

impl Assignment {
    /// Gives threads about the same amount of work, measured by the recent processing times of partitions: partitions are
    /// assigned in order of decreasing load, each to the thread with the least work so far.
    pub(in crate::network) fn new(loads: impl Iterator<Item = Duration>, threads: usize) -> Self {
        // A partition has a cost even if nothing happens in it.
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
        Self { thread_of }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_have_about_the_same_work() {
        let threads = |loads: &[u64], threads| {
            Assignment::new(loads.iter().map(|load| Duration::from_micros(*load)), threads).thread_of
        };
        assert_eq!(threads(&[0, 0, 0, 0], 2), [0, 1, 0, 1]);
        assert_eq!(threads(&[100, 10, 20, 60], 2), [0, 1, 1, 1]);
        assert_eq!(threads(&[5, 9], 1), [0, 0]);
        assert_eq!(threads(&[5], 8), [0]);
    }
}
