//! Mliki and others, "Performance evaluation of legacy QCN for multicast and multiple unicast traffic
//! transmission" (2016).
//!
//! A scenario consists of two files: the network with its traffic, and the settings that all networks share
//! (`with-qcn.toml`). The cases of most experiments vary the delivery and the set point ([`variation`]). [`choices`]
//! lists the points that the paper leaves open; `implosion`, which is our own experiment, has none.

mod choices;
mod fig13;
mod fig16;
mod fig18;
mod implosion;
mod rates;
mod set_points;
mod shares;
mod sources;
mod variation;

use crate::prelude::*;

/// All six sources of a group are active, and the last one has been active for at least a second.
const SETTLED: Window = MEASURED.until(END);

/// The rate of every link.
const LINE: f64 = 1e9;
/// The paper's CR_mean: the rate at which each of six sources should settle.
const MEAN: f64 = LINE / 6.0;
/// The offered rate of a flow.
const OFFER: f64 = 200e6;
/// The frame length in bytes.
const FRAME: f64 = 1500.0;
/// The set points in frames.
const SET_POINTS: [u32; 3] = [25, 50, 75];

/// The bottleneck's queue in the dumbbell.
const QUEUE: &str = "left->right/3";

/// The network of figures 2 to 16.
const DUMBBELL: &str = scenario!("multicast": "dumbbell", "with-qcn");

/// Assumptions that several experiments share.
const NETWORK: &str = "All links run at 1 Gb/s and have a delay of 1 µs, which the paper does not specify. Each bridge \
    queue holds 100 frames of 1500 bytes. Each frame’s 20 bytes of preamble and gap take up time on links, but no \
    space in queues.";
const TRAFFIC: &str = "A source generates a frame of 1500 bytes every 60 µs. Frames delayed by its limiter wait in the \
    source, which has room for all of them; UDP itself does not slow down.";
const QCN: &str = "QCN works as in the paper: every notification makes the current rate the target (no extra fast \
    recovery, no target reduction), and Qold is the queue length at the last feedback. Cycles last for 150 kB or 15 \
    ms, and half as long after fast recovery. The paper mentions the timer, but not its length. Gd is 1/128, the power \
    of two nearest to the paper’s 1/126. Feedback of less than one step is not sent.";
const HYPER_INCREASE: &str = "Every cycle of hyper-active increase adds 50 Mb/s: the paper’s i is “the number of HAI \
    cycles, chosen to be equal to one” (section 2.3.3).";
const REACTION_POINT: &str = "CR is the rate of a limiter, or the line rate while there is none. A source reacts to \
    notifications from all congestion points, since its rate is “based on the sum of the congestion feedback \
    indications” (section 3.6). The paper’s CR = min r_i (section 3) would need state for each congestion point; the \
    dumbbell has only one.";
const MEASUREMENT: &str = "“Settled” means from one second after the start of the last source to the end of the run. \
    Feedback and loss are counted over the whole run and divided by the number of frames that the sources sent.";
const SENDING_RATE: &str = "The sending rate of a source is its CR or its offered rate, whichever is lower. A source \
    that is clearing a backlog sends faster for a while, which does not count.";

pub(crate) fn paper() -> Paper {
    Paper {
        id: "multicast",
        title: "Performance Evaluation of Legacy QCN for Multicast and Multiple Unicast Traffic Transmission",
        source: "Mliki, Chaari, Kamoun and Cousin, International Journal of Network Management, 2016",
        about: "A multicast frame passes several congestion points, and its source receives notifications from all of \
            them. Is that better or worse than sending a copy to each receiver? Does a high set point protect the \
            source from a flood of notifications?",
        experiments: vec![
            rates::multicast(),
            rates::multiple_unicast(),
            shares::feedback_rate(),
            shares::loss_rate(),
            fig13::experiment(),
            fig16::experiment(),
            fig18::experiment(),
            implosion::experiment(),
        ],
    }
}

fn on_dumbbell(id: &'static str, title: &'static str) -> Experiment {
    Experiment::new(id, title)
        .assumptions([NETWORK, TRAFFIC, QCN, HYPER_INCREASE, REACTION_POINT, MEASUREMENT])
        .quick(0.1)
}
