//! Figure 9: weights and a bound.

use setpoint_report::document::Block;
use setpoint_report::quantity::Unit;

use super::{AT_SHARE, FOUR, farthest};
use crate::case::{Case, Timing};
use crate::claim::Claim;
use crate::curves;
use crate::experiment::{Experiment, Kept, Repeats};
use crate::rule::Rule;
use crate::runs::{Run, Runs};

const SCENARIO: &str = include_str!("../../scenarios/af-qcn/fig09.toml");

/// Before and after the bound, from half a second on.
const WEIGHTED: (f64, f64) = (0.5, 2.0);
const BOUNDED: (f64, f64) = (2.5, 4.0);

pub(super) fn experiment() -> Experiment {
    Experiment {
        id: "af-qcn/fig09",
        title: "Weights, and a bound for one flow",
        setup: "Four backlogged flows of the weights 4, 3, 2 and 1 share 10 Gb/s with AF-QCN. At 2 s the first is bounded to \
                1 Gb/s at the congestion point.",
        paper_says: "The rates are in the ratio of the weights, before and after: once the first flow is held to 1 Gb/s the others \
                     share the rest 3:2:1.",
        we_take: vec!["The run ends 2 s after the bound, which the paper does not say.".to_owned()],
        cases: vec![Case::new("af-qcn", "AF-QCN", SCENARIO)],
        timing: Timing { times: vec![("duration", 4.0), ("at.1.time", 2.0)], quick: 0.25 },
        repeats: Repeats::Seeds(10),
        kept: Kept::Series,
        shown,
        claims: claims(),
    }
}

fn claims() -> Vec<Claim> {
    const WITHIN: &str = "Mean rates within a tenth, from 0.5 s after the change on.";
    vec![
        Claim::new(
            "weights",
            "The rates follow the weights 4:3:2:1.",
            (Unit::Share, Rule::AtMost(AT_SHARE)),
            |seed| {
                let shares = [("f1", 4e9), ("f2", 3e9), ("f3", 2e9), ("f4", 1e9)];
                farthest(seed.run("af-qcn"), &shares, WEIGHTED)
            },
        )
        .read_as(WITHIN),
        Claim::new(
            "bound",
            "After 2 s the first flow is held to its bound of 1 Gb/s.",
            (Unit::BitsPerSecond, Rule::about(1e9, AT_SHARE)),
            |seed| seed.run("af-qcn").rate("f1", BOUNDED.0, BOUNDED.1),
        )
        .read_as(WITHIN),
        Claim::new(
            "weights-beside-bound",
            "After 2 s the others share the rest 3:2:1.",
            (Unit::Share, Rule::AtMost(AT_SHARE)),
            |seed| ratio_of_rest(seed.run("af-qcn")),
        )
        .read_as("Each flow’s part of what the three have together, within a tenth of its part by weight."),
    ]
}

/// How far the flows without a bound are from their parts of what they have together.
fn ratio_of_rest(run: &Run) -> Option<f64> {
    let rates = ["f2", "f3", "f4"].map(|flow| run.rate(flow, BOUNDED.0, BOUNDED.1));
    let rates = rates.into_iter().collect::<Option<Vec<f64>>>()?;
    let total: f64 = rates.iter().sum();
    let parts = rates.iter().zip([3.0, 2.0, 1.0]).map(|(rate, weight)| rate / total / (weight / 6.0));
    parts.map(|part| (part - 1.0).abs()).reduce(f64::max)
}

fn shown(runs: &Runs) -> Vec<Block> {
    let Some(first) = runs.first() else { return Vec::new() };
    let mut figure = curves::rates(
        first.run("af-qcn"),
        &FOUR,
        "rates",
        "Rates of four flows of the weights 4, 3, 2 and 1",
    );
    figure.note = format!("Seed {}.", first.number());
    vec![Block::Figures(vec![figure])]
}
