//! Random decisions with a given probability.

use crate::Entropy;
use crate::parameter::Percent;

/// Returns true with the given probability: if a random 32-bit number is below 2^32 times the probability.
pub(crate) fn toss(probability: Percent, entropy: &mut dyn Entropy) -> bool {
    let chance = u64::from(probability.hundredths()) << 32;
    u64::from(entropy.next_u32()) * u64::from(Percent::WHOLE.hundredths()) < chance
}
