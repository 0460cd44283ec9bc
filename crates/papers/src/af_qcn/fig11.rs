//! Figure 11: a bursty flow beside three that are backlogged.

use setpoint_report::document::Block;
use setpoint_report::plot::Room;
use setpoint_report::quantity::Unit;

use super::{AT_SHARE, Measure, PORT, both, by_reading, farthest, other_readings};
use crate::case::{Case, Timing};
use crate::claim::Claim;
use crate::curves;
use crate::experiment::{Experiment, Kept, Repeats};
use crate::rule::Rule;
use crate::runs::Runs;

const SCENARIO: &str = include_str!("../../scenarios/af-qcn/fig11.toml");

/// Half a second after the bursty flow has come.
const SETTLED: (f64, f64) = (1.0, 2.0);
const STATIC: [&str; 3] = ["f1", "f2", "f3"];

pub(super) fn experiment() -> Experiment {
    let heavy = |mut case: Case, name: &'static str, label: &'static str| {
        (case.name, case.label) = (name, label);
        case.set("flows.2.traffic.on_off.rate=6Gb/s")
    };
    let [qcn, af_qcn] = <[Case; 2]>::try_from(both(SCENARIO)).expect("two cases");
    let cases = [
        Case { label: "QCN, 1 Gb/s", ..qcn.clone() },
        Case { label: "AF-QCN, 1 Gb/s", ..af_qcn.clone() },
        heavy(qcn, "qcn-6g", "QCN, 6 Gb/s"),
        heavy(af_qcn, "af-qcn-6g", "AF-QCN, 6 Gb/s"),
    ];
    let cases = cases.into_iter().chain(other_readings(SCENARIO)).collect();
    Experiment {
        id: "af-qcn/fig11",
        title: "A bursty flow beside backlogged ones",
        setup: "Three backlogged flows share 10 Gb/s. At 0.5 s an on-off source joins them, with bursts of 10 kB that offer 1 Gb/s \
                on average in one run and 6 Gb/s in another.",
        paper_says: "The bursts do not disturb the fairness among the others. If the bursty flow offers 1 Gb/s, the others share the rest \
                     equally; if it offers 6 Gb/s, which is more than its share, it is held to the share of 2.5 Gb/s.",
        we_take: vec![
            "The silence between bursts always has the same length: the paper chooses a length and speaks of no distribution.".to_owned(),
            "The run ends at 2 s, which the paper does not say.".to_owned(),
        ],
        cases,
        timing: Timing { times: vec![("duration", 2.0), ("flows.2.start", 0.5)], quick: 0.4 },
        repeats: Repeats::Seeds(10),
        kept: Kept::Series,
        shown,
        claims: claims(),
    }
}

fn claims() -> Vec<Claim> {
    const WITHIN: &str = "Mean rates within a tenth, from 0.5 s after the bursty flow has come on.";
    vec![
        Claim::new(
            "bursty-1g-has-what-it-offers",
            "With AF-QCN a bursty flow that offers 1 Gb/s, less than its share, has it.",
            (Unit::BitsPerSecond, Rule::about(1e9, AT_SHARE)),
            |seed| seed.run("af-qcn").rate("bursty", SETTLED.0, SETTLED.1),
        )
        .read_as(WITHIN),
        Claim::new(
            "others-share-the-rest",
            "With AF-QCN the others then share the rest equally, 3 Gb/s each.",
            (Unit::Share, Rule::AtMost(AT_SHARE)),
            |seed| farthest(seed.run("af-qcn"), &STATIC.map(|flow| (flow, 3e9)), SETTLED),
        )
        .read_as(WITHIN),
        Claim::new(
            "bursty-6g-is-held",
            "With AF-QCN a bursty flow that offers 6 Gb/s is held to its share of 2.5 Gb/s.",
            (Unit::BitsPerSecond, Rule::about(2.5e9, AT_SHARE)),
            |seed| seed.run("af-qcn-6g").rate("bursty", SETTLED.0, SETTLED.1),
        )
        .read_as(WITHIN),
        Claim::new(
            "others-stay-fair-beside-6g",
            "With AF-QCN the others have their 2.5 Gb/s each beside it.",
            (Unit::Share, Rule::AtMost(AT_SHARE)),
            |seed| farthest(seed.run("af-qcn-6g"), &STATIC.map(|flow| (flow, 2.5e9)), SETTLED),
        )
        .read_as(WITHIN),
    ]
}

/// As in the paper: 1 Gb/s on the left, 6 Gb/s on the right, QCN above AF-QCN.
fn shown(runs: &Runs) -> Vec<Block> {
    let Some(first) = runs.first() else { return Vec::new() };
    let flows = [("f1", "flow 1"), ("f2", "flow 2"), ("f3", "flow 3"), ("bursty", "bursty flow")];
    let one = |case: &str, title: &str| {
        let mut figure = curves::rates(first.run(case), &flows, &format!("rates-{case}"), title);
        figure.room = Room::Half;
        figure
    };
    let figures = vec![
        one("qcn", "QCN, 1 Gb/s offered"),
        one("qcn-6g", "QCN, 6 Gb/s offered"),
        one("af-qcn", "AF-QCN, 1 Gb/s offered"),
        one("af-qcn-6g", "AF-QCN, 6 Gb/s offered"),
    ];
    let others: Measure = |seed, case| farthest(seed.run(case), &STATIC.map(|flow| (flow, 3e9)), SETTLED);
    let readings = by_reading(
        runs,
        &[
            ("1 Gb/s offered: others farthest from 3 Gb/s", Unit::Share, others),
            ("Bottleneck used", Unit::Share, |seed, case| {
                seed.run(case).utilisation(PORT, SETTLED.0, SETTLED.1)
            }),
        ],
    );
    [vec![Block::Figures(figures), Block::Note(format!("Seed {}.", first.number()))], readings].concat()
}
