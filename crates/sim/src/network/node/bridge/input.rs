//! The state of inputs under flow control.

use setpoint_units::TimeDelta;

use crate::index::PortNo;
use crate::lossless::LinkBudget;

/// The state of an input: the bytes that a bridge holds from one link.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::network) struct Input {
    pub(super) held: [u64; 8],
    /// The maximum number of bytes that one counter may reach.
    pub(super) room: u64,
    /// Classes that the input has paused.
    pub(super) asked: u8,
    /// Classes whose new state has not been sent yet.
    pub(super) unsent: u8,
    pub(super) refresh_armed: bool,
    /// The time from one pause frame to the next.
    pub(super) refresh_after: TimeDelta,
    /// The largest value of any counter above XOFF.
    pub(super) peak: u64,
}

impl Input {
    /// An input with the buffer space given by its link's budget.
    pub(in crate::network) fn new(budget: &LinkBudget) -> Self {
        Self { room: budget.room().get(), refresh_after: budget.renewal.after, ..Self::default() }
    }

    /// The bytes that the bridge holds from this input, by counter.
    pub(in crate::network) fn held(&self) -> &[u64; 8] {
        &self.held
    }

    /// The classes that it has paused.
    pub(in crate::network) fn asked(&self) -> u8 {
        self.asked
    }

    /// Counts a frame that has departed, if its sender is not paused.
    #[inline]
    pub(super) fn depart(&mut self, counter: usize, bytes: u16) {
        self.held[counter] -= u64::from(bytes);
    }

    /// The largest value of any counter above XOFF.
    pub(in crate::network) fn peak(&self) -> u64 {
        self.peak
    }
}

/// A counter of an input.
#[derive(Clone, Copy, Debug)]
pub(super) struct Account {
    pub(super) input: PortNo,
    pub(super) counter: usize,
}
