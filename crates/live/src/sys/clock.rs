//! The monotonic clock.

use rustix::time::{ClockId, Timespec, clock_gettime};
use setpoint_units::Time;

const NANOS_PER_SECOND: u64 = 1_000_000_000;

/// Monotonic time since the clock was started. Copies show the same time.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    /// The kernel's `CLOCK_MONOTONIC` at the start, in nanoseconds.
    origin: u64,
}

impl Clock {
    /// A clock that shows zero now.
    pub fn start() -> Self {
        Self { origin: monotonic_nanos() }
    }

    /// The current time. After 213 days, it stays at [`Time::MAX`].
    pub fn now(&self) -> Time {
        Time::from_picos((monotonic_nanos() - self.origin).saturating_mul(1_000))
    }

    /// An instant as the kernel's monotonic time, rounded **up** to the nanosecond: a timer is never early.
    pub(super) fn kernel_time(&self, instant: Time) -> Timespec {
        let nanos = self.origin + instant.as_picos().div_ceil(1_000);
        Timespec { tv_sec: (nanos / NANOS_PER_SECOND) as _, tv_nsec: (nanos % NANOS_PER_SECOND) as _ }
    }
}

fn monotonic_nanos() -> u64 {
    let Timespec { tv_sec, tv_nsec } = clock_gettime(ClockId::Monotonic);
    tv_sec as u64 * NANOS_PER_SECOND + tv_nsec as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernel_time_is_rounded_up() {
        let clock = Clock { origin: 2 * NANOS_PER_SECOND - 1 };
        let time = |picos| clock.kernel_time(Time::from_picos(picos));
        assert_eq!((time(0).tv_sec, time(0).tv_nsec), (1, 999_999_999));
        assert_eq!((time(1).tv_sec, time(1).tv_nsec), (2, 0));
        assert_eq!((time(1_001).tv_sec, time(1_001).tv_nsec), (2, 1));
    }
}
