//! The paper's claims about groups on a chain.

use super::super::FRAME;
use super::super::by_sampling::{Pair, by_sampling};
use super::super::sources::{ALL, fairness, feedback, limit_deviation, loss, notifications, offset};
use super::super::variation::{Delivery, Sampled};
use super::{GROUPS, GroupMeasure, QUEUES};
use crate::prelude::*;

/// "Less" means at least a fifth less, "more" at least a quarter more.
const FEWER: Rule = Rule::AtMost(0.8);
const MORE: Rule = Rule::AtLeast(1.25);
/// For a share that can be zero, the difference must be at least one frame in a thousand.
const LESS_LOSS: Rule = Rule::AtMost(-0.001);
const MORE_LOSS: Rule = Rule::AtLeast(0.001);
/// "More stable" means by at least a tenth.
const STEADIER: Rule = Rule::AtMost(0.9);

const STEPS: &str = "the size of a feedback step is proportional to Qeq. With a larger Qeq the same excess \
    spans fewer steps, and the same cut needs more notifications. With four times the gain and a Qeq of 75 \
    frames, the feedback of G1, G2 and G3 with standard sampling is 0.61, 0.37 and 0.36 % instead of 1.04, \
    0.57 and 0.57 %, which is close to the values for 25 frames";
const TWICE_THE_TRAFFIC: &str = "multiple unicast behaves like multicast with twice the traffic. If multicast sources \
    offer 400 Mb/s, multicast gives the same figures as multiple unicast, within the spread over seeds: with 25 frames \
    the feedback of G1, G2 and G3 is 0.59, 0.33 and 0.32 % against 0.60, 0.33 and 0.33 %. With both, the links are \
    congested from 2 s on or earlier";
const NOTHING: &str = "if every frame above the set point triggers a notification, hardly any frames are lost with any set point";
const FREE_CR: &str = "a multicast source offers only 200 Mb/s. When no frames are waiting, its CR rises above that \
    rate without any effect. This happens in G2 and G3, but not in G1, whose sources are slow. If multicast sources \
    offer 400 Mb/s, as multiple unicast sources do, the deviation of G2 and G3 is 50 and 47 Mb/s with standard \
    sampling and 25 frames, against 53 and 67 Mb/s with multiple unicast";

pub(super) fn claims() -> impl Iterator<Item = Claim> {
    let both = [
        for_both("g1-hears-least", "sources of G1 get the least feedback.", (Unit::Ratio, FEWER), |runs, delivery| {
            first_over_least(runs, delivery, feedback)
        })
        .map(|pair| {
            pair.read_as(
                "Notifications per frame of G1 divided by the smaller value of G2 and G3, as means over the three set \
                points; “less” means at least a fifth less.",
            )
            .cause(
                "per frame, G1 receives the most notifications: its frames pass two congested queues (switches 2 and \
                3), and frames of the other groups only one. In absolute numbers the sources of G1 receive the fewest, \
                since they are slowed down the most (see the next claims)",
            )
        }),
        for_both("g1-fewest", "sources of G1 receive the fewest \
            notifications.", (Unit::Ratio, FEWER), |runs, delivery| {
            first_over_least(runs, delivery, notifications)
        })
        .map(|pair| {
            pair.read_as(
                "The same ratio for the number of notifications instead of notifications per frame. This is another \
                reading of “fewer feedback frames”, added after a first look at the results, with the same bound.",
            )
            .cause(
                "sources of G1 are slowed down to a third of the rate of G2 and G3 and therefore receive fewer \
                notifications, but less than a fifth fewer",
            )
        }),
        for_both("high-where-low", "feedback is high if Qeq is low.", (Unit::Ratio, MORE), |runs, delivery| {
            Some(feedback(runs.run(delivery, 25), ALL)? / feedback(runs.run(delivery, 75), ALL)?)
        })
        .map(|pair| {
            pair.read_as("Notifications per frame of all groups with a Qeq of 25 frames divided by the value with 75; \
                “high” means at least a quarter more.")
                .cause(STEPS)
        }),
    ];
    let pairs = both.into_iter().flatten().chain(of_feedback()).chain(of_loss());
    pairs.chain(of_stability()).chain(of_fairness()).flatten()
}

/// A claim for each delivery.
fn for_both(
    name: &str,
    statement: &str,
    test: (Unit, Rule),
    measure: fn(&Sampled<'_>, Delivery) -> Option<f64>,
) -> [Pair; 2] {
    Delivery::BOTH.map(|delivery| {
        let name = format!("{name}-{}", delivery.key());
        let statement = format!("with {} {statement}", delivery.words());
        by_sampling(&name, &statement, test, move |runs| measure(runs, delivery))
    })
}

fn of_feedback() -> [Pair; 2] {
    [
        by_sampling(
            "multicast-hears-more",
            "there is more feedback with multicast than with multiple unicast.",
            (Unit::Ratio, MORE),
            |runs| {
                let sum = |delivery| runs.sum(delivery, |run| feedback(run, ALL));
                Some(sum(Delivery::Multicast)? / sum(Delivery::MultipleUnicast)?)
            },
        )
        .read_as("Notifications per frame of all groups with multicast divided by the value with multiple unicast, as \
            means over the three set points; “more” means at least a quarter more.")
        .cause(TWICE_THE_TRAFFIC),
        by_sampling(
            "three-quarters-relieve",
            "a Qeq of three quarters of the queue relieves feedback implosion.",
            (Unit::Ratio, Rule::AtMost(0.5)),
            |runs| Some(feedback(runs.multicast(75), ALL)? / feedback(runs.multicast(25), ALL)?),
        )
        .read_as("Notifications per frame of all groups with multicast: the value with a Qeq of 75 frames divided by \
            the value with 25. “Relieved” means at most half.")
        .cause(STEPS),
    ]
}

fn of_loss() -> impl Iterator<Item = Pair> {
    let least = for_both("g1-loses-least", "G1 loses least.", (Unit::Share, LESS_LOSS), |runs, delivery| {
        let [first, second, third] = by_group(runs, delivery, loss)?;
        Some(first - second.min(third))
    })
    .map(|pair| {
        pair.read_as("The loss of G1 minus the smaller loss of G2 and G3, as means over the three set points; “least” \
            means lower by at least one frame in a thousand.")
            .cause("G1 loses the largest share of its frames, since they pass two queues that are full at times, and \
                frames of the other groups pass only one")
    });
    let grows = for_both("loss-grows", "loss grows with Qeq.", (Unit::Share, MORE_LOSS), |runs, delivery| {
        Some(loss(runs.run(delivery, 75), ALL)? - loss(runs.run(delivery, 25), ALL)?)
    })
    .map(|pair| {
        pair.read_as(
            "The loss of all groups with a Qeq of 75 frames minus the loss with 25; it must be at least one frame in a \
            thousand.",
        )
        .every_frame_cause(NOTHING)
    });
    let more = by_sampling(
        "multicast-loses-more",
        "multicast loses more than multiple unicast.",
        (Unit::Share, MORE_LOSS),
        |runs| {
            let sum = |delivery| runs.sum(delivery, |run| loss(run, ALL));
            Some((sum(Delivery::Multicast)? - sum(Delivery::MultipleUnicast)?) / 3.0)
        },
    )
    .read_as("The difference between the losses of all groups, as means over the three set points; it must be at least \
        one frame in a thousand.")
    .standard_cause(TWICE_THE_TRAFFIC)
    .every_frame_cause(NOTHING);
    least.into_iter().chain(grows).chain([more])
}

fn of_stability() -> [Pair; 5] {
    const RATIO: &str = "Standard deviation of CR with multicast divided by the value with multiple unicast";
    [
        by_sampling(
            "off-where-low",
            "with both kinds of delivery, queues are further above Qeq if Qeq is low.",
            (Unit::Bytes, Rule::AtLeast(FRAME)),
            |runs| {
                least(Delivery::BOTH.map(|delivery| {
                    Some(mean_offset(runs.run(delivery, 25))? - mean_offset(runs.run(delivery, 75))?)
                }))
            },
        )
        .read_as(
            "The mean queue minus Qeq, averaged over the three switches. The value with a Qeq of 25 frames must exceed \
            the value with 75 by at least one frame. The smaller difference of multicast and multiple unicast counts.",
        ),
        by_sampling(
            "as-far-off-as-unicast",
            "queues are as far from Qeq with multicast as with multiple unicast.",
            (Unit::Bytes, Rule::within(0.0, 5.0 * FRAME)),
            |runs| {
                let sum = |delivery| runs.sum(delivery, mean_offset);
                Some((sum(Delivery::Multicast)? - sum(Delivery::MultipleUnicast)?) / 3.0)
            },
        )
        .read_as("The difference between the mean queues, averaged over switches and set points; “as far” means within \
            five frames."),
        by_sampling(
            "g1-steadier-as-unicast",
            "the CR of G1 is steadier with multiple unicast.",
            (Unit::Ratio, STEADIER),
            |runs| {
                let sum = |delivery| runs.sum(delivery, |run| limit_deviation(run, GROUPS[0]));
                Some(sum(Delivery::MultipleUnicast)? / sum(Delivery::Multicast)?)
            },
        )
        .read_as("Standard deviation of CR with multiple unicast divided by the value with multicast, as means over \
            the three set points; “steadier” means by at least a tenth.")
        .cause(TWICE_THE_TRAFFIC),
        by_sampling(
            "g2-steadier-as-multicast",
            "the CR of G2 is steadier with multicast.",
            (Unit::Ratio, STEADIER),
            |runs| {
                let sum = |delivery| runs.sum(delivery, |run| limit_deviation(run, GROUPS[1]));
                Some(sum(Delivery::Multicast)? / sum(Delivery::MultipleUnicast)?)
            },
        )
        .read_as(&format!("{RATIO}, as means over the three set points; “steadier” means by at least a tenth."))
        .cause(FREE_CR),
        by_sampling(
            "g3-steadier-where-low",
            "the CR of G3 is steadier with multicast if Qeq is low.",
            (Unit::Ratio, STEADIER),
            |runs| {
                Some(limit_deviation(runs.multicast(25), GROUPS[2])? / limit_deviation(runs.unicast(25), GROUPS[2])?)
            },
        )
        .read_as(&format!("{RATIO}, with a Qeq of 25 frames; “steadier” means by at least a tenth."))
        .cause(FREE_CR),
    ]
}

fn of_fairness() -> [Pair; 2] {
    let test = (Unit::Count, Rule::AtLeast(3.0));
    for_both("g1-fairest", "G1 has the best fairness index for all Qeq.", test, |runs, delivery| {
        runs.sum(delivery, |run| {
            let [first, second, third] = GROUPS.map(|group| fairness(run, group));
            Some(if first? > second?.max(third?) { 1.0 } else { 0.0 })
        })
    })
    .map(|pair| {
        pair.read_as("The number of set points, of three, at which G1 has the largest index.").standard_cause(
            "the three groups have similar indices, so the result depends on the seed. If every frame \
                is sampled, all sources of G1 are near R_min and therefore equal",
        )
    })
}

/// A figure of each group, as means over the three set points.
fn by_group(runs: &Sampled<'_>, delivery: Delivery, measure: GroupMeasure) -> Option<[f64; 3]> {
    let [first, second, third] = GROUPS.map(|group| runs.sum(delivery, |run| measure(run, group)));
    Some([first? / 3.0, second? / 3.0, third? / 3.0])
}

fn first_over_least(runs: &Sampled<'_>, delivery: Delivery, measure: GroupMeasure) -> Option<f64> {
    let [first, second, third] = by_group(runs, delivery, measure)?;
    Some(first / second.min(third))
}

/// The distance between mean queue length and set point, averaged over the switches.
fn mean_offset(run: &Run) -> Option<f64> {
    mean(&all(QUEUES.iter().map(|queue| offset(run, queue)))?)
}
