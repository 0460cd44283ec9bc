//! What the page shows: portraits, maps, and the tables over N, C, p and w.

use setpoint_fluid::phase::{Plane, PlaneOptions, Start, Switching};
use setpoint_lab::sweep::Spread;
use setpoint_report::document::{Block, Cell, Column, Table};
use setpoint_report::plot::Figure;
use setpoint_report::quantity::Unit;

use super::agreement::agreement;
use super::maps::{Trajectories, condition, swings};
use super::setting::{REDUCED, SERIES, Series, Setting, of};
use super::swing;
use super::theory::{over_longest, swings as trajectory_swings, target};
use crate::runs::Runs;
use crate::smcc::theory::{Portrait, plane};
use crate::smcc::{TARGET, panel};

pub(super) fn shown(runs: &Runs) -> Vec<Block> {
    let known: Trajectories = REDUCED.iter().map(|row| row.iter().map(trajectory_swings).collect()).collect();
    let mut blocks = vec![
        Block::Prose(
            "Two settings, one on each side of the condition, from the same three states. Above: switching at once. The broad line is \
             the part of Fb = 0 that slides by theorem 1, with R(0) of a descent that began at an empty queue. Below: with a delay \
             of one sample, which is 800 us."
                .to_owned(),
        ),
        Block::Figures(portraits()),
        Block::Prose("The theorem’s condition over cycles and available bandwidth, with what packets do.".to_owned()),
        Block::FieldMaps(vec![condition(runs)]),
        Block::Prose(
            "Swings of what it is about: the fluid model with its R(0) and with that of the paper’s words, packets whose messages in a \
             row keep the target, and packets of the paper’s reduced QCN, whose every message sets it."
                .to_owned(),
        ),
        Block::HeatMaps(vec![swings(runs, &known)]),
        Block::Prose(
            "How well each of them tells the swings of packets under the paper’s QCN: of the pairs of settings that it tells apart by a \
             factor of two, the share that packets order alike; and the share of settings on which both say whether they oscillate. \
             With cycles of 15 kB some seven of them pass between two messages to a source, and a fluid of messages is far from what happens."
                .to_owned(),
        ),
        Block::Table(agreement(runs, &known)),
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
        ("150-0", "Packets: cycle 150 kB, no background"),
        ("15-750", "Packets: cycle 15 kB, background 750 Mb/s"),
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
    let plane = plane(&setting.case(), &PlaneOptions::default());
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
