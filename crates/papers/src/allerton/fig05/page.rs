//! What the page shows: overlays, and tables of the whole grid.

use setpoint_lab::sweep::Spread;
use setpoint_report::document::{Block, Cell as Entry, Column, Table};
use setpoint_report::plot::Figure;
use setpoint_report::quantity::Unit;

use super::cell::{Cell, Packets};
use super::compare::packet_figures;
use super::map::map;
use super::model::{Figures, Solved, WAYS, course, with_theory};
use crate::allerton::{Phase, TARGET, panel};
use crate::runs::{Runs, Seed};

/// Overlays: sources, lag, and the part of the run that is shown.
const OVERLAYS: [(u32, u32, Phase); 6] = [
    (1, 50, (0.3, 0.32)),
    (1, 200, (0.3, 0.32)),
    (10, 50, (0.0, 0.02)),
    (10, 200, (0.3, 0.33)),
    (10, 400, (0.3, 0.33)),
    (50, 400, (0.3, 0.36)),
];

pub(super) fn shown(runs: &Runs) -> Vec<Block> {
    let first = runs.first();
    let all: Vec<Row> = with_theory().map(|(cell, solved)| Row::new(runs, cell, solved)).collect();
    let figures = OVERLAYS.iter().filter_map(|overlay| overlaid(&first, overlay)).collect();
    let mut blocks = panel::of_seed(first, figures).to_vec();
    blocks.push(Block::FieldMaps(vec![map(runs)]));
    blocks.push(prose(
        "Below, for each QCN: mean, swing (standard deviation) and period of the queue, and the mean rate of a source, from 0.2 s on and as means over seeds, \
         with the fluid’s and the difference from it. A dash is a queue that does not oscillate.",
    ));
    for packets in Packets::ALL {
        blocks.push(prose(packets.heading()));
        blocks.push(Block::Table(by_cell(&all, packets)));
    }
    blocks.push(prose(
        "Other ways to solve the equations, by the mean distance of packets (QCN without timer) from each, over all seeds of the cells that are stable and unstable by the exact margin:",
    ));
    blocks.push(Block::Table(ways(&all)));
    blocks.push(runs.finding(LEFT_OUT));
    blocks.push(Block::Points(POINTS.map(str::to_owned).into()));
    blocks
}

const LEFT_OUT: &str = "What the model leaves out, and what that does here:";

const POINTS: [&str; 6] = [
    "Feedback without congestion raises the rate in equation (10) as strongly as congestion lowers it. QCN sends nothing then, and a rate rises by recovery alone. So beyond the margin the fluid swings by two to three times as much as \
     packets; packets drift up slowly and irregularly, and where they have a regular period it is longer by a quarter to a third (ten and fifty sources without timer, 400 us).",
    "At 200 us with two, ten and fifty sources the linearised loop is stable and packets are at rest, but a solution that starts at line rates is caught in a large oscillation, beside the stable equilibrium. Started near the equilibrium it rests, and packets \
     are as near to it as in the other stable cells (third row above).",
    "With one or two sources at 400 us the fluid’s rate collapses, as its target does. In packets extra fast recovery keeps the target. The last way to solve the equations has that: with it the link is used in the model as in packets, but its queue is too short.",
    "Of the two readings of the increase term in equation (10) neither is nearer where the loop is stable; beyond the margin the printed one is in rates and periods, by little.",
    "In QCN as modelled every message sets the target and nothing raises a rate at once. The queue is below its set point for much of the time: by a seventh on average with ten sources and by up to two thirds with one, where the feedback of both signs in the \
     equations would lift it. Extra fast recovery, which the paper leaves out of its description, brings it to within a few per cent.",
    "Messages go to one source at a time, in steps of one 63rd, at random moments: with fifty sources the queue of packets swings by 8 to 13 kB where the fluid is still.",
];

fn prose(text: &str) -> Block {
    Block::Prose(text.to_owned())
}

fn overlaid(seed: &Seed<'_>, &(sources, lag, phase): &(u32, u32, Phase)) -> Option<Figure> {
    let cell = Cell::at(sources, lag)?;
    let run = seed.run(cell.name(Packets::TimerOff));
    let course = course(cell, run.series.time_s.first().copied()?);
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

/// How far packets are from the fluid in one respect, as a part of something that is never zero.
type Far = fn(&Figures, &Figures) -> Option<f64>;

const FAR: [(&str, Far); 3] = [
    ("Queue, of the set point", |packets, fluid| Some((packets.mean - fluid.mean).abs() / TARGET)),
    ("Rate, of packets’", |packets, fluid| Some((packets.rate - fluid.rate).abs() / packets.rate)),
    ("Period, of packets’", |packets, fluid| {
        Some((packets.period_s? - fluid.period_s?).abs() / packets.period_s?)
    }),
];

fn ways(rows: &[Row]) -> Table {
    let headings = ["stable", "unstable"].into_iter().flat_map(|side| {
        let respects = if side == "stable" { &FAR[..2] } else { &FAR[..] };
        respects.iter().map(move |(heading, _)| Column::figures(format!("{heading}, {side}")))
    });
    let mut table = Table::scrolled([Column::words("Solved")].into_iter().chain(headings));
    for (index, way) in WAYS.iter().enumerate() {
        let cell = |(_, far): &(&str, Far), stable: bool| {
            let distances: Vec<f64> = rows
                .iter()
                .filter(|row| row.solved.is_stable() == stable)
                .filter_map(|row| Some((row, row.solved.ways[index]?)))
                .flat_map(|(row, fluid)| {
                    row.packets[Packets::TimerOff as usize]
                        .iter()
                        .filter_map(move |packets| far(packets, &fluid))
                })
                .collect();
            Entry::words(text(Unit::Share, crate::runs::mean(&distances)))
        };
        let stable = FAR[..2].iter().map(|far| cell(far, true));
        let unstable = FAR.iter().map(|far| cell(far, false));
        table.row([Entry::words(way.words)].into_iter().chain(stable).chain(unstable));
    }
    table
}
