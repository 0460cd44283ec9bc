//! Figures 3 to 10: CR of six sources by set point, with multicast and with multiple unicast.

use super::sources::{
    ALL, feedback, first_notification, limit_curves, loss, mean_limit, slowest, smallest_limit,
};
use super::variation::{Delivery, all_cases};
use super::{DUMBBELL, FRAME, LINE, MEAN, QUEUE, SET_POINTS, choices, on_dumbbell};
use crate::prelude::*;

const BARE: (&str, &str) = ("bare-25", "multicast, Qeq 25 frames, without preambles and gaps");
const SLOWER: (&str, &str) = ("slower-25", "multiple unicast at 150 Mb/s, Qeq 25 frames");

/// R_min, the smallest rate of a limiter.
const LEAST: f64 = 10e6;

/// The reason why CR cannot exceed CR_mean without a corresponding loss.
const CARRIED: &str = "while the link is busy and all limiters have frames waiting, the link carries each source’s CR \
    minus its loss. CR divided by CR_mean is then 1500/1520 divided by (1 − loss), since preambles and gaps take up \
    the rest.";

/// Figures 3 to 5, and 9.
pub(super) fn multicast() -> Experiment {
    by_delivery("multicast/fig03-05", "CR of six multicast sources", Delivery::Multicast, [3, 4, 5, 9], BARE)
        .setup(
            "Six sources of 200 Mb/s send to a group of two receivers over a 1 Gb/s link between two switches. They \
            start at 0.1, 1, 2, 3, 4 and 5 s. The queue holds 100 frames, and its set point Qeq is 25, 50 or 75 \
            frames.",
        )
        .paper_says(
            "Congestion begins after 4 s, when there are five sources. No source is slowed down to less than 10 Mb/s. \
            As Qeq grows, CR settles above CR_mean, which is a sixth of the link rate, since there is not enough \
            feedback.",
        )
        .assumptions([
            "Five sources of 200 Mb/s send exactly 1 Gb/s. They exceed the link rate only if the 200 Mb/s do not \
            include everything on the link, such as headers or, as here, preambles and gaps. A case without preambles \
            and gaps shows the other reading.",
            "The bottleneck carries the traffic of the sources minus the loss. If the sources always have more to send \
            than CR allows, a CR that stays above CR_mean implies an equally large loss. If there is no loss, CR is \
            not the limit, and the sources send less than CR.",
        ])
        .choices(choices::MULTICAST)
        .cases(Delivery::Multicast.cases(DUMBBELL))
        .cases([Case::new(BARE.0, BARE.1, DUMBBELL).beyond_paper().set("network.overhead=\"0 B\"")])
        .claims(multicast_claims())
}

fn multicast_claims() -> [Claim; 5] {
    [
        congestion_from(Delivery::Multicast, 4.0),
        Claim::new(
            at("section 3.4, figure 5"),
            "above-the-mean",
            "With Qeq set to 75 frames, CR settles above CR_mean.",
        )
        .measure(Unit::Ratio, Rule::AtLeast(1.02), |seed| {
            Some(Delivery::Multicast.at(seed, 75, mean_limit)? / MEAN)
        })
        .read_as("The settled CR divided by CR_mean, averaged over sources; “above” means by at least 2 %.")
        .cause(format!("{CARRIED} For a ratio of 1.02, the loss would have to be 3.3 %, unless CR rises where it does \
            not limit a source")),
        Claim::new(
            at("section 3.4, figures 3 to 5"),
            "grows-with-qeq",
            "The larger Qeq is, the higher CR settles.",
        )
        .measure(Unit::Ratio, Rule::AtLeast(1.02), |seed| {
            let limit = |frames| Delivery::Multicast.at(seed, frames, mean_limit);
            Some(limit(75)? / limit(25)?)
        })
        .read_as("The settled CR, averaged over sources: with Qeq set to 75 frames it must be at least 2 % higher than \
            with 25.")
        .cause(format!("{CARRIED} A CR that is 2 % higher therefore needs a loss that is about two percentage points larger")),
        no_collapse(Delivery::Multicast),
        Claim::new(
            OURS,
            "without-overhead-from-5-s",
            "Without preambles and gaps, congestion does not begin before the sixth source starts.",
        )
        .measure(Unit::Seconds, Rule::Between(5.0, 6.0), |seed| first_notification(seed, BARE.0))
        .read_as("The first notification, with Qeq set to 25 frames. Five times 200 Mb/s is exactly the link rate."),
    ]
}

/// Figures 6 to 8, and 10.
pub(super) fn multiple_unicast() -> Experiment {
    let title = "CR of six sources with multiple unicast";
    by_delivery("multicast/fig06-08", title, Delivery::MultipleUnicast, [6, 7, 8, 10], SLOWER)
        .setup("As in figures 3 to 5, but every source sends each frame twice, once to each of the two receivers.")
        .paper_says(
            "Congestion begins after 3 s, when there are four sources, and therefore earlier than with multicast. No \
            source is slowed down to less than 10 Mb/s. For all values of Qeq, CR does not settle around CR_mean, \
            which is a sixth of the link rate, but fluctuates below it, since sources receive more feedback.",
        )
        .assumptions([
            "A source sends two flows of 200 Mb/s each, since the paper says that “four successive multiple unicast \
            flows try to transmit at 200 Mbit/s each”. Three sources then send 1.2 Gb/s, and congestion must begin at \
            2 s, when the third source starts. If each source sent 200 Mb/s in total, congestion would begin at 4 s. \
            For congestion to begin with the fourth source at 3 s, a flow would have to send more than 125 and less \
            than 167 Mb/s (123 and 164 Mb/s if preambles and gaps count). A case at 150 Mb/s shows this.",
        ])
        .choices(choices::BOTH)
        .cases(all_cases(DUMBBELL))
        .cases([Delivery::MultipleUnicast.set(Case::new(SLOWER.0, SLOWER.1, DUMBBELL).beyond_paper()).set_all([
            "flows.1.traffic.constant.rate=\"150 Mb/s\"",
            "flows.2.traffic.constant.rate=\"150 Mb/s\"",
        ])])
        .claims(unicast_claims())
}

fn unicast_claims() -> [Claim; 5] {
    [
        congestion_from(Delivery::MultipleUnicast, 3.0).cause(
            "three sources with two flows of 200 Mb/s each send 1.2 Gb/s, so congestion begins with the third source, \
            at 2 s. With flows of 150 Mb/s, it begins at 3 s (our check)",
        ),
        Claim::new(
            at("section 3.1, figures 9 and 10"),
            "earlier-than-multicast",
            "Congestion begins earlier than with multicast.",
        )
        .measure(Unit::Seconds, Rule::AtLeast(0.5), |seed| {
            let first = |delivery: Delivery| delivery.at(seed, 25, first_notification);
            Some(first(Delivery::Multicast)? - first(Delivery::MultipleUnicast)?)
        })
        .read_as("The difference between the times of the first notification, with Qeq set to 25 frames; at least half \
            a second."),
        Claim::new(at("section 3.4, figures 6 to 8"), "under-the-mean", "CR settles below CR_mean.")
            .measure(Unit::Ratio, Rule::AtMost(0.98), |seed| {
                Some(largest(&Delivery::MultipleUnicast.each(seed, mean_limit)?)? / MEAN)
            })
            .read_as("The settled CR divided by CR_mean, averaged over limiters; the largest value of the three set \
                points counts. “Under” means by at least 2 %, as “above” does with multicast. With a limiter per flow, \
                there are twelve CRs, which must be below a sixth of the link rate.")
            .cause(format!("{CARRIED} CR stays 2 % below CR_mean only if the link is idle at times")),
        no_collapse(Delivery::MultipleUnicast),
        Claim::new(OURS, "from-3-s-at-150", "With flows of 150 Mb/s, congestion begins after 3 s.")
            .measure(Unit::Seconds, Rule::Between(3.0, 4.0), |seed| first_notification(seed, SLOWER.0))
            .read_as("The first notification, with Qeq set to 25 frames."),
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

fn congestion_from(delivery: Delivery, from: f64) -> Claim {
    Claim::new(
        at("section 3.1"),
        format!("congestion-from-{from}-s"),
        format!("Congestion begins after {from} s."),
    )
    .measure(Unit::Seconds, Rule::Between(from, from + 1.0), move |seed| {
        let middle = from + 0.5;
        let times = delivery.each(seed, first_notification)?;
        times.into_iter().max_by(|a, b| (a - middle).abs().total_cmp(&(b - middle).abs()))
    })
    .read_as(format!(
        "The first notification must come after {from} s and before {} s. Of the three set points, the one whose time \
        is farthest from {} s counts.",
        from + 1.0,
        from + 0.5,
    ))
}

fn no_collapse(delivery: Delivery) -> Claim {
    Claim::new(at("section 3.1"), "no-collapse", "No source drops to zero.")
        .measure(Unit::BitsPerSecond, Rule::AtLeast(2.0 * LEAST), move |seed| {
            smallest(&delivery.each(seed, slowest)?)
        })
        .read_as(
            "CR cannot fall below R_min, which is 10 Mb/s, by construction. A source that had collapsed would stay \
            there, so the settled sending rate of every source must be at least twice R_min. The slowest source and \
            the worst of the three set points count.",
        )
}

/// As in the paper: CR by set point, and the queue with the lowest set point. Each panel has the number of the paper's
/// figure.
fn panels(seed: Seed<'_>, delivery: Delivery, numbers: [u32; 4]) -> Vec<Block> {
    let limits = SET_POINTS.into_iter().zip(numbers).map(|(frames, number)| {
        let title = format!("({number}) CR, Qeq {frames} frames");
        limit_panel(seed, &delivery.case_name(frames), (&format!("cr-{frames}"), &title))
    });
    let title = format!("({}) Queue, Qeq {} frames", numbers[3], SET_POINTS[0]);
    let queue = queue_panel(seed.run(&delivery.case_name(SET_POINTS[0])), ("queue-25", &title));
    panel::of_seed(seed, limits.chain([queue]))
}

/// CR over time, without marks for the starts of sources: a source starts every second, and the marks would hide the
/// curves.
fn limit_panel(seed: Seed<'_>, case: &str, names: (&str, &str)) -> Figure {
    let y = Axis::linear("CR", Unit::BitsPerSecond, (0.0, LINE));
    let references = vec![across(MEAN, "CR_mean")];
    let figure = panel::over_time(seed.run(case), names, y, &limit_curves(&seed, case));
    Figure { references, events: Vec::new(), ..figure }
}

/// The bottleneck's queue over time, with the lowest set point.
fn queue_panel(run: &Run, names: (&str, &str)) -> Figure {
    let y = Axis::linear("Queue", Unit::Bytes, (0.0, 100.0 * FRAME));
    let references = vec![across(f64::from(SET_POINTS[0]) * FRAME, "Qeq")];
    let curves = panel::curves(&[(QUEUE, "queue")], |queue| run.queue(queue));
    Figure { references, events: Vec::new(), ..panel::over_time(run, names, y, &curves) }
}

/// A table of CR for each set point and for an extra case.
fn rate_table(runs: &Runs, delivery: Delivery, extra: (&str, &str)) -> Table {
    let named = SET_POINTS.map(|frames| (delivery.case_name(frames), delivery.label(frames)));
    let mut cases: Vec<(&str, &str)> = named.iter().map(|(name, label)| (&**name, &**label)).collect();
    cases.push(extra);
    table::by_case_and_seed(
        runs,
        ("", &cases),
        &[
            ("First notification", Unit::Seconds, first_notification),
            ("Settled CR", Unit::BitsPerSecond, mean_limit),
            ("CR / CR_mean", Unit::Ratio, |seed, case| Some(mean_limit(seed, case)? / MEAN)),
            ("Smallest CR", Unit::BitsPerSecond, smallest_limit),
            ("Feedback", Unit::Share, |seed, case| feedback(seed, case, ALL)),
            ("Loss", Unit::Share, |seed, case| loss(seed, case, ALL)),
        ],
    )
}
