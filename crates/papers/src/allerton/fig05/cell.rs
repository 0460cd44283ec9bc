//! The grid of figure 5: numbers of sources and round-trip times, each with two QCNs.

use crate::allerton::scenario;
use crate::case::Case;

const SCENARIO: &str = scenario!("fig05", "with-qcn");

/// One place of the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cell {
    /// N.
    pub(super) sources: u32,
    /// The round-trip time in microseconds.
    pub(super) lag: u32,
    modelled: &'static str,
    standard: &'static str,
}

/// Which QCN sends packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Packets {
    /// As far as the model follows it: byte counter only, the sampling of figure 2.
    Modelled,
    /// The standard's.
    Standard,
}

macro_rules! cells {
    ($($sources:literal: $($lag:literal)*);*) => {
        &[$($(Cell {
            sources: $sources,
            lag: $lag,
            modelled: concat!("modelled-", $sources, "-", $lag),
            standard: concat!("standard-", $sources, "-", $lag),
        }),*),*]
    };
}

pub(super) const CELLS: &[Cell] = cells!(
    1: 20 50 100 200 400;
    2: 20 50 100 200 400;
    10: 20 50 100 200 400;
    50: 20 50 100 200 400
);

impl Packets {
    pub(super) const BOTH: [Self; 2] = [Self::Modelled, Self::Standard];

    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Modelled => "QCN as modelled",
            Self::Standard => "standard QCN",
        }
    }
}

impl Cell {
    /// The cell of so many sources at a lag.
    pub(super) fn at(sources: u32, lag: u32) -> Option<&'static Self> {
        CELLS.iter().find(|cell| (cell.sources, cell.lag) == (sources, lag))
    }

    /// The name of its case.
    pub(super) fn name(&self, packets: Packets) -> &'static str {
        match packets {
            Packets::Modelled => self.modelled,
            Packets::Standard => self.standard,
        }
    }

    pub(super) fn case(&self, packets: Packets) -> Case {
        let (sources, lag) = (self.sources, self.lag);
        // A single source must be faster than the link to congest it.
        let port = if sources == 1 { 20 } else { 10 };
        // Many curves are kept at longer intervals.
        let interval = if sources > 10 { 200 } else { 50 };
        let case = Case::new(self.name(packets), packets.words(), SCENARIO)
            .set(format!("topology.dumbbell.senders={sources}"))
            .set(format!("topology.dumbbell.rtt=\"{lag} us\""))
            .set(format!("topology.dumbbell.access_rate=\"{port} Gb/s\""))
            .set(format!("sample_interval=\"{interval} us\""));
        match packets {
            Packets::Modelled => as_modelled(case),
            Packets::Standard => case,
        }
    }
}

/// QCN as far as the equations follow it.
fn as_modelled(case: Case) -> Case {
    case.set("control.qcn.cp.sampling=linear")
        .set("control.qcn.rp.timer=off")
        .set("control.qcn.rp.hyper_phase=off")
        .set("control.qcn.rp.period_halving=off")
        .set("control.qcn.rp.extra_fast_recovery=off")
        .set("control.qcn.rp.target_reduction=off")
}
