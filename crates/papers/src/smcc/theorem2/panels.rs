//! The panels: phase portraits, maps, and tables for N, C, p and w.

use setpoint_fluid::phase::{Plane, PlaneOptions, Start, Switching};

use super::agreement::agreement;
use super::deviation;
use super::maps::{condition, deviations};
use super::setting::{REDUCED, SERIES, Series, Setting, of};
use super::theory::{FluidDeviations, fluid_deviations, over_longest, target};
use crate::prelude::*;
use crate::smcc::portrait::Portrait;
use crate::smcc::theory::plane;
use crate::smcc::{TARGET, queue_panels};

pub(super) fn panels(runs: &Runs) -> Vec<Block> {
    let known: Vec<FluidDeviations> = REDUCED.iter().map(fluid_deviations).collect();
    let prose = |text: &str| Block::Prose(text.to_owned());
    let mut blocks = vec![
        prose(
            "Trajectories for two settings, one on each side of the condition, from the same three initial states. The \
            upper figures show immediate switching. The thick line is the part of Fb = 0 on which the motion slides \
            according to theorem 1, with R(0) from a descent that began with an empty queue. The lower figures show \
            switching with a delay of one sample, which is 800 us.",
        ),
        Block::Figures(portraits()),
        prose(
            "The theorem’s condition as a function of cycle and available bandwidth, with the behaviour of the packet \
            simulation.",
        ),
        Block::FieldMaps(vec![condition(runs)]),
        prose(
            "Standard deviation of the queue in four cases: the fluid model with R(0) from the theorem, the fluid \
            model with R(0) from the paper’s text, a packet simulation in which consecutive messages leave the target \
            rate unchanged, and a packet simulation of the paper’s reduced QCN, in which every message sets the target \
            rate.",
        ),
        Block::HeatMaps(vec![deviations(runs, &known)]),
        prose(
            "The table shows how well each theory predicts the oscillations of the packet simulation with the paper’s \
            QCN. The first share counts the pairs of settings that the theory separates by a factor of two and that \
            the packet simulation puts in the same order. The second counts the settings for which both agree on \
            whether the queue oscillates. With cycles of 15 kB, about seven cycles pass between two messages to a \
            source, so a fluid model of messages does not apply.",
        ),
        Block::Table(agreement(runs, &known)),
        prose(
            "The parameters are varied one at a time, starting from cycles of 150 kB and background traffic at half \
            the link rate. Changing C alone has no effect: T and the time between samples shrink by the same factor.",
        ),
    ];
    blocks.extend(SERIES.iter().map(|series| Block::Table(series_table(runs, series))));
    blocks.push(Block::Figures(queue_panels(runs, &QUEUES)));
    blocks
}

/// The cases whose queues are shown.
const QUEUES: [(&str, &str); 4] = [
    ("30-0", "Packet simulation: cycle 30 kB, no background"),
    ("150-500", "Packet simulation: cycle 150 kB, background 500 Mb/s"),
    ("150-0", "Packet simulation: cycle 150 kB, no background"),
    ("15-750", "Packet simulation: cycle 15 kB, background 750 Mb/s"),
];

fn portraits() -> Vec<Figure> {
    let immediate: fn(&Plane) -> Switching = |_| Switching::Immediate;
    let one_sample: fn(&Plane) -> Switching = |plane| Switching::Delayed(1.0 / plane.samples_per_s());
    let (slides, does_not) = (of(&REDUCED, 30, 0), of(&REDUCED, 150, 500));
    let portraits = [
        ("portrait-slides", "Cycle 30 kB, no background, immediate switching", slides, immediate),
        ("portrait-does-not", "Cycle 150 kB, background 500 Mb/s, immediate switching", does_not, immediate),
        ("delayed-slides", "Cycle 30 kB, no background, one-sample delay", slides, one_sample),
        ("delayed-does-not", "Cycle 150 kB, background 500 Mb/s, one-sample delay", does_not, one_sample),
    ];
    let portrait = |(name, title, setting, switching)| portrait(name, title, setting, switching);
    portraits.map(portrait).into()
}

fn portrait(name: &str, title: &str, setting: &Setting, switching: fn(&Plane) -> Switching) -> Figure {
    let plane = plane(&setting.case(), &PlaneOptions::default());
    let trajectories = initial_states(&plane)
        .into_iter()
        .map(|(name, start)| (name, plane.trajectory(start, switching(&plane), 0.15)))
        .collect();
    let target = Some(target(&plane, TARGET));
    let visible = ((-64e3, 64e3), (-500e6, 500e6));
    Portrait { name, title, plane: &plane, target, visible, trajectories }.figure()
}

/// Two states on the line, and one from which the flows have yet to reach it.
fn initial_states(plane: &Plane) -> [(&'static str, Start); 3] {
    let megabits = plane.excess_of_rate(0.0) / plane.excess_bps(plane.excess_of_rate(0.0)) * 1e6;
    let line = |offset: f64| plane.lines()[0].excess_at(offset).unwrap_or_default();
    let began = target(plane, TARGET);
    [
        ("descent from an empty queue", Start::at(-TARGET, line(-TARGET))),
        ("from a long queue", Start::at(0.75 * TARGET, 200.0 * megabits)),
        ("from the line", Start::at(0.4 * TARGET, line(0.4 * TARGET)).with_target(began)),
    ]
}

fn series_table(runs: &Runs, series: &Series) -> Table {
    let headings = [
        "T / the theorem’s largest T",
        "Deviation in the fluid model, R(0) from the theorem",
        "R(0) from the paper’s text",
        "Deviation in the packet simulation, the paper’s QCN",
    ];
    let mut table = table::with_headings(series.title, headings);
    for (value, setting) in &series.settings {
        let fluid = fluid_deviations(setting);
        table.row([
            Cell::words(*value),
            table::value_cell(Unit::Ratio, over_longest(setting)),
            Cell::words(Unit::Bytes.text(fluid.descent_began)),
            Cell::words(Unit::Bytes.text(fluid.latest_message)),
            table::cell(Unit::Bytes, &runs.values(|seed| deviation(seed, setting))),
        ]);
    }
    table
}
