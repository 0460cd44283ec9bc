//! What the page shows: the swing over the lag, queues over time, and borders beside margins.

use setpoint_fluid::ModelOptions;
use setpoint_lab::metrics::moments::Moments;
use setpoint_lab::sweep::Spread;
use setpoint_report::document::{Block, Cell, Column, Table};
use setpoint_report::plot::{Axis, Colour, Figure, Mark, Room, Shape, Whiskers};
use setpoint_report::quantity::Unit;

use super::variant::{
    ADDITIVE_AVERAGING, ADDITIVE_PLAIN, ALL, AVERAGING, EQUIVALENT, PLAIN, TEN_AVERAGING, TEN_PLAIN, Variant,
};
use super::{LOST, STEADY};
use crate::allerton::measure::{swing, used};
use crate::allerton::panel;
use crate::allerton::theory::Theory;
use crate::curves::line;
use crate::runs::{Runs, Seed};

pub(super) fn shown(runs: &Runs) -> Vec<Block> {
    let first = runs.first();
    let swings = [
        ("swing", "One source", &[PLAIN, AVERAGING, EQUIVALENT][..]),
        ("swing-additive", "One source, additive decrease", &[ADDITIVE_PLAIN, ADDITIVE_AVERAGING][..]),
        ("swing-ten", "Ten sources", &[TEN_PLAIN, TEN_AVERAGING][..]),
    ]
    .map(|(name, title, variants)| over_lag(runs, (name, title), variants));
    let queues = [(PLAIN, "plain"), (AVERAGING, "averaging")]
        .map(|(variant, name)| beside_fluid(&first, &variant, name));
    let mut blocks = vec![Block::Figures(swings.into())];
    blocks.push(Block::Note("Swing of the queue over the lag, as means over seeds with a standard deviation to either side; dashed upright lines are the exact margins of the linearised model, in the colours of the variants.".to_owned()));
    blocks.extend(panel::of_seed(first, queues.into_iter().flatten().collect()));
    blocks.push(Block::Table(borders(runs)));
    blocks.push(Block::Note("The lag of a border is that of packets, at which the swing exceeds 10 kB. Margins and periods at them are those of the linearised model, on the steeper side of the feedback.".to_owned()));
    blocks.push(runs.finding(TEN_SOURCES));
    blocks
}

const TEN_SOURCES: &str = "With ten sources model and packets part: by the model, in which a message’s predecessor is a whole interval of one source older for all of them at once, averaging costs margin (181 us instead of 209 us); in packets, where \
                           each source is sampled at a time of its own, it brings as much as with one source.";

/// The swing over the lag.
fn over_lag(runs: &Runs, (name, title): (&str, &str), variants: &[Variant]) -> Figure {
    let lags: Vec<f64> = PLAIN.cases.iter().map(|(lag, _)| f64::from(*lag) * 1e-6).collect();
    let mut x = Axis::linear("Lag", Unit::Seconds, (0.0, lags.iter().copied().fold(0.0, f64::max) * 1.02));
    x.marked = vec![100e-6, 200e-6, 400e-6, 600e-6, 800e-6];
    let mut marks = Vec::new();
    let mut top: f64 = LOST;
    for (index, variant) in variants.iter().enumerate() {
        let of_seeds: Vec<Vec<(f64, f64)>> = runs.seeds().filter_map(|seed| variant.swings(&seed)).collect();
        let at =
            |place: usize| Spread::of(&of_seeds.iter().map(|swings| swings[place].1).collect::<Vec<_>>());
        let spreads: Vec<(f64, Spread)> =
            lags.iter().enumerate().filter_map(|(place, lag)| Some((*lag, at(place)?))).collect();
        top = spreads.iter().map(|(_, spread)| spread.max).fold(top, f64::max);
        let colour = Colour::Series(index);
        let means = spreads.iter().map(|(lag, spread)| (*lag, spread.mean)).collect();
        let around = |(lag, spread): &(f64, Spread)| {
            let deviation = spread.deviation.unwrap_or(0.0);
            (*lag, spread.mean - deviation, spread.mean + deviation)
        };
        marks.push(line(variant.label, colour, Shape::Dotted, means));
        // What has no name is not in the legend.
        marks.push(Mark::Whiskers(Whiskers {
            name: String::new(),
            colour,
            points: spreads.iter().map(around).collect(),
        }));
    }
    let mut figure = Figure::new(name, title, x, Axis::from_zero("Swing", Unit::Bytes, top));
    figure.marks = marks;
    figure.references = vec![panel::across(LOST, "stability lost")];
    // The third variant has the margin of the second.
    for (index, variant) in variants.iter().take(2).enumerate() {
        let upright = variant.margin().map(|margin| vec![(margin, 0.0), (margin, figure.y.range.1)]);
        figure.marks.push(line("", Colour::Series(index), Shape::Dashed, upright.unwrap_or_default()));
    }
    figure.alternative = "Standard deviation of the queue over the lag.".to_owned();
    figure.room = Room::Half;
    figure
}

/// The lag that figures over time show: between the margins with and without averaging.
const SHOWN: u32 = 200;

/// The queue at a lag, of packets and of the fluid.
fn beside_fluid(seed: &Seed<'_>, variant: &Variant, name: &str) -> Option<Figure> {
    let run = variant.run(seed, SHOWN)?;
    let case = variant.cases.iter().find(|(lag, _)| *lag == SHOWN)?;
    let interval = run.series.time_s.first().copied()?;
    let course = Theory::of(&variant.case(SHOWN, case.1))?.course(
        &ModelOptions::default(),
        run.summary.duration_s,
        interval,
    );
    let title = format!("{}, {SHOWN} us", variant.label);
    Some(panel::beside(run, (&format!("queue-{name}"), &title), course.as_ref(), (0.1, 0.12)))
}

fn borders(runs: &Runs) -> Table {
    let mut table = Table::scrolled([
        Column::words("Variant"),
        Column::figures("Border in packets"),
        Column::figures("Margin of the model"),
        Column::figures("Period at it"),
        Column::figures("Swing at 100 us"),
        Column::figures("at 200 us"),
        Column::figures("at 400 us"),
        Column::figures("Fluid at 400 us"),
        Column::figures("Link used at 400 us"),
    ]);
    for variant in &ALL {
        let spread = |measure: &dyn Fn(&Seed<'_>) -> Option<f64>| {
            Spread::of(&runs.seeds().filter_map(|seed| measure(&seed)).collect::<Vec<_>>())
        };
        let cell = |unit, measure: &dyn Fn(&Seed<'_>) -> Option<f64>| {
            crate::tables::spread_cell(unit, spread(measure))
        };
        let plain = |unit: Unit, value: Option<f64>| {
            value.map_or_else(|| Cell::words("–"), |value| Cell::words(unit.text(value)))
        };
        let swing_at = |lag| move |seed: &Seed<'_>| swing(variant.run(seed, lag)?, STEADY);
        let margin = variant.theory().and_then(|theory| theory.margin(&ModelOptions::default()));
        table.row([
            Cell::words(variant.label),
            cell(Unit::Seconds, &|seed| variant.border(seed)),
            plain(Unit::Seconds, margin.map(|margin| margin.delay_s)),
            plain(Unit::Seconds, margin.map(|margin| std::f64::consts::TAU / margin.crossover_rad_per_s)),
            cell(Unit::Bytes, &swing_at(100)),
            cell(Unit::Bytes, &swing_at(200)),
            cell(Unit::Bytes, &swing_at(400)),
            plain(Unit::Bytes, fluid_swing(variant, 400)),
            cell(Unit::Share, &|seed| used(variant.run(seed, 400)?, STEADY)),
        ]);
    }
    table
}

/// The swing of the fluid's queue at a lag.
fn fluid_swing(variant: &Variant, lag: u32) -> Option<f64> {
    let (_, name) = variant.cases.iter().find(|(of, _)| *of == lag)?;
    let course = Theory::of(&variant.case(lag, name))?.course(&ModelOptions::default(), STEADY.1, 20e-6)?;
    let steady = course
        .time_s
        .iter()
        .zip(&course.queue_bytes)
        .filter(|(time, _)| **time > STEADY.0)
        .map(|(_, queue)| *queue);
    Some(Moments::of(steady).deviation())
}
