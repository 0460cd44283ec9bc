//! The scheduling of threads.
#![expect(unsafe_code, reason = "scheduling is not in rustix")]

/// How urgent a thread is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Urgency {
    /// A node among others on this machine.
    Node,
    /// The node through which all others communicate.
    Hub,
}

/// Lets the calling thread run before all ordinary threads whenever it has something to do, so that frames and timers do
/// not wait for other programs. Returns whether the kernel allows it; it needs CAP_SYS_NICE.
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
