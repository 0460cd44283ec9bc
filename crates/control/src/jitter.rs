//! Random spread of intervals, so that points that started together do not stay in step.

use crate::Entropy;
use crate::parameter::Percent;

/// `interval` times a uniform factor between `1 - spread` and `1 + spread`.
///
/// The result is a uniform **integer** in `interval - h ..= interval + h`, where h is the spread times the interval,
/// rounded down. Its resolution is limited by the 32 random bits. Without a spread no entropy is drawn.
pub(crate) fn jittered(interval: u64, spread: Percent, entropy: &mut dyn Entropy) -> u64 {
    if spread == Percent::ZERO {
        return interval;
    }
    let half = spread.of(interval);
    let outcomes = 2 * u128::from(half) + 1;
    let drawn = (outcomes * u128::from(entropy.next_u32())) >> 32;
    interval - half + drawn as u64
}
