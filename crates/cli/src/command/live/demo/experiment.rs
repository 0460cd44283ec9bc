//! The experiments that can be repeated on real frames: their parts, and the claims that each part can judge.

use clap::ValueEnum;

use setpoint_papers::Rule;
use setpoint_units::quantity::Unit;

use super::judged::Figure;

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Experiment {
    /// af-qcn/fig13: four flows under AF-QCN, with equal weights and with weights 1, 2, 3 and 4
    Fig13,
    /// smcc/fig15 to fig17: three flows under SMCC and under QCN
    Smcc,
    /// Four flows under DCQCN: marks in IP packets, and congestion notification packets from the receiver
    Dcqcn,
}

/// A part of an experiment.
pub(super) struct Part {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    pub(super) scenario: &'static str,
    pub(super) settings: &'static [&'static str],
    /// Claims, each with the figure to which it refers.
    pub(super) claims: &'static [(Claimed, Figure)],
}

/// The origin of a claim.
#[derive(Clone, Copy)]
pub(super) enum Claimed {
    /// A claim of a paper, by its experiment and its name.
    Paper(&'static str, &'static str),
    /// A rule of the demonstration itself.
    Own { name: &'static str, statement: &'static str, rule: Rule, unit: Unit },
}

/// DCQCN cuts the rate of a flow at random times, so the shares differ more within seconds than over a long time: in
/// simulations with six seeds, by 3 to 9 %.
const EQUAL: (Claimed, Figure) = (
    Claimed::Own {
        name: "dcqcn equal-shares",
        statement: "The flows get equal rates.",
        rule: Rule::AtMost(0.2),
        unit: Unit::Share,
    },
    Figure::FromShares,
);
const BUSY: (Claimed, Figure) = (
    Claimed::Own {
        name: "dcqcn utilisation",
        statement: "The shared link is busy.",
        rule: Rule::AtLeast(0.95),
        unit: Unit::Share,
    },
    Figure::Utilisation,
);
const SHORT: (Claimed, Figure) = (
    Claimed::Own {
        name: "dcqcn queue",
        statement: "The mean queue is between the marking thresholds.",
        rule: Rule::Between(5_000.0, 200_000.0),
        unit: Unit::Bytes,
    },
    Figure::MeanQueue,
);

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
    pub(super) fn parts(self) -> Vec<Part> {
        match self {
            Self::Fig13 => vec![
                Part {
                    name: "equal",
                    title: "Equal weights",
                    scenario: "live-shares",
                    settings: &[],
                    claims: &[(Claimed::Paper("af-qcn/fig13", "equal-weights"), Figure::FromShares)],
                },
                Part {
                    name: "weighted",
                    title: "Weights 1, 2, 3 and 4",
                    scenario: "live-shares",
                    settings: WEIGHTS,
                    claims: &[(Claimed::Paper("af-qcn/fig13", "shares-follow-weights"), Figure::FromShares)],
                },
            ],
            Self::Smcc => vec![
                Part {
                    name: "smcc",
                    title: "Three sources under SMCC",
                    scenario: "live-sources",
                    settings: &[],
                    claims: &[
                        (Claimed::Paper("smcc/fig15", "chatters-256"), Figure::MeanQueue),
                        (
                            Claimed::Paper("smcc/fig16", "smcc-at-the-set-point"),
                            Figure::QueueBetween(56_000.0, 72_000.0),
                        ),
                        (Claimed::Paper("smcc/fig17", "fair-share"), Figure::FromShares),
                    ],
                },
                Part {
                    name: "qcn",
                    title: "Three sources under QCN",
                    scenario: "live-sources",
                    settings: QCN,
                    claims: &[(
                        Claimed::Paper("smcc/fig16", "qcn-between-40-and-80"),
                        Figure::QueueBetween(40_000.0, 80_000.0),
                    )],
                },
            ],
            Self::Dcqcn => vec![Part {
                name: "dcqcn",
                title: "Four sources under DCQCN",
                scenario: "live-dcqcn",
                settings: &[],
                claims: &[EQUAL, BUSY, SHORT],
            }],
        }
    }

    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Fig13 => "Shares by weight under AF-QCN (af-qcn/fig13)",
            Self::Smcc => "Three sources under SMCC and QCN (smcc/fig15 to fig17)",
            Self::Dcqcn => "Four sources under DCQCN",
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
            Self::Dcqcn => {
                "CoNEXT'16 (section on convergence) derives that the rates of DCQCN flows converge to equal shares. The rules are \
                 this demonstration's own, because no paper reports a run at this rate."
            }
        }
    }
}
