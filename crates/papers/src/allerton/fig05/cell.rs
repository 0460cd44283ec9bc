//! The grid of figure 5: numbers of sources and round-trip times, each with three versions of QCN.

use crate::prelude::*;

/// The network, with sources that switch to the QCN of a case after the start.
const SCENARIO: &str = scenario!("allerton": "fig05", "fig05-switch", "with-qcn");
/// The network alone.
const FROM_THE_START: &str = scenario!("allerton": "fig05", "with-qcn");

const SOURCES: [u32; 4] = [1, 2, 10, 50];
const LAGS: [u32; 5] = [20, 50, 100, 200, 400];

/// One cell of the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cell {
    /// N.
    pub(super) sources: u32,
    /// The round-trip time in microseconds.
    pub(super) lag: u32,
}

/// The version of QCN in a packet run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Packets {
    /// QCN as far as the model describes it: only the byte counter, every message sets the target,
    /// and sampling as in figure 2.
    Modelled,
    /// Standard QCN without its timer, and therefore without hyper-active increase.
    TimerOff,
    /// Standard QCN.
    Standard,
}

/// All cells, by number of sources, then by round-trip time.
pub(super) fn cells() -> impl Iterator<Item = Cell> {
    SOURCES.into_iter().flat_map(|sources| LAGS.map(|lag| Cell { sources, lag }))
}

impl Packets {
    pub(super) const ALL: [Self; 3] = [Self::Modelled, Self::TimerOff, Self::Standard];

    fn key(self) -> &'static str {
        match self {
            Self::Modelled => "modelled",
            Self::TimerOff => "timer-off",
            Self::Standard => "standard",
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::Modelled => "QCN as modelled",
            Self::TimerOff => "QCN without a timer",
            Self::Standard => "standard QCN",
        }
    }

    /// A suffix of claim names; empty for QCN as modelled.
    pub(super) fn suffix(self) -> String {
        if self == Self::Modelled { String::new() } else { format!("-{}", self.key()) }
    }

    /// The name in claims.
    pub(super) fn subject(self) -> &'static str {
        if self == Self::Modelled { "the packet simulation" } else { self.words() }
    }

    pub(super) fn heading(self) -> &'static str {
        match self {
            Self::Modelled => {
                "QCN as modelled: only the byte counter, every message sets the target, and sampling as in \
                figure 2."
            }
            Self::TimerOff => "Standard QCN without its timer, with extra fast recovery and the mark table.",
            Self::Standard => "Standard QCN, with a timer of 10 ms and hyper-active increase.",
        }
    }
}

impl Cell {
    /// The name of its case.
    pub(super) fn name(self, packets: Packets) -> String {
        format!("{}-{}-{}", packets.key(), self.sources, self.lag)
    }

    /// Its case.
    pub(super) fn case(self, packets: Packets) -> Case {
        let case = self.over(SCENARIO, packets);
        match packets {
            Packets::Modelled => {
                case.set(FIGURE_2).set_all(BYTE_COUNTER_ALONE.map(|change| format!("at.1.rp.{change}")))
            }
            Packets::TimerOff => case.set("at.1.rp.timer=off"),
            Packets::Standard => case,
        }
    }

    /// The case from which the fluid model is derived: QCN as modelled, from the start.
    pub(super) fn modelled(self) -> Case {
        let settings = BYTE_COUNTER_ALONE.map(|change| format!("control.qcn.rp.{change}"));
        self.over(FROM_THE_START, Packets::Modelled).set(FIGURE_2).set_all(settings)
    }

    fn over(self, scenario: &'static str, packets: Packets) -> Case {
        let Self { sources, lag } = self;
        // A single source must be faster than the link to congest it.
        let port = if sources == 1 { 20 } else { 10 };
        // With many sources, curves are sampled at longer intervals.
        let interval = if sources > 10 { 200 } else { 50 };
        Case::new(self.name(packets), packets.words(), scenario)
            .set(format!("topology.dumbbell.senders={sources}"))
            .set(format!("topology.dumbbell.rtt=\"{lag} us\""))
            .set(format!("topology.dumbbell.access_rate=\"{port} Gb/s\""))
            .set(format!("sample_interval=\"{interval} us\""))
    }
}

/// Sampling as in figure 2.
const FIGURE_2: &str = "control.qcn.cp.sampling=linear";

/// A source as in the equations.
const BYTE_COUNTER_ALONE: [&str; 5] =
    ["timer=off", "hyper_phase=off", "period_halving=off", "extra_fast_recovery=off", "target_reduction=off"];
