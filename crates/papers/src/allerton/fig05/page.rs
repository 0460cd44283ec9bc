//! What the page shows: overlays, and tables of the whole grid.

use setpoint_lab::sweep::Spread;
use setpoint_report::document::{Block, Cell as Entry, Column, Table};
use setpoint_report::plot::Figure;
use setpoint_report::quantity::Unit;

use super::cell::{CELLS, Cell, Packets};
use super::compare::packet_figures;
use super::model::{DEFAULT, Figures, READINGS, Solved, course, with_theory};
use crate::allerton::{Phase, panel};
use crate::runs::{Runs, Seed};

/// Overlays: sources, lag, and the part of the run that is shown.
const OVERLAYS: [(u32, u32, Phase); 6] = [
    (1, 50, (0.0, 0.02)),
    (1, 200, (0.3, 0.32)),
    (10, 50, (0.0, 0.02)),
    (10, 200, (0.3, 0.33)),
    (10, 400, (0.3, 0.33)),
    (50, 400, (0.3, 0.36)),
];

pub(super) fn shown(runs: &Runs) -> Vec<Block> {
    let Some(first) = runs.first() else { return Vec::new() };
    let all: Vec<Row> = with_theory().map(|(cell, solved)| Row::new(runs, cell, solved)).collect();
    let figures = OVERLAYS.iter().filter_map(|overlay| overlaid(&first, overlay)).collect();
    let mut blocks = panel::of_seed(first, figures).to_vec();
    blocks.push(prose(
        "Below, for each QCN: mean, swing (standard deviation) and period of the queue, and the mean rate of a source, from 0.2 s on and as means over seeds, \
         with the fluid’s and the difference from it. A dash is a queue that does not oscillate.",
    ));
    for packets in Packets::ALL {
        blocks.push(prose(packets.heading()));
        blocks.push(Block::Table(by_cell(&all, packets)));
    }
    blocks.push(prose(
        "The readings of the equations, by the mean distance of packets (QCN without timer) from them over the cells that the solver came to the end of:",
    ));
    blocks.push(Block::Table(readings(&all)));
    blocks
}

fn prose(text: &str) -> Block {
    Block::Prose(text.to_owned())
}

fn overlaid(seed: &Seed<'_>, &(sources, lag, phase): &(u32, u32, Phase)) -> Option<Figure> {
    let cell = Cell::at(sources, lag)?;
    let run = seed.run(cell.name(Packets::TimerOff));
    let course = course(cell, &DEFAULT, run.series.time_s.first().copied()?);
    let title = format!("N = {sources}, {lag} us");
    Some(panel::beside(run, (&format!("overlay-{sources}-{lag}"), &title), course.as_ref(), phase))
}

/// A cell with what theory and packets do in it.
struct Row {
    cell: &'static Cell,
    solved: &'static Solved,
    /// By QCN, of each seed.
    packets: [Vec<Figures>; 3],
}

impl Row {
    fn new(runs: &Runs, cell: &'static Cell, solved: &'static Solved) -> Self {
        let of = |packets| {
            runs.seeds().filter_map(|seed| packet_figures(seed.run(cell.name(packets)))).collect::<Vec<_>>()
        };
        Self { cell, solved, packets: Packets::ALL.map(of) }
    }
}

fn mean(figures: &[Figures], of: impl Fn(&Figures) -> f64) -> Option<f64> {
    Spread::of(&figures.iter().map(of).collect::<Vec<_>>()).map(|spread| spread.mean)
}

/// The mean period of the seeds that oscillate, and how many they are.
fn mean_period(figures: &[Figures]) -> (Option<f64>, usize) {
    let periods: Vec<f64> = figures.iter().filter_map(|figures| figures.period_s).collect();
    (Spread::of(&periods).map(|spread| spread.mean), periods.len())
}

fn text(unit: Unit, value: Option<f64>) -> String {
    // Less than a byte is what the solver leaves of nothing.
    let value = value.map(|value| if unit == Unit::Bytes && value < 1.0 { 0.0 } else { value });
    value.map_or_else(|| "–".to_owned(), |value| unit.text(value))
}

/// What packets do, with what the fluid does and the difference from it below.
fn beside(unit: Unit, packets: Option<f64>, fluid: Option<f64>) -> Entry {
    Entry::words(text(unit, packets))
        .note(format!("fluid {}", text(unit, fluid)))
        .note(difference(packets, fluid))
}

/// A signed difference in per cent; nothing where there is none.
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
    let headings = ["N", "RTT", "Exact margin", "Queue", "Swing", "Period", "Rate"];
    let mut table = Table::scrolled(headings.map(Column::figures));
    for row in rows {
        let (figures, fluid) = (&row.packets[packets as usize], row.solved.fluid());
        let (period, oscillating) = mean_period(figures);
        let seeds = match oscillating {
            0 => String::new(),
            all if all == figures.len() => String::new(),
            some => format!("in {some} of {} seeds", figures.len()),
        };
        let deviation = Entry::words(text(Unit::Bytes, mean(figures, |figures| figures.deviation)))
            .note(format!("fluid {}", text(Unit::Bytes, fluid.map(|fluid| fluid.deviation))));
        table.row([
            Entry::words(row.cell.sources.to_string()),
            Entry::words(format!("{} us", row.cell.lag)),
            Entry::words(Unit::Seconds.text(row.solved.margin_s)).note(if row.solved.is_stable() {
                "stable"
            } else {
                "unstable"
            }),
            beside(Unit::Bytes, mean(figures, |figures| figures.mean), fluid.map(|fluid| fluid.mean)),
            deviation,
            beside(Unit::Seconds, period, fluid.and_then(|fluid| fluid.period_s)).note(seeds),
            beside(Unit::BitsPerSecond, mean(figures, |figures| figures.rate), fluid.map(|fluid| fluid.rate)),
        ]);
    }
    table
}

fn readings(rows: &[Row]) -> Table {
    let mut table = Table::scrolled(
        [Column::words("Reading")].into_iter().chain(
            [
                "Cells solved",
                "Mean queue, stable",
                "Mean rate, stable",
                "Mean queue, unstable",
                "Mean rate, unstable",
                "Period, unstable, where both have one",
            ]
            .map(Column::figures),
        ),
    );
    for (index, (name, _)) in READINGS.iter().enumerate() {
        let solved = rows.iter().filter(|row| row.solved.readings[index].is_some()).count();
        let far = |stable: bool, of: fn(&Figures) -> Option<f64>| {
            let distance = |row: &Row| {
                let fluid = of(&row.solved.readings[index]?)?;
                let packets: Vec<f64> =
                    row.packets[Packets::TimerOff as usize].iter().filter_map(of).collect();
                Some((Spread::of(&packets)?.mean / fluid - 1.0).abs())
            };
            let distances: Vec<f64> =
                rows.iter().filter(|row| row.solved.is_stable() == stable).filter_map(distance).collect();
            Entry::words(text(Unit::Share, crate::runs::mean(&distances)))
        };
        table.row([
            Entry::words(*name),
            Entry::words(format!("{solved} of {}", CELLS.len())),
            far(true, |figures| Some(figures.mean)),
            far(true, |figures| Some(figures.rate)),
            far(false, |figures| Some(figures.mean)),
            far(false, |figures| Some(figures.rate)),
            far(false, |figures| figures.period_s),
        ]);
    }
    table
}
