//! Sources of randomness for tests.

use setpoint_control::Entropy;

/// Marsaglia's xorshift64*.
pub(crate) struct Xorshift(pub(crate) u64);

impl Entropy for Xorshift {
    fn next_u32(&mut self) -> u32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 32) as u32
    }
}

/// Always the same number: 0 gives the shortest intervals, `u32::MAX` the longest.
pub(crate) struct Constant(pub(crate) u32);

impl Entropy for Constant {
    fn next_u32(&mut self) -> u32 {
        self.0
    }
}
