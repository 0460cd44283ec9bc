//! Sets of PowerTCP's parameters. Increments and minimum rates are those of the preset.

use super::Params;
use super::choices::Measure;
use crate::parameter::{Percent, Profile};

/// Every profile, starting with the one that equals the defaults.
pub const PROFILES: &[Profile] = &[
    Profile {
        name: "powertcp",
        description: "PowerTCP: the defaults.",
        origin: "ns3-datacenter, rdma-hw.cc",
        set: |_, _| (),
    },
    Profile {
        name: "theta-powertcp",
        description: "θ-PowerTCP: power from the round-trip time, with a weight of 70 %.",
        origin: "ns3-datacenter, rdma-hw.cc",
        set: |params, _| {
            let rp = &mut params.of_mut::<Params>().rp;
            (rp.measure, rp.weight) = (Measure::Delay, Percent::new(70));
        },
    },
];
