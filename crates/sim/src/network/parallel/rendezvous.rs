//! State that threads share while they run partitions: a rendezvous after every window, and mailboxes for messages.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use setpoint_units::Time;

use crate::index::{Number, PartNo};
use crate::network::node::partition::Partition;
use crate::network::node::remote::Batch;
use crate::network::parallel::barrier::Barrier;
use crate::network::parallel::windows::Report;

/// The state with which the threads of a stage synchronise.
pub(in crate::network) struct Rendezvous {
    /// For each thread, its report; times in picoseconds.
    next: Vec<AtomicU64>,
    tick: Vec<AtomicU64>,
    violated: Vec<AtomicU64>,
    pub(in crate::network) barrier: Barrier,
}

impl Rendezvous {
    /// A rendezvous for the given number of threads.
    pub(in crate::network) fn new(threads: usize) -> Self {
        let atomics = || (0..threads).map(|_| AtomicU64::new(0)).collect();
        Self { next: atomics(), tick: atomics(), violated: atomics(), barrier: Barrier::new(threads) }
    }

    /// The number of threads.
    pub(in crate::network) fn threads(&self) -> usize {
        self.next.len()
    }

    /// Stores the report of a thread.
    pub(in crate::network) fn report(&self, thread: usize, report: Report) {
        self.next[thread].store(report.next.as_picos(), Ordering::Relaxed);
        self.tick[thread].store(report.tick.as_picos(), Ordering::Relaxed);
        self.violated[thread].store(report.violated.into(), Ordering::Relaxed);
    }

    /// The combined reports of all threads. The barrier ensures that all of them have reported before this is called.
    pub(in crate::network) fn reports(&self) -> Report {
        let least = |of: &[AtomicU64]| of.iter().map(|value| value.load(Ordering::Relaxed)).min();
        let time = |of| least(of).map_or(Time::MAX, Time::from_picos);
        let violated = self.violated.iter().any(|value| value.load(Ordering::Relaxed) != 0);
        Report { next: time(&self.next), tick: time(&self.tick), violated }
    }
}

/// For each partition, the batches from each of the others. Empty between stages.
pub(in crate::network) struct Mailboxes(Vec<Vec<Mutex<Batch>>>);

impl Mailboxes {
    /// The mailboxes for the given number of partitions.
    pub(in crate::network) fn new(parts: usize) -> Self {
        let boxes = |_| (0..parts).map(|_| Mutex::default()).collect();
        Self((0..parts).map(boxes).collect())
    }

    /// Puts the batches of a partition into the mailboxes of the others.
    pub(in crate::network) fn send(&self, part: &mut Partition) {
        let from = part.cx.part.place();
        for (to, boxes) in self.0.iter().enumerate() {
            let batch = part.cx.outbox.batch_for(PartNo::of_place(to));
            if !batch.is_empty() {
                // The mailbox is empty, and keeps its allocated memory for the next batch.
                let mut mailbox = boxes[from].lock().unwrap_or_else(PoisonError::into_inner);
                debug_assert!(mailbox.is_empty(), "a batch was not received");
                std::mem::swap(&mut *mailbox, batch);
            }
        }
    }

    /// Empties the mailboxes of a partition.
    pub(in crate::network) fn receive(&self, part: &mut Partition) {
        for mailbox in &self.0[part.cx.part.place()] {
            part.receive(&mut mailbox.lock().unwrap_or_else(PoisonError::into_inner));
        }
    }
}
