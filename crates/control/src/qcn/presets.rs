//! Parameters by the speed of the links.
//!
//! IEEE 802.1Q gives one set of defaults for all speeds; it fits 10 Gb/s. A preset is a short list of what
//! differs from it, each with its origin.

use setpoint_units::{Rate, TimeDelta};

use super::params::Params;
use super::table::PARAMETERS;
use crate::parameter::{Value, choice, find};

choice! {
    /// A speed of links for which there is a set of parameters.
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

impl Preset {
    /// Every preset, slowest first.
    pub const ALL: [Self; 4] = [Self::OneG, Self::TenG, Self::FortyG, Self::HundredG];

    /// What differs from the defaults.
    #[must_use]
    pub const fn changes(self) -> &'static [PresetChange] {
        match self {
            Self::OneG => ONE_G,
            Self::TenG => &[],
            Self::FortyG => FORTY_G,
            Self::HundredG => HUNDRED_G,
        }
    }
}

impl Params {
    /// The parameters of a preset.
    #[must_use]
    pub fn preset(preset: Preset) -> Self {
        let mut params = Self::default();
        for change in preset.changes() {
            find(PARAMETERS, change.key)
                .and_then(|parameter| parameter.write(&mut params, change.value))
                .expect("presets name parameters and values that exist");
        }
        params
    }
}

const ACTIVE: &str = "qcn.rp.active_increase";
const HYPER: &str = "qcn.rp.hyper_increase";
const TIMER: &str = "qcn.rp.time_reset";

const ONE_G: &[PresetChange] = &[
    change(
        ACTIVE,
        megabits(1),
        "NetFPGA QCN (Kabbani and Yasuda 2010), as quoted by Jiang and others (SMCC)",
    ),
    change(HYPER, megabits(10), "own choice: ten times the active increase, as at 10 Gb/s"),
];

/// Scaled between 10 and 100 Gb/s as a power of the speed: 5 Mb/s × 4^0.477, 50 Mb/s × 4^0.699 and
/// 15 ms × 4^-0.875, rounded to two figures. The exponents are those that lead to the values at 100 Gb/s.
const FORTY_G: &[PresetChange] = &[
    change(ACTIVE, megabits(10), INTERPOLATED),
    change(HYPER, megabits(130), INTERPOLATED),
    change(TIMER, Value::Time(TimeDelta::from_micros(4_500)), INTERPOLATED),
];

const HUNDRED_G: &[PresetChange] = &[
    change(ACTIVE, megabits(15), RACK_FABRIC),
    change(HYPER, megabits(250), RACK_FABRIC),
    change(TIMER, Value::Time(TimeDelta::from_millis(2)), RACK_FABRIC),
];

const INTERPOLATED: &str = "own choice: no source; between 10G and 100G as a power of the speed, rounded";
const RACK_FABRIC: &str =
    "Chrysos and others, \"Unbiased QCN for scalable server-fabrics\" (2014), section on 100G links";

const fn change(key: &'static str, value: Value, origin: &'static str) -> PresetChange {
    PresetChange { key, value, origin }
}

const fn megabits(rate: u64) -> Value {
    Value::Rate(Rate::from_mbps(rate))
}
