//! The output of `setpoint stability`.

use std::f64::consts::TAU;

use setpoint_lab::theory::{LoopRecord, MapPoint, MapRecord, StabilityRecord};
use setpoint_scenario::key_words;

use crate::command::theory::equilibrium;
use crate::terminal::{Column, Facts, Paint, Screen, Table, Unit, count, quantity, things, value};

pub(super) fn render(record: &StabilityRecord, screen: Screen) -> String {
    let mut text = loop_facts(&record.here, screen.paint).render(screen);
    if let Some(map) = &record.map {
        text += &format!("\n{}", map_facts(map).render(screen));
        if !map.packets.is_empty() {
            text += &format!("\n{}", packet_table(map).render(screen).0);
        }
    }
    text
}

fn loop_facts(record: &LoopRecord, paint: Paint) -> Facts {
    let seconds = |value| quantity(Unit::Seconds, value);
    let mut facts = Facts::new();
    facts.add("model", [record.model.clone(), things(u64::from(record.sources), "source")]);
    // Other algorithms hold their set point.
    if let Some(at) = record.equilibrium.as_ref().filter(|at| at.marking_share.is_some()) {
        facts.add("equilibrium", equilibrium(at));
    }
    let queueing =
        if record.delay_has_queueing { "with the queueing at the equilibrium" } else { "without queueing" };
    facts.add("loop delay", [seconds(record.delay_s), queueing.to_owned()]);
    facts.add("delay margin", margin(record));
    facts.add("bound", bound(record));
    let verdict = match record.unstable_roots {
        0 => paint.good("stable"),
        _ => paint.bad("unstable"),
    };
    let within = record
        .margin_s
        .map(|margin| format!("margin {} times the loop delay", ratio(margin / record.delay_s)));
    facts.add("stability", [verdict, within.unwrap_or_default()]);
    facts.add("slowest mode", mode(record));
    facts
}

fn margin(record: &LoopRecord) -> Vec<String> {
    match record.margin_s {
        None => vec!["none: unstable even without delay".to_owned()],
        Some(margin) => {
            let period = record.crossover_rad_per_s.map(|omega| TAU / omega);
            let period =
                period.map(|period| format!("oscillation period there: {}", quantity(Unit::Seconds, period)));
            vec![quantity(Unit::Seconds, margin), period.unwrap_or_default()]
        }
    }
}

fn bound(record: &LoopRecord) -> Vec<String> {
    let seconds = |value| quantity(Unit::Seconds, value);
    let Some(bound) = record.bound_s else { return Vec::new() };
    let without = record.bound_without_averaging_s.filter(|without| *without != bound);
    let without = without.map(|without| format!("{} without the Averaging Principle", seconds(without)));
    vec![format!("{} is sufficient", seconds(bound)), without.unwrap_or_default()]
}

fn mode(record: &LoopRecord) -> Vec<String> {
    let seconds = |value| quantity(Unit::Seconds, value);
    let fate = match record.growth_per_s {
        growth if growth < 0.0 => format!("decays with a time constant of {}", seconds(-1.0 / growth)),
        growth if growth > 0.0 => format!("grows with a time constant of {}", seconds(1.0 / growth)),
        _ => return Vec::new(),
    };
    let swings = match record.mode_rad_per_s {
        omega if omega > 0.0 => format!("period {}", seconds(TAU / omega)),
        _ => "no oscillation".to_owned(),
    };
    vec![fate, swings]
}

fn ratio(value: f64) -> String {
    quantity(Unit::Ratio, value)
}

fn map_facts(map: &MapRecord) -> Facts {
    let cells: Vec<f64> = map.stability.iter().flatten().copied().flatten().collect();
    let all = map.stability.iter().map(Vec::len).sum::<usize>();
    let stable = cells.iter().filter(|ratio| **ratio > 1.0).count();
    let ends = |values: &[String]| match values {
        [first, .., last] => format!("{} to {}, {} values", value(first), value(last), values.len()),
        _ => values.iter().map(|text| value(text)).collect::<Vec<_>>().join(", "),
    };
    let mut facts = Facts::new();
    let keys = key_words(&[map.x.key.clone(), map.y.key.clone()]);
    // The key `delay` is renamed, because it is not the loop delay.
    let keys = keys.into_iter().map(|key| if key == "delay" { "cable delay".to_owned() } else { key });
    for ((side, key), axis) in ["x", "y"].into_iter().zip(keys).zip([&map.x, &map.y]) {
        facts.add_text(side, format!("{key}: {}", ends(&axis.values)));
    }
    let stable_cells = format!("{} of {} stable", count(stable as u64), count(all as u64));
    let extremes = cells.iter().copied().reduce(f64::min).zip(cells.iter().copied().reduce(f64::max));
    let extremes = extremes
        .map(|(least, most)| format!("margin from {} to {} times the loop delay", ratio(least), ratio(most)));
    facts.add("cells", [stable_cells, extremes.unwrap_or_default()]);
    if all > cells.len() {
        facts.add_text(
            "without a value",
            format!("{}: {}", count((all - cells.len()) as u64), map.reasons.join("; ")),
        );
    }
    facts
}

/// Oscillation of packet runs where the theory predicts stability, and where it predicts instability.
fn packet_table(map: &MapRecord) -> Table {
    let mut table = Table::new(vec![
        Column::words("packet runs", 0),
        Column::figures("runs", 0),
        Column::figures("deviation, mean", 0),
        Column::figures("largest", 1),
        Column::figures("time empty, mean", 2),
        Column::figures("oscillate", 1),
    ]);
    let value = |point: &&MapPoint| map.stability[point.y][point.x];
    for (name, is) in [
        ("predicted stable", (|ratio: f64| ratio > 1.0) as fn(f64) -> bool),
        ("predicted unstable", |ratio| ratio <= 1.0),
    ] {
        let points: Vec<_> = map.packets.iter().filter(|point| value(point).is_some_and(is)).collect();
        if points.is_empty() {
            continue;
        }
        let mean = |sum: f64| sum / points.len() as f64;
        let swing = mean(points.iter().map(|point| point.swing).sum());
        let largest = points.iter().map(|point| point.swing).fold(0.0, f64::max);
        let empty = mean(points.iter().map(|point| point.empty_share).sum());
        let oscillating = points.iter().filter(|point| point.period_s.is_some()).count();
        table.row([
            name.to_owned(),
            count(points.len() as u64),
            quantity(Unit::Share, swing),
            quantity(Unit::Share, largest),
            quantity(Unit::Share, empty),
            count(oscillating as u64),
        ]);
    }
    table
}
