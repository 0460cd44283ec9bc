//! The 802.1Q tag.

use crate::cursor::{Reader, Writer};
use crate::{Priority, WireError};

/// The C-tag of IEEE 802.1Q, which carries a frame's priority.
///
/// | bits | field |
/// |---|---|
/// | 15–13 | priority |
/// | 12 | drop eligible |
/// | 11–0 | VLAN identifier; 0 for a frame that has only a priority |
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VlanTag {
    /// The priority.
    pub priority: Priority,
    /// Whether the frame may be dropped before others.
    pub drop_eligible: bool,
    /// The VLAN identifier, below 4096.
    pub vlan: u16,
}

impl VlanTag {
    /// A tag that carries only a priority.
    pub const fn of_priority(priority: Priority) -> Self {
        Self { priority, drop_eligible: false, vlan: 0 }
    }

    /// Reads the two octets after the EtherType.
    pub(crate) fn read(from: &mut Reader<'_>) -> Result<Self, WireError> {
        let [upper, lower] = from.array("VLAN tag")?;
        Ok(Self {
            priority: Priority::from_upper_bits(upper),
            drop_eligible: upper & 0x10 != 0,
            vlan: u16::from_be_bytes([upper & 0x0f, lower]),
        })
    }

    pub(crate) fn write(self, to: &mut Writer<'_>) -> Result<(), WireError> {
        if self.vlan > 0x0fff {
            let value = u64::from(self.vlan);
            return Err(WireError::Invalid { field: "VLAN identifier", value, expected: "below 4096" });
        }
        let upper = u16::from(self.priority.number()) << 13 | u16::from(self.drop_eligible) << 12;
        to.word("VLAN tag", upper | self.vlan)
    }
}
