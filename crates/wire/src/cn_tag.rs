//! The congestion notification tag of 802.1Qau.

use crate::WireError;
use crate::cursor::{Reader, Writer};

/// The CN-TAG: an identifier by which an end station recognises its flow in a notification. Its meaning is local to
/// the station that chose it. The tag follows the VLAN tag and is removed where a frame leaves the congestion
/// notification domain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CnTag {
    /// The flow's identifier; 0 in a notification about a frame without a tag.
    pub flow: u16,
}

impl CnTag {
    /// Reads the two octets after the EtherType.
    pub(crate) fn read(from: &mut Reader<'_>) -> Result<Self, WireError> {
        Ok(Self { flow: from.word("CN-TAG")? })
    }

    pub(crate) fn write(self, to: &mut Writer<'_>) -> Result<(), WireError> {
        to.word("CN-TAG", self.flow)
    }
}
