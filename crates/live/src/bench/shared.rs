//! State that the threads of a measurement share while it runs.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use setpoint_units::{Time, TimeDelta};

use crate::sys::{Clock, thread_time};

/// The EtherType for experiments (IEEE 802), so that no other frames are counted.
const EXPERIMENT: [u8; 2] = [0x88, 0xb5];

/// Counters that one thread writes and another reads.
pub(super) struct Shared {
    pub(super) clock: Clock,
    /// The measurement has ended.
    pub(super) stop: AtomicBool,
    /// The path from the generator to the sink works.
    pub(super) met: AtomicBool,
    /// Frames that reached the sink, including those that its socket had no room for.
    pub(super) received: AtomicU64,
    last_arrival: AtomicU64,
    pub(super) sink_time: Spent,
    pub(super) bridge_time: Spent,
}

impl Shared {
    pub(super) fn new() -> Self {
        Self {
            clock: Clock::start(),
            stop: AtomicBool::new(false),
            met: AtomicBool::new(false),
            received: AtomicU64::new(0),
            last_arrival: AtomicU64::new(0),
            sink_time: Spent::default(),
            bridge_time: Spent::default(),
        }
    }

    pub(super) fn has_ended(&self) -> bool {
        self.stop.load(Ordering::SeqCst)
    }

    /// Counts frames that have reached the sink now.
    pub(super) fn arrived(&self, frames: u64) {
        self.last_arrival.store(self.clock.now().as_picos(), Ordering::SeqCst);
        self.received.fetch_add(frames, Ordering::SeqCst);
    }

    pub(super) fn last_arrival(&self) -> Time {
        Time::from_picos(self.last_arrival.load(Ordering::SeqCst))
    }
}

/// The CPU time of a thread, as last recorded.
#[derive(Default)]
pub(super) struct Spent(AtomicU64);

impl Spent {
    /// Records the CPU time of the calling thread.
    pub(super) fn tell(&self) {
        self.0.store(thread_time().as_picos(), Ordering::SeqCst);
    }

    pub(super) fn get(&self) -> TimeDelta {
        TimeDelta::from_picos(self.0.load(Ordering::SeqCst))
    }
}

/// A frame of the measurement without payload.
pub(super) fn header(destination: [u8; 6], source: [u8; 6]) -> Vec<u8> {
    [&destination[..], &source, &EXPERIMENT].concat()
}

/// Whether a frame belongs to the measurement.
pub(super) fn is_ours(octets: &[u8]) -> bool {
    octets.get(12..14) == Some(&EXPERIMENT[..])
}
