//! Congestion feedback as carried in a notification.

/// Congestion feedback: 0 (none) to 63 (strongest) in the six bits of a notification frame, or in parts of such a step
/// where the algorithm does not round to six bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct QuantizedFeedback(u16);

impl QuantizedFeedback {
    /// The strongest feedback in six bits.
    pub const MAX: Self = Self::saturating(63);

    /// The number of parts into which fine feedback divides a step.
    pub const PARTS: u16 = 256;

    /// The strongest fine feedback: 64 steps.
    const MOST_PARTS: u64 = 64 * Self::PARTS as u64;

    /// Feedback in whole steps, clamped to 63.
    pub const fn saturating(value: u64) -> Self {
        Self((if value > 63 { 63 } else { value as u16 }) * Self::PARTS)
    }

    /// Fine feedback in parts of a step, clamped to 64 steps.
    pub const fn from_parts(parts: u64) -> Self {
        Self((if parts > Self::MOST_PARTS { Self::MOST_PARTS } else { parts }) as u16)
    }

    /// The six bits: the whole steps, at most 63.
    pub const fn get(self) -> u8 {
        let steps = self.0 / Self::PARTS;
        if steps > 63 { 63 } else { steps as u8 }
    }

    /// The feedback in parts of a step.
    pub const fn parts(self) -> u16 {
        self.0
    }

    /// Whether the feedback is zero.
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// Whether six bits represent the feedback exactly.
    pub const fn fits_six_bits(self) -> bool {
        self.0 == self.get() as u16 * Self::PARTS
    }
}
