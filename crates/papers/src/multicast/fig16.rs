//! Figure 16: fairness by set point.

use setpoint_report::document::Block;
use setpoint_report::quantity::Unit;

use super::by_sampling::{by_sampling, claims};
use super::measure::{ALL, fairness, fairness_sent, larger_at};
use super::variant::{Delivery, all_cases};
use super::{DUMBBELL, panel, taken};
use crate::experiment::{Experiment, Keep, Repeats};
use crate::rule::Rule;
use crate::runs::{Run, Runs};

pub(super) fn experiment() -> Experiment {
    Experiment {
        id: "multicast/fig16",
        title: "Fairness by set point",
        setup: "Six sources and two receivers as in figures 3 to 8, as multicast and as multiple unicast, with a Qeq of 25, 50 and 75 of 100 frames. Jain’s index is that of the six \
                sources’ rates: 1 where all are equal, a sixth where one has everything.",
        paper_says: "The index is larger with multicast than with multiple unicast for all Qeq.",
        assumptions: [
            taken::dumbbell(),
            vec!["The paper’s r_i is “the already assigned rate” of a source: we take the mean of its CR from 6 to 10 s. The index of what sources send in that time is shown \
                  beside it and not judged."
                .to_owned()],
        ]
        .concat(),
        cases: all_cases(DUMBBELL),
        quick: 0.1,
        repeats: Repeats::Seeds(10),
        keep: Keep::Series,
        panels: Box::new(shown),
        claims: claims([by_sampling!(
            "multicast-fairer",
            "multicast is fairer than multiple unicast for all Qeq.",
            (Unit::Count, Rule::AtLeast(3.0)),
            |look| larger_at(look, (Delivery::Multicast, Delivery::MultipleUnicast), assigned),
        )
        .read_as("At how many of the three set points the index is larger.")
        .standard_cause(
            "CR of a multicast source that has nothing waiting rises without effect, of one at a time, which makes CR unequal. By what sources send, the two are alike: 0.988, 0.983 and 0.970 with multicast, 0.987, \
             0.985 and 0.964 with multiple unicast",
        )]),
    }
}

fn assigned(run: &Run) -> Option<f64> {
    fairness(run, ALL)
}

fn used(run: &Run) -> Option<f64> {
    fairness_sent(run, ALL)
}

fn shown(runs: &Runs) -> Vec<Block> {
    let figures =
        panel::by_delivery(runs, ("jain", "Fairness of CR"), ("Jain’s index", Unit::Ratio), assigned, None);
    let table = panel::by_set_point(
        runs,
        &[("Jain’s index of CR", Unit::Ratio, assigned), ("Of what is sent", Unit::Ratio, used)],
    );
    vec![Block::Figures(figures), Block::Note(panel::WHISKERS.to_owned()), Block::Table(table)]
}
