//! Threads that run partitions alongside the thread that calls the simulator. They live until the run ends, and sleep
//! between stages.

use std::collections::BTreeMap;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread::{self, JoinHandle};

use crate::network::node::partition::Partition;
use crate::network::parallel::barrier::{back_off, spin_limit};
use crate::network::parallel::rendezvous::{Mailboxes, Rendezvous};

/// The partitions of a thread.
pub(in crate::network) type Share = Vec<Box<Partition>>;

/// The work of a worker in a stage. Returns its partitions.
type Job = Box<dyn FnOnce() -> Share + Send>;

/// The worker threads of a run. There are none until one is needed.
pub(in crate::network) struct Workers {
    workers: Vec<Worker>,
    mailboxes: Arc<Mailboxes>,
    /// The rendezvous for each number of threads.
    meetings: BTreeMap<usize, Arc<Rendezvous>>,
}

/// A worker thread.
struct Worker {
    jobs: Sender<Job>,
    done: Receiver<thread::Result<Share>>,
    thread: JoinHandle<()>,
    /// The number of times that the worker checks for a job before it sleeps, and that the calling thread checks for the
    /// returned partitions before it sleeps.
    spin_limit: u32,
}

impl Workers {
    /// No workers yet, for the given number of partitions.
    pub(in crate::network) fn new(parts: usize) -> Self {
        Self { workers: Vec::new(), mailboxes: Arc::new(Mailboxes::new(parts)), meetings: BTreeMap::new() }
    }

    /// Ensures that there are enough workers for the given number of threads, if the system can create them. Returns the
    /// number of threads, including the calling thread.
    pub(in crate::network) fn hire(&mut self, threads: usize) -> usize {
        while self.workers.len() + 1 < threads
            && let Some(worker) = Worker::new(threads)
        {
            self.workers.push(worker);
        }
        threads.min(self.workers.len() + 1)
    }

    /// The mailboxes and the rendezvous that the given number of threads share.
    pub(in crate::network) fn common(&mut self, threads: usize) -> (Arc<Mailboxes>, Arc<Rendezvous>) {
        let rendezvous = self.meetings.entry(threads).or_insert_with(|| Arc::new(Rendezvous::new(threads)));
        (Arc::clone(&self.mailboxes), Arc::clone(rendezvous))
    }

    /// Gives a worker a job.
    pub(in crate::network) fn start(&mut self, worker: usize, job: impl FnOnce() -> Share + Send + 'static) {
        // A worker accepts jobs until it is dismissed.
        let _ = self.workers[worker].jobs.send(Box::new(job));
    }

    /// Waits for a worker. Returns its partitions, or its panic.
    pub(in crate::network) fn finish(&mut self, worker: usize) -> thread::Result<Share> {
        let Worker { done, spin_limit, .. } = &self.workers[worker];
        soon(done, *spin_limit).expect("a worker answers every job")
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        for Worker { jobs, done, thread, .. } in self.workers.drain(..) {
            drop((jobs, done));
            // The thread has caught its own panics.
            let _ = thread.join();
        }
    }
}

impl Worker {
    /// A worker that is one of `threads` threads; `None` if the system cannot create a thread.
    fn new(threads: usize) -> Option<Self> {
        let (jobs, own_jobs) = channel::<Job>();
        let (results, done) = channel();
        let spin_limit = spin_limit(threads);
        let work = move || {
            while let Some(job) = soon(&own_jobs, spin_limit) {
                let result = panic::catch_unwind(AssertUnwindSafe(job));
                if results.send(result).is_err() {
                    return;
                }
            }
        };
        let thread = thread::Builder::new().name("setpoint-part".to_owned()).spawn(work).ok()?;
        Some(Self { jobs, done, thread, spin_limit })
    }
}

/// Waits for a value that is expected soon; `None` if the sender is gone.
fn soon<T>(values: &Receiver<T>, spin_limit: u32) -> Option<T> {
    for looks in 0..spin_limit {
        match values.try_recv() {
            Ok(value) => return Some(value),
            Err(TryRecvError::Disconnected) => return None,
            Err(TryRecvError::Empty) => back_off(looks),
        }
    }
    values.recv().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workers_stay_for_the_next_stage() {
        let mut workers = Workers::new(1);
        assert_eq!((workers.hire(1), workers.hire(3), workers.hire(2)), (1, 3, 2));
        let (sender, receiver) = channel();
        for _ in 0..2 {
            for worker in 0..2 {
                let sender = sender.clone();
                workers.start(worker, move || {
                    sender.send(thread::current().id()).expect("the test listens");
                    Share::new()
                });
            }
            for worker in 0..2 {
                assert!(workers.finish(worker).is_ok());
            }
        }
        drop(sender);
        let mut threads: Vec<_> = receiver.iter().map(|id| format!("{id:?}")).collect();
        threads.sort();
        threads.dedup();
        assert_eq!(threads.len(), 2);
    }

    #[test]
    fn a_panic_is_returned_and_the_worker_stays() {
        let mut workers = Workers::new(1);
        workers.hire(2);
        workers.start(0, || panic!("as intended"));
        assert!(workers.finish(0).is_err());
        workers.start(0, Share::new);
        assert!(workers.finish(0).is_ok());
    }
}
