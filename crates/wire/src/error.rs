//! The reason why a frame cannot be parsed or encoded.

use core::fmt;

/// The reason why a frame cannot be parsed or encoded.
///
/// ```
/// use setpoint_wire::{Conventions, Frame};
///
/// let error = Frame::parse(&[0; 13], &Conventions::default()).unwrap_err();
/// assert_eq!(error.to_string(), "the frame ends in its EtherType: 2 octets are needed, 1 is left");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the messages show the fields")]
pub enum WireError {
    /// The frame ends within a field.
    Truncated { field: &'static str, needed: usize, left: usize },
    /// A field has a value that its format does not allow.
    Invalid { field: &'static str, value: u64, expected: &'static str },
    /// The frame does not fit into the buffer.
    NoRoom { field: &'static str },
    /// A checksum does not match the octets that it protects.
    Corrupt { field: &'static str, found: u32, computed: u32 },
}

impl fmt::Display for WireError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Truncated { field, needed, left } => {
                let (octets, are) = (plural(*needed), if *left == 1 { "is" } else { "are" });
                write!(f, "the frame ends in its {field}: {needed} {octets} needed, {left} {are} left")
            }
            Self::Invalid { field, value, expected } => {
                write!(f, "{field} is {value}, but must be {expected}")
            }
            Self::NoRoom { field } => write!(f, "the buffer has no room for the frame's {field}"),
            Self::Corrupt { field, found, computed } => {
                write!(f, "{field} is 0x{found:x}, but the octets of the frame give 0x{computed:x}")
            }
        }
    }
}

fn plural(octets: usize) -> &'static str {
    if octets == 1 { "octet is" } else { "octets are" }
}

impl core::error::Error for WireError {}
