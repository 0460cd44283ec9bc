//! Figures 18 to 31: three groups over a chain of four switches.

mod claims;
mod drawing;

use setpoint_report::document::Block;

use super::measure::Sources;
use super::variant::{Sampling, all_cases};
use super::{panel, scenario, taken};
use crate::experiment::{Experiment, Keep, Repeats};
use crate::runs::{Run, Runs};

const CHAIN: &str = scenario!("multi-link");

const GROUPS: [Sources; 3] = [Sources("s1."), Sources("s2."), Sources("s3.")];

/// The congested queues of switches 1, 2 and 3.
const QUEUES: [&str; 3] = ["sw1->sw2/3", "sw2->sw3/3", "sw3->sw4/3"];

pub(super) fn experiment() -> Experiment {
    Experiment {
        id: "multicast/fig18-31",
        title: "Three groups over several bottlenecks",
        setup: "Three groups of six sources of 200 Mb/s and two receivers on a chain of four switches, links of 1 Gb/s. G1 passes the outputs of switches 1, 2 and 3; G2 that of switch 2 and \
                G3 that of switch 3. The sources of each group start at 0.1, 1, 2, 3, 4 and 5 s. Qeq is 25, 50 or 75 of 100 frames; as multicast and as multiple unicast.",
        paper_says: "Feedback is high where Qeq is low; the sources of G1, which are far from congestion points, hear less than those of G2 and G3, with either delivery; and here there is more feedback with multicast. Loss \
                     grows with Qeq, is least for G1, and is worse with multicast. Queues are further above Qeq where it is low, with both alike. CR of G1 is steadier with multiple unicast, that of G2 with \
                     multicast, that of G3 with multicast where Qeq is low. G1 has the best fairness index for all Qeq, with either delivery. A Qeq of three quarters of the queue is recommended \
                     against feedback implosion.",
        assumptions: [
            taken::list(&[
                taken::OF_A_CHAIN,
                taken::NETWORK,
                taken::TRAFFIC,
                taken::QCN,
                taken::REACTION_POINT,
                taken::SAMPLINGS,
                taken::SETTLED,
            ]),
            vec![
                "G1 passes every congestion point that the others pass, and one more. That its sources are “far from CPs” can only mean that they are far from the last of them."
                    .to_owned(),
                "Switch 1 is never congested for long, since sources of G1 are held back by switches 2 and 3: its queue is empty, and as far below Qeq as can be.".to_owned(),
                "CR and queues are sampled every 10 ms from 6 to 10 s. The fairness index is that of the mean CR of a group’s six sources.".to_owned(),
            ],
        ]
        .concat(),
        cases: all_cases(CHAIN),
        quick: 0.1,
        repeats: Repeats::Seeds(Repeats::LEAST),
        keep: Keep::Series,
        panels: Box::new(shown),
        claims: claims::all(),
    }
}

/// What can be measured of the sources of a group.
type OfGroup = fn(&Run, Sources) -> Option<f64>;

/// In the order of the paper.
fn shown(runs: &Runs) -> Vec<Block> {
    let mut blocks = Vec::new();
    for sampling in Sampling::BOTH {
        blocks.push(Block::Prose(format!("With {}:", sampling.words())));
        blocks.push(Block::Figures(drawing::Drawing { runs, sampling }.all()));
    }
    blocks.push(Block::Note(panel::WHISKERS.to_owned()));
    blocks
}
