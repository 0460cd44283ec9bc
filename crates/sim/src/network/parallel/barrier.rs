//! A barrier for threads that wait for each other often and briefly.

use std::any::Any;
use std::num::NonZeroUsize;
use std::panic;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;

/// Number of spins before a waiting thread yields its core between checks, if there is a core for every thread.
const SPINS: u32 = 2_000;

/// Number of checks before a waiting thread sleeps: about 0.4 ms in total on a recent processor. The threads of a large
/// fabric usually wait for less time than this, and waking a sleeping thread takes a substantial part of this time.
const SPIN_LIMIT: u32 = SPINS + 1_000;

/// Number of checks before one of `threads` threads sleeps.
pub(in crate::network) fn spin_limit(threads: usize) -> u32 {
    let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    if threads <= cores { SPIN_LIMIT } else { 0 }
}

/// Spins or yields between two checks, depending on the number of checks so far.
pub(in crate::network) fn back_off(looks: u32) {
    if looks < SPINS {
        std::hint::spin_loop();
    } else {
        thread::yield_now();
    }
}

/// Holds threads until all of them have arrived.
pub(crate) struct Barrier {
    threads: usize,
    spin_limit: u32,
    waiting: AtomicUsize,
    /// Number of times that all threads have arrived.
    round: AtomicUsize,
    sleepers: Mutex<usize>,
    wake: Condvar,
    /// Whether a thread has panicked and will never arrive.
    broken: AtomicBool,
}

/// The panic payload of a thread that waited for another thread that panicked.
struct Broken;

/// Breaks the barrier if its thread panics, so that the others do not wait for it.
pub(crate) struct Attendance<'a>(&'a Barrier);

impl Barrier {
    /// A barrier for the given number of threads.
    pub(crate) fn new(threads: usize) -> Self {
        Self {
            threads,
            spin_limit: spin_limit(threads),
            waiting: AtomicUsize::new(0),
            round: AtomicUsize::new(0),
            sleepers: Mutex::new(0),
            wake: Condvar::new(),
            broken: AtomicBool::new(false),
        }
    }

    /// Whether a panic comes from a thread that waited for another thread that panicked.
    pub(crate) fn is_consequence(panic: &(dyn Any + Send)) -> bool {
        panic.is::<Broken>()
    }

    /// Registers a thread, so that its panic breaks the barrier.
    pub(crate) fn attend(&self) -> Attendance<'_> {
        Attendance(self)
    }

    /// Waits until all threads have arrived. Everything that a thread did before this call is visible to all threads after
    /// it.
    ///
    /// # Panics
    /// If another thread has panicked.
    pub(crate) fn wait(&self) {
        if self.threads == 1 {
            return;
        }
        let round = self.round.load(Ordering::Acquire);
        if self.waiting.fetch_add(1, Ordering::AcqRel) + 1 == self.threads {
            self.waiting.store(0, Ordering::Relaxed);
            // Sleepers check the round while they hold the lock, so none of them can miss this.
            let sleepers = self.sleepers.lock().unwrap_or_else(PoisonError::into_inner);
            self.round.store(round.wrapping_add(1), Ordering::Release);
            if *sleepers > 0 {
                self.wake.notify_all();
            }
            return;
        }
        for looks in 0..self.spin_limit {
            if self.is_over(round) {
                return;
            }
            back_off(looks);
        }
        self.sleep(round);
    }

    #[cold]
    fn sleep(&self, round: usize) {
        let mut sleepers = self.sleepers.lock().unwrap_or_else(PoisonError::into_inner);
        *sleepers += 1;
        while !self.is_over(round) {
            sleepers = self.wake.wait(sleepers).unwrap_or_else(PoisonError::into_inner);
        }
        *sleepers -= 1;
    }

    fn is_over(&self, round: usize) -> bool {
        if self.broken.load(Ordering::Acquire) {
            panic::panic_any(Broken);
        }
        self.round.load(Ordering::Acquire) != round
    }
}

impl Drop for Attendance<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            let _sleepers = self.0.sleepers.lock().unwrap_or_else(PoisonError::into_inner);
            self.0.broken.store(true, Ordering::Release);
            self.0.wake.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In every round, each thread sees what all the others have counted in that round.
    #[test]
    fn nobody_is_ahead_of_the_others() {
        const ROUNDS: usize = 300;
        for threads in [1, 2, 3, 8] {
            let (barrier, count) = (&Barrier::new(threads), &AtomicUsize::new(0));
            thread::scope(|scope| {
                for thread in 0..threads {
                    scope.spawn(move || {
                        for round in 1..=ROUNDS {
                            if (thread + round) % 97 == 0 {
                                // Longer than the time for which the others spin.
                                thread::sleep(std::time::Duration::from_millis(3));
                            }
                            count.fetch_add(1, Ordering::Relaxed);
                            barrier.wait();
                            assert_eq!(count.load(Ordering::Relaxed), round * threads);
                            barrier.wait();
                        }
                    });
                }
            });
        }
    }

    #[test]
    fn a_panic_releases_the_others() {
        for pause in [0, 20] {
            let barrier = &Barrier::new(3);
            let ended = thread::scope(|scope| {
                let waiting = [0, 1].map(|_| {
                    scope.spawn(move || {
                        let _attendance = barrier.attend();
                        barrier.wait();
                    })
                });
                let panics = scope.spawn(move || {
                    let _attendance = barrier.attend();
                    thread::sleep(std::time::Duration::from_millis(pause));
                    panic!("as intended");
                });
                let first = panics.join().is_err();
                waiting.into_iter().map(|thread| thread.join().is_err()).fold(first, |all, one| all && one)
            });
            assert!(ended);
        }
    }
}
