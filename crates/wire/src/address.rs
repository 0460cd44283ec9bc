//! MAC addresses.

use core::fmt;
use core::str::FromStr;

/// The address of a station or of a group, shown as `02:00:00:00:00:01`.
///
/// ```
/// use setpoint_wire::MacAddress;
///
/// let address: MacAddress = "02-00-00-00-00-0A".parse().unwrap();
/// assert_eq!(address.to_string(), "02:00:00:00:00:0a");
/// assert!(MacAddress::PAUSE.is_group() && !address.is_group());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MacAddress(pub [u8; 6]);

impl MacAddress {
    /// The destination of PAUSE and PFC frames, which bridges do not forward.
    pub const PAUSE: Self = Self([0x01, 0x80, 0xc2, 0, 0, 0x01]);
    /// The destination of LLDP frames to the nearest bridge.
    pub const NEAREST_BRIDGE: Self = Self([0x01, 0x80, 0xc2, 0, 0, 0x0e]);

    /// Whether it is a multicast or broadcast address.
    pub const fn is_group(self) -> bool {
        self.0[0] & 1 == 1
    }

    /// Whether it is one of the addresses that bridges consume instead of forwarding: 01-80-C2-00-00-00 to 0F.
    pub const fn is_link_local(self) -> bool {
        matches!(self.0, [0x01, 0x80, 0xc2, 0, 0, 0..=0x0f])
    }
}

impl fmt::Display for MacAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d, e, g] = self.0;
        write!(f, "{a:02x}:{b:02x}:{c:02x}:{d:02x}:{e:02x}:{g:02x}")
    }
}

/// The error for text that is not a MAC address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseAddressError;

impl fmt::Display for ParseAddressError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a MAC address has six pairs of hexadecimal digits, as in 02:00:00:00:00:01")
    }
}

impl core::error::Error for ParseAddressError {}

impl FromStr for MacAddress {
    type Err = ParseAddressError;

    fn from_str(text: &str) -> Result<Self, ParseAddressError> {
        let mut octets = [0; 6];
        let mut pairs = text.split([':', '-']);
        for octet in &mut octets {
            let pair = pairs.next().filter(|pair| pair.len() == 2 && !pair.starts_with('+'));
            *octet = pair.and_then(|pair| u8::from_str_radix(pair, 16).ok()).ok_or(ParseAddressError)?;
        }
        if pairs.next().is_some() { Err(ParseAddressError) } else { Ok(Self(octets)) }
    }
}
