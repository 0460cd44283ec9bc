//! The paper's claims about groups on a chain.

use super::super::FRAME;
use super::super::by_sampling::{Pair, by_sampling};
use super::super::sources::{ALL, fairness, feedback, limit_deviation, loss, notifications, offset};
use super::super::variation::{Delivery, Sampled};
use super::{GROUPS, GroupMeasure, QUEUES};
use crate::prelude::*;

/// Less is by a fifth at least, more by a quarter.
const FEWER: Rule = Rule::AtMost(0.8);
const MORE: Rule = Rule::AtLeast(1.25);
/// Of a share that may be zero, one frame in a thousand at least.
const LESS_LOSS: Rule = Rule::AtMost(-0.001);
const MORE_LOSS: Rule = Rule::AtLeast(0.001);
/// More stable is by a tenth at least.
const STEADIER: Rule = Rule::AtMost(0.9);

const STEPS: &str = "feedback is counted in steps of a part of Qeq: with a larger one the same excess is fewer steps, and more notifications are needed for the same cut. With four times the gain at 75 frames \
    G1, G2 and G3 have 0.61, 0.37 and 0.36 % by the table instead of 1.04, 0.57 and 0.57 %, which is about what they have with 25 frames";
const TWICE_THE_TRAFFIC: &str = "multiple unicast is no different from multicast with twice the traffic: with sources of 400 Mb/s multicast has the figures of multiple unicast, within the differences between seeds (feedback of \
    G1, G2 and G3 with 25 frames 0.59, 0.33 and 0.32 % against 0.60, 0.33 and 0.33 %). On either the links are congested from 2 s on at the latest";
const NOTHING: &str =
    "if every frame above the set point triggers a notification, next to nothing is lost with any set point";
const FREE_CR: &str = "a multicast source offers 200 Mb/s, and its CR rises beyond without effect if it has nothing waiting, which happens in G2 and G3 and not in G1, whose sources are slow. With multicast sources of 400 Mb/s, \
    as much as with multiple unicast, G2 and G3 have 50 and 47 Mb/s by the table with 25 frames, and multiple unicast 53 and 67";

pub(super) fn claims() -> impl Iterator<Item = Claim> {
    let both = [
        for_both("g1-hears-least", "sources of G1 have the least feedback.", (Unit::Ratio, FEWER), |runs, delivery| {
            first_over_least(runs, delivery, feedback)
        })
        .map(|pair| {
            pair.read_as(
                "Notifications per frame of G1 over the smaller of G2 and G3, as means over the three set points; less is by a fifth at least.",
            )
            .cause(
                "per frame G1 receives most: its frames pass two congested queues (switches 2 and 3), and those of the others one. In number its sources receive least, \
                 since they are slowed down most (see the next claims)",
            )
        }),
        for_both("g1-fewest", "sources of G1 have the fewest notifications.", (Unit::Ratio, FEWER), |runs, delivery| {
            first_over_least(runs, delivery, notifications)
        })
        .map(|pair| {
            pair.read_as(
                "The same in number, and not per frame: another reading of “fewer feedback frames”, added after a first look with the same bound.",
            )
            .cause(
                "sources of G1 are slowed down to a third of the rate of G2 and G3, and receive fewer notifications for it, but by less than a fifth",
            )
        }),
        for_both("high-where-low", "feedback is high if Qeq is low.", (Unit::Ratio, MORE), |runs, delivery| {
            Some(feedback(runs.run(delivery, 25), ALL)? / feedback(runs.run(delivery, 75), ALL)?)
        })
        .map(|pair| {
            pair.read_as("Notifications per frame of all groups, with 25 frames over 75; high is by a quarter more at least.")
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
        .read_as("Notifications per frame of all groups, as means over the three set points; more is by a quarter at least.")
        .cause(TWICE_THE_TRAFFIC),
        by_sampling(
            "three-quarters-relieve",
            "a Qeq of three quarters of the queue relieves feedback implosion.",
            (Unit::Ratio, Rule::AtMost(0.5)),
            |runs| Some(feedback(runs.multicast(75), ALL)? / feedback(runs.multicast(25), ALL)?),
        )
        .read_as("Notifications per frame of all groups with multicast, with 75 frames over 25; relieved is half at most.")
        .cause(STEPS),
    ]
}

fn of_loss() -> impl Iterator<Item = Pair> {
    let least = for_both("g1-loses-least", "G1 loses least.", (Unit::Share, LESS_LOSS), |runs, delivery| {
        let [first, second, third] = by_group(runs, delivery, loss)?;
        Some(first - second.min(third))
    })
    .map(|pair| {
        pair.read_as("The loss of G1 minus the smaller of G2’s and G3’s, as means over the three set points; less is by a frame in a thousand at least.")
            .cause("per frame G1 loses most, since its frames pass two queues that are full at times, and those of the others one")
    });
    let grows = for_both("loss-grows", "loss grows with Qeq.", (Unit::Share, MORE_LOSS), |runs, delivery| {
        Some(loss(runs.run(delivery, 75), ALL)? - loss(runs.run(delivery, 25), ALL)?)
    })
    .map(|pair| {
        pair.read_as(
            "The loss of all groups with 75 frames minus that with 25; a frame in a thousand at least.",
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
    .read_as("The difference of the losses of all groups, as means over the three set points; a frame in a thousand at least.")
    .standard_cause(TWICE_THE_TRAFFIC)
    .every_frame_cause(NOTHING);
    least.into_iter().chain(grows).chain([more])
}

fn of_stability() -> [Pair; 5] {
    const RATIO: &str = "Standard deviation of CR with multicast over that with multiple unicast";
    [
        by_sampling(
            "off-where-low",
            "queues are further above Qeq if Qeq is low, with both.",
            (Unit::Bytes, Rule::AtLeast(FRAME)),
            |runs| {
                least(Delivery::BOTH.map(|delivery| {
                    Some(mean_offset(runs.run(delivery, 25))? - mean_offset(runs.run(delivery, 75))?)
                }))
            },
        )
        .read_as(
            "The mean queue minus Qeq, as the mean over the three switches: with 25 frames minus that with 75, a frame at least. The smaller of multicast’s and multiple unicast’s.",
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
        .read_as("The difference of the mean queues, as the mean over switches and set points; as far is within five frames."),
        by_sampling(
            "g1-steadier-as-unicast",
            "CR of G1 is steadier with multiple unicast.",
            (Unit::Ratio, STEADIER),
            |runs| {
                let sum = |delivery| runs.sum(delivery, |run| limit_deviation(run, GROUPS[0]));
                Some(sum(Delivery::MultipleUnicast)? / sum(Delivery::Multicast)?)
            },
        )
        .read_as("Standard deviation of CR with multiple unicast over that with multicast, as means over the three set points; by a tenth at least.")
        .cause(TWICE_THE_TRAFFIC),
        by_sampling(
            "g2-steadier-as-multicast",
            "CR of G2 is steadier with multicast.",
            (Unit::Ratio, STEADIER),
            |runs| {
                let sum = |delivery| runs.sum(delivery, |run| limit_deviation(run, GROUPS[1]));
                Some(sum(Delivery::Multicast)? / sum(Delivery::MultipleUnicast)?)
            },
        )
        .read_as(&format!("{RATIO}, as means over the three set points; by a tenth at least."))
        .cause(FREE_CR),
        by_sampling(
            "g3-steadier-where-low",
            "CR of G3 is steadier with multicast if Qeq is low.",
            (Unit::Ratio, STEADIER),
            |runs| {
                Some(limit_deviation(runs.multicast(25), GROUPS[2])? / limit_deviation(runs.unicast(25), GROUPS[2])?)
            },
        )
        .read_as(&format!("{RATIO}, with 25 frames; by a tenth at least."))
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
        pair.read_as("The number of set points, of three, at which G1 has the largest index of the three groups.")
            .standard_cause("groups are alike in this, and the result depends on the seed. With every frame sampled the sources of G1 are all near R_min, and so equal")
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

/// The mean over switches of the distance of their queues from the set point.
fn mean_offset(run: &Run) -> Option<f64> {
    mean(&all(QUEUES.iter().map(|queue| offset(run, queue)))?)
}
