//! Numbers of 24 bits.

use core::fmt;

use crate::WireError;
use crate::cursor::{Reader, Writer};

const MAX: u32 = 0x00ff_ffff;

/// A number of 24 bits: a queue pair, a packet sequence number or a message sequence number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct U24(u32);

impl U24 {
    /// The given number.
    ///
    /// # Errors
    /// If the number has more than 24 bits.
    pub const fn new(number: u32) -> Result<Self, WireError> {
        if number <= MAX {
            return Ok(Self(number));
        }
        Err(WireError::Invalid {
            field: "number",
            value: number as u64,
            expected: "at most 16777215 (24 bits)",
        })
    }

    /// The lower 24 bits of a number, such as a count of packets.
    pub const fn wrapping(number: u64) -> Self {
        Self(number as u32 & MAX)
    }

    /// Its value.
    pub const fn get(self) -> u32 {
        self.0
    }

    pub(super) fn read(field: &'static str, from: &mut Reader<'_>) -> Result<Self, WireError> {
        let [a, b, c] = from.array(field)?;
        Ok(Self(u32::from_be_bytes([0, a, b, c])))
    }

    pub(super) fn write(self, field: &'static str, to: &mut Writer<'_>) -> Result<(), WireError> {
        let [_, octets @ ..] = self.0.to_be_bytes();
        to.bytes(field, &octets)
    }
}

impl fmt::Display for U24 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
