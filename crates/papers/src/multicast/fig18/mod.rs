//! Figures 18 to 31: three groups over a chain of four switches.

mod claims;
mod panels;

use super::choices::{self, PLACES, RATE_MEASURED, SHARE_OF};
use super::sources::Sources;
use super::variation::{Delivery, all_cases};
use super::{DUMBBELL, HYPER_INCREASE, MEASUREMENT, NETWORK, QCN, REACTION_POINT, SENDING_RATE, TRAFFIC};
use crate::prelude::*;

const GROUPS: [Sources; 3] = [Sources("s1."), Sources("s2."), Sources("s3.")];

/// The congested queues of switches 1, 2 and 3.
const QUEUES: [&str; 3] = ["sw1->sw2/3", "sw2->sw3/3", "sw3->sw4/3"];

/// The cases on the dumbbell, by set point.
const SMALL: [&str; 3] = ["dumbbell-25", "dumbbell-50", "dumbbell-75"];

/// Our reading of the missing figure.
const CHAIN: &str = "Figure 17 is missing from our copy. According to the text, G1 passes three bottlenecks (switches \
    1, 2 and 3), and G2 and G3 pass one each. We assume a chain of four switches. The six sources of G1 are attached \
    to sw1 and its receivers R5 and R6 to sw4. In the leading set-up, the six sources of G2 are attached to sw2 and its \
    receivers R1 and R2 to sw3, and the six sources of G3 to sw3 and its receivers R3 and R4 to sw4.";

/// A quantity measured for the sources of a group.
type GroupMeasure = fn(&Seed<'_>, &str, Sources) -> Option<f64>;

pub(super) fn experiment() -> Experiment {
    Experiment::new("multicast/fig18-31", "Three groups over several bottlenecks")
        .setup(
            "Three groups, each with six sources of 200 Mb/s and two receivers, share a chain of four switches with \
            1 Gb/s links. G1 passes the outputs of switches 1, 2 and 3, G2 passes the output of switch 2, and G3 \
            the output of switch 3. The sources of each group start at 0.1, 1, 2, 3, 4 and 5 s. Qeq is 25, 50 or 75 \
            frames in queues of 100 frames. All cases are run with multicast and with multiple unicast.",
        )
        .paper_says(
            "Feedback is high if Qeq is low. The sources of G1, which are far from congestion points, receive less \
            feedback than the sources of G2 and G3 with both kinds of delivery. Here there is more feedback with \
            multicast. Loss grows with Qeq, is smallest for G1, and is worse with multicast. Queues exceed Qeq by \
            more if Qeq is low, and by the same amount with both kinds of delivery. The CR of G1 is steadier with \
            multiple unicast, the CR of G2 is steadier with multicast, and the CR of G3 is steadier with multicast if Qeq is \
            low. G1 has the best fairness index for all values of Qeq with both kinds of delivery. As a remedy for \
            feedback implosion, the paper recommends setting Qeq to three quarters of the queue. Its abstract and table \
            1 conclude that with multicast, feedback, loss, stability and fairness degrade as the network grows.",
        )
        .assumptions([
            CHAIN,
            NETWORK,
            TRAFFIC,
            QCN,
            HYPER_INCREASE,
            REACTION_POINT,
            MEASUREMENT,
            SENDING_RATE,
            "G1 passes every congestion point that the others pass, and one more. When the paper says that the sources \
            of G1 are “far from CPs”, it can only mean that they are far from the last one.",
            "In the leading set-up, G1 passes three switches but only two bottlenecks: notifications from switches 2 \
            and 3 slow down its sources so much that the queue of switch 1 is empty, and therefore as far below Qeq as \
            it can be.",
            "The sources of figures 3 to 5 on the dumbbell are repeated here, to compare the two networks.",
            "The target rate is the rate before a decrease, as in the leading set-up of the other experiments. The other \
            reading is not run here, since runs on this network take much longer than the others.",
            "The fairness index is computed from the mean settled rate of each of a group’s six sources.",
        ])
        .choices(choices::SEVERAL_BOTTLENECKS)
        .choices([&RATE_MEASURED, &SHARE_OF])
        .cases(all_cases(scenario!("multicast": "multi-link", "with-qcn")))
        .cases(small_cases())
        .quick(0.1)
        .seeds(Repeats::LEAST)
        .panels(panels::panels)
        .claims(claims::claims())
}

/// Multicast on the dumbbell, with the same set points. Its runs are those of figures 3 to 5.
fn small_cases() -> impl Iterator<Item = Case> {
    let named = |(case, name): (Case, &'static str)| {
        let label = format!("dumbbell, {}", case.label);
        case.renamed(name, label).unaffected_by(&PLACES)
    };
    Delivery::Multicast.cases(DUMBBELL).zip(SMALL).map(named)
}
