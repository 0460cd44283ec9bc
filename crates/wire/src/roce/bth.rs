//! The base transport header (BTH) of InfiniBand.
//!
//! | offset | octets | field |
//! |---|---|---|
//! | 0 | 1 | opcode |
//! | 1 | 1 | solicited event (1 bit), migration state (1 bit), pad count (2 bits), version 0 (4 bits) |
//! | 2 | 2 | partition key |
//! | 4 | 1 | FECN (1 bit), BECN (1 bit), reserved (6 bits) |
//! | 5 | 3 | destination queue pair |
//! | 8 | 1 | acknowledgement request (1 bit), reserved (7 bits) |
//! | 9 | 3 | packet sequence number |
//!
//! Reserved bits are sent as zeros and ignored on receipt.

use super::U24;
use crate::WireError;
use crate::cursor::{Reader, Writer};

/// The length of the header.
pub const LENGTH: usize = 12;

const SOLICITED_EVENT: u8 = 0x80;
const MIGRATED: u8 = 0x40;
const FECN: u8 = 0x80;
const BECN: u8 = 0x40;
const ACKNOWLEDGE_REQUEST: u8 = 0x80;

/// A base transport header. Its opcode and pad count follow from the [`Operation`](super::Operation).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bth {
    /// Whether the receiver should raise an event for the message.
    pub solicited_event: bool,
    /// The migration state (`MigReq`); set while the connection uses its current path.
    pub migrated: bool,
    /// The partition key; [`Bth::DEFAULT_PARTITION`] unless partitions are configured.
    pub partition: u16,
    /// Forward explicit congestion notification. RoCEv2 uses the ECN field of IP instead.
    pub fecn: bool,
    /// Backward explicit congestion notification; set in a CNP.
    pub becn: bool,
    /// The queue pair of the receiver.
    pub queue_pair: U24,
    /// Whether the receiver should acknowledge the packet.
    pub acknowledge_request: bool,
    /// The packet sequence number (PSN).
    pub sequence: U24,
}

/// The parts of a header from which the operation is read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kind {
    pub(super) opcode: u8,
    pub(super) pad: u8,
}

impl Bth {
    /// The partition of which every port is a full member.
    pub const DEFAULT_PARTITION: u16 = 0xffff;

    pub(super) fn read(from: &mut Reader<'_>) -> Result<(Self, Kind), WireError> {
        let opcode = from.octet("BTH opcode")?;
        let flags = from.octet("BTH flags")?;
        check_version(flags & 0x0f)?;
        let partition = from.word("partition key")?;
        let congestion = from.octet("FECN and BECN")?;
        let queue_pair = U24::read("destination queue pair", from)?;
        let request = from.octet("acknowledgement request")?;
        let header = Self {
            solicited_event: flags & SOLICITED_EVENT != 0,
            migrated: flags & MIGRATED != 0,
            partition,
            fecn: congestion & FECN != 0,
            becn: congestion & BECN != 0,
            queue_pair,
            acknowledge_request: request & ACKNOWLEDGE_REQUEST != 0,
            sequence: U24::read("packet sequence number", from)?,
        };
        Ok((header, Kind { opcode, pad: flags >> 4 & 3 }))
    }

    pub(super) fn write(&self, kind: Kind, to: &mut Writer<'_>) -> Result<(), WireError> {
        let flags = bit(self.solicited_event, SOLICITED_EVENT) | bit(self.migrated, MIGRATED);
        to.bytes("BTH opcode", &[kind.opcode, flags | kind.pad << 4])?;
        to.word("partition key", self.partition)?;
        to.bytes("FECN and BECN", &[bit(self.fecn, FECN) | bit(self.becn, BECN)])?;
        self.queue_pair.write("destination queue pair", to)?;
        to.bytes("acknowledgement request", &[bit(self.acknowledge_request, ACKNOWLEDGE_REQUEST)])?;
        self.sequence.write("packet sequence number", to)
    }
}

const fn bit(set: bool, bit: u8) -> u8 {
    if set { bit } else { 0 }
}

fn check_version(version: u8) -> Result<(), WireError> {
    match version {
        0 => Ok(()),
        _ => Err(WireError::Invalid { field: "BTH version", value: version.into(), expected: "0" }),
    }
}
