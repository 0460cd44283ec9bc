//! The cases: cycles and backgrounds, all with all, and what else the theorem hangs on, one by one.

use crate::case::Case;
use crate::smcc::scenario;

/// One of the cases.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setting {
    pub(super) name: &'static str,
    pub(super) label: &'static str,
    /// Bytes of a cycle, in kB.
    pub(super) cycle: u32,
    /// Background traffic, in Mb/s.
    pub(super) background: u32,
    /// What is set besides, as `key=value`.
    set: &'static [&'static str],
}

const WITH_BACKGROUND: &str = scenario!("theorem2", "with-qcn");
const ALONE: &str = scenario!("theorem2-alone", "with-qcn");

/// The cycles in kB, and the backgrounds in Mb/s.
pub(super) const CYCLES: [u32; 6] = [15, 30, 60, 100, 150, 300];
pub(super) const BACKGROUNDS: [u32; 5] = [0, 250, 500, 750, 875];

macro_rules! setting {
    ($prefix:literal, $cycle:literal, $background:literal, $set:expr) => {
        Setting {
            name: concat!($prefix, $cycle, "-", $background),
            label: concat!("cycle ", $cycle, " kB, background ", $background, " Mb/s"),
            cycle: $cycle,
            background: $background,
            set: $set,
        }
    };
}

macro_rules! row {
    ($prefix:literal, $background:literal, $set:expr) => {
        [
            setting!($prefix, 15, $background, $set),
            setting!($prefix, 30, $background, $set),
            setting!($prefix, 60, $background, $set),
            setting!($prefix, 100, $background, $set),
            setting!($prefix, 150, $background, $set),
            setting!($prefix, 300, $background, $set),
        ]
    };
}

macro_rules! map {
    ($prefix:literal, $set:expr) => {
        [
            row!($prefix, 0, $set),
            row!($prefix, 250, $set),
            row!($prefix, 500, $set),
            row!($prefix, 750, $set),
            row!($prefix, 875, $set),
        ]
    };
}

/// By background, then by cycle.
pub(super) type Map = [[Setting; 6]; 5];

/// The paper's reduced QCN.
pub(super) static REDUCED: Map = map!("", &[]);
/// The same where messages in a row keep the target, as the theorem needs it.
pub(super) static KEPT_TARGET: Map = map!("kept-", &["control.qcn.rp.extra_fast_recovery=on"]);

/// Something that is varied by itself, from cycles of 150 kB and a background of half the link.
#[derive(Clone, Copy, Debug)]
pub(super) struct Series {
    /// What it is.
    pub(super) title: &'static str,
    /// The values in words, and the settings.
    pub(super) settings: &'static [(&'static str, Setting)],
}

macro_rules! varied {
    ($name:literal, $set:expr) => {
        Setting { name: $name, label: $name, cycle: 150, background: 500, set: $set }
    };
}

pub(super) static SERIES: [Series; 4] = [FLOWS, LINK, SAMPLES, WEIGHTS];

pub(super) static FLOWS: Series = Series {
    title: "N, flows",
    settings: &[
        ("1", varied!("flows-1", &["flows.1.from=s{1..1}", "flows.1.to=r{1..1}"])),
        ("2", varied!("flows-2", &["flows.1.from=s{1..2}", "flows.1.to=r{1..2}"])),
        ("4", varied!("flows-4", MORE_FLOWS_4)),
        ("8", varied!("flows-8", MORE_FLOWS_8)),
    ],
};

const MORE_FLOWS_4: &[&str] = &[
    "topology.dumbbell.senders=5",
    "flows.1.from=s{1..4}",
    "flows.1.to=r{1..4}",
    "flows.2.from=s5",
    "flows.2.to=r5",
];

const MORE_FLOWS_8: &[&str] = &[
    "topology.dumbbell.senders=9",
    "flows.1.from=s{1..8}",
    "flows.1.to=r{1..8}",
    "flows.2.from=s9",
    "flows.2.to=r9",
];

pub(super) static LINK: Series = Series {
    title: "C, link",
    settings: &[
        (
            "500 Mb/s",
            varied!(
                "link-500",
                &["topology.dumbbell.rate=\"500 Mb/s\"", "flows.2.traffic.constant.rate=\"250 Mb/s\""]
            ),
        ),
        (
            "1 Gb/s",
            varied!(
                "link-1000",
                &["topology.dumbbell.rate=\"1 Gb/s\"", "flows.2.traffic.constant.rate=\"500 Mb/s\""]
            ),
        ),
        (
            "2 Gb/s",
            varied!(
                "link-2000",
                &["topology.dumbbell.rate=\"2 Gb/s\"", "flows.2.traffic.constant.rate=\"1 Gb/s\""]
            ),
        ),
        (
            "4 Gb/s",
            varied!(
                "link-4000",
                &["topology.dumbbell.rate=\"4 Gb/s\"", "flows.2.traffic.constant.rate=\"2 Gb/s\""]
            ),
        ),
    ],
};

pub(super) static SAMPLES: Series = Series {
    title: "p, sampling",
    settings: &[
        ("0.5 %", varied!("samples-200", &["control.qcn.cp.sample_base=\"200 kB\""])),
        ("1 %", varied!("samples-100", &["control.qcn.cp.sample_base=\"100 kB\""])),
        ("2 %", varied!("samples-50", &["control.qcn.cp.sample_base=\"50 kB\""])),
        ("4 %", varied!("samples-25", &["control.qcn.cp.sample_base=\"25 kB\""])),
    ],
};

pub(super) static WEIGHTS: Series = Series {
    title: "w, weight",
    settings: &[
        ("1", varied!("weight-1", &["control.qcn.cp.weight=2^0"])),
        ("2", varied!("weight-2", &["control.qcn.cp.weight=2^1"])),
        ("4", varied!("weight-4", &["control.qcn.cp.weight=2^2"])),
        ("8", varied!("weight-8", &["control.qcn.cp.weight=2^3"])),
    ],
};

/// All settings.
pub(super) fn settings() -> impl Iterator<Item = &'static Setting> {
    let of_series = SERIES.iter().flat_map(|series| series.settings.iter().map(|(_, setting)| setting));
    REDUCED.iter().chain(&KEPT_TARGET).flatten().chain(of_series)
}

/// All cases.
pub(super) fn cases() -> Vec<Case> {
    settings().map(Setting::case).collect()
}

/// The setting of a cycle and a background.
pub(super) fn of(map: &'static Map, cycle: u32, background: u32) -> &'static Setting {
    let wanted = |setting: &&Setting| setting.cycle == cycle && setting.background == background;
    map.iter().flatten().find(wanted).expect("one of the cycles, and of the backgrounds")
}

impl Setting {
    pub(super) fn case(&self) -> Case {
        let byte_reset = format!("control.qcn.rp.byte_reset=\"{} kB\"", self.cycle);
        let network = if self.background == 0 { ALONE } else { WITH_BACKGROUND };
        let case = Case::new(self.name, self.label, network).set(byte_reset);
        let case = match self.background {
            0 => case,
            rate => case.set(format!("flows.2.traffic.constant.rate=\"{rate} Mb/s\"")),
        };
        self.set.iter().fold(case, |case, set| case.set(*set))
    }
}
