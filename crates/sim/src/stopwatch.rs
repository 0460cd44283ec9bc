//! The time that parts of a run take, by which work is divided among threads. It does not affect results.

use std::time::Duration;
#[cfg(not(target_family = "wasm"))]
use std::time::Instant;

/// A running stopwatch. In a browser, where a run has a single thread and the standard library has no clock, it always shows
/// zero.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopwatch {
    #[cfg(not(target_family = "wasm"))]
    began: Instant,
}

impl Stopwatch {
    pub(crate) fn start() -> Self {
        Self {
            #[cfg(not(target_family = "wasm"))]
            began: Instant::now(),
        }
    }

    /// The time since it was started.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    /// The time since it was started.
    #[cfg(target_family = "wasm")]
    pub(crate) fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}
