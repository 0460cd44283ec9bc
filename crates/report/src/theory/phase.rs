//! The page of a phase plane.

use setpoint_lab::theory::{PhaseRecord, Trajectory};

use super::wording::{seconds, things};
use super::{card, left_out, portrait};
use crate::document::{Block, Card, Cell, Column, Document, Section, Table};
use setpoint_units::quantity::Unit;

/// Maximum number of rows in the table of trajectories.
const MOST_ROWS: usize = 200;

/// The page of a phase plane: trajectories of a scenario in the plane of queue offset and rate excess.
pub fn phase(record: &PhaseRecord) -> Document {
    let mut page = Document::new(format!("Phase plane of {}", record.name));
    page.description = description(record);
    page.facts = vec![record.model.clone(), format!("Setpoint {}", setpoint_record::VERSION)];
    page.facts.retain(|fact| !fact.is_empty());
    page.cards = cards(record);
    page.sections.push(plane(record));
    if !record.findings.is_empty() {
        let points = Block::Points(record.findings.clone());
        page.sections.push(Section::new("findings", "Results of the theorems").with(points));
    }
    page.sections.push(over_time(record));
    if !record.trajectories.is_empty() {
        page.sections.push(Section::new("ends", "Final states").with(Block::Table(ends(record))));
    }
    page.sections.extend(left_out(&record.leaves_out));
    page
}

fn switching(record: &PhaseRecord) -> String {
    match record.delay_s {
        delay if delay > 0.0 => format!("{} after a line is crossed", seconds(delay)),
        _ => "as soon as a line is crossed".to_owned(),
    }
}

fn description(record: &PhaseRecord) -> String {
    // With a switching delay, motion crosses the line before it turns, and oscillates around it.
    let sliding = match (record.sliding.len(), record.delay_s > 0.0) {
        (0, _) => "there is no sliding motion along a switching line",
        (_, false) => "the motion slides along the broad parts of switching lines",
        (_, true) => "without delay, the motion would slide along the broad parts of switching lines",
    };
    format!(
        "The offset of the queue from its set point, and the excess of the rates over the available bandwidth. Arrows show the \
         direction of time; both are zero at the set point. The control law switches {}; {sliding}.",
        switching(record)
    )
}

fn cards(record: &PhaseRecord) -> Vec<Card> {
    let delay = match record.delay_s {
        delay if delay > 0.0 => card("Switching", seconds(delay), "after crossing a line"),
        _ => card("Switching", "at once", "when crossing a line"),
    };
    let lines: Vec<&str> = record.lines.iter().map(|line| line.name.as_str()).collect();
    let sliding = match record.sliding.len() {
        0 => card("Sliding", "nowhere", "no part of a line attracts motion from both sides"),
        count => card("Sliding", things(count as u64, "segment"), longest(record)),
    };
    vec![
        card("Trajectories", record.trajectories.len().to_string(), followed(record)),
        delay,
        card("Switching lines", record.lines.len().to_string(), lines.join(", ")),
        sliding,
    ]
}

/// The offsets between which the longest segment lies.
fn longest(record: &PhaseRecord) -> String {
    let span = |ends: &[(f64, f64); 2]| (ends[1].0 - ends[0].0).abs();
    let segments = record.sliding.iter().map(|segment| segment.ends);
    let longest = segments.max_by(|one, other| span(one).total_cmp(&span(other)));
    longest.map_or_else(String::new, |[from, to]| {
        let (low, high) = (from.0.min(to.0), from.0.max(to.0));
        format!("from {} to {}", Unit::Bytes.signed_text(low), Unit::Bytes.signed_text(high))
    })
}

/// Duration of the longest trajectory.
fn followed(record: &PhaseRecord) -> String {
    let longest = record.trajectories.iter().map(length).filter(|length| length.is_finite()).reduce(f64::max);
    longest.map_or_else(String::new, |longest| format!("over {}", seconds(longest)))
}

fn plane(record: &PhaseRecord) -> Section {
    let mut figures = vec![portrait::whole(record)];
    figures.extend(portrait::around_the_set_point(record));
    Section::new("plane", "Phase plane").with(Block::Figures(figures))
}

fn over_time(record: &PhaseRecord) -> Section {
    let offset = portrait::over_time(record, ("offset", "Queue offset", Unit::Bytes), |of| &of.offset_bytes);
    let excess =
        portrait::over_time(record, ("excess", "Rate excess", Unit::BitsPerSecond), |of| &of.excess_bps);
    Section::new("time", "Over time").with(Block::Figures(vec![offset, excess]))
}

fn ends(record: &PhaseRecord) -> Table {
    let mut table = Table::new([
        Column::words("Trajectory"),
        Column::figures("Start: offset"),
        Column::figures("Start: excess"),
        Column::figures("Duration"),
        Column::words("End"),
    ]);
    for (index, trajectory) in record.trajectories.iter().enumerate().take(MOST_ROWS) {
        let first = |values: &[f64]| values.first().copied().unwrap_or(f64::NAN);
        let cells = [
            (index + 1).to_string(),
            Unit::Bytes.signed_text(first(&trajectory.offset_bytes)),
            Unit::BitsPerSecond.signed_text(first(&trajectory.excess_bps)),
            seconds(length(trajectory)),
            trajectory.end.clone(),
        ];
        table.row(cells.map(Cell::words));
    }
    table
}

fn length(trajectory: &Trajectory) -> f64 {
    match &trajectory.time_s[..] {
        [first, .., last] => last - first,
        _ => f64::NAN,
    }
}
