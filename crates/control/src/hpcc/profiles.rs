//! Sets of HPCC's parameters. Increments and minimum rates are those of the preset.

use setpoint_units::Rate;

use super::Params;
use super::choices::Updates;
use crate::parameter::Profile;

/// Every profile, starting with the one that equals the defaults.
pub const PROFILES: &[Profile] = &[
    Profile {
        name: "hpcc",
        description: "The scripts of the HPCC simulator: the defaults.",
        origin: "HPCC, run.py",
        set: |_, _| (),
    },
    Profile {
        name: "hpcc-stages",
        description: "Five windows with additive increase between proportional changes.",
        origin: "HPCC, attribute MiThresh of its code; the paper (unverified)",
        set: |params, _| params.of_mut::<Params>().rp.max_stage = 5,
    },
    Profile {
        name: "hpcc-per-rtt",
        description: "The rate changes once per window.",
        origin: "HPCC, with FAST_REACT 0",
        set: |params, _| params.of_mut::<Params>().rp.updates = Updates::Window,
    },
    Profile {
        name: "hpcc-100g",
        description: "The increment that the README of the simulator gives for 100 Gb/s.",
        origin: "HPCC, README: 50 Mb/s",
        set: |params, _| params.of_mut::<Params>().rp.increase = Rate::from_mbps(50),
    },
];
