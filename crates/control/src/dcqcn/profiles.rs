//! Sets of DCQCN's parameters, each from one source.
//!
//! Sources that give values for a single link speed are used unchanged at every speed. In the formulas of the
//! simulators' scripts, the speed is that of the network card.

use setpoint_units::{Bytes, Rate, TimeDelta};

use super::choices::{AlphaOrder, Marking, Phases, Reports, Rules, TargetUpdate};
use super::{CpParams, NpParams, Params, RpParams};
use crate::parameter::{Fraction, Percent, Profile, Switch};
use crate::window::Window;

/// Every profile, starting with the one that equals the defaults.
pub const PROFILES: &[Profile] = &[
    Profile {
        name: "paper",
        description: "The parameters of CoNEXT'16 for 40 Gb/s: the defaults.",
        origin: "CoNEXT'16, text and fluidmodel/dcqcn/dcqcn2.m",
        set: |params, _| *params.of_mut() = Params::default(),
    },
    Profile {
        name: "ns3-rdma",
        description: "The defaults of the simulator ns3-rdma, which are close to QCN's.",
        origin: "ns3-rdma, qbb-net-device.cc; thresholds: mix/config.txt",
        set: |params, _| *params.of_mut() = ns3_rdma(),
    },
    Profile {
        name: "ns3-rdma-40g",
        description: "The sample configuration of ns3-rdma for 40 Gb/s.",
        origin: "ns3-rdma, mix/config.txt",
        set: |params, _| *params.of_mut() = ns3_rdma_40g(),
    },
    Profile {
        name: "hpcc",
        description: "The set `dcqcn` of the HPCC simulator: the vendor's version, scaled with the link speed.",
        origin: "HPCC, run.py",
        set: |params, rate| *params.of_mut() = hpcc(rate),
    },
    Profile {
        name: "hpcc-paper",
        description: "The set `dcqcn_paper` of the HPCC simulator: the vendor's version with the papers' timers.",
        origin: "HPCC, run.py",
        set: |params, rate| *params.of_mut() = hpcc_paper(rate),
    },
    Profile {
        name: "hpcc-window",
        description: "The set `dcqcn_vwin` of the HPCC simulator: `dcqcn` with a window that follows the rate.",
        origin: "HPCC, run.py: HAS_WIN 1, VAR_WIN 1",
        set: |params, rate| *params.of_mut() = hpcc_window(rate),
    },
    Profile {
        name: "simai",
        description: "SimAI's configuration: the vendor's version with a slower timer.",
        origin: "SimAI.conf; the timers are also in the config.txt of HPCC",
        set: |params, rate| *params.of_mut() = simai(rate),
    },
    Profile {
        name: "conweave",
        description: "The configuration of the ConWeave simulator.",
        origin: "conweave-ns3, run.py",
        set: |params, rate| *params.of_mut() = conweave(rate),
    },
    Profile {
        name: "connectx",
        description: "The defaults of ConnectX cards, with the marking thresholds of SONiC.",
        origin: "mlxconfig and NVIDIA's documentation of DCQCN; sonic-buildimage, qos_config.j2. The byte counter (32767 \
            B) is left out, since its unit is not certain, and so is a cut of at most one half, which α/2 never exceeds",
        set: |params, _| *params.of_mut() = connectx(),
    },
];

const fn micros(micros: u64) -> TimeDelta {
    TimeDelta::from_micros(micros)
}

/// A value for 25 Gb/s, scaled with the link speed.
fn scaled(at_25g: u64, line_rate: Rate) -> u64 {
    let scaled = u128::from(at_25g) * u128::from(line_rate.bits_per_second());
    (scaled / u128::from(Rate::from_gbps(25).bits_per_second())) as u64
}

fn red(k_min: u64, k_max: u64, p_max: Percent) -> CpParams {
    CpParams { k_min: Bytes::new(k_min), k_max: Bytes::new(k_max), p_max, marking: Marking::Dequeue }
}

/// Thresholds are in cells of 1030 bytes.
fn ns3_rdma() -> Params {
    let rp = RpParams {
        gain: Fraction::of_1024(64),
        initial_alpha: Fraction::of_1024(512),
        alpha_order: AlphaOrder::BeforeCut,
        target: TargetUpdate::AfterByteCycle,
        time_reset: micros(1_500),
        byte_reset: Bytes::new(150_000),
        phases: Phases::Ns3Rdma,
        active_increase: Rate::from_mbps(5),
        hyper_increase: Rate::from_mbps(50),
        target_cap: Switch::Off,
        target_reduction: Switch::On,
        ..RpParams::default()
    };
    let np = NpParams { reports: Reports::Polled, interval: micros(50) };
    Params { cp: red(41_200, 1_030_000, Percent::WHOLE), np, rp }
}

fn ns3_rdma_40g() -> Params {
    let defaults = ns3_rdma();
    let rp = RpParams {
        gain: Fraction::of_1024(4),
        time_reset: micros(60),
        byte_reset: Bytes::new(300_000_000),
        active_increase: Rate::from_mbps(40),
        hyper_increase: Rate::from_mbps(200),
        ..defaults.rp
    };
    Params { rp, ..defaults }
}

fn hpcc(line_rate: Rate) -> Params {
    let rp = RpParams {
        rules: Rules::Vendor,
        gain: Fraction::of_1024(4),
        initial_alpha: Fraction::ONE,
        alpha_interval: micros(1),
        decrease_interval: micros(4),
        target: TargetUpdate::AfterCycle,
        time_reset: micros(300),
        byte_counter: Switch::Off,
        threshold: 1,
        active_increase: Rate::from_bits_per_second(scaled(5_000_000, line_rate)),
        hyper_increase: Rate::from_bits_per_second(scaled(50_000_000, line_rate)),
        min_rate: Rate::from_gbps(1).min(line_rate),
        ..RpParams::default()
    };
    let np = NpParams { reports: Reports::Acknowledged, ..NpParams::default() };
    Params { cp: red(scaled(100_000, line_rate), scaled(400_000, line_rate), Percent::new(20)), np, rp }
}

fn hpcc_paper(line_rate: Rate) -> Params {
    let vendor = hpcc(line_rate);
    let rp = RpParams {
        alpha_interval: micros(50),
        decrease_interval: micros(50),
        time_reset: micros(55),
        ..vendor.rp
    };
    Params { rp, ..vendor }
}

fn hpcc_window(line_rate: Rate) -> Params {
    let vendor = hpcc(line_rate);
    Params { rp: RpParams { window: Window::Rate, ..vendor.rp }, ..vendor }
}

/// Thresholds by link speed; between the listed speeds, those of the next lower one.
fn simai(line_rate: Rate) -> Params {
    let vendor = hpcc(line_rate);
    let rp = RpParams {
        time_reset: micros(900),
        active_increase: Rate::from_mbps(50),
        hyper_increase: Rate::from_mbps(100),
        min_rate: Rate::from_mbps(100),
        ..vendor.rp
    };
    let cp = match line_rate.bits_per_second() / 1_000_000_000 {
        0..50 => red(100_000, 400_000, Percent::new(20)),
        50..100 => red(200_000, 800_000, Percent::new(20)),
        100..200 => red(400_000, 1_600_000, Percent::new(20)),
        200..400 => red(300_000, 1_200_000, Percent::new(80)),
        400..1_600 => red(800_000, 3_200_000, Percent::new(20)),
        _ => red(600_000, 2_400_000, Percent::new(20)),
    };
    Params { cp, rp, ..vendor }
}

fn conweave(line_rate: Rate) -> Params {
    let vendor = hpcc(line_rate);
    let rp = RpParams {
        active_increase: Rate::from_bits_per_second(scaled(10_000_000, line_rate)),
        hyper_increase: Rate::from_bits_per_second(scaled(25_000_000, line_rate)),
        min_rate: Rate::from_mbps(100),
        ..vendor.rp
    };
    Params { cp: red(100_000, 400_000, Percent::new(20)), rp, ..vendor }
}

fn connectx() -> Params {
    let vendor = hpcc(Rate::from_gbps(25));
    let rp = RpParams {
        gain: Fraction::of_1024(5),
        initial_alpha: Fraction::of_1024(1023),
        min_rate: Rate::from_mbps(1),
        ..vendor.rp
    };
    let np = NpParams { reports: Reports::Paced, interval: micros(4) };
    Params { cp: red(1 << 20, 2 << 20, Percent::new(5)), np, rp }
}
