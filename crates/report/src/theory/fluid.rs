//! The page of a fluid solution.

use setpoint_lab::theory::{FluidRecord, Overlay};

use super::wording::{against, seconds, things};
use super::{Compared, Course, agreement, card, differences, left_out, overlay, rates};
use crate::document::{Block, Card, Document, Section};
use crate::figures::port_text;
use setpoint_plot::{Axis, Direction, Figure, Reference, Room};
use setpoint_units::quantity::Unit;

/// Number of periods in the detailed figure, which is drawn if the full one has too many periods to distinguish.
const PERIODS: f64 = 8.0;
/// Number of periods above which the detailed figure is drawn.
const MANY_PERIODS: f64 = 40.0;
/// Minimum number of samples per period needed to show its shape.
const FEWEST_SAMPLES: f64 = 8.0;

/// A peak above this multiple of the measured values would make the axis too long.
const MUCH: f64 = 2.0;

/// The page of a fluid solution.
pub fn fluid(record: &FluidRecord) -> Document {
    let mut page = Document::new(format!("Fluid solution of {}", record.name));
    page.description = description(record);
    page.facts = facts(record);
    page.cards = cards(record);
    page.sections.push(queue(record));
    page.sections.extend(rates::section(record));
    page.sections.extend(record.packets.as_ref().map(|packets| compared(record, packets)));
    page.sections.extend(left_out(&record.leaves_out));
    page
}

/// Describes the queue in a sentence or two.
fn description(record: &FluidRecord) -> String {
    let (mean, aim) = (record.queue_mean_bytes, record.set_point_bytes);
    let set_point = format!("its {} of {}", record.set_point_name, Unit::Bytes.text(aim));
    let place = match against(mean, aim, &set_point) {
        place if place.is_empty() => String::new(),
        place => format!(", {place}"),
    };
    let mean = Unit::Bytes.text(mean);
    let what = match record.period_s {
        Some(period) => format!(
            "The queue oscillates with a period of {} around a mean of {mean}{place}.",
            seconds(period)
        ),
        None => format!("The queue does not oscillate: its mean is {mean}{place}."),
    };
    let packets = match &record.packets {
        Some(packets) => format!(" {}", agreement::sentence(record, packets)),
        None => String::new(),
    };
    what + &packets
}

fn facts(record: &FluidRecord) -> Vec<String> {
    let sources: u64 = record.classes.iter().map(|class| u64::from(class.sources)).sum();
    let mut facts = vec![record.model.clone(), port_text(&record.queue)];
    facts.push(things(sources, "source"));
    facts.push(format!("loop delay {}", seconds(record.delay_s)));
    if record.measured_from_s > 0.0 {
        facts.push(format!("measured from {}", seconds(record.measured_from_s)));
    }
    facts.push(format!("Setpoint {}", setpoint_record::VERSION));
    facts.retain(|fact| !fact.is_empty());
    facts
}

fn cards(record: &FluidRecord) -> Vec<Card> {
    let bytes = |value: f64| Unit::Bytes.text(value);
    let packets = record.packets.as_ref();
    let beside = |text: Option<String>| text.map(|text| format!("packets: {text}")).unwrap_or_default();
    let mut cards = vec![
        card("Mean queue", bytes(record.queue_mean_bytes), {
            let packets = packets.map(|packets| bytes(packets.queue_mean_bytes));
            packets.map_or_else(
                || format!("{} {}", record.set_point_name, bytes(record.set_point_bytes)),
                |text| beside(Some(text)),
            )
        }),
        card(
            "Deviation",
            bytes(visible(record.queue_deviation_bytes, record.queue_mean_bytes)),
            beside(packets.map(|packets| bytes(packets.queue_deviation_bytes))),
        ),
        card("Period", period(record.period_s), beside(packets.map(|packets| period(packets.period_s)))),
    ];
    if let Some(class) = record.classes.first() {
        let of = packets.and_then(|packets| packets.classes.first());
        let note = of.map(|class| Unit::BitsPerSecond.text(class.rate_mean_bps));
        let label =
            if record.classes.len() > 1 { format!("Mean rate, {}", class.name) } else { "Mean rate".into() };
        cards.push(card(&label, Unit::BitsPerSecond.text(class.rate_mean_bps), beside(note)));
    }
    cards
}

/// A deviation, or zero if it is only rounding error of the mean.
fn visible(deviation: f64, mean: f64) -> f64 {
    if deviation.abs() < 1e-6 * mean.abs() { 0.0 } else { deviation }
}

fn period(period: Option<f64>) -> String {
    period.map_or_else(|| "none".to_owned(), seconds)
}

fn queue(record: &FluidRecord) -> Section {
    let course = Course {
        time_s: &record.time_s,
        fluid: &record.queue_bytes,
        packets: record.packets.as_ref().map(|packets| &packets.queue_bytes[..]),
    };
    let mut figure = overlay("queue", "Queue length", ("Queue", Unit::Bytes), course);
    scale(&mut figure, record, course);
    mark(&mut figure, record);
    let close = closer(&figure, record);
    let figures: Vec<Figure> = [figure].into_iter().chain(close).collect();
    let section = Section::new("queue", "Queue").with(Block::Figures(figures));
    let ends = record.buffer_bytes;
    section.with(Block::Note(format!("The buffer holds {}.", Unit::Bytes.text(ends))))
}

/// The axis covers the set point and the measured values; an earlier peak beyond it is labelled with its value.
fn scale(figure: &mut Figure, record: &FluidRecord, course: Course<'_>) {
    let all = [course.fluid, course.packets.unwrap_or_default()].into_iter().flat_map(|values| {
        course.time_s.iter().copied().zip(values.iter().copied()).filter(|(_, queue)| queue.is_finite())
    });
    let all: Vec<(f64, f64)> = all.collect();
    let measured = all.iter().filter(|(time, _)| *time >= record.measured_from_s).map(|(_, queue)| *queue);
    let aim = if record.set_point_bytes.is_finite() { record.set_point_bytes } else { 0.0 };
    let needed = measured.fold(1.4 * aim, f64::max);
    let peak = all.iter().copied().reduce(|peak, next| if next.1 > peak.1 { next } else { peak });
    let beyond = peak.filter(|(_, queue)| *queue > MUCH * needed && needed > 0.0);
    let top = if beyond.is_some() { 1.1 * needed } else { figure.y.range.1.max(aim) };
    figure.y = Axis::from_zero("Queue", Unit::Bytes, top);
    figure.beyond = beyond;
}

/// Marks the set point, the buffer limit if it is near, and the unmeasured part.
fn mark(figure: &mut Figure, record: &FluidRecord) {
    let across = |at: f64, label: &str| Reference {
        label: format!("{label} {}", Unit::Bytes.text(at)),
        at,
        direction: Direction::Across,
    };
    if record.set_point_bytes > 0.0 && record.set_point_bytes.is_finite() {
        figure.references.push(across(record.set_point_bytes, &record.set_point_name));
    }
    if record.buffer_bytes > 0.0 && record.buffer_bytes <= figure.y.range.1 {
        figure.references.push(across(record.buffer_bytes, "buffer"));
    }
    figure.unmeasured = Some(record.measured_from_s).filter(|from| *from > 0.0);
    let mean = Unit::Bytes.text(record.queue_mean_bytes);
    let beside = if record.packets.is_some() { ", with a packet run in the background" } else { "" };
    figure.alternative = format!("Queue length over time in the fluid model{beside}. Its mean is {mean}.");
}

/// The last periods in detail, if the full figure has too many and the samples show their shape.
fn closer(whole: &Figure, record: &FluidRecord) -> Option<Figure> {
    let period =
        record.period_s.or_else(|| record.packets.as_ref()?.period_s).filter(|period| *period > 0.0)?;
    let (start, end) = whole.x.range;
    let interval = record.time_s.windows(2).map(|pair| pair[1] - pair[0]).find(|step| *step > 0.0)?;
    if (end - start) / period < MANY_PERIODS || period / interval < FEWEST_SAMPLES {
        return None;
    }
    let mut figure = whole.clone();
    (figure.name, figure.title) = ("queue-close".into(), "The last periods".into());
    figure.x = Axis::linear("Time", Unit::Seconds, (end - PERIODS * period, end));
    (figure.unmeasured, figure.room) = (None, Room::Full);
    let from = seconds(end - PERIODS * period);
    figure.alternative = format!("The same from {from}: about eight periods of {}.", seconds(period));
    Some(figure)
}

fn compared(record: &FluidRecord, packets: &Overlay) -> Section {
    let row = |what: &str, unit: Unit, fluid: Option<f64>, packets: Option<f64>| Compared {
        what: what.to_owned(),
        unit,
        fluid,
        packets,
    };
    let mut rows = vec![
        row("Mean queue", Unit::Bytes, Some(record.queue_mean_bytes), Some(packets.queue_mean_bytes)),
        row(
            "Standard deviation of the queue",
            Unit::Bytes,
            Some(visible(record.queue_deviation_bytes, record.queue_mean_bytes)),
            Some(packets.queue_deviation_bytes),
        ),
        row("Period", Unit::Seconds, record.period_s, packets.period_s),
    ];
    for (class, of) in record.classes.iter().zip(&packets.classes) {
        let name = format!("Mean rate of {}", class.name);
        rows.push(row(&name, Unit::BitsPerSecond, Some(class.rate_mean_bps), Some(of.rate_mean_bps)));
    }
    Section::new("compared", "Fluid and packets").with(Block::Table(differences(&rows))).with(Block::Note(
        "Differences are fluid model minus packet simulation; percentages are relative to the packet simulation.".into(),
    ))
}
