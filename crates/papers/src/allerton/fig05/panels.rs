//! The panels: overlays, and a table of the cells.

use super::super::choices::{FIGURE_5, FLUID_START};
use super::super::fluid_panel;
use super::cell::Cell as GridCell;
use super::compare::{Compared, judged};
use super::model::{Judged, course, with_theory};
use super::rows::{NOTE, Row, by_cell};
use crate::prelude::*;

/// The number of sources, the lag, and the visible part of the run.
pub(super) type Overlay = (u32, u32, Window);

const OVERLAYS: [Overlay; 5] = [
    (1, 50, later(0.02)),
    (1, 200, later(0.02)),
    (10, 50, START.until(START.plus(0.02))),
    (10, 200, later(0.03)),
    (10, 400, later(0.03)),
];

/// A window that begins in the middle of the steady part.
pub(super) const fn later(seconds: f64) -> Window {
    MEASURED.plus(0.1).until(MEASURED.plus(0.1 + seconds))
}

pub(super) fn panels(runs: &Runs) -> Vec<Block> {
    let first = runs.first();
    let leads = |choice: &Choice| runs.reads(choice, choice.leading().name);
    // The initial state of the model does not affect the runs, and every overlay shows both initial states.
    let mut blocks =
        if leads(&FLUID_START) { overlays(first, judged(&first), &OVERLAYS) } else { Vec::new() };
    let cells = with_theory().filter(|(cell, _)| !cell.is_added());
    let rows: Vec<Row> = cells.map(|(cell, solved)| Row::new(runs, cell, solved)).collect();
    blocks.push(Block::Table(by_cell(&rows, Compared::in_figure(&first).solution, judged(&first))));
    blocks.push(Block::Note(NOTE.to_owned()));
    if FIGURE_5.iter().all(|choice| leads(choice)) {
        blocks.extend(FINDINGS.map(|finding| runs.finding(finding)));
    }
    blocks
}

const FINDINGS: [&str; 2] = [
    "At 200 us with ten sources the means agree, but the behaviour over time does not. The linearised loop is stable \
    and the packet simulation settles, but a solution that starts at line rate keeps oscillating with a large amplitude about \
    nearly the same mean. A solution that starts near the equilibrium settles. Two attractors coexist, an equilibrium \
    and a limit cycle, and the initial state determines which of them a solution reaches.",
    "With neither extra fast recovery nor target rate reduction, every message sets the target rate, and nothing \
    raises a rate immediately. The queue is then below its set point for much of the time. In the equations, feedback \
    is positive below the set point and raises the rate.",
];

/// The queue in the packet simulation and in solutions from both initial states.
pub(super) fn overlays(seed: Seed<'_>, judged: Judged, overlays: &[Overlay]) -> Vec<Block> {
    panel::of_seed(seed, overlays.iter().map(|overlay| overlaid(&seed, judged, *overlay)))
}

fn overlaid(seed: &Seed<'_>, judged: Judged, (sources, lag, window): Overlay) -> Figure {
    let cell = GridCell { sources, lag };
    let run = seed.run(&cell.name());
    let fluid = [
        ("model started at line rate", judged.at_line_rate),
        ("model started near equilibrium", judged.near_rest),
    ]
    .map(|(label, solution)| (label, run.interval().and_then(|interval| course(cell, solution, interval))));
    let names = (&*format!("overlay-{sources}-{lag}"), &*format!("N = {sources}, {lag} us"));
    fluid_panel(run, names, &fluid, window)
}
