//! The map of a stability page: the ratio of margin to delay over two keys of a scenario, with packet runs.

use setpoint_lab::theory::{MapAxis, MapPoint, MapRecord};

use super::wording::seconds;
use crate::document::{Block, Cell, Column, Section, Table};
use crate::sweep::{key_headings, unit_of};
use setpoint_plot::{
    Axis, Border, FieldMap, HeatCell, HeatMap, Panel, Places, Ramp, Room, Spot, Spots, Symbol, Threshold,
    scale_for, spanning,
};
use setpoint_units::quantity::Unit;
use setpoint_units::spelling;

/// If a side has fewer values, the map is drawn as a heat map, which labels every value.
const FEWEST: usize = 5;
/// Levels of contours.
const LEVELS: [f64; 8] = [0.05, 0.1, 0.2, 0.5, 2.0, 5.0, 10.0, 20.0];
/// Maximum number of reasons for missing values in the legend.
const MOST_REASONS: usize = 1;

/// The map and its description.
pub(super) fn section(map: &MapRecord) -> Section {
    let mut section = Section::new("map", "Stable region").with(Block::Prose(words(map)));
    section = match is_continuous(map) {
        true => section.with(Block::FieldMaps(vec![field(map)])),
        false => section.with(Block::HeatMaps(vec![heat(map)])),
    };
    if !map.reasons.is_empty() {
        let without = values(map).filter(Option::is_none).count();
        let reasons = map.reasons.join("; ");
        section = section.with(Block::Note(format!("{without} cells have no value: {reasons}.")));
    }
    section
}

fn values(map: &MapRecord) -> impl Iterator<Item = Option<f64>> {
    map.stability.iter().flatten().map(|value| value.filter(|value| value.is_finite()))
}

/// Describes the stable share of the map.
fn words(map: &MapRecord) -> String {
    let known: Vec<f64> = values(map).flatten().collect();
    let stable = known.iter().filter(|value| **value > 1.0).count();
    let [x, y] = headings(map);
    let over =
        format!("{} and {}", setpoint_plot::text::in_sentence(&x), setpoint_plot::text::in_sentence(&y));
    match stable {
        _ if known.is_empty() => format!("The map over {over} has no values."),
        0 => format!("Over {over}, the loop is unstable everywhere."),
        all if all == known.len() => format!("Over {over}, the loop is stable everywhere."),
        some => {
            let share = Unit::Share.text(some as f64 / known.len() as f64);
            format!(
                "Over {over}, the loop is stable on {share} of the map, where its delay margin exceeds its loop delay."
            )
        }
    }
}

fn headings(map: &MapRecord) -> [String; 2] {
    let names = key_headings(&[map.x.key.clone(), map.y.key.clone()]);
    // Not to be confused with the loop delay.
    let distinct = |name: &String| if name == "Delay" { "Cable delay".to_owned() } else { name.clone() };
    let name = |index: usize| names.get(index).map(distinct).unwrap_or_default();
    [name(0), name(1)]
}

/// Whether both sides are numeric, with enough values for axes.
fn is_continuous(map: &MapRecord) -> bool {
    [&map.x, &map.y].into_iter().all(|axis| {
        let different = axis.numbers.windows(2).filter(|pair| pair[0] != pair[1]).count() + 1;
        axis.numbers.iter().all(|number| number.is_finite()) && different >= FEWEST && unit(axis).is_some()
    })
}

/// The unit of the values on an axis; `None` for words.
fn unit(axis: &MapAxis) -> Option<Unit> {
    unit_of(&axis.key, &axis.values)
}

fn field(map: &MapRecord) -> FieldMap {
    let [x, y] = headings(map);
    let axis =
        |label: &str, axis: &MapAxis| spanning(label, unit(axis).unwrap_or(Unit::Ratio), &axis.numbers);
    let mut field = FieldMap::new(
        "map",
        "Delay margin relative to loop delay",
        (axis(&x, &map.x), axis(&y, &map.y)),
        scale(map),
    );
    (field.columns, field.rows) = (map.x.numbers.clone(), map.y.numbers.clone());
    field.values = map.stability.clone();
    field.ramp = Ramp::Diverging(1.0);
    field.border = Some(Border::new(1.0, "stability boundary").between("unstable", "stable"));
    let known = || values(map).flatten();
    let reach = (known().fold(f64::INFINITY, f64::min), known().fold(f64::NEG_INFINITY, f64::max));
    field.contours = LEVELS.into_iter().filter(|level| reach.0 < *level && *level < reach.1).collect();
    field.missing = missing(&map.reasons);
    field.spots = spots(map);
    let strokes = "Strokes along the boundary point to the unstable side.";
    field.note = match largest_swing(map) {
        None => strokes.to_owned(),
        Some(largest) => format!(
            "{strokes} Points are packet runs, sized by the deviation of their queue; the largest deviation is {} of \
             the set point.",
            Unit::Share.text(largest)
        ),
    };
    field
}

fn missing(reasons: &[String]) -> String {
    match reasons {
        [] => "no value".into(),
        few if few.len() <= MOST_REASONS => few.join("; "),
        [first, rest @ ..] => format!("{first}; and {} more reasons", rest.len()),
    }
}

/// A scale that is symmetric around one on a logarithmic axis, wide enough for nearly all values.
fn scale(map: &MapRecord) -> Axis {
    let mut sizes: Vec<f64> =
        values(map).flatten().filter(|value| *value > 0.0).map(|value| value.ln().abs()).collect();
    sizes.sort_by(f64::total_cmp);
    let nearly_all = sizes.get(sizes.len().saturating_sub(1) * 19 / 20).copied().unwrap_or(0.0).exp();
    let reach = [2.0, 5.0, 10.0, 20.0, 50.0].into_iter().find(|reach| nearly_all <= *reach).unwrap_or(100.0);
    Axis::logarithmic("Delay margin relative to loop delay", Unit::Ratio, (1.0 / reach, reach))
}

fn largest_swing(map: &MapRecord) -> Option<f64> {
    map.packets.iter().map(|point| point.swing).filter(|swing| swing.is_finite()).reduce(f64::max)
}

fn spots(map: &MapRecord) -> Vec<Spots> {
    let largest = largest_swing(map).unwrap_or(0.0);
    let kind = |name: &str, symbol: Symbol, is: fn(&&MapPoint) -> bool| {
        let spots = map.packets.iter().filter(is).filter_map(|point| spot(map, point, largest)).collect();
        Spots { name: name.to_owned(), symbol, spots }
    };
    let kinds = [
        kind("packets: steady", Symbol::Ring, |point| point.period_s.is_none()),
        kind("packets: oscillate", Symbol::Triangle, |point| point.period_s.is_some()),
    ];
    kinds.into_iter().filter(|kind| !kind.spots.is_empty()).collect()
}

fn spot(map: &MapRecord, point: &MapPoint, largest: f64) -> Option<Spot> {
    let at = (*map.x.numbers.get(point.x)?, *map.y.numbers.get(point.y)?);
    let size = if largest > 0.0 { point.swing / largest } else { 0.0 };
    Some(Spot { at, size, words: tooltip(point) })
}

/// The tooltip of a packet run.
fn tooltip(point: &MapPoint) -> String {
    let mut words = format!("deviation {} of the set point", Unit::Share.text(point.swing));
    if point.empty_share > 0.0 {
        words += &format!(", empty {} of the time", Unit::Share.text(point.empty_share));
    }
    if let Some(period) = point.period_s {
        words += &format!(", period {}", seconds(period));
    }
    words
}

/// The map over lists of values, which may be words.
fn heat(map: &MapRecord) -> HeatMap {
    let [x, y] = headings(map);
    let places = |label: String, axis: &MapAxis| {
        Places::new(label, axis.values.iter().map(|value| spelling::value(value)).collect())
    };
    let scale = scale_for("Delay margin relative to loop delay", Unit::Ratio, values(map).flatten());
    let sides = (places(x, &map.x), places(y, &map.y));
    let mut heat = HeatMap::new("map", "Delay margin relative to loop delay", sides, scale);
    heat.threshold = Some(Threshold { at: 1.0, meaning: "stable".into() });
    let cell = |row: usize, column: usize, value: &Option<f64>| {
        let run = map.packets.iter().find(|point| (point.x, point.y) == (column, row));
        HeatCell {
            value: *value,
            note: run.map(|run| format!("(packets: {})", tooltip(run))).unwrap_or_default(),
        }
    };
    let row = |(index, values): (usize, &Vec<Option<f64>>)| {
        values.iter().enumerate().map(|(column, value)| cell(index, column, value)).collect()
    };
    heat.panels =
        vec![Panel { title: String::new(), rows: map.stability.iter().enumerate().map(row).collect() }];
    heat.room = Room::Full;
    heat
}

/// Compares packet runs on both sides of the boundary with theory.
pub(super) fn packets(map: &MapRecord) -> Option<Section> {
    let value = |point: &MapPoint| map.stability.get(point.y)?.get(point.x).copied().flatten();
    let side = |stable: bool| -> Vec<&MapPoint> {
        map.packets.iter().filter(|point| value(point).is_some_and(|value| (value > 1.0) == stable)).collect()
    };
    let (stable, unstable) = (side(true), side(false));
    if stable.is_empty() && unstable.is_empty() {
        return None;
    }
    let oscillate = |points: &[&MapPoint]| points.iter().filter(|point| point.period_s.is_some()).count();
    let agreeing = stable.len() - oscillate(&stable) + oscillate(&unstable);
    let all = stable.len() + unstable.len();
    let words = format!(
        "Packet runs and theory agree on whether the queue oscillates at {agreeing} of {all} points."
    );
    let disagreement = disagreement((&stable, oscillate(&stable)), (&unstable, oscillate(&unstable)));
    let headings = ["Runs", "Oscillating", "Deviation, mean", "Deviation, largest", "Time empty, mean"];
    let mut table =
        Table::new([Column::words("Theory predicts")].into_iter().chain(headings.map(Column::figures)));
    for (name, points) in [("stable", &stable), ("unstable", &unstable)] {
        if !points.is_empty() {
            table.row(row(name, points, oscillate(points)).map(Cell::words));
        }
    }
    let mut section = Section::new("packets", "Packet runs").with(Block::Prose(words));
    if !disagreement.is_empty() {
        section.blocks.extend(disagreement.into_iter().map(Block::Prose));
        section = section.with(Block::Points(MEANINGS.map(str::to_owned).to_vec()));
    }
    Some(section.with(Block::Table(table)).with(Block::Note(
        "Deviations are standard deviations of the queue, in per cent of its set point.".into(),
    )))
}

/// The two verdicts, and the question that each of them answers.
const MEANINGS: [&str; 3] = [
    "The theory shows whether a small disturbance of the linear fluid model decays. Trust it for the position of the \
    boundary \
     and for the effect of a parameter on the margin.",
    "Packet runs show whether the queue has a period (docs/theory.md defines it). They include quantised feedback, \
    sampling of \
     frames, timers and randomness, which excite a lightly damped loop although it is stable. Irregular oscillations, \
     and queues that stay empty or full, have no period. Trust packet runs for the size of the oscillation, for delays and \
     for buffers.",
    "Whether an oscillation matters depends on its size: compare the deviations in the table with the room in your buffer.",
];

/// States in numbers where packet runs and theory disagree; empty if they agree.
fn disagreement(
    (stable, oscillating): (&[&MapPoint], usize),
    (unstable, swinging): (&[&MapPoint], usize),
) -> Vec<String> {
    let deviation = |points: &[&MapPoint], oscillates: bool| {
        let chosen =
            points.iter().filter(|point| point.period_s.is_some() == oscillates).map(|point| point.swing);
        let (count, sum) = chosen.fold((0.0, 0.0), |(count, sum), swing| (count + 1.0, sum + swing));
        Unit::Share.text(sum / count)
    };
    let mut sentences = Vec::new();
    if oscillating > 0 {
        sentences.push(format!(
            "{oscillating} of {} packet runs in the region that theory calls stable oscillate, with a mean deviation of {} of the \
             set point.",
            stable.len(),
            deviation(stable, true)
        ));
    }
    if swinging < unstable.len() {
        sentences.push(format!(
            "{} of {} packet runs in the region that theory calls unstable have no period; their mean deviation is {} of the set \
             point.",
            unstable.len() - swinging,
            unstable.len(),
            deviation(unstable, false)
        ));
    }
    sentences
}

fn row(name: &str, points: &[&MapPoint], oscillate: usize) -> [String; 6] {
    let mean =
        |of: fn(&MapPoint) -> f64| points.iter().map(|point| of(point)).sum::<f64>() / points.len() as f64;
    let largest = points.iter().map(|point| point.swing).fold(f64::NEG_INFINITY, f64::max);
    [
        name.to_owned(),
        points.len().to_string(),
        oscillate.to_string(),
        Unit::Share.text(mean(|point| point.swing)),
        Unit::Share.text(largest),
        Unit::Share.text(mean(|point| point.empty_share)),
    ]
}
