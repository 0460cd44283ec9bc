//! The grid of figure 5 with more cells and our own checks, in the leading set-up.

use super::super::{PARAMETERS, ROUND_TRIP, onwards};
use super::cell::{Cell as GridCell, cells};
use super::compare::{Compared, Distance, agreement, off_period, off_queue, off_rate};
use super::map::map;
use super::model::{Judged, Solved, with_theory};
use super::panels::{later, overlays};
use super::rows::{NOTE, Row, by_cell};
use super::solutions::solutions;
use super::{MEANS, MODEL, ONE_SOURCE, switched};
use crate::prelude::*;

/// Periods must agree to within this relative difference.
const PERIODS: Rule = Rule::AtMost(0.15);

pub(in super::super) fn experiment() -> Experiment {
    let cases: Vec<Case> = cells().map(GridCell::leading_case).collect();
    let first = &cases[0];
    Experiment::new("allerton/fig05-grid", "The fluid model of QCN on a larger grid")
        .setup(
            "We run the leading set-up of allerton/fig05, in which sources have no timer after the start, with 1, 2, \
            10 and 50 backlogged sources and round-trip times of 20, 50, 100, 200 and 400 us.",
        )
        .paper_says(
            "The paper has one figure that compares its model with simulations. It says nothing about the period of \
            oscillation or about the linearised model.",
        )
        .assumptions([PARAMETERS, ROUND_TRIP, MODEL])
        .assumptions([switched(first)])
        .assumptions([
            "Solutions start with an empty queue and with sources at line rate. The exact delay margin of the \
            linearised loop decides whether it is stable. Each claim is judged by the worst of its cells. If only the \
            packet simulation or only the fluid model oscillates, we count the difference between their periods as 100 \
            %.",
            ONE_SOURCE,
        ])
        .claims(claims(&onwards(first)))
        .cases(cases)
        .quick(0.5)
        .seeds(5)
        .panels(panels)
}

/// The solution at 200 us, and the effect of fifty sources.
const CAUGHT: &str = "at 200 us the solution that starts at line rate keeps oscillating with a large amplitude although its \
    equilibrium is stable, while the packet simulation settles. With two sources, whose margin is only a little longer \
    than 200 us, this affects the mean most. With fifty sources the queue in the packet simulation fluctuates \
    randomly, which shifts its mean";
/// How the packet simulation and the model oscillate.
const ONE_SIGN: &str = "in the packet simulation feedback is never positive, so rates are cut quickly and rise slowly. \
    With one and two sources the oscillation is therefore irregular, and seeds have different periods or none. With \
    ten and fifty sources it is regular but slower";
/// The behaviour that the margin does not predict.
const NO_PERIOD: &str = "the linearised loop predicts the queue deviation, as the map shows, but not whether the queue \
    has a period. Beyond the margin the packet simulation oscillates irregularly with one and two sources. On the \
    stable side one source shows a small, fast oscillation, fifty sources show a faint period, and with some seeds a \
    slow drift is detected as a period";

fn claims(onwards: &str) -> [Claim; 4] {
    let worst = |name, statement, rule, cells: fn(GridCell, &Solved, usize) -> bool, distance: Distance| {
        let measure = move |seed: &Seed<'_>| Compared::in_cells(cells).worst(seed, distance);
        Claim::new(OURS, name, statement).measure(Unit::Share, rule, measure)
    };
    let added: fn(GridCell, &Solved, usize) -> bool = |cell, solved, _| cell.is_added() && solved.is_stable();
    let queue = "With 2 and 50 sources, the model’s mean queue agrees with that of the packet simulation.";
    let rate = "With 2 and 50 sources, the model’s mean rates agree with those of the packet simulation.";
    let period =
        "Where the loop is unstable, the model oscillates with the same period as the packet simulation.";
    let margin = "The linearised loop predicts where the packet simulation oscillates.";
    [
        worst("queue-matches-others", queue, MEANS, added, off_queue)
            .read_as(format!(
                "Mean queue {onwards}; the largest relative difference over the cells with a delay below the exact \
                margin."
            ))
            .cause(CAUGHT),
        worst("rate-matches-others", rate, MEANS, added, off_rate)
            .read_as(format!(
                "Mean rate of a source {onwards}; the largest relative difference over the same cells."
            ))
            .cause(CAUGHT),
        worst("period-unstable", period, PERIODS, |_, solved, _| !solved.is_stable(), off_period)
            .read_as(format!(
                "Period of the queue {onwards}; the largest relative difference over the cells with a delay beyond the \
                exact margin, for all four numbers of sources."
            ))
            .cause(ONE_SIGN),
        Claim::new(OURS, "margin-tells", margin)
            .measure(Unit::Share, Rule::AtLeast(0.9), agreement)
            .read_as(
                "Share of all cells in which the queue oscillates if and only if the delay is beyond the exact margin; \
                at least nine in ten.",
            )
            .cause(NO_PERIOD),
    ]
}

fn panels(runs: &Runs) -> Vec<Block> {
    let rows: Vec<Row> = with_theory().map(|(cell, solved)| Row::new(runs, cell, solved)).collect();
    let shown = [(2, 200, later(0.03)), (50, 400, later(0.06))];
    let mut blocks = overlays(runs.first(), Judged::ONE_SIDED, &shown);
    blocks.extend([
        Block::FieldMaps(vec![map(runs)]),
        Block::Table(by_cell(&rows, Judged::ONE_SIDED.at_line_rate, Judged::ONE_SIDED)),
        Block::Note(NOTE.to_owned()),
        Block::Prose(
            "Other solutions of the equations, and the mean difference between the packet simulation and each of them. \
            Means are over all seeds of the cells that are stable, or unstable, according to the exact margin:"
                .to_owned(),
        ),
        Block::Table(solutions(&rows)),
        runs.finding("Differences between the model and the packet simulation, with their causes:"),
        Block::Points(POINTS.map(str::to_owned).into()),
    ]);
    blocks
}

const POINTS: [&str; 5] = [
    "In equation (10), feedback without congestion raises the rate as strongly as congestion lowers it. QCN sends no \
    feedback in that case, and a rate rises by recovery alone. Beyond the margin the queue therefore deviates more in \
    the fluid model than in the packet simulation. Rates in the packet simulation rise slowly and irregularly, and \
    where there is a regular period it is longer (ten and fifty sources, 400 us).",
    "At 200 us with two, ten and fifty sources the linearised loop is stable and the packet simulation settles, but a \
    solution that starts at line rate keeps oscillating with a large amplitude although the equilibrium is stable. If it starts \
    near the equilibrium it settles, and the packet simulation is as close to it as in the other stable cells (third \
    row of the table above).",
    "With one or two sources at 400 us the rate in the fluid model collapses because the target rate does. In the \
    packet simulation extra fast recovery preserves the target rate. The fifth solution in the table includes this \
    effect. With it the model uses the link as fully as the packet simulation does, but its queue is too short.",
    "If the loop is stable, neither form of the increase term in equation (10) is closer to the packet simulation. \
    Beyond the margin the printed form is slightly closer in rates and periods.",
    "In the packet simulation each message goes to one source, is quantised in steps of 1/63 and is sent at a random \
    time. With fifty sources the queue therefore fluctuates where the fluid model has settled.",
];
