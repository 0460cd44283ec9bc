//! PAUSE frames (IEEE 802.3, annex 31B).

use crate::WireError;
use crate::cursor::{Reader, Writer};

/// The opcode of PAUSE in a MAC control frame.
pub(crate) const OPCODE: u16 = 0x0001;

/// A request to stop sending for some time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pause {
    /// The time in quanta of 512 bit times; 0 ends a pause.
    pub quanta: u16,
}

impl Pause {
    pub(crate) fn read(from: &mut Reader<'_>) -> Result<Self, WireError> {
        Ok(Self { quanta: from.word("pause time")? })
    }

    pub(crate) fn write(self, to: &mut Writer<'_>) -> Result<(), WireError> {
        to.word("opcode", OPCODE)?;
        to.word("pause time", self.quanta)
    }
}
