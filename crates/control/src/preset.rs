//! Parameters by the speed of the links.
//!
//! The defaults fit links of 10 Gb/s. A preset is a short list of what differs from them at another speed,
//! each with its origin; every algorithm keeps its own in its folder.

use setpoint_units::Rate;

use crate::parameter::{ParameterError, Value, choice};
use crate::{Params, afd, aimd, bcn, parameters, qcn, smcc};

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

    /// What differs from the defaults, over all algorithms.
    pub fn changes(self) -> impl Iterator<Item = &'static PresetChange> {
        let smcc = smcc::preset_changes(self).iter();
        let bcn = bcn::preset_changes(self).iter();
        let aimd = aimd::preset_changes(self).iter();
        qcn::preset_changes(self).iter().chain(afd::preset_changes(self)).chain(smcc).chain(bcn).chain(aimd)
    }
}

impl Params {
    /// The parameters of a preset.
    #[must_use]
    pub fn preset(preset: Preset) -> Self {
        let mut params = Self::default();
        let all = parameters();
        for change in preset.changes() {
            let written = all
                .iter()
                .find(|parameter| parameter.key() == change.key)
                .ok_or_else(|| ParameterError::Unknown(change.key.into()))
                .and_then(|parameter| parameter.write(&mut params, change.value));
            written.expect("presets name parameters and values that exist");
        }
        params
    }
}
