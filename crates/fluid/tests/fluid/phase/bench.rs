//! The SMCC paper's bottleneck: 1 Gb/s, a set point of 64 kB in a buffer of 128 kB, frames of
//! 1 kB, one sample in 100 frames.

use setpoint_control::parameter::{Power, Switch};
use setpoint_control::{bcn, qcn, smcc};
use setpoint_fluid::phase::{Plane, PlaneOptions};
use setpoint_fluid::{Bottleneck, Class, Scheme, Sending};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

/// The parameters that tests vary.
pub(crate) struct Bench {
    pub(crate) sources: u32,
    /// The background traffic in Mb/s.
    pub(crate) background: u64,
    /// The length of a cycle in bytes.
    pub(crate) cycle: u64,
    /// The weight, as an exponent of two.
    pub(crate) weight: i8,
}

impl Default for Bench {
    fn default() -> Self {
        Self { sources: 2, background: 0, cycle: 150_000, weight: 1 }
    }
}

impl Bench {
    pub(crate) fn bottleneck(&self) -> Bottleneck {
        let class = |name: &str, sources, sending| Class {
            name: name.to_owned(),
            sources,
            delay: TimeDelta::from_micros(20),
            line_rate: Rate::from_gbps(1),
            start: Time::ZERO,
            stop: None,
            sending,
        };
        let mut classes = vec![class("flows", self.sources, Sending::Controlled { weight: 1 })];
        if self.background > 0 {
            classes.push(class("background", 1, Sending::Constant(Rate::from_mbps(self.background))));
        }
        Bottleneck {
            frame: Bytes::new(1000),
            overhead: Bytes::new(20),
            capacity: vec![(Time::ZERO, Rate::from_gbps(1))],
            buffer: Bytes::new(128_000),
            classes,
        }
    }

    /// The paper's reduced QCN.
    pub(crate) fn qcn_params(&self) -> qcn::Params {
        let mut params = qcn::Params::default();
        params.cp.set_point = Bytes::new(64_000);
        params.cp.weight = Power::of_two(self.weight);
        params.cp.sampling = qcn::Sampling::Regular;
        params.cp.sample_base = Bytes::new(100_000);
        params.rp.active_increase = Rate::from_mbps(1);
        params.rp.byte_reset = Bytes::new(self.cycle);
        params.rp.timer = Switch::Off;
        params
    }

    pub(crate) fn qcn(&self, options: &PlaneOptions) -> Plane {
        Plane::with_options(&self.bottleneck(), &Scheme::Qcn(self.qcn_params()), options).expect("a plane")
    }

    pub(crate) fn bcn(&self) -> Plane {
        let mut params = bcn::Params::default();
        params.cp.set_point = Bytes::new(64_000);
        params.cp.sample_base = Bytes::new(100_000);
        params.rp.reference = Bytes::new(64_000);
        params.rp.largest_increase = Rate::from_mbps(100);
        Plane::new(&self.bottleneck(), &Scheme::Bcn(params)).expect("a plane")
    }

    pub(crate) fn two_stage(&self) -> Plane {
        let mut params = smcc_params(256, 64);
        params.rp.two_stage = Switch::On;
        params.rp.state_a_small = Rate::from_mbps(128);
        Plane::new(&self.bottleneck(), &Scheme::Smcc(params)).expect("a plane")
    }
}

/// SMCC with R_a and R_b in Mb/s.
pub(crate) fn smcc_params(a: u64, b: u64) -> smcc::Params {
    let mut params = smcc::Params::default();
    params.cp.sample_base = Bytes::new(100_000);
    params.rp.state_a = Rate::from_mbps(a);
    params.rp.state_b = Rate::from_mbps(b);
    params
}

pub(crate) fn smcc_plane(a: u64, b: u64) -> Plane {
    Plane::new(&Bench::default().bottleneck(), &Scheme::Smcc(smcc_params(a, b))).expect("a plane")
}

/// Asserts that two numbers differ by at most a fraction `part`.
#[track_caller]
pub(crate) fn close(one: f64, other: f64, part: f64) {
    assert!((one - other).abs() <= part * other.abs(), "{one} is not {other}");
}
