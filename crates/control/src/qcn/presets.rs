//! QCN's parameters by the speed of the links.
//!
//! IEEE 802.1Q gives one set of defaults for all speeds; it fits 10 Gb/s. A preset is a short list of what
//! differs from it, each with its origin.

use setpoint_units::{Rate, TimeDelta};

use crate::parameter::Value;
use crate::{Preset, PresetChange};

/// What a preset changes in QCN.
#[must_use]
pub const fn preset_changes(preset: Preset) -> &'static [PresetChange] {
    match preset {
        Preset::OneG => ONE_G,
        Preset::TenG => &[],
        Preset::FortyG => FORTY_G,
        Preset::HundredG => HUNDRED_G,
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
