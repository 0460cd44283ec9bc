//! The feedback of BCN and its like, computed by the source from offset and difference:
//!
//! ```text
//! Fb = -(Qoff + w dQ)      held within -(1 + 2w) reference and (1 + 2w) reference
//! ```
//!
//! This is equation (1) of the SMCC paper, of either sign; negative is congestion. Arithmetic is exact: with a
//! weight below one, lengths are counted in units of w bytes.

use core::cmp::Ordering;

use setpoint_units::Bytes;

use crate::Notification;
use crate::parameter::{Percent, Power};
use crate::sampler::held;

/// A feedback as a share of the largest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LinearFeedback {
    direction: Ordering,
    magnitude: u64,
    largest: u64,
}

impl LinearFeedback {
    /// The feedback in what was heard. The reference is held within 1 and 2^32 - 1 bytes.
    pub(crate) fn new(notification: &Notification, weight: Power, reference: Bytes) -> Self {
        let (growth, offset) = factors(weight);
        let value = value(notification, weight);
        // Below 2^32 * (2^11 + 1), and so is the magnitude.
        let largest = u64::from(held(reference).max(1)) * (2 * growth + offset) as u64;
        let magnitude = value.unsigned_abs().min(u128::from(largest)) as u64;
        Self { direction: value.cmp(&0), magnitude, largest }
    }

    /// Less where it asks for less, greater where it asks for more.
    pub(crate) fn direction(self) -> Ordering {
        self.direction
    }

    /// How much less it asks for, zero if it does not: the larger, the more, up to the largest feedback.
    pub(crate) fn congestion(self) -> u64 {
        if self.direction == Ordering::Less { self.magnitude } else { 0 }
    }

    /// `whole` at the largest feedback and in proportion below, rounded down.
    pub(crate) fn share_of(self, whole: u64) -> u64 {
        (u128::from(whole) * u128::from(self.magnitude) / u128::from(self.largest)) as u64
    }

    /// A part of `whole` at the largest feedback and in proportion below, rounded down once. At most `whole`.
    pub(crate) fn share_of_part(self, part: Percent, whole: u64) -> u64 {
        let part = u128::from(part.hundredths().min(Percent::WHOLE.hundredths()));
        let all = u128::from(Percent::WHOLE.hundredths()) * u128::from(self.largest);
        // 64 bits by 44 by 14.
        (u128::from(whole) * u128::from(self.magnitude) * part / all) as u64
    }
}

/// Less where the feedback asks for less, greater where it asks for more.
pub(crate) fn direction(notification: &Notification, weight: Power) -> Ordering {
    value(notification, weight).cmp(&0)
}

/// Equation (1): Fb = -(Qoff + w dQ), in units of which a byte has [`factors`]`.1`. The notification's offset is -Qoff.
fn value(notification: &Notification, weight: Power) -> i128 {
    let (growth, offset) = factors(weight);
    i128::from(notification.queue_offset) * i128::from(offset)
        - i128::from(notification.queue_delta) * i128::from(growth)
}

/// Whole numbers whose ratio is w: that of the difference and that of the offset.
fn factors(weight: Power) -> (i64, i64) {
    let scale = |exponent: i8| 1i64 << exponent.clamp(0, MAX_EXPONENT);
    (scale(weight.exponent()), scale(weight.exponent().saturating_neg()))
}

/// The standard's weights go from 2^-10 to 2^10.
const MAX_EXPONENT: i8 = 10;
