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
    blocks.push(prose("The mean queue, its swing (standard deviation) and its period from 0.2 s on; packets as means over seeds. Stable is by the exact margin of the linearised loop. A dash is a queue that does not oscillate."));
    blocks.push(Block::Table(queues(&all)));
    blocks.push(prose("The mean rate of a source, with the difference of packets from the fluid."));
    blocks.push(Block::Table(rates(&all)));
    blocks.push(prose("The readings of the equations, by their mean distance from packets (QCN as modelled) over all cells where the solver came to an end."));
    blocks.push(Block::Table(readings(&all)));
    blocks
}

fn prose(text: &str) -> Block {
    Block::Prose(text.to_owned())
}

fn overlaid(seed: &Seed<'_>, &(sources, lag, phase): &(u32, u32, Phase)) -> Option<Figure> {
    let cell = Cell::at(sources, lag)?;
    let run = seed.run(cell.name(Packets::Modelled));
    let course = course(cell, &DEFAULT, run.series.time_s.first().copied()?);
    let title = format!("N = {sources}, {lag} us");
    Some(panel::beside(run, (&format!("overlay-{sources}-{lag}"), &title), course.as_ref(), phase))
}

/// A cell with what theory and packets do in it.
struct Row {
    cell: &'static Cell,
    solved: &'static Solved,
    /// Of each seed, QCN as modelled.
    modelled: Vec<Figures>,
    /// Of each seed, standard QCN.
    standard: Vec<Figures>,
}

impl Row {
    fn new(runs: &Runs, cell: &'static Cell, solved: &'static Solved) -> Self {
        let of =
            |packets| runs.seeds().filter_map(|seed| packet_figures(seed.run(cell.name(packets)))).collect();
        Self { cell, solved, modelled: of(Packets::Modelled), standard: of(Packets::Standard) }
    }

    fn first_cells(&self) -> [Entry; 3] {
        let verdict = if self.solved.is_stable() { "stable" } else { "unstable" };
        [
            Entry::words(self.cell.sources.to_string()),
            Entry::words(format!("{} us", self.cell.lag)),
            Entry::words(verdict).note(format!("margin {}", Unit::Seconds.text(self.solved.margin_s))),
        ]
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

fn text(unit: Unit, value: Option<f64>) -> Entry {
    Entry::words(value.map_or_else(|| "–".to_owned(), |value| unit.text(value)))
}

/// A signed difference in per cent.
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

fn queues(rows: &[Row]) -> Table {
    let mut table = Table::scrolled(
        ["N", "RTT", "Linearised"].map(Column::words).into_iter().chain(
            [
                "Fluid: queue",
                "swing",
                "period",
                "As modelled: queue",
                "swing",
                "period",
                "Standard: queue",
                "swing",
                "period",
            ]
            .map(Column::figures),
        ),
    );
    for row in rows {
        let fluid = row.solved.fluid();
        let of_fluid = [
            text(Unit::Bytes, fluid.map(|fluid| fluid.mean)),
            text(Unit::Bytes, fluid.map(|fluid| fluid.deviation)),
            text(Unit::Seconds, fluid.and_then(|fluid| fluid.period_s)),
        ];
        let of_packets = [&row.modelled, &row.standard].into_iter().flat_map(|figures| {
            let queue = mean(figures, |figures| figures.mean);
            let (period, oscillating) = mean_period(figures);
            let of = if period.is_some() && oscillating < figures.len() {
                format!("{oscillating} of {} seeds", figures.len())
            } else {
                String::new()
            };
            [
                text(Unit::Bytes, queue).note(difference(queue, fluid.map(|fluid| fluid.mean))),
                text(Unit::Bytes, mean(figures, |figures| figures.deviation)),
                text(Unit::Seconds, period)
                    .note(difference(period, fluid.and_then(|fluid| fluid.period_s)))
                    .note(of),
            ]
        });
        table.row(row.first_cells().into_iter().chain(of_fluid).chain(of_packets));
    }
    table
}

fn rates(rows: &[Row]) -> Table {
    let mut table = Table::scrolled(
        ["N", "RTT", "Linearised"]
            .map(Column::words)
            .into_iter()
            .chain(["Fluid", "As modelled", "Standard"].map(Column::figures)),
    );
    for row in rows {
        let fluid = row.solved.fluid().map(|fluid| fluid.rate);
        let of_packets = [&row.modelled, &row.standard].map(|figures| {
            let rate = mean(figures, |figures| figures.rate);
            text(Unit::BitsPerSecond, rate).note(difference(rate, fluid))
        });
        table.row(row.first_cells().into_iter().chain([text(Unit::BitsPerSecond, fluid)]).chain(of_packets));
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
                let packets: Vec<f64> = row.modelled.iter().filter_map(of).collect();
                Some((Spread::of(&packets)?.mean / fluid - 1.0).abs())
            };
            let distances: Vec<f64> =
                rows.iter().filter(|row| row.solved.is_stable() == stable).filter_map(distance).collect();
            text(Unit::Share, crate::runs::mean(&distances))
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
