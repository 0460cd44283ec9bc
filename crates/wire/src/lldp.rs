//! LLDP announcements (IEEE 802.1AB) with the TLVs for congestion notification and PFC.
//!
//! A TLV begins with a type of 7 bits and a length of 9 bits. An announcement begins with three TLVs (chassis, port
//! and time to live) and ends with an empty one. The following TLVs come in between:
//!
//! | TLV | octets |
//! |---|---|
//! | congestion notification | `FE 06 00 80 C2 08`, CNPV indicators, ready indicators |
//! | PFC configuration | `FE 06 00 80 C2 0B`, willing (0x80), MBC (0x40) and capability (4 bits), enabled |

use crate::cursor::{Reader, Writer};
use crate::{MacAddress, PrioritySet, WireError};

const END: u8 = 0;
const CHASSIS: u8 = 1;
const PORT: u8 = 2;
const TIME_TO_LIVE: u8 = 3;
const ORGANISATION: u8 = 127;
/// The subtype of a chassis that is identified by a MAC address.
const CHASSIS_ADDRESS: u8 = 4;
/// The subtype of a port that is identified by its interface name.
const PORT_NAME: u8 = 5;
/// The identifier of IEEE 802.1 in organisation-specific TLVs, followed by the subtype for congestion notification.
const CONGESTION: [u8; 4] = [0x00, 0x80, 0xc2, 0x08];
/// The same identifier, followed by the subtype for PFC.
const PFC: [u8; 4] = [0x00, 0x80, 0xc2, 0x0b];
/// The maximum length of a port identifier, in octets.
const MAX_PORT: usize = 255;

/// The announcement of a port to its neighbour.
///
/// ```
/// use setpoint_wire::{Announcement, PrioritySet, lldp::CongestionTlv};
///
/// let third = PrioritySet(1 << 3);
/// let announcement = Announcement {
///     chassis: "02:00:00:00:00:01".parse().unwrap(),
///     port: b"eth0",
///     seconds_to_live: 120,
///     congestion: Some(CongestionTlv { managed: third, ready: third }),
///     pfc: None,
/// };
/// assert!(announcement.congestion.is_some_and(|tlv| tlv.ready == third));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Announcement<'a> {
    /// The address of the chassis; zero if a received announcement identifies it in another way.
    pub chassis: MacAddress,
    /// The identifier of the port: the name of the interface, 1 to 255 octets.
    pub port: &'a [u8],
    /// The time for which the announcement is valid, in seconds; 0 withdraws it.
    pub seconds_to_live: u16,
    /// The congestion notification TLV.
    pub congestion: Option<CongestionTlv>,
    /// The PFC configuration TLV.
    pub pfc: Option<PfcTlv>,
}

/// The congestion notification TLV.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CongestionTlv {
    /// The priorities with congestion notification (CNPV indicators).
    pub managed: PrioritySet,
    /// The priorities whose defences are no longer needed towards this neighbour (ready indicators).
    pub ready: PrioritySet,
}

/// The PFC configuration TLV.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PfcTlv {
    /// Whether the port accepts its neighbour's configuration.
    pub willing: bool,
    /// Whether the port bypasses MACsec (MACsec bypass capability).
    pub macsec_bypass: bool,
    /// The number of priorities that can use PFC at the same time, below 16.
    pub capability: u8,
    /// The priorities that use PFC.
    pub enabled: PrioritySet,
}

impl<'a> Announcement<'a> {
    /// Reads an announcement. Unknown TLVs are skipped; if a TLV occurs twice, the first one counts.
    pub(crate) fn read(from: &mut Reader<'a>) -> Result<Self, WireError> {
        let chassis = match expected(from, CHASSIS)? {
            [CHASSIS_ADDRESS, address @ ..] => {
                address.try_into().map_or_else(|_| MacAddress::default(), MacAddress)
            }
            _ => MacAddress::default(),
        };
        let port = expected(from, PORT)?.get(1..).unwrap_or_default();
        check_port(port)?;
        let seconds_to_live = Reader::new(expected(from, TIME_TO_LIVE)?).word("LLDP time to live")?;
        let mut announcement = Self { chassis, port, seconds_to_live, congestion: None, pfc: None };
        loop {
            match tlv(from)? {
                (END, _) => return Ok(announcement),
                (ORGANISATION, value) => announcement.add(value)?,
                _ => {}
            }
        }
    }

    /// Adds the contents of an organisation-specific TLV.
    fn add(&mut self, value: &[u8]) -> Result<(), WireError> {
        let from = &mut Reader::new(value);
        match from.array("LLDP organisation")? {
            CONGESTION if self.congestion.is_none() => {
                let managed = PrioritySet(from.octet("CNPV indicators")?);
                self.congestion =
                    Some(CongestionTlv { managed, ready: PrioritySet(from.octet("ready indicators")?) });
            }
            PFC if self.pfc.is_none() => {
                let flags = from.octet("PFC flags")?;
                self.pfc = Some(PfcTlv {
                    willing: flags & 0x80 != 0,
                    macsec_bypass: flags & 0x40 != 0,
                    capability: flags & 0x0f,
                    enabled: PrioritySet(from.octet("PFC enable vector")?),
                });
            }
            _ => {}
        }
        Ok(())
    }

    pub(crate) fn write(&self, to: &mut Writer<'_>) -> Result<(), WireError> {
        check_port(self.port)?;
        write(to, CHASSIS, &[&[CHASSIS_ADDRESS], &self.chassis.0])?;
        write(to, PORT, &[&[PORT_NAME], self.port])?;
        write(to, TIME_TO_LIVE, &[&self.seconds_to_live.to_be_bytes()])?;
        if let Some(CongestionTlv { managed, ready }) = self.congestion {
            write(to, ORGANISATION, &[&CONGESTION, &[managed.0, ready.0]])?;
        }
        if let Some(pfc) = self.pfc {
            if pfc.capability > 0x0f {
                let value = pfc.capability.into();
                return Err(WireError::Invalid { field: "PFC capability", value, expected: "below 16" });
            }
            let flags = u8::from(pfc.willing) << 7 | u8::from(pfc.macsec_bypass) << 6 | pfc.capability;
            write(to, ORGANISATION, &[&PFC, &[flags, pfc.enabled.0]])?;
        }
        write(to, END, &[])
    }
}

fn check_port(port: &[u8]) -> Result<(), WireError> {
    if (1..=MAX_PORT).contains(&port.len()) {
        return Ok(());
    }
    let value = port.len() as u64;
    Err(WireError::Invalid { field: "length of the LLDP port identifier", value, expected: "1 to 255" })
}

/// The type and the value of the next TLV.
fn tlv<'a>(from: &mut Reader<'a>) -> Result<(u8, &'a [u8]), WireError> {
    let first = from.word("LLDP type and length")?;
    let value = from.bytes("LLDP value", usize::from(first & 0x01ff))?;
    Ok(((first >> 9) as u8, value))
}

/// The value of the next TLV, which must have the given type.
fn expected<'a>(from: &mut Reader<'a>, kind: u8) -> Result<&'a [u8], WireError> {
    let (found, value) = tlv(from)?;
    if found == kind {
        return Ok(value);
    }
    let expected = "1, 2 and 3 (chassis, port, time to live) in this order";
    Err(WireError::Invalid { field: "LLDP type", value: found.into(), expected })
}

fn write(to: &mut Writer<'_>, kind: u8, parts: &[&[u8]]) -> Result<(), WireError> {
    let length: usize = parts.iter().map(|part| part.len()).sum();
    to.word("LLDP type and length", u16::from(kind) << 9 | length as u16)?;
    parts.iter().try_for_each(|part| to.bytes("LLDP value", part))
}
