//! Every profile at the rate of every preset, compared with values from the sources that the profiles name.

use setpoint_control::dcqcn::{CpParams, NpParams, PROFILES, Reports, RpParams, Rules, TargetUpdate};
use setpoint_control::parameter::{Fraction, Percent, Switch};
use setpoint_control::{Algorithm, Params, Preset, Window};
use setpoint_units::{Bytes, Rate, TimeDelta};

/// A value at the rate of each preset: 1, 10, 25, 40, 50, 100, 200, 400 and 800 Gb/s.
type BySpeed = [u64; 9];

const fn same(value: u64) -> BySpeed {
    [value; 9]
}

/// Values of a source. Those that it does not give are `None`, and are not compared.
struct Expected {
    name: &'static str,
    k_min: BySpeed,
    k_max: BySpeed,
    p_max_percent: BySpeed,
    reports: Reports,
    /// The time between two notifications in microseconds.
    spacing: Option<u64>,
    rules: Rules,
    /// In microseconds: the clock of α, the check for CNPs, and the timer.
    clocks: [Option<u64>; 3],
    /// The byte counter; off if there is none.
    bytes: Option<u64>,
    threshold: u32,
    /// g and the initial α, in parts of 1024.
    gain: [u16; 2],
    /// In kb/s: R_AI, R_HAI, and the minimum rate.
    increase_kbps: BySpeed,
    hyper_kbps: Option<BySpeed>,
    least_kbps: Option<u64>,
    window: Window,
}

/// bw/25 in thousandths, for the rate bw of each preset in Gb/s.
const PER_25G: BySpeed = [40, 400, 1_000, 1_600, 2_000, 4_000, 8_000, 16_000, 32_000];

/// A value that the scripts multiply by bw/25.
const fn scaled(at_25g: u64) -> BySpeed {
    let mut values = PER_25G;
    let mut speed = 0;
    while speed < values.len() {
        values[speed] = values[speed] * at_25g / 1_000;
        speed += 1;
    }
    values
}

/// CoNEXT'16, text. It gives neither hyper increase nor a minimum rate.
const PAPER: Expected = Expected {
    name: "paper",
    k_min: same(5_000),
    k_max: same(200_000),
    p_max_percent: same(1),
    reports: Reports::Paced,
    spacing: Some(50),
    rules: Rules::Paper,
    clocks: [Some(55), None, Some(55)],
    bytes: Some(10_000_000),
    threshold: 5,
    gain: [4, 1_024],
    increase_kbps: same(40_000),
    hyper_kbps: None,
    least_kbps: None,
    window: Window::None,
};

/// qbb-net-device.cc of ns3-rdma; 40 and 1000 cells of 1030 B and a Pmax of 1.0 from mix/config.txt.
const NS3_RDMA: Expected = Expected {
    name: "ns3-rdma",
    k_min: same(40 * 1_030),
    k_max: same(1_000 * 1_030),
    p_max_percent: same(100),
    reports: Reports::Polled,
    clocks: [Some(55), None, Some(1_500)],
    bytes: Some(150_000),
    gain: [64, 512],
    increase_kbps: same(5_000),
    hyper_kbps: Some(same(50_000)),
    least_kbps: Some(100_000),
    ..PAPER
};

/// mix/config.txt of ns3-rdma.
const NS3_RDMA_40G: Expected = Expected {
    name: "ns3-rdma-40g",
    clocks: [Some(55), None, Some(60)],
    bytes: Some(300_000_000),
    gain: [4, 512],
    increase_kbps: same(40_000),
    hyper_kbps: Some(same(200_000)),
    ..NS3_RDMA
};

/// run.py of HPCC, `dcqcn`: 100 and 400 kB, 5 and 50 Mb/s times bw/25; Pmax 0.2.
const HPCC: Expected = Expected {
    name: "hpcc",
    k_min: scaled(100_000),
    k_max: scaled(400_000),
    p_max_percent: same(20),
    reports: Reports::Acknowledged,
    spacing: None,
    rules: Rules::Vendor,
    clocks: [Some(1), Some(4), Some(300)],
    bytes: None,
    threshold: 1,
    gain: [4, 1_024],
    increase_kbps: scaled(5_000),
    hyper_kbps: Some(scaled(50_000)),
    least_kbps: Some(1_000_000),
    window: Window::None,
};

/// run.py of HPCC, `dcqcn_paper`.
const HPCC_PAPER: Expected = Expected { name: "hpcc-paper", clocks: [Some(50), Some(50), Some(55)], ..HPCC };

/// run.py of HPCC, `dcqcn_vwin`.
const HPCC_WINDOW: Expected = Expected { name: "hpcc-window", window: Window::Rate, ..HPCC };

/// SimAI.conf: thresholds of 25, 50, 100, 200 (with a Pmax of 0.8) and 400 Gb/s, each up to the next speed.
const SIMAI: Expected = Expected {
    name: "simai",
    k_min: [100_000, 100_000, 100_000, 100_000, 200_000, 400_000, 300_000, 800_000, 800_000],
    k_max: [400_000, 400_000, 400_000, 400_000, 800_000, 1_600_000, 1_200_000, 3_200_000, 3_200_000],
    p_max_percent: [20, 20, 20, 20, 20, 20, 80, 20, 20],
    clocks: [Some(1), Some(4), Some(900)],
    increase_kbps: same(50_000),
    hyper_kbps: Some(same(100_000)),
    least_kbps: Some(100_000),
    ..HPCC
};

/// run.py of ConWeave: 10 and 25 Mb/s times bw/25, the same thresholds at all rates.
const CONWEAVE: Expected = Expected {
    name: "conweave",
    k_min: same(100_000),
    k_max: same(400_000),
    increase_kbps: scaled(10_000),
    hyper_kbps: Some(scaled(25_000)),
    least_kbps: None,
    ..HPCC
};

/// mlxconfig, with 1 - g = 1019/1024; SONiC's default profile marks from 1 to 2 MiB, up to 5 %. The byte counter is left out.
const CONNECTX: Expected = Expected {
    name: "connectx",
    k_min: same(1 << 20),
    k_max: same(2 << 20),
    p_max_percent: same(5),
    reports: Reports::Paced,
    spacing: Some(4),
    gain: [1_024 - 1_019, 1_023],
    increase_kbps: same(5_000),
    hyper_kbps: Some(same(50_000)),
    least_kbps: Some(1_000),
    ..HPCC
};

const ALL: [Expected; 9] =
    [PAPER, NS3_RDMA, NS3_RDMA_40G, HPCC, HPCC_PAPER, HPCC_WINDOW, SIMAI, CONWEAVE, CONNECTX];

impl Expected {
    /// The parameters with the values of the source; others keep theirs.
    fn applied(&self, speed: usize, (cp, np, rp): Points) -> Points {
        let micros = |given: Option<u64>, other| given.map_or(other, TimeDelta::from_micros);
        let rate = |kbps: u64| Rate::from_bits_per_second(1_000 * kbps);
        let byte_counter = if self.bytes.is_some() { Switch::On } else { Switch::Off };
        let [gain, initial_alpha] = self.gain.map(Fraction::of_1024);
        let [alpha, decrease, timer] = self.clocks;
        let cp = CpParams {
            k_min: Bytes::new(self.k_min[speed]),
            k_max: Bytes::new(self.k_max[speed]),
            p_max: Percent::new(self.p_max_percent[speed] as u16),
            ..cp
        };
        let np = NpParams { reports: self.reports, interval: micros(self.spacing, np.interval) };
        let rp = RpParams {
            rules: self.rules,
            gain,
            initial_alpha,
            alpha_interval: micros(alpha, rp.alpha_interval),
            decrease_interval: micros(decrease, rp.decrease_interval),
            time_reset: micros(timer, rp.time_reset),
            byte_counter,
            byte_reset: self.bytes.map_or(rp.byte_reset, Bytes::new),
            threshold: self.threshold,
            active_increase: rate(self.increase_kbps[speed]),
            hyper_increase: self.hyper_kbps.map_or(rp.hyper_increase, |kbps| rate(kbps[speed])),
            min_rate: self.least_kbps.map_or(rp.min_rate, rate),
            window: self.window,
            // The vendor's sender keeps its target until a cycle has passed.
            target: if self.rules == Rules::Vendor { TargetUpdate::AfterCycle } else { rp.target },
            ..rp
        };
        (cp, np, rp)
    }
}

type Points = (CpParams, NpParams, RpParams);

#[test]
fn every_profile_has_the_values_of_its_source_at_every_speed() {
    assert_eq!(ALL.map(|one| one.name)[..], PROFILES.iter().map(|one| one.name).collect::<Vec<_>>()[..]);
    for expected in &ALL {
        for (speed, preset) in Preset::ALL.into_iter().enumerate() {
            let params = Params::of(preset, Algorithm::Dcqcn.profile(expected.name)).dcqcn;
            let points = (params.cp, params.np, params.rp);
            assert_eq!(points, expected.applied(speed, points), "{} at {preset:?}", expected.name);
        }
    }
}
