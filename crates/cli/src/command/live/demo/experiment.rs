//! The experiments that can be repeated on real frames: their parts, and the claims that each part can judge.

use clap::ValueEnum;

use super::judged::Figure;

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Experiment {
    /// af-qcn/fig13: four flows under AF-QCN, with equal weights and with weights 1, 2, 3 and 4
    Fig13,
    /// smcc/fig15 to fig17: three flows under SMCC and under QCN
    Smcc,
}

/// A part of an experiment.
pub(super) struct Part {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    pub(super) scenario: &'static str,
    pub(super) settings: &'static [&'static str],
    /// Claims of the papers, each with the figure to which it refers.
    pub(super) claims: &'static [(&'static str, &'static str, Figure)],
}

const WEIGHTS: &[&str] = &["flows.2.weight=2", "flows.3.weight=3", "flows.4.weight=4"];
/// The paper's QCN, which has only decrease, fast recovery and active increase, with a tenth of its rates.
const QCN: &[&str] = &[
    "control=qcn",
    "control.qcn.preset=1G",
    "control.qcn.sampled_frames=arriving",
    "control.qcn.cp.set_point=64 kB",
    "control.qcn.cp.sampling=regular",
    "control.qcn.cp.sample_base=100 kB",
    "control.qcn.cp.quantizer=fine",
    "control.qcn.rp.gain=2^-7",
    "control.qcn.rp.active_increase=100 kb/s",
    "control.qcn.rp.byte_reset=150 kB",
    "control.qcn.rp.min_rate=500 kb/s",
    "control.qcn.rp.timer=off",
    "control.qcn.rp.hyper_phase=off",
    "control.qcn.rp.extra_fast_recovery=off",
    "control.qcn.rp.target_reduction=off",
];

impl Experiment {
    pub(super) fn parts(self) -> [Part; 2] {
        match self {
            Self::Fig13 => [
                Part {
                    name: "equal",
                    title: "Equal weights",
                    scenario: "live-shares",
                    settings: &[],
                    claims: &[("af-qcn/fig13", "equal-weights", Figure::FromShares)],
                },
                Part {
                    name: "weighted",
                    title: "Weights 1, 2, 3 and 4",
                    scenario: "live-shares",
                    settings: WEIGHTS,
                    claims: &[("af-qcn/fig13", "shares-follow-weights", Figure::FromShares)],
                },
            ],
            Self::Smcc => [
                Part {
                    name: "smcc",
                    title: "Three sources under SMCC",
                    scenario: "live-sources",
                    settings: &[],
                    claims: &[
                        ("smcc/fig15", "chatters-256", Figure::MeanQueue),
                        ("smcc/fig16", "smcc-at-the-set-point", Figure::QueueBetween(56_000.0, 72_000.0)),
                        ("smcc/fig17", "fair-share", Figure::FromShares),
                    ],
                },
                Part {
                    name: "qcn",
                    title: "Three sources under QCN",
                    scenario: "live-sources",
                    settings: QCN,
                    claims: &[(
                        "smcc/fig16",
                        "qcn-between-40-and-80",
                        Figure::QueueBetween(40_000.0, 80_000.0),
                    )],
                },
            ],
        }
    }

    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Fig13 => "Shares by weight under AF-QCN (af-qcn/fig13)",
            Self::Smcc => "Three sources under SMCC and QCN (smcc/fig15 to fig17)",
        }
    }

    pub(super) fn paper_says(self) -> &'static str {
        match self {
            Self::Fig13 => {
                "The paper (section IV-C, figure 13): on an FPGA switch the rates are equal with equal weights, and in \
                 the ratio of the weights otherwise."
            }
            Self::Smcc => {
                "The paper (section 5.3.1, figures 15 to 17): on its switch SMCC mostly holds the queue around 64 kB, \
                 QCN between 40 and 80 kB, and each of three SMCC sources eventually reaches its fair share."
            }
        }
    }
}
