//! Parameters by the speed of the links.

use setpoint_units::Rate;

use super::{Value, choice};

choice! {
    /// A speed of links for which there is a set of parameters.
    ///
    /// The defaults fit links of 10 Gb/s. A preset changes a few of them, each with its origin.
    Preset {
        OneG = "1G", "Links of 1 Gb/s.";
        TenG = "10G", "Links of 10 Gb/s: the defaults.";
        FortyG = "40G", "Links of 40 Gb/s.";
        HundredG = "100G", "Links of 100 Gb/s.";
    }
}

/// A value that a preset gives to a parameter in place of the default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PresetChange {
    /// The parameter.
    pub key: &'static str,
    /// Its value.
    pub value: Value,
    /// Where the value comes from.
    pub origin: &'static str,
}

/// The same as it is declared with its parameter.
#[derive(Clone, Copy, Debug)]
pub struct PresetValue {
    /// The preset.
    pub preset: Preset,
    /// Gives the value.
    pub value: fn() -> Value,
    /// Where the value comes from.
    pub origin: &'static str,
}

impl Preset {
    /// Every preset, slowest first.
    pub const ALL: [Self; 4] = [Self::OneG, Self::TenG, Self::FortyG, Self::HundredG];

    /// The rate of the links that it is for.
    #[must_use]
    pub const fn line_rate(self) -> Rate {
        match self {
            Self::OneG => Rate::from_gbps(1),
            Self::TenG => Rate::from_gbps(10),
            Self::FortyG => Rate::from_gbps(40),
            Self::HundredG => Rate::from_gbps(100),
        }
    }
}
