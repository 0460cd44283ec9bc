//! Congestion notification messages (IEEE 802.1Qau).
//!
//! | offset | octets | field |
//! |---|---|---|
//! | 0 | 2 | version 0 (4 bits), reserved (6 bits), quantised feedback (6 bits) |
//! | 2 | 8 | identifier of the congestion point |
//! | 10 | 2 | queue offset |
//! | 12 | 2 | queue delta |
//! | 14 | 2 | priority of the sampled frame |
//! | 16 | 6 | destination address of the sampled frame |
//! | 22 | 2 | number of octets of the sampled frame that follow |
//! | 24 | 0–64 | beginning of the sampled frame, from its EtherType onwards |
//!
//! Public descriptions disagree on the sign and the unit of the queue fields and on the position of the priority.
//! [`Conventions`] selects them.

use crate::cursor::{Reader, Writer};
use crate::{MacAddress, Priority, WireError};

/// The maximum number of octets of the sampled frame that a message carries.
pub const MAX_SAMPLE: usize = 64;
/// The length of a message without the sampled frame.
pub const FIXED: usize = 24;
/// The largest feedback.
pub const MAX_FEEDBACK: u8 = 63;

/// A congestion notification message, without its Ethernet header.
///
/// ```
/// use setpoint_wire::{Cnm, Priority};
///
/// // A queue of 52 kB at a set point of 26 kB, as long as at the last sample.
/// let cnm = Cnm {
///     feedback: 12,
///     congestion_point: *b"\x02\x00\x00\x00\x00\x01\x00\x03",
///     queue_offset: -26_000,
///     queue_delta: 0,
///     priority: Priority::new(3).unwrap(),
///     destination: "02:00:00:00:00:14".parse().unwrap(),
///     sample: &[],
/// };
/// assert!(cnm.queue_offset < 0, "congested");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cnm<'a> {
    /// The quantised feedback, from 0 to 63.
    pub feedback: u8,
    /// The identifier of the congestion point.
    pub congestion_point: [u8; 8],
    /// Set point minus queue length in octets: negative when congested. On the wire, it has the unit and the sign
    /// given by the [`Conventions`], is rounded towards zero and saturates.
    pub queue_offset: i64,
    /// Queue length minus the previous queue length, in octets. It is encoded in the same way as the offset.
    pub queue_delta: i64,
    /// The priority of the sampled frame.
    pub priority: Priority,
    /// The destination address of the sampled frame.
    pub destination: MacAddress,
    /// The beginning of the sampled frame, from its EtherType onwards; at most 64 octets.
    pub sample: &'a [u8],
}

/// Details of the message on which public descriptions disagree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Conventions {
    /// The sign of the queue offset.
    pub offset_sign: OffsetSign,
    /// The unit of the queue offset and the queue delta.
    pub queue_unit: QueueUnit,
    /// The position of the sampled frame's priority in its field.
    pub priority_place: PriorityPlace,
}

/// The sign of the queue offset on the wire.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OffsetSign {
    /// Set point minus queue length, negative when congested, as in the pseudo-code and in clause 32 (`cpQOffset`).
    #[default]
    NegativeWhenCongested,
    /// Queue length minus set point, positive when congested, as in the manuals of some switches.
    PositiveWhenCongested,
}

/// The unit of the queue offset and the queue delta on the wire.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum QueueUnit {
    /// 64 octets (clause 33.4, cited from memory; consistent with the alignment of set points in network cards).
    #[default]
    Octets64,
    /// One octet.
    Octet,
}

/// The position of the sampled frame's priority in its field of 16 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PriorityPlace {
    /// In the upper three bits.
    #[default]
    UpperBits,
    /// In the lower three bits, as in the firmware of one network card.
    LowerBits,
}

impl Conventions {
    fn offset_units(&self, octets: i64) -> i16 {
        match self.offset_sign {
            OffsetSign::NegativeWhenCongested => self.units(octets),
            OffsetSign::PositiveWhenCongested => self.units(octets.saturating_neg()),
        }
    }

    fn offset_octets(&self, field: i16) -> i64 {
        match self.offset_sign {
            OffsetSign::NegativeWhenCongested => self.octets(field),
            OffsetSign::PositiveWhenCongested => -self.octets(field),
        }
    }

    fn units(&self, octets: i64) -> i16 {
        let units = octets / self.queue_unit.octets();
        units.clamp(i64::from(i16::MIN), i64::from(i16::MAX)) as i16
    }

    fn octets(&self, field: i16) -> i64 {
        i64::from(field) * self.queue_unit.octets()
    }

    fn priority_field(&self, priority: Priority) -> u16 {
        match self.priority_place {
            PriorityPlace::UpperBits => u16::from(priority.number()) << 13,
            PriorityPlace::LowerBits => u16::from(priority.number()),
        }
    }

    /// The other bits of the field are reserved and ignored.
    fn priority_in(&self, [upper, lower]: [u8; 2]) -> Priority {
        match self.priority_place {
            PriorityPlace::UpperBits => Priority::from_upper_bits(upper),
            PriorityPlace::LowerBits => Priority::from_upper_bits(lower << 5),
        }
    }
}

impl QueueUnit {
    const fn octets(self) -> i64 {
        match self {
            Self::Octets64 => 64,
            Self::Octet => 1,
        }
    }
}

impl<'a> Cnm<'a> {
    /// Length in octets.
    pub const fn length(&self) -> usize {
        FIXED + self.sample.len()
    }

    /// Reads a message. Reserved bits, and octets after the sampled frame, are ignored.
    ///
    /// # Errors
    /// If the message is truncated, if its version is not 0, or if it announces more than 64 octets of the sampled
    /// frame.
    pub(crate) fn read(from: &mut Reader<'a>, conventions: &Conventions) -> Result<Self, WireError> {
        let first = from.word("CNM version and feedback")?;
        let version = first >> 12;
        if version != 0 {
            return Err(WireError::Invalid { field: "CNM version", value: version.into(), expected: "0" });
        }
        let congestion_point = from.array("congestion point identifier")?;
        let offset = from.array("queue offset").map(i16::from_be_bytes)?;
        let delta = from.array("queue delta").map(i16::from_be_bytes)?;
        let priority = from.array("encapsulated priority")?;
        let destination = MacAddress(from.array("encapsulated destination")?);
        let length = from.word("encapsulated length")?;
        check_sample(length.into())?;
        Ok(Self {
            feedback: (first & u16::from(MAX_FEEDBACK)) as u8,
            congestion_point,
            queue_offset: conventions.offset_octets(offset),
            queue_delta: conventions.octets(delta),
            priority: conventions.priority_in(priority),
            destination,
            sample: from.bytes("encapsulated frame", length.into())?,
        })
    }

    pub(crate) fn write(&self, conventions: &Conventions, to: &mut Writer<'_>) -> Result<(), WireError> {
        if self.feedback > MAX_FEEDBACK {
            let value = self.feedback.into();
            return Err(WireError::Invalid { field: "CNM feedback", value, expected: "0 to 63" });
        }
        check_sample(self.sample.len())?;
        to.word("CNM version and feedback", self.feedback.into())?;
        to.bytes("congestion point identifier", &self.congestion_point)?;
        to.bytes("queue offset", &conventions.offset_units(self.queue_offset).to_be_bytes())?;
        to.bytes("queue delta", &conventions.units(self.queue_delta).to_be_bytes())?;
        to.word("encapsulated priority", conventions.priority_field(self.priority))?;
        to.bytes("encapsulated destination", &self.destination.0)?;
        to.word("encapsulated length", self.sample.len() as u16)?;
        to.bytes("encapsulated frame", self.sample)
    }
}

fn check_sample(octets: usize) -> Result<(), WireError> {
    if octets <= MAX_SAMPLE {
        return Ok(());
    }
    Err(WireError::Invalid { field: "encapsulated length", value: octets as u64, expected: "at most 64" })
}
