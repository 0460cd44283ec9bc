//! AFD's parameters by the speed of the links: the same loop in bytes, at another pace.

use setpoint_units::{Rate, TimeDelta};

use crate::parameter::Value;
use crate::{Preset, PresetChange};

/// What a preset changes in AFD.
#[must_use]
pub const fn preset_changes(preset: Preset) -> &'static [PresetChange] {
    match preset {
        Preset::OneG => &ONE_G,
        Preset::TenG => &[],
        Preset::FortyG => &FORTY_G,
        Preset::HundredG => &HUNDRED_G,
    }
}

const ONE_G: [PresetChange; 2] = link(1, TimeDelta::from_millis(1));
const FORTY_G: [PresetChange; 2] = link(40, TimeDelta::from_micros(25));
const HUNDRED_G: [PresetChange; 2] = link(100, TimeDelta::from_micros(10));

const fn link(gigabits: u64, interval: TimeDelta) -> [PresetChange; 2] {
    [
        PresetChange {
            key: "afd.cp.interval",
            value: Value::Time(interval),
            origin: "own choice: the link carries 125 kB in it, as at 10 Gb/s",
        },
        PresetChange {
            key: "afd.cp.max_share",
            value: Value::Rate(Rate::from_gbps(gigabits)),
            origin: "own choice: the rate of the link",
        },
    ]
}
