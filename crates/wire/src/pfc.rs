//! Priority-based flow control frames (IEEE 802.1Qbb).

use crate::cursor::{Reader, Writer};
use crate::{Priority, PrioritySet, WireError};

/// The opcode of PFC in a MAC control frame.
pub(crate) const OPCODE: u16 = 0x0101;

/// A request to stop sending frames of some priorities for some time.
///
/// ```
/// use setpoint_wire::{Pfc, Priority};
///
/// let [low, high] = [3, 4].map(|number| Priority::new(number).unwrap());
/// let pfc = Pfc::of(low, 0xffff);
/// assert_eq!((pfc.quanta(low), pfc.quanta(high)), (Some(0xffff), None));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pfc {
    /// The priorities whose times take effect. The upper octet of the vector is reserved: it is sent as zero and
    /// ignored on receipt.
    pub enabled: PrioritySet,
    /// The pause time of each priority, in quanta of 512 bit times; 0 ends a pause.
    pub times: [u16; 8],
}

impl Pfc {
    /// A request about a single priority.
    pub fn of(priority: Priority, quanta: u16) -> Self {
        let mut times = [0; 8];
        times[usize::from(priority.number())] = quanta;
        Self { enabled: [priority].into_iter().collect(), times }
    }

    /// The pause time of a priority; `None` if the frame does not apply to it.
    pub fn quanta(&self, priority: Priority) -> Option<u16> {
        self.enabled.contains(priority).then(|| self.times[usize::from(priority.number())])
    }

    pub(crate) fn read(from: &mut Reader<'_>) -> Result<Self, WireError> {
        let [_, enabled] = from.array("priority enable vector")?;
        let mut times = [0; 8];
        for time in &mut times {
            *time = from.word("pause time")?;
        }
        Ok(Self { enabled: PrioritySet(enabled), times })
    }

    pub(crate) fn write(&self, to: &mut Writer<'_>) -> Result<(), WireError> {
        to.word("opcode", OPCODE)?;
        to.word("priority enable vector", u16::from(self.enabled.0))?;
        self.times.iter().try_for_each(|time| to.word("pause time", *time))
    }
}
