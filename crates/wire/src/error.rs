//! Why a frame cannot be parsed or encoded.

use core::fmt;

/// Why a frame cannot be parsed or encoded.
///
/// ```
/// use setpoint_wire::{Conventions, Frame};
///
/// let error = Frame::parse(&[0; 13], &Conventions::default()).unwrap_err();
/// assert_eq!(error.to_string(), "the frame ends in its EtherType: 2 octets are needed, 1 is left");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WireError {
    /// The frame ends within a field.
    Truncated {
        /// The field.
        field: &'static str,
        /// Its length in octets.
        needed: usize,
        /// The number of octets that are left.
        left: usize,
    },
    /// A field has a value that its format does not allow.
    Invalid {
        /// The field.
        field: &'static str,
        /// Its value.
        value: u64,
        /// The values that are allowed.
        expected: &'static str,
    },
    /// The frame does not fit into the buffer.
    NoRoom {
        /// The field that did not fit.
        field: &'static str,
    },
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
        }
    }
}

fn plural(octets: usize) -> &'static str {
    if octets == 1 { "octet is" } else { "octets are" }
}

impl core::error::Error for WireError {}
