//! Sources of random numbers for the tests of all algorithms.

#![allow(dead_code, clippy::allow_attributes, reason = "each test program uses only a part of this file")]

use setpoint_control::Entropy;

/// Marsaglia's xorshift64*, from a fixed seed.
pub(crate) struct Xorshift(pub(crate) u64);

impl Default for Xorshift {
    fn default() -> Self {
        Self(0x9E37_79B9_7F4A_7C15)
    }
}

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

/// For code that must not draw random numbers.
pub(crate) struct Forbidden;

impl Entropy for Forbidden {
    fn next_u32(&mut self) -> u32 {
        panic!("a random number was drawn although none is needed")
    }
}
