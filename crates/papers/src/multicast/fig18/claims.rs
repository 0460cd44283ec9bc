//! What the paper claims of groups on a chain.

use setpoint_report::quantity::Unit;

use super::super::FRAME;
use super::super::by_sampling::{Pair, by_sampling, claims};
use super::super::measure::{ALL, fairness, feedback, limit_deviation, loss, notifications, offset};
use super::super::variant::{Delivery, Look};
use super::{GROUPS, OfGroup, QUEUES};
use crate::claim::Claim;
use crate::rule::Rule;
use crate::runs::{Run, mean};

const PASSES_TWO: &str = "per frame G1 hears most: its frames pass two congested queues (switches 2 and 3), where those of the others pass one. In number its sources hear least, \
    since they are slowed down most (see the next claims)";

const STEPS: &str = "feedback is counted in steps of a part of Qeq: with a larger one the same excess is fewer steps, and more notifications are needed for the same cut. With four times the gain at 75 frames \
    G1, G2 and G3 have 0.61, 0.37 and 0.36 % by the table instead of 1.04, 0.57 and 0.57 %, which is about what they have with 25 frames";

const TWICE_THE_TRAFFIC: &str = "multiple unicast is no different from multicast with twice the traffic: with sources of 400 Mb/s multicast has the figures of multiple unicast, within what seeds differ by (feedback of G1, G2 and \
    G3 with 25 frames 0.59, 0.33 and 0.32 % against 0.60, 0.33 and 0.33 %). On either the links are congested from 2 s on at the latest";

const LOSES_AT_TWO: &str = "per frame G1 loses most, since its frames pass two queues that are full at times, where those of the others pass one";

const NOTHING: &str =
    "where every frame above the set point is told of, next to nothing is lost with any set point";

const FREE_CR: &str = "a multicast source offers 200 Mb/s, and its CR rises beyond without effect where it has nothing waiting, which happens in G2 and G3 and not in G1, whose sources are slow. With multicast sources of 400 Mb/s, \
    as much as with multiple unicast, G2 and G3 have 50 and 47 Mb/s by the table with 25 frames, and multiple unicast 53 and 67";

/// Less is by a fifth at least, more by a quarter.
const FEWER: Rule = Rule::AtMost(0.8);
const MORE: Rule = Rule::AtLeast(1.25);
/// Of what may be zero, one frame in a thousand at least.
const LESS_LOSS: Rule = Rule::AtMost(-0.001);
const MORE_LOSS: Rule = Rule::AtLeast(0.001);
/// More stable is by a tenth at least.
const STEADIER: Rule = Rule::AtMost(0.9);

pub(super) fn all() -> Vec<Claim> {
    claims(of_feedback().into_iter().chain(of_loss()).chain(of_stability()).chain(of_fairness()))
}

fn of_feedback() -> [Pair; 8] {
    const FEWEST: &str = "Notifications per frame of G1 over the smaller of G2 and G3, as means over the three set points; less is by a fifth at least.";
    const IN_NUMBER: &str = "The same in number, and not per frame: another reading of “fewer feedback frames”, added after a first look with the same bound.";
    const NEARLY: &str = "sources of G1 are slowed down to a third of what those of G2 and G3 send, and hear less often for it, but by less than a fifth";
    const HIGH: &str =
        "Notifications per frame of all groups, with 25 frames over 75; high is by a quarter more at least.";
    [
        by_sampling!(
            "g1-hears-least-multicast",
            "with multicast sources of G1 have the least feedback.",
            (Unit::Ratio, FEWER),
            |look| first_over_least(look, Delivery::Multicast, feedback),
        )
        .read_as(FEWEST)
        .cause(PASSES_TWO),
        by_sampling!(
            "g1-hears-least-unicast",
            "with multiple unicast sources of G1 have the least feedback.",
            (Unit::Ratio, FEWER),
            |look| first_over_least(look, Delivery::MultipleUnicast, feedback),
        )
        .read_as(FEWEST)
        .cause(PASSES_TWO),
        by_sampling!(
            "g1-fewest-multicast",
            "with multicast sources of G1 have the fewest notifications.",
            (Unit::Ratio, FEWER),
            |look| first_over_least(look, Delivery::Multicast, notifications),
        )
        .read_as(IN_NUMBER)
        .cause(NEARLY),
        by_sampling!(
            "g1-fewest-unicast",
            "with multiple unicast sources of G1 have the fewest notifications.",
            (Unit::Ratio, FEWER),
            |look| first_over_least(look, Delivery::MultipleUnicast, notifications),
        )
        .read_as(IN_NUMBER)
        .cause(NEARLY),
        by_sampling!(
            "high-where-low-multicast",
            "with multicast feedback is high where Qeq is low.",
            (Unit::Ratio, MORE),
            |look| Some(feedback(look.multicast(25), ALL)? / feedback(look.multicast(75), ALL)?),
        )
        .read_as(HIGH)
        .cause(STEPS),
        by_sampling!(
            "high-where-low-unicast",
            "with multiple unicast feedback is high where Qeq is low.",
            (Unit::Ratio, MORE),
            |look| Some(feedback(look.unicast(25), ALL)? / feedback(look.unicast(75), ALL)?),
        )
        .read_as(HIGH)
        .cause(STEPS),
        by_sampling!(
            "multicast-hears-more",
            "there is more feedback with multicast than with multiple unicast.",
            (Unit::Ratio, MORE),
            |look| {
                let all = |run| feedback(run, ALL);
                Some(look.sum(Delivery::Multicast, all)? / look.sum(Delivery::MultipleUnicast, all)?)
            },
        )
        .read_as("Notifications per frame of all groups, as means over the three set points; more is by a quarter at least.")
        .cause(TWICE_THE_TRAFFIC),
        by_sampling!(
            "three-quarters-relieve",
            "a Qeq of three quarters of the queue relieves feedback implosion.",
            (Unit::Ratio, Rule::AtMost(0.5)),
            |look| Some(feedback(look.multicast(75), ALL)? / feedback(look.multicast(25), ALL)?),
        )
        .read_as("Notifications per frame of all groups with multicast, with 75 frames over 25; relieved is half at most.")
        .cause(STEPS),
    ]
}

fn of_loss() -> [Pair; 5] {
    const LEAST: &str = "The loss of G1 less the smaller of G2’s and G3’s, as means over the three set points; less is by a frame in a thousand at least.";
    const GROWS: &str =
        "The loss of all groups with 75 frames less that with 25; a frame in a thousand at least.";
    [
        by_sampling!(
            "g1-loses-least-multicast",
            "with multicast G1 loses least.",
            (Unit::Share, LESS_LOSS),
            |look| first_less_least(look, Delivery::Multicast, loss),
        )
        .read_as(LEAST)
        .cause(LOSES_AT_TWO),
        by_sampling!(
            "g1-loses-least-unicast",
            "with multiple unicast G1 loses least.",
            (Unit::Share, LESS_LOSS),
            |look| first_less_least(look, Delivery::MultipleUnicast, loss),
        )
        .read_as(LEAST)
        .cause(LOSES_AT_TWO),
        by_sampling!(
            "loss-grows-multicast",
            "with multicast loss grows with Qeq.",
            (Unit::Share, MORE_LOSS),
            |look| Some(loss(look.multicast(75), ALL)? - loss(look.multicast(25), ALL)?),
        )
        .read_as(GROWS)
        .every_frame_cause(NOTHING),
        by_sampling!(
            "loss-grows-unicast",
            "with multiple unicast loss grows with Qeq.",
            (Unit::Share, MORE_LOSS),
            |look| Some(loss(look.unicast(75), ALL)? - loss(look.unicast(25), ALL)?),
        )
        .read_as(GROWS)
        .every_frame_cause(NOTHING),
        by_sampling!(
            "multicast-loses-more",
            "multicast loses more than multiple unicast.",
            (Unit::Share, MORE_LOSS),
            |look| {
                let all = |run| loss(run, ALL);
                Some((look.sum(Delivery::Multicast, all)? - look.sum(Delivery::MultipleUnicast, all)?) / 3.0)
            },
        )
        .read_as("The loss of all groups, as means over the three set points: the difference; a frame in a thousand at least.")
        .standard_cause(TWICE_THE_TRAFFIC)
        .every_frame_cause(NOTHING),
    ]
}

fn of_stability() -> [Pair; 5] {
    [
        by_sampling!(
            "off-where-low",
            "queues are further above Qeq where Qeq is low, with both.",
            (Unit::Bytes, Rule::AtLeast(FRAME)),
            |look| {
                let falls = |delivery| Some(offsets(look.run(delivery, 25))? - offsets(look.run(delivery, 75))?);
                Some(falls(Delivery::Multicast)?.min(falls(Delivery::MultipleUnicast)?))
            },
        )
        .read_as(
            "The mean queue less Qeq, as the mean over the three switches: with 25 frames less that with 75, a frame at least. The smaller of multicast’s and multiple unicast’s.",
        ),
        by_sampling!(
            "as-far-off-as-unicast",
            "queues are as far from Qeq with multicast as with multiple unicast.",
            (Unit::Bytes, Rule::within(0.0, 5.0 * FRAME)),
            |look| Some((look.sum(Delivery::Multicast, offsets)? - look.sum(Delivery::MultipleUnicast, offsets)?) / 3.0),
        )
        .read_as("The difference of the mean queues, as the mean over switches and set points; as far is within five frames."),
        by_sampling!(
            "g1-steadier-as-unicast",
            "CR of G1 is steadier with multiple unicast.",
            (Unit::Ratio, STEADIER),
            |look| {
                let of = |run| limit_deviation(run, GROUPS[0]);
                Some(look.sum(Delivery::MultipleUnicast, of)? / look.sum(Delivery::Multicast, of)?)
            },
        )
        .read_as("Standard deviation of CR with multiple unicast over that with multicast, as means over the three set points; by a tenth at least.")
        .cause(TWICE_THE_TRAFFIC),
        by_sampling!(
            "g2-steadier-as-multicast",
            "CR of G2 is steadier with multicast.",
            (Unit::Ratio, STEADIER),
            |look| {
                let of = |run| limit_deviation(run, GROUPS[1]);
                Some(look.sum(Delivery::Multicast, of)? / look.sum(Delivery::MultipleUnicast, of)?)
            },
        )
        .read_as("Standard deviation of CR with multicast over that with multiple unicast, as means over the three set points; by a tenth at least.")
        .cause(FREE_CR),
        by_sampling!(
            "g3-steadier-where-low",
            "CR of G3 is steadier with multicast where Qeq is low.",
            (Unit::Ratio, STEADIER),
            |look| Some(limit_deviation(look.multicast(25), GROUPS[2])? / limit_deviation(look.unicast(25), GROUPS[2])?),
        )
        .read_as("Standard deviation of CR with multicast over that with multiple unicast, with 25 frames; by a tenth at least.")
        .cause(FREE_CR),
    ]
}

fn of_fairness() -> [Pair; 2] {
    const FAIREST: &str = "At how many of the three set points G1 has the largest index of the three groups.";
    [
        by_sampling!(
            "g1-fairest-multicast",
            "with multicast G1 has the best fairness index for all Qeq.",
            (Unit::Count, Rule::AtLeast(3.0)),
            |look| first_is_fairest(look, Delivery::Multicast),
        )
        .read_as(FAIREST)
        .standard_cause("groups are alike in this, and seeds decide. With every frame sampled the sources of G1 are all near R_min, and so equal"),
        by_sampling!(
            "g1-fairest-unicast",
            "with multiple unicast G1 has the best fairness index for all Qeq.",
            (Unit::Count, Rule::AtLeast(3.0)),
            |look| first_is_fairest(look, Delivery::MultipleUnicast),
        )
        .read_as(FAIREST)
        .standard_cause("groups are alike in this, and seeds decide. With every frame sampled the sources of G1 are all near R_min, and so equal"),
    ]
}

/// A figure of each group, as means over the three set points.
fn by_group(look: &Look<'_>, delivery: Delivery, measure: OfGroup) -> Option<[f64; 3]> {
    let [first, second, third] = GROUPS.map(|group| look.sum(delivery, |run| measure(run, group)));
    Some([first? / 3.0, second? / 3.0, third? / 3.0])
}

fn first_over_least(look: &Look<'_>, delivery: Delivery, measure: OfGroup) -> Option<f64> {
    let [first, second, third] = by_group(look, delivery, measure)?;
    Some(first / second.min(third))
}

fn first_less_least(look: &Look<'_>, delivery: Delivery, measure: OfGroup) -> Option<f64> {
    let [first, second, third] = by_group(look, delivery, measure)?;
    Some(first - second.min(third))
}

fn first_is_fairest(look: &Look<'_>, delivery: Delivery) -> Option<f64> {
    let fairest = |run: &Run| {
        let [first, second, third] = GROUPS.map(|group| fairness(run, group));
        Some(if first? > second?.max(third?) { 1.0 } else { 0.0 })
    };
    look.sum(delivery, fairest)
}

/// The mean over switches of their queues’ distance from the set point.
fn offsets(run: &Run) -> Option<f64> {
    mean(&QUEUES.iter().map(|queue| offset(run, queue)).collect::<Option<Vec<f64>>>()?)
}
