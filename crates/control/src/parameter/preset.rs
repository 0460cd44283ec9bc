//! Parameters by link speed.

use setpoint_units::{Rate, TimeDelta};

use super::{ParameterType, Value, choice};

choice! {
    /// A link speed for which there is a set of parameters.
    ///
    /// The defaults fit 10 Gb/s links. A preset changes a few of them.
    ///
    /// ```
    /// use setpoint_control::{Params, Preset};
    /// use setpoint_units::Rate;
    ///
    /// let params = Params::preset(Preset::HundredG);
    /// assert_eq!(params.qcn.rp.active_increase, Rate::from_mbps(15));
    /// assert_eq!(Params::preset(Preset::TenG), Params::default());
    /// ```
    Preset {
        OneG = "1G", "Links of 1 Gb/s.";
        TenG = "10G", "10 Gb/s links: the defaults.";
        TwentyFiveG = "25G", "Links of 25 Gb/s.";
        FortyG = "40G", "Links of 40 Gb/s.";
        FiftyG = "50G", "Links of 50 Gb/s.";
        HundredG = "100G", "Links of 100 Gb/s.";
        TwoHundredG = "200G", "Links of 200 Gb/s.";
        FourHundredG = "400G", "Links of 400 Gb/s.";
        EightHundredG = "800G", "Links of 800 Gb/s.";
    }
}

/// A value with which a preset replaces a parameter's default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PresetChange {
    /// The parameter.
    pub key: &'static str,
    /// Its value.
    pub value: Value,
    /// Where the value comes from.
    pub origin: &'static str,
}

impl Preset {
    /// Every preset, slowest first.
    pub const ALL: [Self; 9] = [
        Self::OneG,
        Self::TenG,
        Self::TwentyFiveG,
        Self::FortyG,
        Self::FiftyG,
        Self::HundredG,
        Self::TwoHundredG,
        Self::FourHundredG,
        Self::EightHundredG,
    ];

    /// The rate of its links.
    pub const fn line_rate(self) -> Rate {
        match self {
            Self::OneG => Rate::from_gbps(1),
            Self::TenG => Rate::from_gbps(10),
            Self::TwentyFiveG => Rate::from_gbps(25),
            Self::FortyG => Rate::from_gbps(40),
            Self::FiftyG => Rate::from_gbps(50),
            Self::HundredG => Rate::from_gbps(100),
            Self::TwoHundredG => Rate::from_gbps(200),
            Self::FourHundredG => Rate::from_gbps(400),
            Self::EightHundredG => Rate::from_gbps(800),
        }
    }

    /// A default scaled to the links, with its origin; none for the preset that consists of the defaults.
    pub(crate) fn scaled<T: Scale>(self, default: T, origin: &'static str) -> Option<(Value, &'static str)> {
        let gbps = self.line_rate().bits_per_second() / 1_000_000_000;
        (self != Self::TenG).then(|| (default.scale(gbps).to_value(), origin))
    }
}

/// A parameter whose default can be scaled to the speed of links.
pub(crate) trait Scale: ParameterType {
    /// The value for links of this many Gb/s, given the value for links of 10 Gb/s.
    fn scale(self, gbps: u64) -> Self;
}

/// Rates are proportional to the link speed.
impl Scale for Rate {
    fn scale(self, gbps: u64) -> Self {
        Self::from_bits_per_second(self.bits_per_second() * gbps / 10)
    }
}

/// Times are inversely proportional to it.
impl Scale for TimeDelta {
    fn scale(self, gbps: u64) -> Self {
        self * 10 / gbps
    }
}
