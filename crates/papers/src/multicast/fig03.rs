//! Figures 3 to 5, and 9: CR of six multicast sources by set point.

use setpoint_report::document::Block;
use setpoint_report::quantity::Unit;

use super::by_sampling::{by_sampling, claims};
use super::measure::{begins, first_notified, mean_limit, smallest_limit};
use super::variant::{Delivery, cases_of};
use super::{DUMBBELL, MEAN, panel, taken};
use crate::case::Case;
use crate::claim::Claim;
use crate::experiment::{Experiment, Keep, Repeats};
use crate::rule::Rule;
use crate::runs::Runs;

const BARE: (&str, &str) =
    ("bare-25", "multicast, Qeq 25 frames, without preambles and gaps, standard sampling");

pub(super) fn experiment() -> Experiment {
    let bare = Case::new(BARE.0, BARE.1, DUMBBELL).set("network.overhead=\"0 B\"");
    let mut cases = cases_of(Delivery::Multicast, DUMBBELL);
    cases.push(bare);
    Experiment {
        id: "multicast/fig03-05",
        title: "CR of six multicast sources",
        setup: "Six sources of 200 Mb/s send to a group of two receivers over a link of 1 Gb/s between two switches. They start at 0.1, 1, 2, 3, 4 and 5 s. The queue \
                holds 100 frames; its set point Qeq is 25, 50 or 75 of them.",
        paper_says: "Congestion begins after 4 s, when there are five sources. No source is slowed down to less than 10 Mb/s. As Qeq grows, CR settles above CR_mean, a sixth of \
                     the link, since there is not enough feedback.",
        assumptions: [
            taken::dumbbell(),
            vec![
                "Five sources of 200 Mb/s are exactly 1 Gb/s. They are too much for the link only if something is added to what sources count: preambles and gaps, as here, \
                 or headers. A case without preambles and gaps shows the other reading."
                    .to_owned(),
                "What passes the bottleneck is what sources send, less what is lost. Where sources have more to send than CR lets them, CR above CR_mean \
                 for long means a loss as large; without loss it means that CR does not bind, and sources send less."
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
            "congestion-from-4-s",
            "congestion begins after 4 s.",
            (Unit::Seconds, Rule::Between(4.0, 5.0)),
            |look| begins(look, Delivery::Multicast, 4.5),
        )
        .read_as("The first notification, after 4 s and before 5 s; of the three set points, that which is farthest from 4.5 s."),
        by_sampling!(
            "above-the-mean",
            "with a Qeq of 75 frames CR settles above CR_mean.",
            (Unit::Ratio, Rule::AtLeast(1.02)),
            |look| Some(mean_limit(look.multicast(75))? / MEAN),
        )
        .read_as("CR over CR_mean, as the mean over sources from 6 to 10 s; above is by 2 % at least."),
        by_sampling!(
            "grows-with-qeq",
            "CR settles the higher the larger Qeq is.",
            (Unit::Ratio, Rule::AtLeast(1.02)),
            |look| Some(mean_limit(look.multicast(75))? / mean_limit(look.multicast(25))?),
        )
        .read_as("CR with 75 frames over CR with 25, as means over sources from 6 to 10 s; by 2 % at least.")
        .standard_cause("four seconds are short for swings that last seconds: in runs of 60 s the ratio is 1.07 and 1.04 (two seeds)")
        .every_frame_cause(
            "in four seconds a few stretches decide in which a source has nothing waiting and its CR runs up to 1 Gb/s without effect: in runs of 60 s the ratio is 1.09 and 1.12 (two seeds)",
        ),
        by_sampling!(
            "none-below-10",
            "no source falls below 10 Mb/s.",
            (Unit::BitsPerSecond, Rule::AtLeast(10e6)),
            |look| look.each(Delivery::Multicast, smallest_limit)?.into_iter().reduce(f64::min),
        )
        .read_as("The smallest CR of any source at any sample with any of the three set points."),
    ]);
    all.push(
        Claim::measured(
            "without-overhead-from-5-s",
            "Without preambles and gaps congestion does not begin before the sixth source comes (not in the paper).",
            (Unit::Seconds, Rule::Between(5.0, 6.0)),
            |seed| first_notified(seed.run(BARE.0)),
        )
        .read_as("The first notification, with a Qeq of 25 frames. Five times 200 Mb/s are exactly the link."),
    );
    all
}

/// As in the paper: CR by set point, and the queue with the lowest.
fn shown(runs: &Runs) -> Vec<Block> {
    let first = runs.first();
    let mut rows = panel::rows(Delivery::Multicast);
    rows.push(BARE);
    let mut blocks = panel::rates_and_queues(first, Delivery::Multicast, [3, 4, 5, 9]);
    blocks.push(Block::Table(panel::of_rates(runs, &rows)));
    blocks
}
