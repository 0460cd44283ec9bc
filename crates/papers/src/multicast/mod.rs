//! Mliki and others, "Performance evaluation of legacy QCN for multicast and multiple unicast traffic transmission" (2016).
//!
//! A scenario is made of two files: the network with its traffic, and what all of them share (`with-qcn.toml`). The
//! cases of an experiment are [`variant::Variant`]s of it: by delivery, by sampling and by set point. The paper does not say
//! how frames are sampled, and some of its figures are out of the standard's reach: every claim is judged with the
//! standard's sampling and with sampling of every frame ([`by_sampling`]).

mod by_sampling;
mod fig03;
mod fig06;
mod fig11;
mod fig12;
mod fig13;
mod fig16;
mod fig18;
mod implosion;
mod measure;
mod panel;
mod taken;
mod variant;

use crate::experiment::Paper;

/// From and to, in seconds of the full experiment.
type Phase = (f64, f64);

/// All six sources of a group are on, the last for a second.
const SETTLED: Phase = (6.0, 10.0);

/// Rate of every link.
const LINE: f64 = 1e9;
/// The paper's CR_mean: what each of six sources should settle at.
const MEAN: f64 = LINE / 6.0;
/// Length of a frame in bytes.
const FRAME: f64 = 1500.0;
/// The set points in frames.
const SET_POINTS: [u32; 3] = [25, 50, 75];

/// The bottleneck's queue in the dumbbell.
const QUEUE: &str = "left->right/3";

pub(crate) fn paper() -> Paper {
    Paper {
        id: "multicast",
        title: "Performance Evaluation of Legacy QCN for Multicast and Multiple Unicast Traffic Transmission",
        source: "Mliki, Chaari, Kamoun and Cousin, International Journal of Network Management, 2016",
        about: "One frame to a group meets several congestion points, and its source hears from all of them. Is that better or worse than sending \
                a copy to each receiver, and does a high set point keep the source from being flooded with notifications?",
        experiments: vec![
            fig03::experiment(),
            fig06::experiment(),
            fig11::experiment(),
            fig12::experiment(),
            fig13::experiment(),
            fig16::experiment(),
            fig18::experiment(),
            implosion::experiment(),
        ],
    }
}

/// The text of a network and of what all networks share, as one scenario.
macro_rules! scenario {
    ($network:literal) => {
        concat!(
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/scenarios/multicast/", $network, ".toml")),
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/scenarios/multicast/with-qcn.toml"))
        )
    };
}
use scenario;

/// The network of figures 2 to 16.
const DUMBBELL: &str = scenario!("dumbbell");
