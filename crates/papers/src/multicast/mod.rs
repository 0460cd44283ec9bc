//! Mliki and others, "Performance evaluation of legacy QCN for multicast and multiple unicast traffic transmission" (2016).
//!
//! A scenario consists of two files: the network with its traffic, and the settings that all networks share
//! (`with-qcn.toml`). The cases of most experiments are [`variation::Variation`]s of it: by delivery, by sampling and by
//! set point. The paper does not say how frames are sampled, and standard sampling cannot reach some of its figures.
//! Every claim is therefore judged with standard sampling and with every frame sampled ([`by_sampling`]).

mod by_sampling;
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
/// The frame length in bytes.
const FRAME: f64 = 1500.0;
/// The set points in frames.
const SET_POINTS: [u32; 3] = [25, 50, 75];

/// The bottleneck's queue in the dumbbell.
const QUEUE: &str = "left->right/3";

/// The network of figures 2 to 16.
const DUMBBELL: &str = scenario!("multicast": "dumbbell", "with-qcn");

/// Assumptions of several experiments.
const NETWORK: &str = "All links run at 1 Gb/s and have a delay of 1 µs, which the paper does not give. Each \
    bridge queue holds 100 frames of 1500 bytes. The 20 bytes of preamble and gap of each frame take time on \
    links, but no space in queues.";
const TRAFFIC: &str = "A source generates a frame of 1500 bytes every 60 µs. Frames delayed by its limiter wait in the \
    source, which has room for all of them; UDP itself does not wait. The run lasts 10 s; the paper does not give its \
    length.";
const QCN: &str = "QCN works as in the paper: every notification makes the current rate the target (no extra fast \
    recovery, no target reduction), and Qold is the queue length at the last feedback. Cycles last for 150 kB or 15 \
    ms, and for 75 kB or 7.5 ms after fast recovery; the paper mentions the timer, but not its length. In hyper-active \
    increase the paper adds 50 Mb/s in every cycle (“i equal to one”); we add i times 50 Mb/s in the i-th cycle, as \
    the standard does. Gd is 1/128, the nearest power of two. Feedback of less than one of the 63 steps is not sent.";
const REACTION_POINT: &str = "Each source has one reaction point, at its interface: with multiple unicast its flows \
    share a limiter. CR is the rate of that limiter, or the line rate if there is no limiter. The reaction point \
    reacts to every notification (“legacy QCN”): the paper’s CR = min r_i would need state for each \
    congestion point, and the dumbbell has only one congestion point.";
const SAMPLINGS: &str = "The paper does not say how frames are sampled. With the standard’s table at most one frame in \
    18.5 kB is sampled, so the feedback rate cannot exceed 8.1 % of the frames; some of the paper’s figures are \
    higher. Every claim is therefore judged with standard sampling and with every frame sampled.";
const MEASUREMENT: &str = "“Settled” means from 6 s on, one second after the last source has started. Feedback and \
    loss are counted over the whole run and divided by the number of frames that the sources sent.";

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

/// An experiment on the dumbbell.
fn on_dumbbell(id: &'static str, title: &'static str) -> Experiment {
    Experiment::new(id, title)
        .assumptions([NETWORK, TRAFFIC, QCN, REACTION_POINT, SAMPLINGS, MEASUREMENT])
        .quick(0.1)
}
