//! Waiting for frames or for an instant.
//!
//! The timeouts of `epoll_pwait2` and `ppoll` are late by the thread's timer slack (50 µs) or by a thousandth of the timeout,
//! whichever is more. A `timerfd` has no slack, so the poller waits on one.

use std::fmt;
use std::io;
use std::os::fd::{AsFd, OwnedFd};

use rustix::buffer::spare_capacity;
use rustix::event::{Timespec, epoll};
use rustix::io::Errno;
use rustix::time::{
    Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, timerfd_create, timerfd_settime,
};
use setpoint_units::Time;

use super::Clock;

/// The maximum number of events that one system call returns.
const EVENTS: usize = 64;
/// The value that identifies the timer among the events.
const TIMER: u64 = u64::MAX;
const ZERO: Timespec = Timespec { tv_sec: 0, tv_nsec: 0 };

/// The caller's identifier for a socket.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Token(pub u32);

/// Waits until a socket can be read or until an instant of a [`Clock`].
pub struct Poller {
    epoll: OwnedFd,
    timer: OwnedFd,
    clock: Clock,
    /// The instant for which the timer is set.
    armed: Option<Time>,
    events: Vec<epoll::Event>,
}

impl Poller {
    /// A poller without sockets.
    ///
    /// # Errors
    /// Returns an error if the process has too many open files.
    pub fn new(clock: Clock) -> io::Result<Self> {
        let epoll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        let timer =
            timerfd_create(TimerfdClockId::Monotonic, TimerfdFlags::CLOEXEC | TimerfdFlags::NONBLOCK)?;
        epoll::add(&epoll, &timer, epoll::EventData::new_u64(TIMER), epoll::EventFlags::IN)?;
        Ok(Self { epoll, timer, clock, armed: None, events: Vec::with_capacity(EVENTS) })
    }

    /// Adds a socket. Closing the socket removes it.
    ///
    /// # Errors
    /// Returns an error if the socket has been added before.
    pub fn add(&mut self, socket: impl AsFd, token: Token) -> io::Result<()> {
        let data = epoll::EventData::new_u64(token.0.into());
        Ok(epoll::add(&self.epoll, socket, data, epoll::EventFlags::IN)?)
    }

    /// Waits until a socket can be read, or until the given instant; without an instant, the wait is unlimited. Writes
    /// the sockets that can be read to `ready`, including sockets whose interface went down. At the given instant or
    /// after a signal, `ready` is empty. Returns at once if the instant has passed.
    ///
    /// # Errors
    /// Returns an error if the kernel is out of memory.
    pub fn wait(&mut self, until: Option<Time>, ready: &mut Vec<Token>) -> io::Result<()> {
        // Under load, sockets are usually ready, so setting the timer would be wasted effort.
        self.collect(Patience::None, ready)?;
        if ready.is_empty() && until.is_none_or(|until| self.clock.now() < until) {
            self.arm(until)?;
            self.collect(Patience::Unlimited, ready)?;
        }
        Ok(())
    }

    fn collect(&mut self, patience: Patience, ready: &mut Vec<Token>) -> io::Result<()> {
        self.events.clear();
        let timeout = match patience {
            Patience::None => Some(&ZERO),
            Patience::Unlimited => None,
        };
        match epoll::wait(&self.epoll, spare_capacity(&mut self.events), timeout) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        ready.clear();
        // The timer's value is not a token, because it does not fit into 32 bits.
        let token = |event: &epoll::Event| u32::try_from({ event.data }.u64()).ok().map(Token);
        ready.extend(self.events.iter().filter_map(token));
        Ok(())
    }

    /// Sets or stops the timer. If the timer has expired, this makes it unreadable again.
    fn arm(&mut self, until: Option<Time>) -> io::Result<()> {
        if self.armed != until {
            let it_value = until.map_or(ZERO, |until| self.clock.kernel_time(until));
            let setting = Itimerspec { it_interval: ZERO, it_value };
            timerfd_settime(&self.timer, TimerfdTimerFlags::ABSTIME, &setting)?;
            self.armed = until;
        }
        Ok(())
    }
}

impl fmt::Debug for Poller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Poller").field("armed", &self.armed).finish_non_exhaustive()
    }
}

#[derive(Clone, Copy)]
enum Patience {
    None,
    Unlimited,
}
