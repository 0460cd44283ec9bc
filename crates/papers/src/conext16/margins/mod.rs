//! The published phase margins, recomputed from the printed equations and as in the authors' programs.

mod document;
mod panels;

use std::sync::OnceLock;

use setpoint_fluid::linear::{Linearisation, Loop, linearise_as};
use setpoint_fluid::{Scheme, timely};

use super::choices::{APPROXIMATE, LINEARISATION, PUBLISHED_CODE};
use super::model::{DEFAULT, Group, Line, Setting, bottleneck};
use super::published::{self, Published};
use crate::prelude::*;

pub use document::document;
pub(super) use panels::{Part, panels};

/// The largest difference from a published margin, in degrees, that counts as agreement. The programs reproduce the
/// published margins to 0.1°.
pub(super) const TOLERANCE: f64 = 0.5;

/// The system whose margins a file contains.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum System {
    Dcqcn(Setting),
    Timely,
}

/// A published file with its margins and their recomputations.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct File {
    pub(super) name: String,
    pub(super) system: System,
    /// The delay in microseconds; for TIMELY, that of the path.
    pub(super) micros: f64,
    pub(super) margins: Vec<Compared>,
}

/// Phase margins in degrees for a number of flows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Compared {
    pub(super) flows: u32,
    pub(super) published: f64,
    /// By the printed equations; none without a fixed point.
    pub(super) exact: Option<f64>,
    /// By the authors' program.
    pub(super) program: Option<f64>,
}

/// The recomputations with which a published margin agrees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Follows {
    Both,
    Equations,
    Program,
    Neither,
}

impl Compared {
    /// The recomputations with which the published margin agrees.
    pub(super) fn follows(&self) -> Follows {
        let agrees =
            |margin: Option<f64>| margin.is_some_and(|margin| (margin - self.published).abs() <= TOLERANCE);
        match (agrees(self.exact), agrees(self.program)) {
            (true, true) => Follows::Both,
            (true, false) => Follows::Equations,
            (false, true) => Follows::Program,
            (false, false) => Follows::Neither,
        }
    }
}

impl System {
    /// The linearised loop at a delay of the path; none without a fixed point.
    pub(super) fn linear(self, flows: u32, micros: f64, how: Linearisation, line: Line) -> Option<Loop> {
        match self {
            Self::Dcqcn(setting) => {
                // Only the exact linearisation takes the end of the marking line into account.
                let line = if how == Linearisation::Exact { line } else { Line::Text };
                let scheme = Scheme::Dcqcn(setting.params(line));
                linearise_as(&setting.bottleneck(flows, micros), &scheme, how).ok()
            }
            Self::Timely => {
                let group = Group { flows, start_s: 0.0, rate_bps: 10e9 };
                let scheme = Scheme::Timely(timely::Params::patched());
                linearise_as(&bottleneck(10, &[group], micros), &scheme, how).ok()
            }
        }
    }

    /// The phase margin in degrees at a delay of the path.
    pub(super) fn margin(self, flows: u32, micros: f64, how: Linearisation, line: Line) -> Option<f64> {
        let of = self.linear(flows, micros, how, line)?;
        Some(of.wrapped_phase_margin(of.delay_s)?.radians.to_degrees())
    }
}

/// The linearisation in the set-up of a seed.
pub(super) fn linearisation(seed: &Seed<'_>) -> Linearisation {
    match () {
        () if seed.reads(&LINEARISATION, APPROXIMATE) => Linearisation::AtApproximation,
        () if seed.reads(&LINEARISATION, PUBLISHED_CODE) => Linearisation::PublishedCode,
        () => Linearisation::Exact,
    }
}

/// The published files of DCQCN, with recomputations.
pub(super) fn dcqcn() -> &'static [File] {
    static FILES: OnceLock<Vec<File>> = OnceLock::new();
    FILES.get_or_init(|| published::dcqcn().iter().map(of_dcqcn).collect())
}

/// The published files of patched TIMELY, with recomputations.
pub(super) fn timely() -> &'static [File] {
    static FILES: OnceLock<Vec<File>> = OnceLock::new();
    let of_timely =
        |column: &Published| file(format!("pm_timely_{}_fixed.txt", column.name), System::Timely, column);
    FILES.get_or_init(|| published::timely().iter().map(of_timely).collect())
}

/// The file of a column such as `rai10_delay50_kmax1000` or `100gbps_delay0`.
fn of_dcqcn(column: &Published) -> File {
    let part = |name: &str| column.name.split('_').find_map(|part| part.strip_prefix(name)?.parse().ok());
    let gbps = if column.name.starts_with("100gbps") { 100 } else { DEFAULT.gbps };
    let setting = Setting {
        gbps,
        increase_mbps: part("rai").unwrap_or(DEFAULT.increase_mbps),
        kmax_kb: part("kmax").unwrap_or(DEFAULT.kmax_kb),
    };
    file(format!("pm_{}.txt", column.name), System::Dcqcn(setting), column)
}

fn file(name: String, system: System, column: &Published) -> File {
    let delay = column.name.split('_').find_map(|part| part.strip_prefix("delay")?.parse().ok());
    let micros: f64 = delay.expect("the name of a column contains the delay");
    let compared = |&(flows, published): &(u32, f64)| {
        let margin = |how| system.margin(flows, micros, how, Line::Text);
        Compared {
            flows,
            published,
            exact: margin(Linearisation::Exact),
            program: margin(Linearisation::PublishedCode),
        }
    };
    File { name, system, micros, margins: column.values.iter().map(compared).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_columns_give_the_parameters() {
        let found: Vec<(String, System, f64)> =
            dcqcn().iter().map(|file| (file.name.clone(), file.system, file.micros)).collect();
        let has =
            |name: &str, setting, micros| found.contains(&(name.to_owned(), System::Dcqcn(setting), micros));
        assert!(has("pm_rai40_delay25.txt", DEFAULT, 25.0), "{found:?}");
        let slow = Setting { increase_mbps: 10, kmax_kb: 1_000, ..DEFAULT };
        assert!(has("pm_rai10_delay50_kmax1000.txt", slow, 50.0), "{found:?}");
        assert!(has("pm_100gbps_delay100.txt", Setting { gbps: 100, ..DEFAULT }, 100.0), "{found:?}");
    }

    /// Of all margins in the paper's figures, none differs from the programs by more than a tenth of a degree.
    #[test]
    fn the_programs_reproduce_the_margins_of_the_figures() {
        let drawn = dcqcn().iter().filter(|file| !file.name.contains("test")).chain(timely());
        for file in drawn {
            for margin in &file.margins {
                let program = margin.program.expect("the programs have a margin for every number of flows");
                assert!((program - margin.published).abs() < 0.1, "{} {margin:?}", file.name);
            }
        }
    }
}
