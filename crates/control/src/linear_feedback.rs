//! The feedback of BCN and AIMD, which the source computes from the offset and the difference:
//!
//! ```text
//! Fb = -(Qoff + w dQ)      clamped to ±(1 + 2w) reference
//! ```
//!
//! This is equation (1) of the SMCC paper. Negative feedback means congestion. Arithmetic is exact: with a
//! weight below one, lengths are counted in units of w bytes.

use core::cmp::Ordering;

use setpoint_units::Bytes;

use crate::Notification;
use crate::parameter::{Percent, Power};
use crate::sampler::held;

/// Feedback as a fraction of its maximum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LinearFeedback {
    direction: Ordering,
    magnitude: u64,
    largest: u64,
}

impl LinearFeedback {
    /// The feedback in a notification. The reference is clamped to between 1 and 2^32 - 1 bytes.
    pub(crate) fn new(notification: &Notification, weight: Power, reference: Bytes) -> Self {
        let (growth, offset) = factors(weight);
        let value = value(notification, weight);
        // This is below 2^32 * (2^11 + 1), and so is the magnitude.
        let largest = u64::from(held(reference).max(1)) * (2 * growth + offset) as u64;
        let magnitude = value.unsigned_abs().min(u128::from(largest)) as u64;
        Self { direction: value.cmp(&0), magnitude, largest }
    }

    /// Less if it requests a decrease, greater if it requests an increase.
    pub(crate) fn direction(self) -> Ordering {
        self.direction
    }

    /// The magnitude of the requested decrease, zero if none is requested.
    pub(crate) fn congestion(self) -> u64 {
        if self.direction == Ordering::Less { self.magnitude } else { 0 }
    }

    /// `whole` at the maximum feedback, proportionally less below it, rounded down.
    pub(crate) fn share_of(self, whole: u64) -> u64 {
        (u128::from(whole) * u128::from(self.magnitude) / u128::from(self.largest)) as u64
    }

    /// A fraction of `whole` at the maximum feedback, proportionally less below it, rounded down once. At most
    /// `whole`.
    pub(crate) fn share_of_part(self, part: Percent, whole: u64) -> u64 {
        let part = u128::from(part.hundredths().min(Percent::WHOLE.hundredths()));
        let all = u128::from(Percent::WHOLE.hundredths()) * u128::from(self.largest);
        // The factors have 64, 44 and 14 bits.
        (u128::from(whole) * u128::from(self.magnitude) * part / all) as u64
    }
}

/// Less if the feedback requests a decrease, greater if it requests an increase.
pub(crate) fn direction(notification: &Notification, weight: Power) -> Ordering {
    value(notification, weight).cmp(&0)
}

/// Equation (1): Fb = -(Qoff + w dQ), where a byte counts as [`factors`]`.1` units. The notification's offset is -Qoff.
fn value(notification: &Notification, weight: Power) -> i128 {
    let (growth, offset) = factors(weight);
    i128::from(notification.queue_offset) * i128::from(offset)
        - i128::from(notification.queue_delta) * i128::from(growth)
}

/// The factors of the difference and of the offset: whole numbers whose ratio is w.
fn factors(weight: Power) -> (i64, i64) {
    let scale = |exponent: i8| 1i64 << exponent.clamp(0, MAX_EXPONENT);
    (scale(weight.exponent()), scale(weight.exponent().saturating_neg()))
}

/// The standard's weights range from 2^-10 to 2^10.
const MAX_EXPONENT: i8 = 10;
