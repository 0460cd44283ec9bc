//! Jiang and others, "Sliding mode congestion control for data center Ethernet networks" (2015).
//!
//! A scenario is made of two files: the network with its traffic, and the algorithm (`with-qcn.toml`,
//! `with-smcc.toml`). Claims about swings are judged by the standard deviation of the queue, sampled every
//! millisecond, in the steady part of a phase; where the paper speaks of their amplitude, by the distance from the
//! lowest to the highest sample too.

mod compared;
mod fig05;
mod fig15;
mod fig16;
mod fig17;
mod fig18;
mod fig19;
mod fig20;
mod fig21;
mod fig22;
mod fig23;
mod measure;
mod panel;
mod parking_lot;
mod taken;
mod theorem2;
mod theorem3;
mod theory;

use crate::case::Case;
use crate::experiment::Paper;

/// The bottleneck of the dumbbells.
const PORT: &str = "left->right";
/// Its queue.
const QUEUE: &str = "left->right/3";
/// The set point, q0.
const TARGET: f64 = 64e3;
/// The buffer.
const BUFFER: f64 = 128e3;

/// From and to, in seconds of the full experiment.
type Phase = (f64, f64);

pub(crate) fn paper() -> Paper {
    Paper {
        id: "smcc",
        title: "Sliding Mode Congestion Control for Data Center Ethernet Networks",
        source: "Jiang, Ren, Shu, Wu and Lin, IEEE Transactions on Computers, 2015",
        about: "QCN's queue swings, and the link falls idle, under some parameters and loads; a controller that is led \
                onto a switching line should not depend on them.",
        experiments: vec![
            fig05::experiment(),
            fig15::experiment(),
            fig16::experiment(),
            fig17::experiment(),
            fig18::experiment(),
            fig19::experiment(),
            fig20::experiment(),
            fig21::experiment(),
            fig22::experiment(),
            fig23::experiment(),
            theorem2::experiment(),
            theorem3::experiment(),
        ],
    }
}

/// The paper's reduced QCN and, beside it, the complete one, over the same network.
fn both_qcns(scenario: &'static str) -> [Case; 2] {
    [Case::new("qcn", "QCN of the paper", scenario), complete("complete", scenario)]
}

/// The complete QCN, over a network with the reduced one.
fn complete(name: &'static str, scenario: &'static str) -> Case {
    Case::new(name, "complete QCN", scenario)
        .set("control.qcn.rp.timer=on")
        .set("control.qcn.rp.hyper_phase=on")
        .set("control.qcn.rp.extra_fast_recovery=on")
        .set("control.qcn.rp.target_reduction=on")
}

/// The text of a network and of the algorithm that runs on it, as one scenario.
macro_rules! scenario {
    ($network:literal, $control:literal) => {
        concat!(
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/scenarios/smcc/", $network, ".toml")),
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/scenarios/smcc/", $control, ".toml"))
        )
    };
}
use scenario;
