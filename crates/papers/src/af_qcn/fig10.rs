//! Figure 10: a parking-lot topology.

use super::choices::SIMULATED;
use super::{AT_SHARE, BOTH, CONVERGED, both, from_shares, rate_panels};
use crate::prelude::*;
use crate::water_filling::{Demand, max_min};

const SCENARIO: &str = scenario!("af-qcn": "fig10");

/// The flows with the links they cross, in the order in which they start.
const FLOWS: [(&str, &[usize]); 6] =
    [("f1", &[0, 1, 2]), ("f2", &[0]), ("f3", &[1]), ("f4", &[2]), ("f5", &[0, 1]), ("f6", &[1, 2])];
/// The capacity of each of the three links.
const CAPACITY: f64 = 10e9;

/// A part of the run in which the set of active flows does not change.
struct Stage {
    /// The number of flows that have started.
    flows: usize,
    /// The rate limit of the first flow.
    bound: f64,
    /// The stage from half a second after it begins.
    window: Window,
}

const STAGES: [Stage; 7] = [
    stage(1, START.plus(0.5).until(starts("f2"))),
    stage(2, starts("f2").plus(0.5).until(starts("f3"))),
    stage(3, starts("f3").plus(0.5).until(starts("f4"))),
    stage(4, starts("f4").plus(0.5).until(starts("f5"))),
    stage(5, starts("f5").plus(0.5).until(starts("f6"))),
    ALL_ACTIVE,
    Stage { bound: 1e9, ..stage(6, change(1).plus(0.5).until(END)) },
];

/// All six flows are active and none has a rate limit.
const ALL_ACTIVE: Stage = stage(6, starts("f6").plus(0.5).until(change(1)));

const fn stage(flows: usize, window: Window) -> Stage {
    Stage { flows, bound: f64::INFINITY, window }
}

pub(super) fn experiment() -> Experiment {
    Experiment::new("af-qcn/fig10", "Six flows in a parking lot")
        .setup(
            "Three 10 Gb/s links form a row. One flow crosses all three, three flows cross one link each, \
            one flow crosses the first two and one the last two. They start one at a time, one second apart. At \
            7 s the congestion points limit the first flow to 1 Gb/s.",
        )
        .paper_says(
            "With QCN, flows that cross several congested links get less than their share, since each of these links \
            notifies them. AF-QCN gives the max-min fair allocation at every stage. Most feedback values are 1.",
        )
        .assumptions([
            "The paper’s topology figure is not explicit: we assume three bottlenecks and the flows described above, \
            in the order of the paper’s numbering.",
            "Every link has a delay of 25 µs, so each hop adds 50 µs to the round-trip time.",
            "The max-min fair allocation of every stage is computed by water-filling. The first half second of a stage \
            is not judged. The last stage is as long as the one before it; the paper does not say when its run ends.",
        ])
        .choices(SIMULATED)
        .cases(both(SCENARIO))
        .quick(0.1)
        .panels(panels)
        .claims(claims())
}

fn claims() -> [Claim; 3] {
    const FIGURE: Origin = at("section IV-B, figure 10");
    [
        Claim::new(FIGURE, "af-qcn-max-min", "AF-QCN gives the max-min fair allocation at every stage.")
            .measure(Unit::Share, Rule::AtMost(AT_SHARE), |seed| from_all_fair(seed.run("af-qcn")))
            .read_as(
                "The mean rate of every flow at every stage, within 10 % of its water-filling rate; the largest \
                deviation counts.",
            )
            .cause(
                "the flow over all three links deviates most, in the stages with three or four flows, where it is a \
                little below its fair rate (see the table of stages). The deviation depends on the rounding in \
                equation (4) (see the other readings)",
            )
            .needs(CONVERGED),
        Claim::new(FIGURE, "qcn-penalises-multi-hop-flows",
            "With QCN, flows that cross several links get less than their fair rates.",
        )
        .measure(Unit::Ratio, Rule::AtMost(0.9), |seed| highest_of_multi_hop(seed.run("qcn")))
        .read_as("With all six flows active: the rate divided by the fair rate, for the best of the three multi-hop \
            flows; “less” means at least 10 % less."),
        Claim::new(at("section IV-B, footnote 8"), "most-feedback-small", "Most feedback values are 1.")
            .measure(Unit::Share, Rule::AtLeast(0.5), |seed| ones(&seed.run("qcn").feedback))
            .read_as("The share of QCN’s notifications in the whole run that carry the value 1; “most” means at least \
                half."),
    ]
}

/// The share of notifications whose feedback is 1.
fn ones(feedback: &[u64]) -> Option<f64> {
    let total: u64 = feedback.iter().sum();
    (total > 0).then(|| feedback.get(1).copied().unwrap_or(0) as f64 / total as f64)
}

/// The max-min fair rates of a stage.
fn fair(stage: &Stage) -> Vec<f64> {
    let demand = |(index, (_, links)): (usize, &(&str, &[usize]))| Demand {
        weight: 1.0,
        most: if index == 0 { stage.bound } else { f64::INFINITY },
        links: links.to_vec(),
    };
    let demands: Vec<Demand> = FLOWS.iter().take(stage.flows).enumerate().map(demand).collect();
    max_min(&[CAPACITY; 3], &demands)
}

/// The largest relative deviation of a flow from its fair rate in a stage.
fn from_fair(run: &Run, stage: &Stage) -> Option<f64> {
    let shares: Vec<(&str, f64)> = FLOWS.iter().map(|(flow, _)| *flow).zip(fair(stage)).collect();
    from_shares(run, &shares, stage.window)
}

/// The largest such deviation over all stages.
fn from_all_fair(run: &Run) -> Option<f64> {
    most(STAGES.iter().map(|stage| from_fair(run, stage)))
}

/// The largest ratio of rate to fair rate among the multi-hop flows while all flows are active.
fn highest_of_multi_hop(run: &Run) -> Option<f64> {
    let several = FLOWS.iter().zip(fair(&ALL_ACTIVE)).filter(|((_, links), _)| links.len() > 1);
    most(several.map(|((flow, _), fair)| Some(run.mean_rate(flow, ALL_ACTIVE.window)? / fair)))
}

fn panels(runs: &Runs) -> Vec<Block> {
    let flows = [
        ("f1", "1, all links"),
        ("f2", "2, first"),
        ("f3", "3, second"),
        ("f4", "4, third"),
        ("f5", "5, first two"),
        ("f6", "6, last two"),
    ];
    let cases = [("qcn", "Rates with QCN"), ("af-qcn", "Rates with AF-QCN")];
    let table = table::by_case(
        runs,
        &BOTH,
        &[
            ("Largest deviation from max-min", Unit::Share, from_all_fair),
            ("with six flows", Unit::Share, |run| from_fair(run, &ALL_ACTIVE)),
            ("with six flows, the first limited", Unit::Share, |run| from_fair(run, &STAGES[6])),
        ],
    );
    let mut blocks = rate_panels(runs, &cases, &flows);
    blocks.extend([table, stages(runs)].map(Block::Table));
    blocks
}

/// The fair and the measured rates of every stage, as means over seeds.
fn stages(runs: &Runs) -> Table {
    let flows = FLOWS.iter().map(|(flow, _)| Column::figures(format!("Flow {}", &flow[1..])));
    let mut table =
        Table::scrolled([Column::words("Stage"), Column::words("Rates")].into_iter().chain(flows));
    for stage in &STAGES {
        let bound = if stage.bound.is_finite() { ", the first limited" } else { "" };
        let name = format!("{} of 6 flows{bound}", stage.flows);
        let mut row = |name: &str, label: &str, rates: Vec<f64>| {
            let rates = rates.into_iter().map(|rate| Cell::words(Unit::BitsPerSecond.text(rate)));
            table.row([name, label].map(Cell::words).into_iter().chain(rates));
        };
        let measured = |case: &str| {
            let rate = |(flow, _): &(&str, &[usize])| {
                let rates = runs.values(|seed| seed.run(case).mean_rate(flow, stage.window));
                mean(&rates).unwrap_or(f64::NAN)
            };
            FLOWS.iter().take(stage.flows).map(rate).collect()
        };
        row(&name, "max-min fair", fair(stage));
        BOTH.iter().for_each(|(case, label)| row("", label, measured(case)));
    }
    table
}
