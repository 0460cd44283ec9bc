//! BCN's parameters by the speed of the links: the largest increase is a tenth of it.

use setpoint_units::Rate;

use crate::parameter::Value;
use crate::{Preset, PresetChange};

/// What a preset changes in BCN.
#[must_use]
pub const fn preset_changes(preset: Preset) -> &'static [PresetChange] {
    match preset {
        Preset::OneG => const { &[tenth_of(1)] },
        Preset::TenG => &[],
        Preset::FortyG => const { &[tenth_of(40)] },
        Preset::HundredG => const { &[tenth_of(100)] },
    }
}

const fn tenth_of(gigabits: u64) -> PresetChange {
    PresetChange {
        key: "bcn.rp.largest_increase",
        value: Value::Rate(Rate::from_mbps(100 * gigabits)),
        origin: "802.1au baseline: a tenth of the speed (unverified)",
    }
}
