//! The exact feedback of one sample, and the decisions that depend on it.

use setpoint_units::Bytes;

use super::{CpParams, Quantizer};
use crate::parameter::Percent;
use crate::{Entropy, QuantizedFeedback};

/// The magnitude of Fb, clamped to between 0 and its maximum, and that maximum. Both have the same unit: a byte if the
/// weight is at least one, w bytes if it is less. Only their ratio and their bits matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Feedback {
    magnitude: u64,
    largest: u64,
    /// The number of these units per byte.
    per_byte: u64,
}

impl Feedback {
    pub(super) fn new(params: &CpParams, queue: Bytes, old_queue: Bytes) -> Self {
        let [queue, old_queue, set_point] =
            [queue, old_queue, params.set_point].map(|length| length.get() as i64);
        Self::of(params, queue - set_point, queue - old_queue)
    }

    /// Computes the feedback from the queue's distance from the set point and its growth, both in bytes: equation
    /// (1) of the AF-QCN and SMCC papers, Fb = Qoff + w Qdelta (in the SMCC paper with the opposite sign).
    pub(super) fn of(params: &CpParams, offset: i64, grown: i64) -> Self {
        let exponent = params.weight.exponent();
        let scale = |exponent: i8| 1i64 << exponent.clamp(0, MAX_EXPONENT);
        // The unit makes both factors whole numbers: w is their ratio.
        let (growth_factor, offset_factor) = (scale(exponent), scale(exponent.saturating_neg()));
        let largest = (params.set_point.get() as i64).saturating_mul(2 * growth_factor + offset_factor);
        let grown = grown.saturating_mul(growth_factor);
        let magnitude = offset.saturating_mul(offset_factor).saturating_add(grown);
        Self {
            magnitude: magnitude.clamp(0, largest) as u64,
            largest: largest as u64,
            per_byte: offset_factor as u64,
        }
    }

    pub(super) fn quantized(self, params: &CpParams) -> QuantizedFeedback {
        let steps = |count: u64| self.magnitude.saturating_mul(count) / self.largest.max(1);
        let parts = u64::from(QuantizedFeedback::PARTS);
        QuantizedFeedback::saturating(match params.quantizer {
            // G_d |Fb_max| = 1/2 (SMCC paper, section 2.2), and G_d is 1/128: the maximum is 64 steps.
            Quantizer::Fine => return QuantizedFeedback::from_parts(steps(64 * parts)),
            Quantizer::Standard => steps(63),
            Quantizer::SixtyFourSteps => steps(64),
            Quantizer::TopBits => self.magnitude >> bit_width(self.largest).saturating_sub(6),
            Quantizer::Units => self.magnitude / (self.per_byte * params.feedback_unit.bytes().get().max(1)),
        })
    }

    /// Decides whether to sample a frame. The probability Phi(|Fb|) is linear between two values. The
    /// comparison uses whole numbers, without a division.
    pub(super) fn linear_coin(self, params: &CpParams, entropy: &mut dyn Entropy) -> bool {
        let (chance, whole) = self.linear_chance(params);
        u128::from(entropy.next_u32()) * whole < chance << 32
    }

    /// The number of bytes in which one sample is expected if every full-length frame is sampled with
    /// probability Phi(|Fb|), rounded down.
    pub(super) fn linear_interval(self, params: &CpParams) -> u64 {
        let (chance, whole) = self.linear_chance(params);
        (FULL_FRAME * whole / chance.max(1)).min(u32::MAX.into()) as u64
    }

    /// Phi(|Fb|) as a fraction.
    fn linear_chance(self, params: &CpParams) -> (u128, u128) {
        let (magnitude, largest) = (u128::from(self.magnitude), u128::from(self.largest));
        let lowest = u128::from(params.lowest_probability.hundredths());
        let highest = u128::from(params.highest_probability.hundredths());
        let chance = lowest * (largest - magnitude) + highest * magnitude;
        (chance, u128::from(Percent::WHOLE.hundredths()) * largest)
    }
}

/// The standard's weights range from 2^-10 to 2^10; larger ones could overflow.
const MAX_EXPONENT: i8 = 10;

/// A frame of full length, in bytes.
const FULL_FRAME: u128 = 1_500;

fn bit_width(value: u64) -> u32 {
    u64::BITS - value.leading_zeros()
}
