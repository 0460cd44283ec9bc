//! What the page shows: portraits, maps, and the tables over N, C, p and w.

use setpoint_fluid::phase::{Plane, Reading, Start, Switching};
use setpoint_lab::sweep::Spread;
use setpoint_report::document::{Block, Cell, Column, Table};
use setpoint_report::plot::{Axis, Figure, HeatCell, HeatMap, Panel, Places, Room, Threshold};
use setpoint_report::quantity::Unit;

use super::setting::{BACKGROUNDS, CYCLES, KEPT_TARGET, Map, REDUCED, SERIES, Series, Setting, of};
use super::theory::{Swings, over_longest, swings as trajectory_swings, target};
use super::{OSCILLATES, STEADY, swing};
use crate::runs::Runs;
use crate::smcc::theory::{Portrait, plane};
use crate::smcc::{TARGET, panel};

pub(super) fn shown(runs: &Runs) -> Vec<Block> {
    let mut blocks = vec![
        Block::Prose(
            "Two settings, one on each side of the condition, from the same four states. Above: switching at once. The broad line is \
             the part of Fb = 0 that slides by theorem 1, with R(0) of a descent that began at an empty queue. Below: with a delay \
             of one sample, which is 800 us."
                .to_owned(),
        ),
        Block::Figures(portraits()),
        Block::Prose(
            "The theorem’s condition over cycles and backgrounds, and the swings of what it is about: the fluid model with its R(0), \
             packets whose messages in a row keep the target, and packets of the paper’s reduced QCN, whose every message sets it."
                .to_owned(),
        ),
        Block::HeatMaps(vec![condition(), swings(runs)]),
    ];
    blocks.push(Block::Prose(
        "One by one, from cycles of 150 kB and a background of half the link. C does not count by itself: T and the time \
         between samples shrink alike."
            .to_owned(),
    ));
    blocks.extend(SERIES.iter().map(|series| Block::Table(table(runs, series))));
    let panels = [
        ("30-0", "Packets: cycle 30 kB, no background"),
        ("150-500", "Packets: cycle 150 kB, background 500 Mb/s"),
    ];
    blocks.push(Block::Figures(panel::queues(runs, &panels)));
    blocks
}

fn portraits() -> Vec<Figure> {
    let slides = of(&REDUCED, 30, 0);
    let does_not = of(&REDUCED, 150, 500);
    vec![
        portrait("portrait-slides", "Cycle 30 kB, no background, at once", slides, Delay::None),
        portrait("portrait-does-not", "Cycle 150 kB, background 500 Mb/s, at once", does_not, Delay::None),
        portrait("delayed-slides", "Cycle 30 kB, no background, one sample later", slides, Delay::OneSample),
        portrait(
            "delayed-does-not",
            "Cycle 150 kB, background 500 Mb/s, one sample later",
            does_not,
            Delay::OneSample,
        ),
    ]
}

#[derive(Clone, Copy)]
enum Delay {
    None,
    OneSample,
}

fn portrait(name: &str, title: &str, setting: &Setting, delay: Delay) -> Figure {
    let plane = plane(&setting.case(), &Reading::default());
    let switching = match delay {
        Delay::None => Switching::Immediate,
        Delay::OneSample => Switching::Delayed(1.0 / plane.samples_per_s()),
    };
    let trajectories = starts(&plane)
        .into_iter()
        .map(|(name, start)| (name, plane.trajectory(start, switching, 0.15)))
        .collect();
    let target = Some(target(&plane, TARGET));
    let seen = ((-64e3, 64e3), (-500e6, 500e6));
    Portrait { name, title, plane: &plane, target, seen, trajectories }.figure()
}

/// From the line, and from states that flows are in before they come to it.
fn starts(plane: &Plane) -> Vec<(&'static str, Start)> {
    let megabits = plane.excess_of_rate(0.0) / plane.excess_bps(plane.excess_of_rate(0.0)) * 1e6;
    let line = |offset: f64| plane.lines()[0].excess_at(offset).unwrap_or_default();
    let began = target(plane, TARGET);
    vec![
        ("descent from an empty queue", Start::at(-TARGET, line(-TARGET))),
        ("from a long queue", Start::at(0.75 * TARGET, 200.0 * megabits)),
        ("from the line", Start::at(0.4 * TARGET, line(0.4 * TARGET)).with_target(began)),
    ]
}

fn condition() -> HeatMap {
    let cell = |setting: &Setting| HeatCell::new(over_longest(setting));
    let title = "T over the largest T with which QCN slides";
    let scale = Axis::logarithmic(title, Unit::Ratio, (0.1, 30.0));
    let mut map = HeatMap::new("condition", title, sides(), scale);
    map.panels = vec![Panel { title: String::new(), rows: rows(&REDUCED, cell) }];
    map.threshold = Some(Threshold { at: 1.0 + 1e-9, meaning: "too long to slide".to_owned() });
    map.note = "Theorem 2 with R(0) of a descent that began as far below the set point as x0 is above it."
        .to_owned();
    map.room = Room::Full;
    map
}

fn swings(runs: &Runs) -> HeatMap {
    let known =
        REDUCED.iter().map(|row| row.iter().map(trajectory_swings).collect()).collect::<Vec<Vec<_>>>();
    let theory = |swing: fn(&Swings) -> f64| {
        let cell = |swings: &Swings| HeatCell::new(Some(swing(swings) / TARGET));
        known.iter().map(|row| row.iter().map(cell).collect()).collect()
    };
    let packets = |setting: &Setting| {
        let values: Vec<f64> =
            runs.seeds().filter_map(|seed| Some(swing(&seed, setting)? / TARGET)).collect();
        let spread = Spread::of(&values);
        let note = spread.map_or_else(String::new, |one| Unit::Share.spread_text(one.mean, one.deviation));
        HeatCell { value: spread.map(|spread| spread.mean), note }
    };
    let panel = |title: &str, rows| Panel { title: title.to_owned(), rows };
    let title = "Swing of the queue over its set point";
    let scale = Axis::logarithmic(title, Unit::Share, (0.01, 1.0));
    let mut map = HeatMap::new("swings", title, sides(), scale);
    map.panels = vec![
        panel("Fluid, R(0) of the theorem", theory(|swings| swings.descent_began)),
        panel("Fluid, R(0) of the paper’s words", theory(|swings| swings.latest_message)),
        panel("Packets, target kept", rows(&KEPT_TARGET, packets)),
        panel("Packets, QCN of the paper", rows(&REDUCED, packets)),
    ];
    map.threshold = Some(Threshold { at: OSCILLATES / TARGET, meaning: "oscillates".to_owned() });
    map.note = format!(
        "From {} to {} s; packets: means over seeds. Fluid: switching one sample late.",
        STEADY.0, STEADY.1
    );
    map.room = Room::Full;
    map
}

fn sides() -> (Places, Places) {
    let places =
        |label: &str, numbers: &[u32]| Places::new(label, numbers.iter().map(ToString::to_string).collect());
    (places("Cycle in kB", &CYCLES), places("Background in Mb/s", &BACKGROUNDS))
}

fn rows(map: &'static Map, cell: impl Fn(&Setting) -> HeatCell) -> Vec<Vec<HeatCell>> {
    map.iter().map(|row| row.iter().map(&cell).collect()).collect()
}

fn table(runs: &Runs, series: &Series) -> Table {
    let mut table = Table::new([
        Column::words(series.title),
        Column::figures("T over the theorem’s"),
        Column::figures("Fluid swing, R(0) of the theorem"),
        Column::figures("Fluid swing, R(0) of the paper’s words"),
        Column::figures("Packets’ swing, QCN of the paper"),
    ]);
    for (value, setting) in series.settings {
        let values: Vec<f64> = runs.seeds().filter_map(|seed| swing(&seed, setting)).collect();
        let packets = Spread::of(&values)
            .map_or_else(String::new, |spread| Unit::Bytes.text_with_spread(spread.mean, spread.deviation));
        let over = over_longest(setting).map_or_else(String::new, |over| Unit::Ratio.text(over));
        let fluid = trajectory_swings(setting);
        table.row([
            Cell::words(*value),
            Cell::words(over),
            Cell::words(Unit::Bytes.text(fluid.descent_began)),
            Cell::words(Unit::Bytes.text(fluid.latest_message)),
            Cell::words(packets),
        ]);
    }
    table
}
