//! What the page shows: portraits as in figures 7 to 9, and maps over R_a and R_b.

use setpoint_fluid::phase::{Plane, Start, Switching};
use setpoint_lab::sweep::Spread;
use setpoint_report::document::Block;
use setpoint_report::plot::{Axis, Figure, HeatCell, HeatMap, Panel, Places, Room};
use setpoint_report::quantity::Unit;

use super::setting::{A, B, MAP, Setting, of};
use super::theory::{landing, one_sample, plane, rest};
use super::{OFF, STEADY, off};
use crate::runs::{Run, Runs};
use crate::smcc::measure::swing;
use crate::smcc::theory::Portrait;
use crate::smcc::{PORT, QUEUE, TARGET, panel};

pub(super) fn shown(runs: &Runs) -> Vec<Block> {
    vec![
        Block::Prose(
            "Figures 7 and 8: every trajectory comes to the line y = 0, all of which slides by theorem 1. Without a delay it stays at the \
             first point of the line that it reaches."
                .to_owned(),
        ),
        Block::Figures(vec![
            portrait("figure-7", "Figure 7: a = 1.6 (R_a 1024, R_b 160), at once", of(1024, 160), at_once),
            portrait("figure-8", "Figure 8: a = 0.4 (R_a 256, R_b 40), at once", of(256, 40), at_once),
        ]),
        Block::Prose(
            "Figure 9, with switching one sample late. On the left a exceeds b, and the motion chatters along the line to the set point. On \
             the right b exceeds a: after its first trespass the motion is at rest on the side it came from, the deal-breaker."
                .to_owned(),
        ),
        Block::Figures(vec![
            portrait("figure-9-passes", "R_a 256, R_b 40, one sample later", of(256, 40), one_sample),
            portrait("figure-9-rests", "R_a 64, R_b 640, one sample later", of(64, 640), one_sample),
        ]),
        Block::Prose("Where the motion, and the queue of packets, comes to rest, over R_a and R_b.".to_owned()),
        Block::HeatMaps(vec![rests(runs), swings(runs)]),
        Block::Prose("Queues of packets on either side, and beyond what the paper has.".to_owned()),
        Block::Figures(panel::queues(
            runs,
            &[
                ("256-40", "Packets: R_a 256, R_b 40"),
                ("64-640", "Packets: R_a 64, R_b 640"),
                ("16-640", "Packets: R_a 16, R_b 640"),
                ("64-2560", "Packets: R_a 64, R_b 2560"),
            ],
        )),
    ]
}

fn at_once(_: &Plane) -> Switching {
    Switching::Immediate
}

fn portrait(name: &str, title: &str, setting: &Setting, switching: fn(&Plane) -> Switching) -> Figure {
    let plane = plane(setting);
    let bits = plane.excess_bps(1.0);
    let start = |offset: f64, megabits: f64| Start::at(offset * TARGET, megabits * 1e6 / bits);
    let starts = [
        ("from an empty queue, rates too low", start(-1.0, -300.0)),
        ("from an empty queue, rates too high", start(-1.0, 300.0)),
        ("from the set point, rates too high", start(0.0, 200.0)),
        ("from a long queue, rates too low", start(0.9, -300.0)),
    ];
    let until = 0.3;
    let trajectories = starts
        .into_iter()
        .map(|(name, start)| (name, plane.trajectory(start, switching(&plane), until)))
        .collect();
    let seen = ((-TARGET, TARGET), (-400e6, 400e6));
    Portrait { name, title, plane: &plane, target: None, seen, trajectories }.figure()
}

/// How far off the set point trajectories and packets come to rest.
fn rests(runs: &Runs) -> HeatMap {
    let panel = |title: &str, rows| Panel { title: title.to_owned(), rows };
    let closed = |setting: &Setting| HeatCell::new(landing(setting));
    let trajectory = |setting: &Setting| match rest(setting) {
        Some(offset) if offset < -OFF => HeatCell { value: Some(-offset / TARGET), note: "below".to_owned() },
        Some(offset) => HeatCell::new(Some(offset.abs() / TARGET)),
        None => HeatCell { value: None, note: "it swings without end".to_owned() },
    };
    let packets = |setting: &Setting| {
        let values = runs.seeds().filter_map(|seed| Some(off(&seed, setting)? / TARGET));
        measured(values, Unit::Share)
    };
    let panels = vec![
        panel("Closed form, as a part of where the motion turned", rows(closed)),
        panel("Trajectory from the line rate, over the set point", rows(trajectory)),
        panel("Packets: distance of the mean, over the set point", rows(packets)),
    ];
    let title = "How far off its set point the queue comes to rest";
    let mut map = heat_map("rests", title, Unit::Share, panels);
    map.note = "Trajectories switch one sample late; hatched: they swing without end. With R_b of 2560 those from the line rate do \
                not reach the set point at all, and rest below it. Packets: means over seeds, from 0.5 to 2 s."
        .to_owned();
    map
}

/// How packets fare there.
fn swings(runs: &Runs) -> HeatMap {
    let of = |figure: fn(&Run) -> Option<f64>| {
        rows(|setting| {
            let values = runs.seeds().filter_map(|seed| figure(seed.run(setting.name)));
            measured(values, Unit::Share)
        })
    };
    let panels = vec![
        Panel {
            title: "Swing of the queue over its set point".to_owned(),
            rows: of(|run| Some(swing(run, QUEUE, STEADY)? / TARGET)),
        },
        Panel {
            title: "Share of the time in which the link is idle".to_owned(),
            rows: of(|run| Some(1.0 - run.utilisation_between(PORT, STEADY.0, STEADY.1)?)),
        },
    ];
    let mut map = heat_map("swings", "Packets: swing of the queue, and idle link", Unit::Share, panels);
    map.note = "Means over seeds, from 0.5 to 2 s.".to_owned();
    map
}

fn measured(values: impl Iterator<Item = f64>, unit: Unit) -> HeatCell {
    let spread = Spread::of(&values.collect::<Vec<f64>>());
    let note = spread.map_or_else(String::new, |one| unit.spread_text(one.mean, one.deviation));
    HeatCell { value: spread.map(|spread| spread.mean), note }
}

fn rows(cell: impl Fn(&Setting) -> HeatCell) -> Vec<Vec<HeatCell>> {
    MAP.iter().map(|row| row.iter().map(&cell).collect()).collect()
}

fn heat_map(name: &str, title: &str, unit: Unit, panels: Vec<Panel>) -> HeatMap {
    let places =
        |label: &str, numbers: &[u32]| Places::new(label, numbers.iter().map(ToString::to_string).collect());
    let values = panels.iter().flat_map(|panel| panel.rows.iter().flatten()).filter_map(|cell| cell.value);
    let most = values.fold(0.0, f64::max);
    let scale = Axis::linear(title, unit, (0.0, if most > 0.5 { 1.0 } else { 0.4 }));
    let sides = (places("R_a in Mb/s", &A), places("R_b in Mb/s", &B));
    HeatMap { panels, room: Room::Full, ..HeatMap::new(name, title, sides, scale) }
}
