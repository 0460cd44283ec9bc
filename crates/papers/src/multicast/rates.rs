//! Figures 3 to 10: CR of six sources by set point, as multicast and as multiple unicast.

use super::by_sampling::{Pair, by_sampling};
use super::sources::{ALL, feedback, first_notification, limits, loss, mean_limit, smallest_limit};
use super::variation::{Delivery, Sampled, Sampling, Variation, all_cases};
use super::{DUMBBELL, FRAME, LINE, MEAN, QUEUE, SET_POINTS, on_dumbbell};
use crate::prelude::*;

const BARE: (&str, &str) =
    ("bare-25", "multicast, Qeq 25 frames, without preambles and gaps, standard sampling");
const SLOWER: (&str, &str) = ("slower-25", "multiple unicast of 150 Mb/s, Qeq 25 frames, standard sampling");

/// Figures 3 to 5, and 9.
pub(super) fn multicast() -> Experiment {
    by_delivery("multicast/fig03-05", "CR of six multicast sources", Delivery::Multicast, [3, 4, 5, 9], BARE)
        .setup(
            "Six sources of 200 Mb/s send to a group of two receivers over a link of 1 Gb/s between two switches. They start at 0.1, 1, 2, 3, 4 and 5 s. The queue \
             holds 100 frames; its set point Qeq is 25, 50 or 75 of them.",
        )
        .paper_says(
            "Congestion begins after 4 s, when there are five sources. No source is slowed down to less than 10 Mb/s. As Qeq grows, CR settles above CR_mean, a sixth of \
             the link, since there is not enough feedback.",
        )
        .assumptions([
            "Five sources of 200 Mb/s are exactly 1 Gb/s. They exceed the link only if sources do not count all that is sent: preambles and gaps, as here, or headers. A \
             case without preambles and gaps shows the other reading.",
            "The bottleneck carries what sources send, minus the loss. If sources have more to send than CR allows, a CR above CR_mean for long means as large a loss; \
             without loss it means that CR does not bind, and sources send less.",
        ])
        .cases(Delivery::Multicast.variations().map(|variation| variation.case(DUMBBELL)))
        .cases([Case::new(BARE.0, BARE.1, DUMBBELL).set("network.overhead=\"0 B\"")])
        .claims(multicast_claims().into_iter().flatten())
        .claims([Claim::new(
            "without-overhead-from-5-s",
            "Without preambles and gaps congestion does not begin before the sixth source starts (not in the paper).",
        )
        .measure(Unit::Seconds, Rule::Between(5.0, 6.0), |seed| first_notification(seed.run(BARE.0)))
        .read_as("The first notification, with a Qeq of 25 frames. Five times 200 Mb/s are exactly the link.")])
}

fn multicast_claims() -> [Pair; 4] {
    [
        congestion_from(Delivery::Multicast, 4.0),
        by_sampling(
            "above-the-mean",
            "with a Qeq of 75 frames CR settles above CR_mean.",
            (Unit::Ratio, Rule::AtLeast(1.02)),
            |runs| Some(mean_limit(runs.multicast(75))? / MEAN),
        )
        .read_as("CR over CR_mean, as the mean over sources from 6 to 10 s; above is by 2 % at least."),
        by_sampling(
            "grows-with-qeq",
            "CR settles the higher the larger Qeq is.",
            (Unit::Ratio, Rule::AtLeast(1.02)),
            |runs| Some(mean_limit(runs.multicast(75))? / mean_limit(runs.multicast(25))?),
        )
        .read_as("CR with 75 frames over CR with 25, as means over sources from 6 to 10 s; by 2 % at least.")
        .standard_cause(
            "four seconds are short for oscillations that last seconds: in runs of 60 s the ratio is 1.07 and 1.04 (two seeds)",
        )
        .every_frame_cause(
            "in four seconds the result depends on the few intervals in which a source has nothing waiting and its CR rises to 1 Gb/s without effect: in runs of 60 s the ratio \
             is 1.09 and 1.12 (two seeds)",
        ),
        none_below_10(Delivery::Multicast),
    ]
}

/// Figures 6 to 8, and 10.
pub(super) fn multiple_unicast() -> Experiment {
    let title = "CR of six sources with multiple unicast";
    by_delivery("multicast/fig06-08", title, Delivery::MultipleUnicast, [6, 7, 8, 10], SLOWER)
        .setup("As figures 3 to 5, but every source sends each frame twice, once to each of the two receivers.")
        .paper_says(
            "Congestion begins after 3 s, when there are four sources, and so earlier than with multicast. No source is slowed down to less than 10 Mb/s. CR does not settle \
             around CR_mean, a sixth of the link, but fluctuates below it, for all Qeq, since sources receive more feedback.",
        )
        .assumptions([
            "A source sends two flows of 200 Mb/s each, as the paper’s “four successive multiple unicast flows try to transmit at 200 Mbit/s each”. Three sources then send 1.2 \
             Gb/s, and congestion must begin at 2 s, when the third starts. For it to begin with the fourth at 3 s a flow would need more than 125 and less than 167 Mb/s (123 and \
             164, with preambles and gaps): a case at 150 Mb/s shows it.",
        ])
        .cases(all_cases(DUMBBELL))
        .cases([Delivery::MultipleUnicast.set(Case::new(SLOWER.0, SLOWER.1, DUMBBELL)).set_all([
            "flows.1.traffic.constant.rate=\"150 Mb/s\"",
            "flows.2.traffic.constant.rate=\"150 Mb/s\"",
        ])])
        .claims(unicast_claims().into_iter().flatten())
        .claims([Claim::new(
            "from-3-s-at-150",
            "With flows of 150 Mb/s congestion begins after 3 s (not in the paper).",
        )
        .measure(Unit::Seconds, Rule::Between(3.0, 4.0), |seed| first_notification(seed.run(SLOWER.0)))
        .read_as("The first notification, with a Qeq of 25 frames and standard sampling.")])
}

fn unicast_claims() -> [Pair; 4] {
    [
        congestion_from(Delivery::MultipleUnicast, 3.0).cause(
            "three sources of two flows of 200 Mb/s send 1.2 Gb/s, so that congestion begins with the third, at 2 s. With flows of 150 Mb/s it begins at 3 s (last claim)",
        ),
        by_sampling(
            "earlier-than-multicast",
            "congestion begins earlier than with multicast.",
            (Unit::Seconds, Rule::AtLeast(0.5)),
            |runs| Some(first_notification(runs.multicast(25))? - first_notification(runs.unicast(25))?),
        )
        .read_as("The difference, with a Qeq of 25 frames; half a second at least."),
        by_sampling("under-the-mean", "CR stays under CR_mean.", (Unit::Ratio, Rule::AtMost(1.0)), |runs| {
            Some(largest(&runs.each(Delivery::MultipleUnicast, mean_limit)?)? / MEAN)
        })
        .read_as("CR over CR_mean, as the mean over sources from 6 to 10 s; the largest of the three set points.")
        .standard_cause(
            "a link that is never idle carries 98.7 % of CR_mean from each source, the rest being preambles and gaps, and CR cannot be less; with 75 frames, where it is largest, \
             3 % of the frames are lost, and CR is above by as much. It stays under CR_mean if the link is idle at times, as with every frame sampled",
        ),
        none_below_10(Delivery::MultipleUnicast),
    ]
}

/// An experiment on the dumbbell with the panels of one delivery.
fn by_delivery(
    id: &'static str,
    title: &'static str,
    delivery: Delivery,
    numbers: [u32; 4],
    extra: (&'static str, &'static str),
) -> Experiment {
    on_dumbbell(id, title).panels(move |runs| {
        let mut blocks = panels(runs.first(), delivery, numbers);
        blocks.push(Block::Table(rate_table(runs, delivery, extra)));
        blocks
    })
}

fn congestion_from(delivery: Delivery, from: f64) -> Pair {
    by_sampling(
        &format!("congestion-from-{from}-s"),
        &format!("congestion begins after {from} s."),
        (Unit::Seconds, Rule::Between(from, from + 1.0)),
        move |runs| {
            let middle = from + 0.5;
            let times = runs.each(delivery, first_notification)?;
            times.into_iter().max_by(|a, b| (a - middle).abs().total_cmp(&(b - middle).abs()))
        },
    )
    .read_as(&format!(
        "The first notification, after {from} s and before {} s; of the three set points, the one that is farthest from {} s.",
        from + 1.0,
        from + 0.5,
    ))
}

fn none_below_10(delivery: Delivery) -> Pair {
    by_sampling(
        "none-below-10",
        "no source falls below 10 Mb/s.",
        (Unit::BitsPerSecond, Rule::AtLeast(10e6)),
        move |runs| smallest(&runs.each(delivery, smallest_limit)?),
    )
    .read_as("The smallest CR of any source at any sample with any of the three set points.")
}

/// As in the paper: CR by set point and sampling, and the queue with the lowest set point. Each panel has the number of the
/// paper's figure.
fn panels(seed: Seed<'_>, delivery: Delivery, numbers: [u32; 4]) -> Vec<Block> {
    let mut figures = Vec::new();
    for sampling in Sampling::BOTH {
        let runs = Sampled { seed, sampling };
        for (frames, number) in SET_POINTS.into_iter().zip(numbers) {
            let title = format!("({number}) CR, Qeq {frames} frames, {}", sampling.words());
            let name = format!("cr-{frames}-{}", sampling.key());
            figures.push(limit_panel(runs.run(delivery, frames), (&name, &title)));
        }
        let title = format!("({}) Queue, Qeq 25 frames, {}", numbers[3], sampling.words());
        let name = format!("queue-25-{}", sampling.key());
        figures.push(queue_panel(runs.run(delivery, SET_POINTS[0]), (&name, &title)));
    }
    panel::of_seed(seed, figures)
}

/// CR of all sources over time. A source starts every second: marks for all of them would hide the rest.
fn limit_panel(run: &Run, names: (&str, &str)) -> Figure {
    let y = Axis::linear("CR", Unit::BitsPerSecond, (0.0, LINE));
    let curves: Vec<Curve<'_>> =
        ALL.names(run).into_iter().map(|source| (source, limits(run, source))).collect();
    let references = vec![across(MEAN, "CR_mean")];
    Figure { references, events: Vec::new(), ..panel::over_time(run, names, y, &curves) }
}

/// The bottleneck's queue over time, with the lowest set point.
fn queue_panel(run: &Run, names: (&str, &str)) -> Figure {
    let y = Axis::linear("Queue", Unit::Bytes, (0.0, 100.0 * FRAME));
    let references = vec![across(f64::from(SET_POINTS[0]) * FRAME, "Qeq")];
    let curves = panel::curves(&[(QUEUE, "queue")], |queue| run.queue(queue));
    Figure { references, events: Vec::new(), ..panel::over_time(run, names, y, &curves) }
}

/// A table about CR, by variation and for an extra case.
fn rate_table(runs: &Runs, delivery: Delivery, extra: (&str, &str)) -> Table {
    let named: Vec<(String, String)> =
        delivery.variations().map(|variation: Variation| (variation.name(), variation.label())).collect();
    let mut cases: Vec<(&str, &str)> = named.iter().map(|(name, label)| (&**name, &**label)).collect();
    cases.push(extra);
    table::by_case(
        runs,
        &cases,
        &[
            ("First notification", Unit::Seconds, first_notification),
            ("CR, 6 to 10 s", Unit::BitsPerSecond, mean_limit),
            ("Over CR_mean", Unit::Ratio, |run| Some(mean_limit(run)? / MEAN)),
            ("Smallest CR", Unit::BitsPerSecond, smallest_limit),
            ("Feedback", Unit::Share, |run| feedback(run, ALL)),
            ("Loss", Unit::Share, |run| loss(run, ALL)),
        ],
    )
}
