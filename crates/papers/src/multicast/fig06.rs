//! Figures 6 to 8, and 10: CR of six sources with multiple unicast, by set point.

use setpoint_report::document::Block;
use setpoint_report::quantity::Unit;

use super::by_sampling::{by_sampling, claims};
use super::measure::{begins, first_notified, mean_limit, smallest_limit};
use super::variant::{Delivery, all_cases};
use super::{DUMBBELL, MEAN, panel, taken};
use crate::case::Case;
use crate::claim::Claim;
use crate::experiment::{Experiment, Keep, Repeats};
use crate::rule::Rule;
use crate::runs::Runs;

const SLOWER: (&str, &str) = ("slower-25", "multiple unicast of 150 Mb/s, Qeq 25 frames, standard sampling");

pub(super) fn experiment() -> Experiment {
    let slower = Case::new(SLOWER.0, SLOWER.1, DUMBBELL)
        .set("network.delivery=multiple-unicast")
        .set("flows.1.traffic.constant.rate=\"150 Mb/s\"")
        .set("flows.2.traffic.constant.rate=\"150 Mb/s\"");
    let mut cases = all_cases(DUMBBELL);
    cases.push(slower);
    Experiment {
        id: "multicast/fig06-08",
        title: "CR of six sources with multiple unicast",
        setup: "As figures 3 to 5, but every source sends each frame twice, once to each of the two receivers.",
        paper_says: "Congestion begins after 3 s, when there are four sources, and so earlier than with multicast. No source is slowed down to less than 10 Mb/s. CR does not settle \
                     around CR_mean, a sixth of the link, but fluctuates below it, for all Qeq, since sources hear more.",
        assumptions: [
            taken::dumbbell(),
            vec![
                "A source sends two flows of 200 Mb/s each, as the paper’s “four successive multiple unicast flows try to transmit at 200 Mbit/s each”. Three sources then make 1.2 Gb/s, and congestion must \
                 begin at 2 s, when the third comes. For it to begin with the fourth at 3 s a flow would need more than 125 and less than 167 Mb/s (123 and 164, with preambles and gaps): a case \
                 at 150 Mb/s shows it."
                    .to_owned(),
            ],
        ]
        .concat(),
        cases,
        quick: 0.1,
        repeats: Repeats::Seeds(10),
        keep: Keep::Series,
        panels: Box::new(shown),
        claims: all_claims(),
    }
}

fn all_claims() -> Vec<Claim> {
    let mut all = claims([
        by_sampling!(
            "congestion-from-3-s",
            "congestion begins after 3 s.",
            (Unit::Seconds, Rule::Between(3.0, 4.0)),
            |look| begins(look, Delivery::MultipleUnicast, 3.5),
        )
        .read_as("The first notification, after 3 s and before 4 s; of the three set points, that which is farthest from 3.5 s.")
        .cause("three sources of two flows of 200 Mb/s make 1.2 Gb/s, so that congestion begins with the third, at 2 s. With flows of 150 Mb/s it begins at 3 s (last claim)"),
        by_sampling!(
            "earlier-than-multicast",
            "congestion begins earlier than with multicast.",
            (Unit::Seconds, Rule::AtLeast(0.5)),
            |look| Some(first_notified(look.multicast(25))? - first_notified(look.unicast(25))?),
        )
        .read_as("By how much, with a Qeq of 25 frames; half a second at least."),
        by_sampling!(
            "under-the-mean",
            "CR stays under CR_mean.",
            (Unit::Ratio, Rule::AtMost(1.0)),
            |look| Some(look.each(Delivery::MultipleUnicast, mean_limit)?.into_iter().reduce(f64::max)? / MEAN),
        )
        .read_as("CR over CR_mean, as the mean over sources from 6 to 10 s; the largest of the three set points.")
        .standard_cause(
            "a link that is never idle takes 98.7 % of CR_mean from each source, the rest being preambles and gaps, and CR cannot be less; with 75 frames, where it is largest, 3 % of the frames are lost, and CR is above by as much. It stays under CR_mean where the link is idle at times, as with every frame sampled",
        ),
        by_sampling!(
            "none-below-10",
            "no source falls below 10 Mb/s.",
            (Unit::BitsPerSecond, Rule::AtLeast(10e6)),
            |look| look.each(Delivery::MultipleUnicast, smallest_limit)?.into_iter().reduce(f64::min),
        )
        .read_as("The smallest CR of any source at any sample with any of the three set points."),
    ]);
    all.push(
        Claim::measured(
            "from-3-s-at-150",
            "With flows of 150 Mb/s congestion begins after 3 s (not in the paper).",
            (Unit::Seconds, Rule::Between(3.0, 4.0)),
            |seed| first_notified(seed.run(SLOWER.0)),
        )
        .read_as("The first notification, with a Qeq of 25 frames and standard sampling."),
    );
    all
}

/// As in the paper: CR by set point, and the queue with the lowest.
fn shown(runs: &Runs) -> Vec<Block> {
    let first = runs.first();
    let mut rows = panel::rows(Delivery::MultipleUnicast);
    rows.push(SLOWER);
    let mut blocks = panel::rates_and_queues(first, Delivery::MultipleUnicast, [6, 7, 8, 10]);
    blocks.push(Block::Table(panel::of_rates(runs, &rows)));
    blocks
}
