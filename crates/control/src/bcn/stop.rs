//! The length of a stop.
//!
//! A stop lasts a uniform random time up to Tmax, so that sources stopped together do not resume together. Each further
//! stop before a positive notification doubles the range, up to a bound. The back-off itself is described from memory
//! (unverified); when it ends and how far it grows are our own choice.

use setpoint_units::TimeDelta;

use super::params::RpParams;
use crate::Entropy;

/// The number of times that the range of the next stop has been doubled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct BackOff(u8);

impl BackOff {
    /// Draws the length of a stop, from one picosecond to the whole range, and doubles the range of the next one.
    pub(super) fn draw(&mut self, params: &RpParams, entropy: &mut dyn Entropy) -> TimeDelta {
        let bound = params.back_off.exponent().clamp(0, MOST_DOUBLINGS) as u8;
        let doublings = self.0.min(bound);
        let range = u128::from(params.stop_time.as_picos()) << doublings;
        let drawn = ((range * u128::from(entropy.next_u32())) >> 32) + 1;
        self.0 = (doublings + 1).min(bound);
        TimeDelta::from_picos(u64::try_from(drawn).unwrap_or(u64::MAX))
    }

    /// Ends the back-off.
    pub(super) fn reset(&mut self) {
        self.0 = 0;
    }

    pub(super) fn doublings(self) -> u8 {
        self.0
    }
}

/// Keeps the range from overflowing.
const MOST_DOUBLINGS: i8 = 30;
