//! Alizadeh and others, "Data center transport mechanisms: congestion control theory and IEEE standardization"
//! (Allerton 2008).
//!
//! A scenario is made of two files: the network with its traffic, and the algorithm. Some pages of the paper are missing
//! from our copy, with all of its figures: of figure 5 and of the figures on AIMD we know what the text says of
//! them. Requirements that the paper states, rather than results, are judged as claims all the same.

mod averaging;
mod fig05;
mod measure;
mod multipath;
mod panel;
mod pause;
mod responsive;
mod stability;
mod taken;
mod theorem1;
mod theory;

use crate::case::Case;
use crate::experiment::Paper;

/// The bottleneck of the dumbbells.
const PORT: &str = "left->right";
/// Its queue.
const QUEUE: &str = "left->right/3";
/// The set point, Qeq.
const TARGET: f64 = 30e3;
/// The buffer, five times the set point.
const BUFFER: f64 = 150e3;

/// From and to, in seconds of the full experiment.
type Phase = (f64, f64);

pub(crate) fn paper() -> Paper {
    Paper {
        id: "allerton",
        title: "Data Center Transport Mechanisms: Congestion Control Theory and IEEE Standardization",
        source: "Alizadeh, Atikoglu, Kabbani, Lakshmikantha, Pan, Prabhakar and Seaman, Allerton Conference, 2008",
        about: "QCN, what it must do, a fluid model of it, and the reason why it bears long lags: the Averaging Principle, \
                which is as good as feeding back one more derivative of the queue.",
        experiments: vec![
            fig05::experiment(),
            stability::experiment(),
            responsive::experiment(),
            multipath::experiment(),
            pause::experiment(),
            averaging::experiment(),
            theorem1::experiment(),
        ],
    }
}

/// QCN as the paper's text describes it, over a scenario with the standard's.
///
/// Each frame is sampled with the probability of figure 2, growth is counted from the last feedback, and there is neither
/// extra fast recovery nor target rate reduction, which remark 3 leaves out.
fn as_described(case: Case) -> Case {
    case.set("control.qcn.cp.sampling=linear")
        .set("control.qcn.cp.old_queue=last-feedback")
        .set("control.qcn.rp.extra_fast_recovery=off")
        .set("control.qcn.rp.target_reduction=off")
}

/// The text of a network and of the algorithm that runs on it, or of any other parts, as one scenario.
macro_rules! scenario {
    ($($part:literal),+) => {
        concat!($(include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/scenarios/allerton/", $part, ".toml"))),+)
    };
}
use scenario;
