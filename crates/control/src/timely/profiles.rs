//! Sets of TIMELY's parameters, each from one source. Increments that the source scales with the link speed are those of
//! the preset.

use setpoint_units::{Bytes, Rate};

use super::choices::{HyperIncrease, Rule, Steady, Updates};
use super::{NpParams, Params, RpParams};
use crate::parameter::{Percent, Profile};
use crate::window::Window;

/// Every profile, starting with the one that equals the defaults.
pub const PROFILES: &[Profile] = &[
    Profile {
        name: "paper",
        description: "TIMELY with the parameters of CoNEXT'16: the defaults.",
        origin: "CoNEXT'16; hyper increase: TIMELY'15, section 4.3",
        set: |_, _| (),
    },
    Profile {
        name: "patched",
        description: "Patched TIMELY.",
        origin: "CoNEXT'16, section on patched TIMELY",
        set: |params, _| patch(params.of_mut()),
    },
    Profile {
        name: "ns3-rdma",
        description: "The simulator ns3-rdma: no hyper increase, a start at 1 Gb/s, and at most 96 % of the line rate.",
        origin: "ns3-rdma, branch timely",
        set: |params, rate| ns3_rdma(params.of_mut(), rate),
    },
    Profile {
        name: "hpcc",
        description: "The HPCC simulator: every frame is acknowledged, and the rate is updated once per window.",
        origin: "HPCC, rdma-hw.cc and run.py",
        set: |params, rate| hpcc(params.of_mut(), rate),
    },
    Profile {
        name: "hpcc-window",
        description: "The set `timely_vwin` of the HPCC simulator: `hpcc` with a window that follows the rate.",
        origin: "HPCC, run.py: HAS_WIN 1, VAR_WIN 1",
        set: |params, rate| {
            hpcc(params.of_mut(), rate);
            params.of_mut::<Params>().rp.window = Window::Rate;
        },
    },
];

fn patch(params: &mut Params) {
    params.rp = RpParams {
        rule: Rule::Patched,
        hyper: HyperIncrease::Never,
        decrease: Percent::from_hundredths(80),
        ..params.rp
    };
}

fn ns3_rdma(params: &mut Params, line_rate: Rate) {
    params.rp = RpParams {
        hyper: HyperIncrease::Never,
        steady: Steady::Keep,
        first_rate: Some(Rate::from_gbps(1).min(line_rate)),
        max_share: Percent::new(96),
        min_rate: Rate::from_bits_per_second(Percent::new(1).of(line_rate.bits_per_second())),
        ..params.rp
    };
}

fn hpcc(params: &mut Params, line_rate: Rate) {
    params.np = NpParams { frames: 1, bytes: Bytes::new(u32::MAX.into()) };
    params.rp = RpParams {
        updates: Updates::Window,
        hyper: HyperIncrease::AfterIncreases,
        min_rate: Rate::from_gbps(1).min(line_rate),
        ..params.rp
    };
}
