//! The scheduling of threads.
#![expect(unsafe_code, reason = "the scheduling policy is not in rustix")]

use std::time::{Duration, Instant};

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use rustix::time::{ClockId, clock_gettime};
use setpoint_units::TimeDelta;

/// A core of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Core {
    /// The first core that this program may use.
    First,
    /// The second core that this program may use.
    Second,
}

/// Keeps the calling thread on one core. Returns whether the kernel allows it; a program that may use only one core has no
/// second one.
pub fn pin(core: Core) -> bool {
    let Ok(allowed) = sched_getaffinity(None) else { return false };
    let number = match core {
        Core::First => 0,
        Core::Second => 1,
    };
    let Some(core) = (0..CpuSet::MAX_CPU).filter(|&core| allowed.is_set(core)).nth(number) else {
        return false;
    };
    let mut only = CpuSet::new();
    only.set(core);
    sched_setaffinity(None, &only).is_ok()
}

/// The time that the calling thread has spent on a core, in this program and in the kernel. Unless the kernel accounts for
/// interrupts separately, this includes the time taken to carry a frame through a virtual link, which is charged to the
/// sender.
pub fn thread_time() -> TimeDelta {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    TimeDelta::from_secs(time.tv_sec as u64) + TimeDelta::from_nanos(time.tv_nsec as u64)
}

/// Measures the time that a thread waits for a core after [`CoreWait::start`].
#[derive(Clone, Copy, Debug)]
pub struct CoreWait {
    began: Instant,
    /// `None` if the kernel does not record it.
    before: Option<Duration>,
}

impl CoreWait {
    /// Begins to observe the calling thread.
    pub fn start() -> Self {
        Self { began: Instant::now(), before: waited() }
    }

    /// The share of the time since the start during which the calling thread was ready to run, but had no core.
    pub fn share(&self) -> Option<f64> {
        let waited = waited()?.saturating_sub(self.before?);
        Some(waited.as_secs_f64() / self.began.elapsed().as_secs_f64().max(1e-9))
    }
}

/// The second number of `/proc/thread-self/schedstat`: nanoseconds spent in the run queue of a core (`sched-stats` in
/// the kernel's documentation).
fn waited() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().nth(1)?.parse().ok().map(Duration::from_nanos)
}

/// The urgency of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Urgency {
    /// A node among others on this machine.
    Node,
    /// The node through which all others communicate.
    Hub,
}

/// Gives the calling thread priority over all ordinary threads, so that frames and timers do not wait for other
/// programs. Returns whether the kernel allows it; it needs CAP_SYS_NICE.
pub fn make_urgent(urgency: Urgency) -> bool {
    let sched_priority = match urgency {
        Urgency::Node => 10,
        Urgency::Hub => 20,
    };
    let parameters = libc::sched_param { sched_priority };
    // SAFETY: the structure outlives the call, and 0 means the calling thread.
    unsafe {
        libc::sched_setscheduler(0, libc::SCHED_FIFO | libc::SCHED_RESET_ON_FORK, &raw const parameters) == 0
    }
}
