//! Extended transport headers, which follow the base transport header.
//!
//! | header | octets | fields |
//! |---|---|---|
//! | RETH | 16 | virtual address (8), key (4), length of the message (4) |
//! | AETH | 4 | syndrome (1), message sequence number (3) |

use super::U24;
use crate::WireError;
use crate::cursor::{Reader, Writer};

/// The RDMA extended transport header (RETH): the memory that an RDMA WRITE changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reth {
    /// The virtual address at the receiver.
    pub address: u64,
    /// The key that authorises access to the memory (`R_Key`).
    pub key: u32,
    /// The length of the whole message, in octets.
    pub length: u32,
}

/// The acknowledgement extended transport header (AETH).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aeth {
    /// The kind of acknowledgement.
    pub syndrome: Syndrome,
    /// The number of messages that the receiver has completed (MSN).
    pub messages: U24,
}

/// The kind of an acknowledgement: a positive one with credits (000 and 5 bits), a request to retry later (001 and a
/// timer), or a negative one (011 and a code).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Syndrome(pub u8);

impl Syndrome {
    /// A positive acknowledgement without a limit on the number of outstanding messages.
    pub const ACK: Self = Self(0x1f);
    /// A negative acknowledgement of a gap in the packet sequence numbers.
    pub const SEQUENCE_ERROR: Self = Self(0x60);

    /// Whether the acknowledgement is positive.
    pub const fn is_positive(self) -> bool {
        self.0 >> 5 == 0
    }
}

impl Reth {
    pub(super) const LENGTH: usize = 16;

    pub(super) fn read(from: &mut Reader<'_>) -> Result<Self, WireError> {
        Ok(Self {
            address: from.array("RETH address").map(u64::from_be_bytes)?,
            key: from.array("RETH key").map(u32::from_be_bytes)?,
            length: from.array("RETH length").map(u32::from_be_bytes)?,
        })
    }

    pub(super) fn write(&self, to: &mut Writer<'_>) -> Result<(), WireError> {
        to.bytes("RETH address", &self.address.to_be_bytes())?;
        to.bytes("RETH key", &self.key.to_be_bytes())?;
        to.bytes("RETH length", &self.length.to_be_bytes())
    }
}

impl Aeth {
    pub(super) const LENGTH: usize = 4;

    pub(super) fn read(from: &mut Reader<'_>) -> Result<Self, WireError> {
        let syndrome = Syndrome(from.octet("AETH syndrome")?);
        Ok(Self { syndrome, messages: U24::read("message sequence number", from)? })
    }

    pub(super) fn write(&self, to: &mut Writer<'_>) -> Result<(), WireError> {
        to.bytes("AETH syndrome", &[self.syndrome.0])?;
        self.messages.write("message sequence number", to)
    }
}
