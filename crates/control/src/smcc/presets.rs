//! SMCC's parameters by the speed of the links.
//!
//! The paper gives values for 1 Gb/s. Changes of the rate are scaled in proportion to the speed; the queue and
//! its changes are not, since samples are taken by the byte.

use setpoint_units::{Bytes, Rate};

use crate::parameter::Value;
use crate::{Preset, PresetChange};

/// What a preset changes in SMCC.
#[must_use]
pub const fn preset_changes(preset: Preset) -> &'static [PresetChange] {
    match preset {
        Preset::OneG => ONE_G,
        Preset::TenG => &[],
        Preset::FortyG => FORTY_G,
        Preset::HundredG => HUNDRED_G,
    }
}

const ONE_G: &[PresetChange] = &[
    PresetChange {
        key: "smcc.cp.sample_base",
        value: Value::Size(Bytes::new(100_000)),
        origin: "Jiang and others (SMCC), section 5.2: one in 100 frames of 1 kB",
    },
    change("smcc.rp.state_a", 256, PAPER),
    change("smcc.rp.state_b", 64, PAPER),
    change("smcc.rp.state_a_small", 128, PAPER),
];

const FORTY_G: &[PresetChange] = &[
    change("smcc.rp.state_a", 10_240, SCALED),
    change("smcc.rp.state_b", 2_560, SCALED),
    change("smcc.rp.state_a_small", 5_120, SCALED),
];

const HUNDRED_G: &[PresetChange] = &[
    change("smcc.rp.state_a", 25_600, SCALED),
    change("smcc.rp.state_b", 6_400, SCALED),
    change("smcc.rp.state_a_small", 12_800, SCALED),
];

const PAPER: &str = "Jiang and others (SMCC), section 5.4: recommended for 1 Gb/s";
const SCALED: &str = "own choice: the values for 1 Gb/s in proportion to the speed";

const fn change(key: &'static str, megabits: u64, origin: &'static str) -> PresetChange {
    PresetChange { key, value: Value::Rate(Rate::from_mbps(megabits)), origin }
}
