//! The grid of figure 5: numbers of sources and round-trip times, each with two QCNs.

use crate::allerton::scenario;
use crate::case::Case;

/// The network, with sources that become what a case has them be when the start is over.
const SCENARIO: &str = scenario!("fig05", "fig05-switch", "with-qcn");
/// The network alone.
const FROM_THE_START: &str = scenario!("fig05", "with-qcn");

/// One place of the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cell {
    /// N.
    pub(super) sources: u32,
    /// The round-trip time in microseconds.
    pub(super) lag: u32,
    modelled: &'static str,
    timer_off: &'static str,
    standard: &'static str,
}

/// Which QCN sends packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Packets {
    /// As far as the model follows it: byte counter only, every message sets the target, the sampling of figure 2.
    Modelled,
    /// The standard's without its timer, and so without hyper-active increase.
    TimerOff,
    /// The standard's.
    Standard,
}

macro_rules! cells {
    ($($sources:literal: $($lag:literal)*);*) => {
        &[$($(Cell {
            sources: $sources,
            lag: $lag,
            modelled: concat!("modelled-", $sources, "-", $lag),
            timer_off: concat!("timer-off-", $sources, "-", $lag),
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
    pub(super) const ALL: [Self; 3] = [Self::Modelled, Self::TimerOff, Self::Standard];

    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Modelled => "QCN as modelled",
            Self::TimerOff => "QCN without timer",
            Self::Standard => "standard QCN",
        }
    }

    pub(super) fn heading(self) -> &'static str {
        match self {
            Self::Modelled => {
                "QCN as modelled: byte counter alone, every message sets the target, the sampling of figure 2."
            }
            Self::TimerOff => {
                "Standard QCN without its timer: extra fast recovery and the mark table are there."
            }
            Self::Standard => "Standard QCN, with a timer of 10 ms and hyper-active increase.",
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
            Packets::TimerOff => self.timer_off,
            Packets::Standard => self.standard,
        }
    }

    /// Its case.
    pub(super) fn case(&self, packets: Packets) -> Case {
        let changed = |case: Case, changes: &[&str]| {
            changes.iter().fold(case, |case, change| case.set(format!("at.1.rp.{change}")))
        };
        let case = self.over(SCENARIO, packets);
        match packets {
            Packets::Modelled => changed(case.set(FIGURE_2), &BY_BYTES_ALONE),
            Packets::TimerOff => changed(case, &["timer=off"]),
            Packets::Standard => case,
        }
    }

    /// What theory is asked about: QCN as modelled, from the start on.
    pub(super) fn modelled(&self) -> Case {
        let case = self.over(FROM_THE_START, Packets::Modelled).set(FIGURE_2);
        BY_BYTES_ALONE.iter().fold(case, |case, change| case.set(format!("control.qcn.rp.{change}")))
    }

    fn over(&self, scenario: &'static str, packets: Packets) -> Case {
        let (sources, lag) = (self.sources, self.lag);
        // A single source must be faster than the link to congest it.
        let port = if sources == 1 { 20 } else { 10 };
        // Many curves are kept at longer intervals.
        let interval = if sources > 10 { 200 } else { 50 };
        Case::new(self.name(packets), packets.words(), scenario)
            .set(format!("topology.dumbbell.senders={sources}"))
            .set(format!("topology.dumbbell.rtt=\"{lag} us\""))
            .set(format!("topology.dumbbell.access_rate=\"{port} Gb/s\""))
            .set(format!("sample_interval=\"{interval} us\""))
    }
}

/// The sampling of figure 2.
const FIGURE_2: &str = "control.qcn.cp.sampling=linear";

/// What is left of a source by the equations.
const BY_BYTES_ALONE: [&str; 5] =
    ["timer=off", "hyper_phase=off", "period_halving=off", "extra_fast_recovery=off", "target_reduction=off"];
