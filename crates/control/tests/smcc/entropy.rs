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

/// For what must not draw.
pub(crate) struct Forbidden;

impl Entropy for Forbidden {
    fn next_u32(&mut self) -> u32 {
        panic!("entropy was drawn where none is needed")
    }
}
