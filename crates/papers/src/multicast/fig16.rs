//! Figure 16: fairness by set point.

use super::by_sampling::by_sampling;
use super::set_points::{self, WHISKERS};
use super::sources::{ALL, fairness, fairness_sent};
use super::variation::{Delivery, all_cases};
use super::{DUMBBELL, on_dumbbell};
use crate::prelude::*;

pub(super) fn experiment() -> Experiment {
    on_dumbbell("multicast/fig16", "Fairness by set point")
        .setup(
            "Six sources and two receivers as in figures 3 to 8, as multicast and as multiple unicast, with a Qeq of \
            25, 50 and 75 of 100 frames. Jain’s index is computed from the rates of the six sources: it is 1 if all \
            rates are equal, and one sixth if one source gets the whole link.",
        )
        .paper_says("The index is larger with multicast than with multiple unicast for all Qeq.")
        .assumptions([
            "The paper’s r_i is “the already assigned rate” of a source: we use its mean CR from 6 to 10 s. The index \
            of the sending rates over the same interval is also shown, but not judged.",
        ])
        .cases(all_cases(DUMBBELL))
        .panels(panels)
        .claims(
            by_sampling(
                "multicast-fairer",
                "multicast is fairer than multiple unicast for all Qeq.",
                (Unit::Count, Rule::AtLeast(3.0)),
                |runs| runs.count_larger((Delivery::Multicast, Delivery::MultipleUnicast), assigned),
            )
            .read_as("The number of set points, of three, at which the index is larger.")
            .standard_cause(
                "the CR of a multicast source with no frames waiting rises without any effect. This happens to one \
                source at a time and makes the CRs unequal. The sending rates are equally fair: the index is 0.988, \
                0.983 and 0.970 with multicast, and 0.987, 0.985 and 0.964 with multiple unicast",
            ),
        )
}

fn assigned(run: &Run) -> Option<f64> {
    fairness(run, ALL)
}

fn panels(runs: &Runs) -> Vec<Block> {
    let axis = ("Jain’s index", Unit::Ratio);
    let figures = set_points::by_delivery(runs, ("jain", "Fairness of CR"), axis, assigned, None);
    let table = set_points::table(
        runs,
        &[
            ("Jain’s index of CR", Unit::Ratio, assigned),
            ("Jain’s index of sending rates", Unit::Ratio, |run| fairness_sent(run, ALL)),
        ],
    );
    vec![Block::Figures(figures), Block::Note(WHISKERS.to_owned()), Block::Table(table)]
}
