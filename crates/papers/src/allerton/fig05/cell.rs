//! The grid of figure 5: numbers of sources and round-trip times.

use super::super::choices::FIGURE_5;
use crate::prelude::*;
use crate::setup::Setup;

/// The network, with sources that switch to the set-up's version of QCN after the start.
const SCENARIO: &str = scenario!("allerton": "fig05", "fig05-switch", "with-qcn");
/// The same network without this switch.
const FROM_THE_START: &str = scenario!("allerton": "fig05", "with-qcn");

/// Numbers of sources for which the paper's claim is judged.
const FOR_FIGURE: [u32; 2] = [1, 10];
/// Numbers of sources that we added.
const ADDED: [u32; 2] = [2, 50];
/// Round-trip times in microseconds.
const LAGS: [u32; 5] = [20, 50, 100, 200, 400];

/// One cell of the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cell {
    /// The number of sources, N.
    pub(super) sources: u32,
    /// The round-trip time in microseconds.
    pub(super) lag: u32,
}

/// All cells, by number of sources, then by round-trip time.
pub(super) fn cells() -> impl Iterator<Item = Cell> {
    let mut sources = [FOR_FIGURE, ADDED].concat();
    sources.sort_unstable();
    sources.into_iter().flat_map(|sources| LAGS.map(|lag| Cell { sources, lag }))
}

impl Cell {
    /// Whether we added the cell to those of the figure.
    pub(super) fn is_added(self) -> bool {
        ADDED.contains(&self.sources)
    }

    /// The name of its case.
    pub(super) fn name(self) -> String {
        format!("{}-{}", self.sources, self.lag)
    }

    /// Its case, without the settings of a set-up.
    pub(super) fn case(self) -> Case {
        self.over(SCENARIO)
    }

    /// Its case in the leading set-up.
    pub(super) fn leading_case(self) -> Case {
        Setup::leading(&FIGURE_5).apply(&self.case())
    }

    /// The case from which the fluid model is derived: QCN as modelled, from the start.
    pub(super) fn modelled(self) -> Case {
        let settings = BYTE_COUNTER_ALONE.map(|change| format!("control.qcn.rp.{change}"));
        self.over(FROM_THE_START).set(FIGURE_2).set_all(settings)
    }

    fn over(self, scenario: &'static str) -> Case {
        let Self { sources, lag } = self;
        // A single source must be faster than the link to congest it.
        let port = if sources == 1 { 20 } else { 10 };
        // With many sources, curves are sampled at longer intervals.
        let interval = if sources > 10 { 200 } else { 50 };
        Case::new(self.name(), format!("N = {sources}, {lag} us"), scenario)
            .set(format!("topology.dumbbell.senders={sources}"))
            .set(format!("topology.dumbbell.rtt=\"{lag} us\""))
            .set(format!("topology.dumbbell.access_rate=\"{port} Gb/s\""))
            .set(format!("sample_interval=\"{interval} us\""))
    }
}

/// The setting for sampling as in figure 2.
const FIGURE_2: &str = "control.qcn.cp.sampling=linear";

/// Settings for a source as in the equations.
const BYTE_COUNTER_ALONE: [&str; 5] =
    ["timer=off", "hyper_phase=off", "period_halving=off", "extra_fast_recovery=off", "target_reduction=off"];
