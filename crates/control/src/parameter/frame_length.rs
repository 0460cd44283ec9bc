//! Frame lengths, in two bytes.

use setpoint_units::Bytes;

use super::{ParameterType, Range, Unit, Value};

/// The length of a frame: at most 65 535 bytes. In scenarios it is a size like any other.
// Small, so that a QCN congestion point with its parameters fits a cache line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FrameLength(u16);

impl FrameLength {
    /// The given number of bytes.
    pub const fn new(bytes: u16) -> Self {
        Self(bytes)
    }

    /// The length.
    pub const fn bytes(self) -> Bytes {
        Bytes::new(self.0 as u64)
    }
}

/// Lengths above zero.
pub(crate) const FRAME_LENGTHS: Range =
    Range::Between(Value::Size(FrameLength(1).bytes()), Value::Size(FrameLength(u16::MAX).bytes()));

impl ParameterType for FrameLength {
    const UNIT: Unit = Unit::Size;

    fn to_value(self) -> Value {
        Value::Size(self.bytes())
    }

    fn from_value(value: Value) -> Option<Self> {
        match value {
            Value::Size(size) => u16::try_from(size.get()).ok().map(Self),
            _ => None,
        }
    }
}
