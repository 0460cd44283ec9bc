//! Access to the current and the delayed state.

use crate::dde::Moment;

/// A time before now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lag {
    /// Now.
    None,
    /// One of the plant's delays.
    Delay(usize),
}

/// Reads the state now or at an earlier time.
#[derive(Clone, Copy)]
pub(super) struct Reader<'a> {
    moment: &'a Moment<'a>,
    lag: Lag,
    time: f64,
}

impl<'a> Reader<'a> {
    /// Reads the state as it was the given number of seconds earlier.
    pub(super) fn new(moment: &'a Moment<'a>, lag: Lag, seconds: f64) -> Self {
        Self { moment, lag, time: moment.time - seconds }
    }

    pub(super) fn component(&self, index: usize) -> f64 {
        match self.lag {
            Lag::None => self.moment.state[index],
            Lag::Delay(delay) => self.moment.delayed(delay, index),
        }
    }

    /// A component the given number of seconds before this time.
    pub(super) fn ago(&self, seconds: f64, component: usize) -> f64 {
        self.moment.ago(seconds + (self.moment.time - self.time), component)
    }

    pub(super) fn time(&self) -> f64 {
        self.time
    }
}
