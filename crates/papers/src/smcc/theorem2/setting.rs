//! The cases: a grid of cycles and backgrounds, and the other parameters of the theorem, one at a time.

use std::sync::{LazyLock, OnceLock};

use crate::prelude::*;

/// One of the cases.
#[derive(Clone, Debug)]
pub(super) struct Setting {
    pub(super) name: String,
    pub(super) label: String,
    /// Length of a cycle, in kB.
    pub(super) cycle: u32,
    /// Background traffic, in Mb/s.
    pub(super) background: u32,
    /// Further settings, as `key=value`.
    settings: Vec<String>,
    /// T divided by the theorem's largest T, once it has been computed.
    pub(super) over_longest: OnceLock<Option<f64>>,
}

/// Settings ordered by background, then by cycle.
pub(super) type Grid = LazyLock<Vec<Setting>>;

const WITH_BACKGROUND: &str = scenario!("smcc": "theorem2", "with-qcn");
const ALONE: &str = scenario!("smcc": "theorem2-alone", "with-qcn");

/// The cycles in kB, and the backgrounds in Mb/s.
pub(super) const CYCLES: [u32; 6] = [15, 30, 60, 100, 150, 300];
pub(super) const BACKGROUNDS: [u32; 5] = [0, 250, 500, 750, 875];

/// The grid with the paper's reduced QCN.
pub(super) static REDUCED: Grid = LazyLock::new(|| grid("", &[]));
/// The same grid, but consecutive messages leave the target unchanged, as the theorem requires.
pub(super) static KEPT_TARGET: Grid =
    LazyLock::new(|| grid("kept-", &["control.qcn.rp.extra_fast_recovery=on"]));

fn grid(prefix: &str, settings: &[&str]) -> Vec<Setting> {
    let setting = |background: u32, cycle: u32| {
        let name = format!("{prefix}{cycle}-{background}");
        let label = format!("cycle {cycle} kB, background {background} Mb/s");
        setting(name, label, (cycle, background), settings)
    };
    BACKGROUNDS.iter().flat_map(|background| CYCLES.map(|cycle| setting(*background, cycle))).collect()
}

fn setting(name: String, label: String, (cycle, background): (u32, u32), settings: &[&str]) -> Setting {
    let settings = settings.iter().map(|&text| text.to_owned()).collect();
    Setting { name, label, cycle, background, settings, over_longest: OnceLock::new() }
}

/// A parameter that is varied on its own, starting from cycles of 150 kB and background traffic at half the link
/// rate.
#[derive(Debug)]
pub(super) struct Series {
    pub(super) title: &'static str,
    /// The values in words, and the settings.
    pub(super) settings: Vec<(&'static str, Setting)>,
}

/// Indices in [`SERIES`] of the parameters to which claims refer.
pub(super) const FLOWS: usize = 0;
pub(super) const SAMPLES: usize = 2;
pub(super) const WEIGHTS: usize = 3;

pub(super) static SERIES: LazyLock<[Series; 4]> = LazyLock::new(|| {
    let series = |title, settings: [(&'static str, String, Vec<String>); 4]| {
        let varied = |(value, name, settings): (&'static str, String, Vec<String>)| {
            let settings: Vec<&str> = settings.iter().map(String::as_str).collect();
            (value, setting(name.clone(), name, (150, 500), &settings))
        };
        Series { title, settings: settings.map(varied).into() }
    };
    let flows = |text, flows: u32| (text, format!("flows-{flows}"), more_flows(flows));
    let link = |text, rate: u32| {
        let link = format!("topology.dumbbell.rate=\"{rate} Mb/s\"");
        let background = format!("flows.2.traffic.constant.rate=\"{} Mb/s\"", rate / 2);
        (text, format!("link-{rate}"), vec![link, background])
    };
    let samples = |text, base: u32| {
        (text, format!("samples-{base}"), vec![format!("control.qcn.cp.sample_base=\"{base} kB\"")])
    };
    let weight =
        |text, power: u32| (text, format!("weight-{text}"), vec![format!("control.qcn.cp.weight=2^{power}")]);
    [
        series("N, number of flows", [flows("1", 1), flows("2", 2), flows("4", 4), flows("8", 8)]),
        series(
            "C, link rate",
            [link("500 Mb/s", 500), link("1 Gb/s", 1000), link("2 Gb/s", 2000), link("4 Gb/s", 4000)],
        ),
        series(
            "p, sampling probability",
            [samples("0.5 %", 200), samples("1 %", 100), samples("2 %", 50), samples("4 %", 25)],
        ),
        series("w, weight", [weight("1", 0), weight("2", 1), weight("4", 2), weight("8", 3)]),
    ]
});

fn more_flows(flows: u32) -> Vec<String> {
    let mut settings = vec![format!("flows.1.from=s{{1..{flows}}}"), format!("flows.1.to=r{{1..{flows}}}")];
    if flows > 2 {
        let background = flows + 1;
        settings.insert(0, format!("topology.dumbbell.senders={background}"));
        settings.extend([format!("flows.2.from=s{background}"), format!("flows.2.to=r{background}")]);
    }
    settings
}

pub(super) fn settings() -> impl Iterator<Item = &'static Setting> {
    let of_series = SERIES.iter().flat_map(|series| series.settings.iter().map(|(_, setting)| setting));
    REDUCED.iter().chain(KEPT_TARGET.iter()).chain(of_series)
}

pub(super) fn of(grid: &'static Grid, cycle: u32, background: u32) -> &'static Setting {
    let wanted = |setting: &&Setting| setting.cycle == cycle && setting.background == background;
    grid.iter().find(wanted).expect("a cycle and a background of the grid")
}

impl Setting {
    pub(super) fn case(&self) -> Case {
        let network = if self.background == 0 { ALONE } else { WITH_BACKGROUND };
        let case = Case::new(&self.name, &self.label, network)
            .set(format!("control.qcn.rp.byte_reset=\"{} kB\"", self.cycle));
        let case = match self.background {
            0 => case,
            rate => case.set(format!("flows.2.traffic.constant.rate=\"{rate} Mb/s\"")),
        };
        case.set_all(self.settings.iter())
    }
}
