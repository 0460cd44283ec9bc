//! ECN codepoints.

/// An ECN codepoint (RFC 3168, section 5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Ecn {
    /// The transport does not support ECN.
    #[default]
    NotEct = 0,
    /// The transport supports ECN, ECT(1).
    Ect1 = 1,
    /// The transport supports ECN, ECT(0).
    Ect0 = 2,
    /// The packet has passed a congested queue (congestion experienced).
    Ce = 3,
}

impl Ecn {
    /// The codepoint after a congested queue: CE, unless the transport does not support ECN.
    #[must_use]
    pub const fn marked(self) -> Self {
        match self {
            Self::NotEct => Self::NotEct,
            Self::Ect1 | Self::Ect0 | Self::Ce => Self::Ce,
        }
    }

    /// The codepoint in the lower two bits of an octet.
    pub(crate) const fn from_lower_bits(octet: u8) -> Self {
        match octet & 3 {
            0 => Self::NotEct,
            1 => Self::Ect1,
            2 => Self::Ect0,
            _ => Self::Ce,
        }
    }
}
