//! Figure 10: a parking lot.

use setpoint_report::document::{Block, Cell, Column, Table};
use setpoint_report::quantity::Unit;

use super::{AT_SHARE, both, by_reading, other_readings};
use crate::case::Timing;
use crate::claim::Claim;
use crate::curves;
use crate::experiment::{Experiment, Kept, Repeats};
use crate::rule::Rule;
use crate::runs::{Run, Runs, Seed, mean};
use crate::water_filling::{Demand, max_min};

const SCENARIO: &str = include_str!("../../scenarios/af-qcn/fig10.toml");

/// The flows with the links they cross, in the order in which they start.
const FLOWS: [(&str, &[usize]); 6] =
    [("f1", &[0, 1, 2]), ("f2", &[0]), ("f3", &[1]), ("f4", &[2]), ("f5", &[0, 1]), ("f6", &[1, 2])];
/// What each of the three links carries.
const CAPACITY: f64 = 10e9;

/// A part of the run in which the same flows are there.
struct Stage {
    /// Flows that have started.
    flows: usize,
    /// The bound of the first flow.
    first_at_most: f64,
    /// When it is measured, half a second after it begins.
    window: (f64, f64),
}

const STAGES: [Stage; 7] = [
    stage(1, f64::INFINITY, (0.5, 1.0)),
    stage(2, f64::INFINITY, (1.5, 2.0)),
    stage(3, f64::INFINITY, (2.5, 3.0)),
    stage(4, f64::INFINITY, (3.5, 4.0)),
    stage(5, f64::INFINITY, (4.5, 5.0)),
    ALL_THERE,
    stage(6, 1e9, (7.5, 9.0)),
];

/// All six flows are there and none is bounded.
const ALL_THERE: Stage = stage(6, f64::INFINITY, (5.5, 7.0));

const fn stage(flows: usize, first_at_most: f64, window: (f64, f64)) -> Stage {
    Stage { flows, first_at_most, window }
}

pub(super) fn experiment() -> Experiment {
    Experiment {
        id: "af-qcn/fig10",
        title: "Six flows in a parking lot",
        setup: "Three links of 10 Gb/s in a row. One flow crosses all three, one each of them, one the first two and one the last two. \
                They start one after the other, a second apart. At 7 s the first is bounded to 1 Gb/s at the congestion points.",
        paper_says: "QCN puts flows that cross several congested links below their share, since each of these notifies them. AF-QCN gives \
                     the max-min fair allocation at every stage. Most feedback values are 1.",
        we_take: vec![
            "The paper’s figure of the topology is not explicit: three bottlenecks are taken, and the flows as above, in the order of the paper’s \
             numbers."
                .to_owned(),
            "Every link has a delay of 25 us, so that each hop adds 50 us to a round trip.".to_owned(),
            "The max-min fair allocation of every stage is computed by water-filling. A stage is judged from half a second after it \
             begins on; the last ends at 9 s."
                .to_owned(),
        ],
        cases: [both(SCENARIO), other_readings(SCENARIO)].concat(),
        timing: Timing {
            times: vec![
                ("duration", 9.0),
                ("flows.2.start", 1.0),
                ("flows.3.start", 2.0),
                ("flows.4.start", 3.0),
                ("flows.5.start", 4.0),
                ("flows.6.start", 5.0),
                ("at.1.time", 7.0),
            ],
            quick: 0.1,
        },
        repeats: Repeats::Seeds(10),
        kept: Kept::Series,
        shown,
        claims: claims(),
    }
}

fn claims() -> Vec<Claim> {
    vec![
        Claim::new(
            "af-qcn-max-min",
            "AF-QCN gives the max-min fair allocation at every stage.",
            (Unit::Share, Rule::AtMost(AT_SHARE)),
            |seed| farthest_of_all(seed.run("af-qcn")),
        )
        .read_as("The mean rate of every flow at every stage is within a tenth of that of water-filling: the farthest of all.")
        .cause(
            "the farthest is the flow over all three links at the stages of three or four flows, which is some per cent below its fair \
             rate; later stages are near. How near depends on the rounding of equation (4) (table of readings).",
        ),
        Claim::new(
            "qcn-penalises-multi-hop-flows",
            "QCN puts the flows that cross several links below their fair rates.",
            (Unit::Ratio, Rule::AtMost(0.9)),
            highest_of_multi_hop,
        )
        .read_as("With all six flows, the rate over the fair rate of the best of the three flows of several hops: below by a tenth at least."),
        Claim::new(
            "most-feedback-small",
            "Most feedback values are small.",
            (Unit::Share, Rule::AtLeast(0.5)),
            |seed| ones(&seed.run("qcn").feedback),
        )
        .read_as("At least half of QCN’s notifications in the whole run carry a 1, as the paper’s footnote has it."),
    ]
}

/// The share of notifications whose feedback is 1.
fn ones(feedback: &[u64]) -> Option<f64> {
    let all: u64 = feedback.iter().sum();
    (all > 0).then(|| feedback.get(1).copied().unwrap_or(0) as f64 / all as f64)
}

/// The max-min fair rates of a stage.
fn fair(stage: &Stage) -> Vec<f64> {
    let demand = |(index, (_, links)): (usize, &(&str, &[usize]))| Demand {
        weight: 1.0,
        most: if index == 0 { stage.first_at_most } else { f64::INFINITY },
        links: links.to_vec(),
    };
    let demands: Vec<Demand> = FLOWS.iter().take(stage.flows).enumerate().map(demand).collect();
    max_min(&[CAPACITY; 3], &demands)
}

/// How far the flow that is farthest from its fair rate is from it.
fn farthest(run: &Run, stage: &Stage) -> Option<f64> {
    let fair = fair(stage);
    let shares: Vec<(&str, f64)> = FLOWS.iter().map(|(flow, _)| *flow).zip(fair).collect();
    super::farthest(run, &shares, stage.window)
}

/// The same over all stages.
fn farthest_of_all(run: &Run) -> Option<f64> {
    STAGES.iter().try_fold(0.0, |most: f64, stage| Some(most.max(farthest(run, stage)?)))
}

/// The rate over the fair rate of the best of the flows that cross several links, when all are there.
fn highest_of_multi_hop(seed: &Seed<'_>) -> Option<f64> {
    let (run, fair) = (seed.run("qcn"), fair(&ALL_THERE));
    let several = FLOWS.iter().zip(fair).filter(|((_, links), _)| links.len() > 1);
    let ratios =
        several.map(|((flow, _), fair)| Some(run.rate(flow, ALL_THERE.window.0, ALL_THERE.window.1)? / fair));
    ratios.collect::<Option<Vec<f64>>>()?.into_iter().reduce(f64::max)
}

fn shown(runs: &Runs) -> Vec<Block> {
    let Some(first) = runs.first() else { return Vec::new() };
    let flows = [
        ("f1", "1, all links"),
        ("f2", "2, first"),
        ("f3", "3, second"),
        ("f4", "4, third"),
        ("f5", "5, first two"),
        ("f6", "6, last two"),
    ];
    let one = |case: &str, label: &str| {
        let mut figure =
            curves::rates(first.run(case), &flows, &format!("rates-{case}"), &format!("Rates with {label}"));
        figure.note = format!("Seed {}.", first.number());
        figure
    };
    let figures = vec![
        one("qcn", "QCN"),
        one("af-qcn", "AF-QCN"),
        one("zero", "AF-QCN, QCN’s part of (4) never negative"),
    ];
    let readings = by_reading(
        runs,
        &[
            ("Farthest from max-min", Unit::Share, |seed, case| farthest_of_all(seed.run(case))),
            ("Before the bound", Unit::Share, |seed, case| farthest(seed.run(case), &ALL_THERE)),
            ("After it", Unit::Share, |seed, case| farthest(seed.run(case), &STAGES[6])),
        ],
    );
    [vec![Block::Figures(figures)], readings, vec![Block::Table(stages(runs))]].concat()
}

/// Every stage: the fair rates and what each flow had, as means over seeds.
fn stages(runs: &Runs) -> Table {
    let flows = FLOWS.iter().map(|(flow, _)| Column::figures(format!("Flow {}", &flow[1..])));
    let mut table =
        Table::scrolled([Column::words("Stage"), Column::words("Rates")].into_iter().chain(flows));
    for stage in &STAGES {
        let bound = if stage.first_at_most.is_finite() { ", the first bounded" } else { "" };
        let name = format!("{} of 6 flows{bound}", stage.flows);
        let rate = |rate: f64| Cell::words(Unit::BitsPerSecond.text(rate));
        let row = |name: &str, label: &str, rates: Vec<f64>| {
            [Cell::words(name), Cell::words(label)]
                .into_iter()
                .chain(rates.into_iter().map(rate))
                .collect::<Vec<_>>()
        };
        let measured = |case: &str| {
            let of = |(flow, _): &(&str, &[usize])| {
                let rates: Vec<f64> = runs
                    .seeds()
                    .filter_map(|seed| seed.run(case).rate(flow, stage.window.0, stage.window.1))
                    .collect();
                mean(&rates).unwrap_or(f64::NAN)
            };
            FLOWS.iter().take(stage.flows).map(of).collect::<Vec<f64>>()
        };
        table.row(row(&name, "max-min fair", fair(stage)));
        table.row(row("", "QCN", measured("qcn")));
        table.row(row("", "AF-QCN", measured("af-qcn")));
        table.row(row("", "AF-QCN, never negative", measured("zero")));
    }
    table
}
