//! The paper's claims about groups on a chain.

use super::super::FRAME;
use super::super::sources::{ALL, deviation, fairness, feedback, loss, offset};
use super::super::variation::Delivery;
use super::{GROUPS, GroupMeasure, QUEUES, SMALL};
use crate::prelude::*;

/// "Less" means at least a fifth less, "more" at least a quarter more.
const FEWER: Rule = Rule::AtMost(0.8);
const MORE: Rule = Rule::AtLeast(1.25);
/// A share that can be zero must differ by at least one frame in a thousand.
const LESS_LOSS: Rule = Rule::AtMost(-0.001);
const MORE_LOSS: Rule = Rule::AtLeast(0.001);
/// "More stable" means more stable by at least a tenth.
const STEADIER: Rule = Rule::AtMost(0.9);

const TWICE_THE_TRAFFIC: &str = "multiple unicast behaves like multicast with twice the traffic: in both cases, the \
    same limiters feed the links, and the links are congested";
pub(super) fn claims() -> impl Iterator<Item = Claim> {
    let feedback = g1_hears_least().into_iter().chain(high_where_low()).chain([multicast_hears_more()]);
    let loss = g1_loses_least().into_iter().chain(loss_grows()).chain([multicast_loses_more()]);
    let of_groups = feedback.chain(loss).chain(of_queues()).chain(of_rates()).chain(g1_fairest());
    of_groups.chain(when_the_network_grows())
}

/// A claim for each kind of delivery.
fn for_both(
    origin: Origin,
    name: &str,
    statement: &str,
    (unit, rule): (Unit, Rule),
    measure: fn(&Seed<'_>, Delivery) -> Option<f64>,
) -> [Claim; 2] {
    Delivery::BOTH.map(|delivery| {
        let name = format!("{name}-{}", delivery.key());
        let statement = format!("With {}, {statement}", delivery.words());
        Claim::new(origin, name, statement).measure(unit, rule, move |seed| measure(seed, delivery))
    })
}

fn g1_hears_least() -> [Claim; 2] {
    for_both(
        at("section 3.6.1, figures 18 and 19"),
        "g1-hears-least",
        "the sources of G1 receive the least feedback.",
        (Unit::Ratio, FEWER),
        |seed, delivery| {
            let [first, second, third] = by_group(seed, delivery, feedback)?;
            Some(first / second.min(third))
        },
    )
    .map(|claim| {
        claim.read_as(
                "The feedback rate of G1 divided by the smaller of the rates of G2 and G3, as means over the three set \
                points; “less” means at least a fifth less.",
            )
    })
}

fn high_where_low() -> [Claim; 2] {
    for_both(
        at("section 3.6.1, figures 18 and 19"),
        "high-where-low",
        "feedback is high if Qeq is low.",
        (Unit::Ratio, MORE),
        |seed, delivery| {
            let rate = |frames| delivery.at(seed, frames, |seed, case| feedback(seed, case, ALL));
            Some(rate(25)? / rate(75)?)
        },
    )
    .map(|claim| {
        claim
            .read_as(
                "Notifications per frame over all groups with Qeq set to 25 frames, divided by the value with 75; \
                “high” means at least a quarter more. This is also the paper’s reason for recommending “3/4 of the \
                queue length size” against feedback implosion (section 4).",
            )
            .cause("the number of notifications depends on how fast the sources recover, and recovery does not depend \
                on Qeq")
    })
}

fn multicast_hears_more() -> Claim {
    Claim::new(
        at("section 3.6.1, figure 20"),
        "multicast-hears-more",
        "There is more feedback with multicast than with multiple unicast.",
    )
    .measure(Unit::Ratio, MORE, |seed| {
        let [multicast, unicast] = both(seed, |seed, case| feedback(seed, case, ALL))?;
        Some(multicast / unicast)
    })
    .read_as("Notifications per frame over all groups with multicast, divided by the value with multiple unicast, as \
        means over the three set points; “more” means at least a quarter more.")
    .cause(format!(
        "{TWICE_THE_TRAFFIC}. Multicast frames are copied only after the last congested queue, here as on the \
        dumbbell, for which the paper observes the opposite (section 3.2)"
    ))
}

fn g1_loses_least() -> [Claim; 2] {
    let place = at("section 3.6.2, figures 21 and 22");
    for_both(place, "g1-loses-least", "G1 has the lowest loss.", (Unit::Share, LESS_LOSS), |seed, delivery| {
        let [first, second, third] = by_group(seed, delivery, loss)?;
        Some(first - second.min(third))
    })
    .map(|claim| {
        claim
            .read_as(
                "The loss of G1 minus the smaller of the losses of G2 and G3, as means over the three set points; \
                “lowest” means lower by at least one frame in a thousand.",
            )
            .cause(
                "few frames are lost if feedback is in frames, so the groups hardly differ. G1 sends the fewest \
                frames, but they pass two queues that sometimes overflow, whereas frames of the other groups pass only \
                one",
            )
    })
}

fn loss_grows() -> [Claim; 2] {
    let place = at("section 3.6.2, figures 21 and 22");
    for_both(place, "loss-grows", "loss grows with Qeq.", (Unit::Share, MORE_LOSS), |seed, delivery| {
        let lost = |frames| delivery.at(seed, frames, |seed, case| loss(seed, case, ALL));
        Some(lost(75)? - lost(25)?)
    })
    .map(|claim| {
        claim
            .read_as(
                "The loss of all groups with Qeq set to 75 frames minus the loss with 25; it must be at least one \
                frame in a thousand.",
            )
    })
}

fn multicast_loses_more() -> Claim {
    Claim::new(
        at("section 3.6.2, figure 23"),
        "multicast-loses-more",
        "The loss is higher with multicast than with multiple unicast.",
    )
    .measure(Unit::Share, MORE_LOSS, |seed| {
        let [multicast, unicast] = both(seed, |seed, case| loss(seed, case, ALL))?;
        Some(multicast - unicast)
    })
    .read_as("The difference between the losses of all groups, as means over the three set points; it must be at least \
        one frame in a thousand.")
    .cause(TWICE_THE_TRAFFIC)
}

fn of_queues() -> [Claim; 2] {
    let place = at("section 3.6.3, figures 24 to 26");
    [
        Claim::new(
            place,
            "off-where-low",
            "With both kinds of delivery, queues exceed Qeq if it is low, and by more than if it is high.",
        )
        .measure(Unit::Bytes, Rule::AtLeast(FRAME), |seed| {
            let excess = |delivery: Delivery| {
                let offset = |frames| delivery.at(seed, frames, mean_offset);
                Some(offset(25)?.min(offset(25)? - offset(75)?))
            };
            least(Delivery::BOTH.map(excess))
        })
        .read_as(
            "The mean queue minus Qeq, averaged over the three switches. With Qeq set to 25 frames it must be at least \
            one frame, since the paper speaks of queues that are “overused”, and must exceed the value with 75 by at \
            least one frame. The smallest of these figures for multicast and multiple unicast counts.",
        )
        .cause(
            "notifications keep the queues below Qeq, and an empty queue is farther below a high Qeq than below a low \
            one",
        ),
        Claim::new(
            place,
            "as-far-off-as-unicast",
            "Queues exceed Qeq by as much with multicast as with multiple unicast.",
        )
        .given(
            "queues exceed Qeq with both kinds of delivery",
            (Unit::Bytes, Rule::AtLeast(0.0)),
            |seed| smallest(&both(seed, mean_offset)?),
        )
        .measure(Unit::Bytes, Rule::Equivalent(-5.0 * FRAME, 5.0 * FRAME), |seed| {
            let [multicast, unicast] = both(seed, mean_offset)?;
            Some(multicast - unicast)
        })
        .read_as("The difference between the mean queues, averaged over switches and set points; “as large” means \
            within five frames."),
    ]
}

/// The abstract’s “performance could degrade when the network scales up”, which table 1 details: the same multicast
/// sources on the dumbbell and on this network.
fn when_the_network_grows() -> [Claim; 4] {
    let place = at("abstract; section 4, table 1");
    let claim = |name: &str, statement: &str| Claim::new(place, name, statement);
    const MEANS: &str =
        "with multicast on this network and on the dumbbell, as means over the three set points";
    [
        claim("growth-adds-feedback", "With multicast, there is more feedback on the larger network.")
            .measure(Unit::Ratio, MORE, |seed| {
                let [here, there] = grown(seed, |seed, case| feedback(seed, case, ALL))?;
                Some(here / there)
            })
            .read_as(format!("The ratio of notifications per frame {MEANS}; “degrade” means by at least a quarter.")),
        claim("growth-adds-loss", "With multicast, more is lost on the larger network.")
            .measure(Unit::Share, MORE_LOSS, |seed| {
                let [here, there] = grown(seed, |seed, case| loss(seed, case, ALL))?;
                Some(here - there)
            })
            .read_as(format!(
                "The difference between the losses {MEANS}; it must be at least one frame in a thousand."
            )),
        claim("growth-shakes-rates", "With multicast, rates are less steady on the larger network.")
            .measure(Unit::Ratio, Rule::AtLeast(1.1), |seed| {
                let [here, there] = grown(seed, |seed, case| deviation(seed, case, ALL))?;
                Some(here / there)
            })
            .read_as(format!(
                "The ratio of the standard deviations of the rates {MEANS}; “degrade” means by at least a tenth."
            )),
        claim("growth-hurts-fairness", "With multicast, rates are less fair on the larger network.")
            .measure(Unit::Ratio, Rule::AtMost(-0.01), |seed| {
                let here = Delivery::Multicast.mean(seed, |seed, case| {
                    mean(&all(GROUPS.map(|group| fairness(seed, case, group)))?)
                });
                let there = mean(&all(SMALL.map(|case| fairness(seed, case, ALL)))?);
                Some(here? - there?)
            })
            .read_as(
                "The mean index of the three groups minus the index on the dumbbell, as means over the three set \
                points; “degrade” means by at least 0.01.",
            ),
    ]
}

/// A figure with multicast on this network and on the dumbbell, each averaged over the three set points.
fn grown(seed: &Seed<'_>, measure: impl Fn(&Seed<'_>, &str) -> Option<f64>) -> Option<[f64; 2]> {
    let small = mean(&all(SMALL.map(|case| measure(seed, case)))?)?;
    Some([Delivery::Multicast.mean(seed, &measure)?, small])
}

fn of_rates() -> [Claim; 3] {
    const RATIO: &str =
        "The standard deviation of the rate with multicast divided by the value with multiple unicast";
    const TENTH: &str = "“steadier” means by at least a tenth.";
    [
        Claim::new(
            at("section 3.6.3, figure 27"),
            "g1-steadier-as-unicast",
            "The rate of G1 is steadier with multiple unicast.",
        )
        .measure(Unit::Ratio, STEADIER, |seed| Some(1.0 / deviation_ratio(seed, 0)?))
        .read_as(format!(
            "The standard deviation of the rate with multiple unicast divided by the value with multicast, as means \
            over the three set points; {TENTH}"
        ))
        .cause(TWICE_THE_TRAFFIC),
        Claim::new(
            at("section 3.6.3, figure 28"),
            "g2-steadier-as-multicast",
            "The rate of G2 is steadier with multicast.",
        )
        .measure(Unit::Ratio, STEADIER, |seed| deviation_ratio(seed, 1))
        .read_as(format!("{RATIO}, as means over the three set points; {TENTH}")),
        Claim::new(
            at("section 3.6.3, figure 29"),
            "g3-steadier-where-low",
            "The rate of G3 is steadier with multicast if Qeq is low.",
        )
        .measure(Unit::Ratio, STEADIER, |seed| {
            let of_third = |seed: &Seed<'_>, case: &str| deviation(seed, case, GROUPS[2]);
            let [multicast, unicast] = Delivery::BOTH.map(|delivery| delivery.at(seed, 25, of_third));
            Some(multicast? / unicast?)
        })
        .read_as(format!("{RATIO}, with Qeq set to 25 frames; {TENTH}")),
    ]
}

fn g1_fairest() -> [Claim; 2] {
    for_both(
        at("section 3.6.4, figures 30 and 31"),
        "g1-fairest",
        "G1 has the best fairness index for all values of Qeq.",
        (Unit::Count, Rule::AtLeast(3.0)),
        |seed, delivery| {
            let fairest = delivery.each(seed, |seed, case| {
                let [first, second, third] = GROUPS.map(|group| fairness(seed, case, group));
                Some(if first? > second?.max(third?) { 1.0 } else { 0.0 })
            })?;
            Some(fairest.iter().sum())
        },
    )
    .map(|claim| {
        claim
            .read_as("The number of set points (out of three) at which G1 has the largest index.")
            .cause("the three groups have similar indices, so the result depends on the seed")
    })
}

/// A figure with multicast and with multiple unicast, each averaged over the three set points.
fn both(seed: &Seed<'_>, measure: impl Fn(&Seed<'_>, &str) -> Option<f64>) -> Option<[f64; 2]> {
    let [multicast, unicast] = Delivery::BOTH.map(|delivery| delivery.mean(seed, &measure));
    Some([multicast?, unicast?])
}

/// The standard deviation of a group's rates with multicast, divided by the value with multiple unicast.
fn deviation_ratio(seed: &Seed<'_>, group: usize) -> Option<f64> {
    let [multicast, unicast] = both(seed, |seed, case| deviation(seed, case, GROUPS[group]))?;
    Some(multicast / unicast)
}

/// A figure for each group, averaged over the three set points.
fn by_group(seed: &Seed<'_>, delivery: Delivery, measure: GroupMeasure) -> Option<[f64; 3]> {
    let of_group = |group| delivery.mean(seed, |seed, case| measure(seed, case, group));
    let [first, second, third] = GROUPS.map(of_group);
    Some([first?, second?, third?])
}

/// The distance between mean queue length and set point, averaged over the switches.
fn mean_offset(seed: &Seed<'_>, case: &str) -> Option<f64> {
    mean(&all(QUEUES.iter().map(|queue| offset(seed.run(case), queue)))?)
}
