//! Figures 18 to 31: three groups over a chain of four switches.

mod claims;
mod panels;

use super::sources::Sources;
use super::variation::all_cases;
use super::{MEASUREMENT, NETWORK, QCN, REACTION_POINT, SAMPLINGS, TRAFFIC};
use crate::prelude::*;

const GROUPS: [Sources; 3] = [Sources("s1."), Sources("s2."), Sources("s3.")];

/// The congested queues of switches 1, 2 and 3.
const QUEUES: [&str; 3] = ["sw1->sw2/3", "sw2->sw3/3", "sw3->sw4/3"];

/// A quantity measured on the sources of a group.
type GroupMeasure = fn(&Run, Sources) -> Option<f64>;

pub(super) fn experiment() -> Experiment {
    Experiment::new("multicast/fig18-31", "Three groups over several bottlenecks")
        .setup(
            "Three groups of six sources of 200 Mb/s and two receivers on a chain of four switches, links of 1 Gb/s. G1 passes the outputs of switches 1, 2 and 3; G2 that of switch 2 and \
             G3 that of switch 3. The sources of each group start at 0.1, 1, 2, 3, 4 and 5 s. Qeq is 25, 50 or 75 of 100 frames; as multicast and as multiple unicast.",
        )
        .paper_says(
            "Feedback is high if Qeq is low; the sources of G1, which are far from congestion points, receive less than those of G2 and G3, with either delivery; and here there is more feedback \
             with multicast. Loss grows with Qeq, is least for G1, and is worse with multicast. Queues are further above Qeq if it is low, with both alike. CR of G1 is steadier with multiple \
             unicast, that of G2 with multicast, that of G3 with multicast if Qeq is low. G1 has the best fairness index for all Qeq, with either delivery. A Qeq of three quarters of the queue \
             is recommended against feedback implosion.",
        )
        .assumptions([
            "Figure 17 is missing from our copy. By the text G1 passes three bottlenecks (switches 1, 2 and 3), and G2 and G3 one each. We assume a chain of four switches: six \
             sources of G1 at sw1, its receivers R5 and R6 at sw4; six of G2 at sw2, R1 and R2 at sw3; six of G3 at sw3, R3 and R4 at sw4.",
            NETWORK,
            TRAFFIC,
            QCN,
            REACTION_POINT,
            SAMPLINGS,
            MEASUREMENT,
            "G1 passes every congestion point that the others pass, and one more. That its sources are “far from CPs” can only mean that they are far from the last of them.",
            "Switch 1 is never congested for long, since switches 2 and 3 slow down the sources of G1: its queue is empty, and as far below Qeq as possible.",
            "CR and queues are sampled every 10 ms from 6 to 10 s. The fairness index is that of the mean CR of a group’s six sources.",
        ])
        .cases(all_cases(scenario!("multicast": "multi-link", "with-qcn")))
        .quick(0.1)
        .seeds(Repeats::LEAST)
        .panels(panels::panels)
        .claims(claims::claims())
}
