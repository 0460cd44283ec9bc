//! Figure 16: fairness by set point.

use super::choices::{self, RATE_MEASURED};
use super::set_points::{self, WHISKERS};
use super::sources::{ALL, fairness};
use super::variation::{Delivery, all_cases};
use super::{DUMBBELL, SENDING_RATE, on_dumbbell};
use crate::prelude::*;

pub(super) fn experiment() -> Experiment {
    on_dumbbell("multicast/fig16", "Fairness by set point")
        .setup(
            "Six sources and two receivers as in figures 3 to 8, with multicast and with multiple unicast, and with \
            Qeq set to 25, 50 or 75 frames in a queue of 100 frames. Jain’s index is computed from the rates of the \
            six sources: it is 1 if all rates are equal, and one sixth if one source gets the whole link.",
        )
        .paper_says("The index is larger with multicast than with multiple unicast for all values of Qeq.")
        .assumptions([SENDING_RATE, "The index is computed from the mean settled rate of each source."])
        .choices(choices::BOTH)
        .choices([&RATE_MEASURED])
        .cases(all_cases(DUMBBELL))
        .panels(panels)
        .claims([Claim::new(
            at("section 3.5, figure 16"),
            "multicast-fairer",
            "Multicast is fairer than multiple unicast for all values of Qeq.",
        )
        .measure(Unit::Count, Rule::AtLeast(3.0), |seed| {
            Delivery::Multicast.count_larger(Delivery::MultipleUnicast, seed, index)
        })
        .read_as("The number of set points (out of three) at which the index is larger.")
        .cause(
            "the rates are about equally fair with both kinds of delivery (see the table), so the result depends on \
            the seed",
        )])
}

fn index(seed: &Seed<'_>, case: &str) -> Option<f64> {
    fairness(seed, case, ALL)
}

fn panels(runs: &Runs) -> Vec<Block> {
    let figure =
        set_points::by_delivery(runs, ("jain", "Fairness"), ("Jain’s index", Unit::Ratio), index, None);
    let table = set_points::table(runs, &[("Jain’s index", Unit::Ratio, index)]);
    vec![Block::Figures(vec![figure]), Block::Note(WHISKERS.to_owned()), Block::Table(table)]
}
