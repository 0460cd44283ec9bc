//! Parameters without a model.

use setpoint_units::{Bytes, TimeDelta};

/// Parameters that a model does not support.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The byte counter is off: only the timer raises rates, and the equations have no timer.
    #[error("`rp.byte_counter` is off, but in the fluid model only the byte counter raises rates")]
    NoByteCounter,
    /// Reaction points are disabled.
    #[error("`rp.enable` is off, so nothing reacts")]
    Disabled,
    /// Every frame is sampled, so no recovery cycle ever passes without a notification.
    #[error("every frame is sampled, so no recovery cycle ever passes without a notification")]
    EveryFrame,
    /// A length used as a divisor is zero.
    #[error("`{0}` is zero; it must be positive")]
    Zero(&'static str),
    /// A gain of a proportional-integral controller is not positive and finite.
    #[error("`{0}` must be positive and finite")]
    Gain(&'static str),
    /// The marking thresholds are in the wrong order.
    #[error("`kmin` is {kmin}, and must be at most `kmax`, {kmax}")]
    Thresholds {
        /// Kmin.
        kmin: Bytes,
        /// Kmax.
        kmax: Bytes,
    },
    /// The delay thresholds are in the wrong order.
    #[error("`low` is {low}, and must be at most `high`, {high}")]
    Delays {
        /// T_low.
        low: TimeDelta,
        /// T_high.
        high: TimeDelta,
    },
}
