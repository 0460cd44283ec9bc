//! The panels: overlays, and tables of the whole grid.

use super::super::{TARGET, fluid_panel};
use super::cell::{Cell as GridCell, Packets};
use super::compare::packet_figures;
use super::map::map;
use super::model::{Figures, SOLUTIONS, Solved, course, with_theory};
use crate::prelude::*;

/// Overlays: sources, lag, and the visible part of the run.
const OVERLAYS: [(u32, u32, Window); 6] = [
    (1, 50, later(0.02)),
    (1, 200, later(0.02)),
    (10, 50, START.until(START.plus(0.02))),
    (10, 200, later(0.03)),
    (10, 400, later(0.03)),
    (50, 400, later(0.06)),
];

/// From the middle of the steady part.
const fn later(seconds: f64) -> Window {
    MEASURED.plus(0.1).until(MEASURED.plus(0.1 + seconds))
}

pub(super) fn panels(runs: &Runs) -> Vec<Block> {
    let first = runs.first();
    let prose = |text: &str| Block::Prose(text.to_owned());
    let rows: Vec<Row> = with_theory().map(|(cell, solved)| Row::new(runs, cell, solved)).collect();
    let mut blocks = panel::of_seed(first, OVERLAYS.map(|overlay| overlaid(&first, overlay)));
    blocks.push(Block::FieldMaps(vec![map(runs)]));
    blocks.push(prose(
        "The tables below show, for each version of QCN, the mean, standard deviation and period of the queue and the \
        mean rate of a source, from 0.2 s on and as means over seeds. The fluid model’s value and the difference from \
        it are given below each figure. A dash means that the queue does not oscillate.",
    ));
    for packets in Packets::ALL {
        blocks.push(prose(packets.heading()));
        blocks.push(Block::Table(by_cell(&rows, packets)));
    }
    blocks.push(prose(
        "Other solutions of the equations, and the mean difference between the packet simulation (QCN \
        without a timer) and each of them, over all seeds of the cells that are stable or unstable according \
        to the exact margin:",
    ));
    blocks.push(Block::Table(solutions(&rows)));
    blocks.push(runs.finding("The model omits the following, with these effects:"));
    blocks.push(Block::Points(POINTS.map(str::to_owned).into()));
    blocks
}

const POINTS: [&str; 6] = [
    "In equation (10), feedback without congestion raises the rate as strongly as congestion lowers it. QCN sends no \
    feedback in that case, and a rate rises by recovery alone. Beyond the margin the queue in the fluid \
    model therefore deviates two to three times as much as in the packet simulation. Rates in the packet \
    simulation rise slowly and irregularly, and if there is a regular period it is longer by a quarter to a \
    third (ten and fifty sources without a timer, 400 us).",
    "At 200 us with two, ten and fifty sources the linearised loop is stable and the packet simulation settles, but a \
    solution that starts at line rate stays in a large oscillation although the equilibrium is stable. If it \
    starts near the equilibrium it settles, and the packet simulation is as close to it as in the other \
    stable cells (third row above).",
    "With one or two sources at 400 us the rate of the fluid model collapses, because its target does. In the packet \
    simulation extra fast recovery preserves the target. The last solution includes this. With it the model uses the \
    link as the packet simulation does, but its queue is too short.",
    "If the loop is stable, neither of the two readings of the increase term in equation (10) is closer. Beyond the \
    margin the printed one is slightly closer in rates and periods.",
    "In QCN as modelled every message sets the target, and nothing raises a rate immediately. The queue is \
    below its set point for much of the time: on average by a seventh with ten sources and by up to two \
    thirds with one source. In the equations, positive feedback would raise it. With extra fast recovery, \
    which the paper leaves out of its description, the queue is within a few per cent of the model’s.",
    "Each message goes to one source, is quantised in steps of 1/63, and is sent at a random time. With fifty sources \
    the queue in the packet simulation therefore deviates by 8 to 13 kB, while the fluid model is settled.",
];

fn overlaid(seed: &Seed<'_>, (sources, lag, window): (u32, u32, Window)) -> Figure {
    let cell = GridCell { sources, lag };
    let run = seed.run(&cell.name(Packets::TimerOff));
    let course = run.interval().and_then(|interval| course(cell, interval));
    let names = (&*format!("overlay-{sources}-{lag}"), &*format!("N = {sources}, {lag} us"));
    fluid_panel(run, names, course.as_ref(), window)
}

/// A cell with the results of its fluid model and of its packet simulation.
struct Row {
    cell: GridCell,
    solved: &'static Solved,
    /// By version of QCN, for each seed.
    packets: [Vec<Figures>; 3],
}

impl Row {
    fn new(runs: &Runs, cell: GridCell, solved: &'static Solved) -> Self {
        let of = |packets| {
            runs.seeds().filter_map(|seed| packet_figures(seed.run(&cell.name(packets)))).collect::<Vec<_>>()
        };
        Self { cell, solved, packets: Packets::ALL.map(of) }
    }
}

fn mean_of(figures: &[Figures], of: impl Fn(&Figures) -> f64) -> Option<f64> {
    mean(&figures.iter().map(of).collect::<Vec<_>>())
}

fn text(unit: Unit, value: Option<f64>) -> String {
    // Less than a byte is solver error.
    let value = value.map(|value| if unit == Unit::Bytes && value < 1.0 { 0.0 } else { value });
    value.map_or_else(|| "–".to_owned(), |value| unit.text(value))
}

/// The figure of the packet simulation, with the fluid model's figure and the difference below it.
fn beside(unit: Unit, packets: Option<f64>, fluid: Option<f64>) -> Cell {
    Cell::words(text(unit, packets))
        .note(format!("fluid {}", text(unit, fluid)))
        .note(difference(packets, fluid))
}

/// A signed difference in per cent; empty if there is none.
fn difference(of: Option<f64>, from: Option<f64>) -> String {
    match (of, from) {
        (Some(of), Some(from)) if from > 0.0 => {
            let percent = 100.0 * (of / from - 1.0);
            let sign = if percent < 0.0 { "−" } else { "+" };
            format!("{sign}{:.1} %", percent.abs())
        }
        _ => String::new(),
    }
}

fn by_cell(rows: &[Row], packets: Packets) -> Table {
    let headings = ["N", "RTT", "Exact margin", "Queue", "Deviation", "Period", "Rate"];
    let mut table = Table::scrolled(headings.map(Column::figures));
    for row in rows {
        let (figures, fluid) = (&row.packets[packets as usize], row.solved.fluid());
        let periods: Vec<f64> = figures.iter().filter_map(|figures| figures.period_s).collect();
        let seeds = match periods.len() {
            0 => String::new(),
            every if every == figures.len() => String::new(),
            some => format!("in {some} of {} seeds", figures.len()),
        };
        let stable = if row.solved.is_stable() { "stable" } else { "unstable" };
        let deviation = Cell::words(text(Unit::Bytes, mean_of(figures, |figures| figures.deviation)))
            .note(format!("fluid {}", text(Unit::Bytes, fluid.map(|fluid| fluid.deviation))));
        table.row([
            Cell::words(row.cell.sources.to_string()),
            Cell::words(format!("{} us", row.cell.lag)),
            Cell::words(Unit::Seconds.text(row.solved.margin_s)).note(stable),
            beside(Unit::Bytes, mean_of(figures, |figures| figures.mean), fluid.map(|fluid| fluid.mean)),
            deviation,
            beside(Unit::Seconds, mean(&periods), fluid.and_then(|fluid| fluid.period_s)).note(seeds),
            beside(
                Unit::BitsPerSecond,
                mean_of(figures, |figures| figures.rate),
                fluid.map(|fluid| fluid.rate),
            ),
        ]);
    }
    table
}

/// The difference between packet simulation and fluid model in one figure, divided by a value that
/// is never zero.
type Far = fn(&Figures, &Figures) -> Option<f64>;

const FAR: [(&str, Far); 3] = [
    ("Queue, relative to the set point", |packets, fluid| Some((packets.mean - fluid.mean).abs() / TARGET)),
    ("Rate, relative to packet simulation", |packets, fluid| {
        Some((packets.rate - fluid.rate).abs() / packets.rate)
    }),
    ("Period, relative to packet simulation", |packets, fluid| {
        Some((packets.period_s? - fluid.period_s?).abs() / packets.period_s?)
    }),
];

fn solutions(rows: &[Row]) -> Table {
    let columns: Vec<(&str, Far, bool)> = FAR[..2]
        .iter()
        .map(|(heading, far)| (*heading, *far, true))
        .chain(FAR.iter().map(|(heading, far)| (*heading, *far, false)))
        .collect();
    let side = |stable| if stable { "stable" } else { "unstable" };
    let headings: Vec<String> =
        columns.iter().map(|(heading, _, stable)| format!("{heading}, {}", side(*stable))).collect();
    let mut table = table::with_headings("Solution", headings.iter().map(String::as_str));
    for (index, solution) in SOLUTIONS.iter().enumerate() {
        let cell = |(_, far, stable): &(&str, Far, bool)| {
            let cells = rows.iter().filter(|row| row.solved.is_stable() == *stable);
            let distances =
                cells.filter_map(|row| Some((row, row.solved.solutions[index]?))).flat_map(|(row, fluid)| {
                    let packets = &row.packets[Packets::TimerOff as usize];
                    packets.iter().filter_map(move |packets| far(packets, &fluid))
                });
            Cell::words(text(Unit::Share, mean(&distances.collect::<Vec<_>>())))
        };
        table.row([Cell::words(solution.words)].into_iter().chain(columns.iter().map(cell)));
    }
    table
}
