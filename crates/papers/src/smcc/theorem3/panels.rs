//! The panels: phase portraits as in figures 7 to 9, and maps over R_a and R_b.

use setpoint_fluid::phase::{Plane, Start, Switching};
use setpoint_plot::{HeatCell, HeatMap, Panel};

use super::setting::{A, B, Setting};
use super::theory::{landing, one_sample, plane, rest};
use super::{OFF, STEADY, off, pair};
use crate::panel::{HeatPlot, heat_cell};
use crate::prelude::*;
use crate::smcc::portrait::Portrait;
use crate::smcc::{PORT, QUEUE, TARGET, queue_panels};

pub(super) fn panels(runs: &Runs) -> Vec<Block> {
    let prose = |text: &str| Block::Prose(text.to_owned());
    let immediate: fn(&Plane) -> Switching = |_| Switching::Immediate;
    vec![
        prose(
            "Figures 7 and 8: every trajectory reaches the line y = 0. According to theorem 1 the motion can slide \
            anywhere on this line. Without a delay a trajectory stays at the first point that it reaches on the line.",
        ),
        Block::Figures(vec![
            portrait(
                "figure-7",
                "Figure 7: a = 1.6 (R_a = 1024, R_b = 160), immediate switching",
                pair(1024, 160),
                immediate,
            ),
            portrait(
                "figure-8",
                "Figure 8: a = 0.4 (R_a = 256, R_b = 40), immediate switching",
                pair(256, 40),
                immediate,
            ),
        ]),
        prose(
            "Figure 9, with switching delayed by one sample. On the left a exceeds b, and the motion chatters along \
            the line to the set point. On the right b exceeds a: after its first crossing the motion stays on the side \
            it came from, which is the deal-breaker.",
        ),
        Block::Figures(vec![
            portrait("figure-9-passes", "R_a = 256, R_b = 40, one-sample delay", pair(256, 40), one_sample),
            portrait("figure-9-rests", "R_a = 64, R_b = 640, one-sample delay", pair(64, 640), one_sample),
        ]),
        prose(
            "Where the motion in the model and the queue in the packet simulation settle, for each R_a and R_b.",
        ),
        Block::HeatMaps(vec![rests(runs), deviations(runs)]),
        prose(
            "Queues in packet simulations on both sides of the border, and with parameters outside the paper’s range.",
        ),
        Block::Figures(queue_panels(runs, &QUEUES)),
    ]
}

/// The cases whose queues are shown.
const QUEUES: [(&str, &str); 4] = [
    ("256-40", "Packet simulation: R_a = 256, R_b = 40"),
    ("64-640", "Packet simulation: R_a = 64, R_b = 640"),
    ("16-640", "Packet simulation: R_a = 16, R_b = 640"),
    ("64-2560", "Packet simulation: R_a = 64, R_b = 2560"),
];

fn portrait(name: &str, title: &str, setting: Setting, switching: fn(&Plane) -> Switching) -> Figure {
    let plane = plane(setting);
    let bits = plane.excess_bps(1.0);
    let start = |offset: f64, megabits: f64| Start::at(offset * TARGET, megabits * 1e6 / bits);
    let starts = [
        ("from an empty queue, rates too low", start(-1.0, -300.0)),
        ("from an empty queue, rates too high", start(-1.0, 300.0)),
        ("from the set point, rates too high", start(0.0, 200.0)),
        ("from a long queue, rates too low", start(0.9, -300.0)),
    ];
    let trajectories = starts
        .into_iter()
        .map(|(name, start)| (name, plane.trajectory(start, switching(&plane), 0.3)))
        .collect();
    let visible = ((-TARGET, TARGET), (-400e6, 400e6));
    Portrait { name, title, plane: &plane, target: None, visible, trajectories }.figure()
}

const PLOT: HeatPlot<'_> =
    HeatPlot { columns: ("R_a in Mb/s", &A), rows: ("R_b in Mb/s", &B), unit: Unit::Share };

/// How far from the set point trajectories and packet simulations settle.
fn rests(runs: &Runs) -> HeatMap {
    let trajectory = |a, b| match rest(pair(a, b)) {
        Some(offset) if offset < -OFF => HeatCell { value: Some(-offset / TARGET), note: "below".to_owned() },
        Some(offset) => HeatCell::new(Some(offset.abs() / TARGET)),
        None => HeatCell { value: None, note: "never stops oscillating".to_owned() },
    };
    let packets = |a, b| heat_cell(&runs.values(|seed| Some(off(seed, pair(a, b))? / TARGET)), Unit::Share);
    let panels = vec![
        PLOT.panel("Closed form, relative to the offset at which the motion turned", |a, b| {
            HeatCell::new(landing(pair(a, b)))
        }),
        PLOT.panel("Trajectory from the line rate, relative to the set point", trajectory),
        PLOT.panel("Packet simulation: distance of the mean, relative to the set point", packets),
    ];
    let mut map = map("rests", "How far from its set point the queue settles", panels);
    map.note = "Trajectories switch one sample late; in hatched cells they never stop oscillating. With R_b = 2560, \
        trajectories from the line rate never reach the set point and settle below it. Values for packet simulations \
        are means over seeds after the first half second."
        .to_owned();
    map
}

/// The standard deviation of the queue and the idle time of the link in packet simulations.
fn deviations(runs: &Runs) -> HeatMap {
    let panel = |title, figure: fn(&Run) -> Option<f64>| {
        PLOT.panel(title, |a, b| {
            heat_cell(&runs.values(|seed| figure(seed.run(&pair(a, b).name()))), Unit::Share)
        })
    };
    let panels = vec![
        panel("Standard deviation of the queue divided by the set point", |run| {
            Some(run.queue_std_dev(QUEUE, STEADY)? / TARGET)
        }),
        panel("Share of time for which the link is idle", |run| Some(1.0 - run.utilisation(PORT, STEADY)?)),
    ];
    let mut map =
        map("swings", "Packet simulation: standard deviation of the queue and idle time of the link", panels);
    map.note = "Means over seeds, after the first half second.".to_owned();
    map
}

fn map(name: &str, title: &str, panels: Vec<Panel>) -> HeatMap {
    let values = panels.iter().flat_map(|panel| panel.rows.iter().flatten()).filter_map(|cell| cell.value);
    let top = if values.fold(0.0, f64::max) > 0.5 { 1.0 } else { 0.4 };
    PLOT.map_on(Axis::linear(title, Unit::Share, (0.0, top)), (name, title), panels)
}
