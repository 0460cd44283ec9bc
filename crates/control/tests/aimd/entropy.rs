//! Sources of randomness for tests.

use setpoint_control::Entropy;

/// For what must not draw.
pub(crate) struct Forbidden;

impl Entropy for Forbidden {
    fn next_u32(&mut self) -> u32 {
        panic!("entropy was drawn where none is needed")
    }
}
