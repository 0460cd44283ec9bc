//! Jiang and others, "Sliding mode congestion control for data center Ethernet networks" (2015).

mod fig05;

use crate::experiment::Paper;

/// The bottleneck of the dumbbells.
const PORT: &str = "left->right";
/// Its queue.
const QUEUE: &str = "left->right/3";

pub(crate) fn paper() -> Paper {
    Paper {
        id: "smcc",
        title: "Sliding Mode Congestion Control for Data Center Ethernet Networks",
        source: "Jiang, Ren, Shu, Wu and Lin, IEEE Transactions on Computers, 2015",
        about: "QCN's queue swings, and the link falls idle, under some parameters and loads; a controller that is led \
                onto a switching line should not depend on them.",
        experiments: vec![fig05::experiment()],
    }
}
