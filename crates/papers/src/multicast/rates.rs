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
            "Congestion begins after 4 s, when there are five sources. No source is slowed down to less than 10 Mb/s. \
            As Qeq grows, CR settles above CR_mean, which is a sixth of the link rate, since there is not enough \
            feedback.",
        )
        .assumptions([
            "Five sources of 200 Mb/s send exactly 1 Gb/s. They exceed the link rate only if the 200 Mb/s do not \
            include everything on the link, such as preambles and gaps, as here, or headers. A case without preambles \
            and gaps shows the other reading.",
            "The bottleneck carries the traffic of the sources minus the loss. If the sources always have more to send \
            than CR allows, a CR that stays above CR_mean leads to an equally large loss. If there is no loss, CR is \
            not the limit, and the sources send less than CR.",
        ])
        .cases(Delivery::Multicast.variations().map(|variation| variation.case(DUMBBELL)))
        .cases([Case::new(BARE.0, BARE.1, DUMBBELL).set("network.overhead=\"0 B\"")])
        .claims(multicast_claims().into_iter().flatten())
        .claims([Claim::new(OURS, "without-overhead-from-5-s",
            "Without preambles and gaps congestion does not begin before the sixth source starts (not in the paper).",
        )
        .measure(Unit::Seconds, Rule::Between(5.0, 6.0), |seed| first_notification(seed.run(BARE.0)))
        .read_as("The first notification, with a Qeq of 25 frames. Five times 200 Mb/s is exactly the link rate.")])
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
        .read_as("CR divided by CR_mean, averaged over sources from 6 to 10 s; “above” means by at least 2 %."),
        by_sampling(
            "grows-with-qeq",
            "the larger Qeq is, the higher CR settles.",
            (Unit::Ratio, Rule::AtLeast(1.02)),
            |runs| Some(mean_limit(runs.multicast(75))? / mean_limit(runs.multicast(25))?),
        )
        .read_as("Mean CR over the sources from 6 to 10 s: with a Qeq of 75 frames it must be at least 2 % higher than \
            with 25.")
        .standard_cause(
            "four seconds are too short, since an oscillation lasts for seconds. In runs of 60 s the ratio is 1.07 and \
            1.04 (two seeds)",
        )
        .every_frame_cause(
            "within four seconds the result depends on the few intervals in which a source has no frames waiting and \
            its CR rises to 1 Gb/s without any effect. In runs of 60 s the ratio is 1.09 and 1.12 (two seeds)",
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
            "Congestion begins after 3 s, when there are four sources, and therefore earlier than with multicast. No \
            source is slowed down to less than 10 Mb/s. For all Qeq, CR does not settle around CR_mean, which is a \
            sixth of the link rate, but fluctuates below it, since sources receive more feedback.",
        )
        .assumptions([
            "A source sends two flows of 200 Mb/s each, since the paper says that “four successive multiple unicast \
            flows try to transmit at 200 Mbit/s each”. Three sources then send 1.2 Gb/s, and congestion must begin at \
            2 s, when the third source starts. For congestion to begin with the fourth source at 3 s, a flow would \
            have to send more than 125 and less than 167 Mb/s (123 and 164 Mb/s if preambles and gaps count). A case \
            at 150 Mb/s shows this.",
        ])
        .cases(all_cases(DUMBBELL))
        .cases([Delivery::MultipleUnicast.set(Case::new(SLOWER.0, SLOWER.1, DUMBBELL)).set_all([
            "flows.1.traffic.constant.rate=\"150 Mb/s\"",
            "flows.2.traffic.constant.rate=\"150 Mb/s\"",
        ])])
        .claims(unicast_claims().into_iter().flatten())
        .claims([Claim::new(OURS, "from-3-s-at-150",
            "With flows of 150 Mb/s congestion begins after 3 s (not in the paper).",
        )
        .measure(Unit::Seconds, Rule::Between(3.0, 4.0), |seed| first_notification(seed.run(SLOWER.0)))
        .read_as("The first notification, with a Qeq of 25 frames and standard sampling.")])
}

fn unicast_claims() -> [Pair; 4] {
    [
        congestion_from(Delivery::MultipleUnicast, 3.0).cause(
            "three sources with two flows of 200 Mb/s each send 1.2 Gb/s, so congestion begins with the third source, \
            at 2 s. With flows of 150 Mb/s it begins at 3 s (last claim)",
        ),
        by_sampling(
            "earlier-than-multicast",
            "congestion begins earlier than with multicast.",
            (Unit::Seconds, Rule::AtLeast(0.5)),
            |runs| Some(first_notification(runs.multicast(25))? - first_notification(runs.unicast(25))?),
        )
        .read_as("The difference between the times of the first notification, with a Qeq of 25 frames; at least half a \
            second."),
        by_sampling("under-the-mean", "CR stays under CR_mean.", (Unit::Ratio, Rule::AtMost(1.0)), |runs| {
            Some(largest(&runs.each(Delivery::MultipleUnicast, mean_limit)?)? / MEAN)
        })
        .read_as("CR divided by CR_mean, averaged over sources from 6 to 10 s; the largest value of the three set \
            points counts.")
        .standard_cause(
            "a link that is never idle carries 98.7 % of CR_mean from each source; the rest is preambles and gaps. CR \
            cannot be lower than that. It is highest with 75 frames, where 3 % of the frames are lost and CR is \
            correspondingly higher. CR stays below CR_mean only if the link is idle at times, as it is with every \
            frame sampled",
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
        "The first notification must come after {from} s and before {} s. Of the three set points, the one whose time \
        is farthest from {} s counts.",
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
    .read_as("The smallest CR over all sources, all samples and the three set points.")
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

/// CR of all sources over time, without marks for their starts: a source starts every second, and
/// the marks would hide the curves.
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

/// A table of CR for each variation and for an extra case.
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
            ("CR / CR_mean", Unit::Ratio, |run| Some(mean_limit(run)? / MEAN)),
            ("Smallest CR", Unit::BitsPerSecond, smallest_limit),
            ("Feedback", Unit::Share, |run| feedback(run, ALL)),
            ("Loss", Unit::Share, |run| loss(run, ALL)),
        ],
    )
}
