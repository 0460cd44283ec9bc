//! Figure 12: the long flows of table I.

use setpoint_report::document::Block;
use setpoint_report::plot::Room;
use setpoint_report::quantity::Unit;

use super::{AT_SHARE, table1};
use crate::claim::Claim;
use crate::curves;
use crate::experiment::{Experiment, Kept, Repeats};
use crate::rule::Rule;
use crate::runs::{Run, Runs, mean};

const LONG: [(&str, &str); 4] =
    [("long1", "flow 1"), ("long2", "flow 2"), ("long3", "flow 3"), ("long4", "flow 4")];

/// From a second after the start on.
const SETTLED: (f64, f64) = (1.0, 8.0);

pub(super) fn experiment() -> Experiment {
    Experiment {
        id: "af-qcn/fig12",
        title: "Long flows beside short ones",
        setup: table1::SETUP,
        paper_says: "With AF-QCN the four long flows have equal rates also while short flows come and go.",
        we_take: table1::taken(),
        cases: table1::cases(),
        timing: table1::timing(),
        repeats: Repeats::Seeds(5),
        kept: Kept::Series,
        shown,
        claims: vec![
            Claim::new(
                "long-flows-equal",
                "With AF-QCN the four long flows have equal rates.",
                (Unit::Share, Rule::AtMost(AT_SHARE)),
                |seed| apart(seed.run("af-qcn")),
            )
            .read_as("The mean rate of each, from 1 s on, is within a tenth of the mean of the four."),
        ],
    }
}

/// How far the flow farthest from the mean of the four is from it.
fn apart(run: &Run) -> Option<f64> {
    let rates = LONG.map(|(flow, _)| run.rate(flow, SETTLED.0, SETTLED.1));
    let rates = rates.into_iter().collect::<Option<Vec<f64>>>()?;
    let share = mean(&rates)?;
    rates.iter().map(|rate| (rate / share - 1.0).abs()).reduce(f64::max)
}

fn shown(runs: &Runs) -> Vec<Block> {
    let Some(first) = runs.first() else { return Vec::new() };
    let one = |case: &str, label: &str| {
        let title = format!("Rates of the long flows with {label}");
        let mut figure = curves::rates(first.run(case), &LONG, &format!("rates-{case}"), &title);
        figure.room = Room::Half;
        figure
    };
    let figures = vec![one("qcn", "QCN"), one("af-qcn", "AF-QCN")];
    vec![Block::Figures(figures), Block::Note(format!("Seed {}.", first.number()))]
}
