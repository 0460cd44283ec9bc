//! The page of a loop's stability.

use std::f64::consts::TAU;

use setpoint_lab::theory::{LoopRecord, StabilityRecord};

use super::words::{seconds, share_of, things};
use super::{card, map};
use crate::document::{Block, Card, Cell, Column, Document, Mark, Section, Table};
use setpoint_plot::{Response, bode, nyquist};
use setpoint_units::quantity::Unit;

/// Margins of a loop, and a map of them.
#[must_use]
pub fn stability(record: &StabilityRecord) -> Document {
    let here = &record.here;
    let mut page = Document::new(format!("Margins of {}", record.name));
    page.description = description(here);
    page.facts = vec![
        here.model.clone(),
        things(u64::from(here.sources), "source"),
        format!("Setpoint {}", setpoint_lab::run::VERSION),
    ];
    page.facts.retain(|fact| !fact.is_empty());
    page.cards = cards(here);
    page.sections.extend(record.map.as_ref().map(map::section));
    page.sections.extend(record.map.as_ref().and_then(map::packets));
    page.sections.push(response(here));
    page.sections.push(figures(here));
    page.sections.push(meaning());
    page
}

/// Whether the loop dies away at its own delay.
fn is_stable(here: &LoopRecord) -> bool {
    here.unstable_roots == 0
}

fn description(here: &LoopRecord) -> String {
    let margin = here.margin_s.filter(|margin| margin.is_finite());
    let Some(margin) = margin else {
        return match is_stable(here) {
            true => "The linear loop is stable; a margin is not known.".into(),
            false => {
                "The linear loop is unstable without any delay: the queue will swing whatever the distances."
                    .into()
            }
        };
    };
    let (longest, delay) = (seconds(margin), seconds(here.delay_s));
    let part = share_of(here.delay_s / margin, "that");
    let verdict = if is_stable(here) { "stable here" } else { "unstable here: the queue will swing" };
    format!("Stable up to a loop delay of {longest}; here {delay}: {part}. So the loop is {verdict}.")
}

fn cards(here: &LoopRecord) -> Vec<Card> {
    let verdict = match is_stable(here) {
        true => card("This loop is", "stable", "every disturbance dies away"),
        false => {
            card("This loop is", "unstable", format!("{} grow", things(here.unstable_roots as u64, "mode")))
        }
    };
    let bound = here.bound_s.map(|bound| format!("sufficient: {}", seconds(bound)));
    let margin = match here.margin_s {
        Some(margin) => card(
            "Delay margin",
            seconds(margin),
            bound.unwrap_or_else(|| "the longest delay that is stable".into()),
        ),
        None => card("Delay margin", "none", "unstable at every delay"),
    };
    let part = here.margin_s.map(|margin| share_of(here.delay_s / margin, "the margin")).unwrap_or_default();
    vec![verdict, margin, card("Loop delay", seconds(here.delay_s), part), mode(here)]
}

/// The mode that dies away most slowly, or grows fastest.
fn mode(here: &LoopRecord) -> Card {
    let swings = here.mode_rad_per_s.is_finite() && here.mode_rad_per_s > 0.0;
    let value = if swings { seconds(TAU / here.mode_rad_per_s) } else { "no swing".to_owned() };
    let note = match here.growth_per_s {
        growth if growth < 0.0 => format!("falls to 1/e in {}", seconds(-1.0 / growth)),
        growth if growth > 0.0 => format!("grows e-fold in {}", seconds(1.0 / growth)),
        _ => String::new(),
    };
    card("Period of the slowest mode", value, note)
}

fn response(here: &LoopRecord) -> Section {
    let responses = [Response { name: "open loop", points: &here.response }];
    let [gain, phase] = bode("loop", &responses);
    let mut locus = nyquist("loop", &responses);
    locus.note =
        "The loop is stable if the locus keeps −1 on its left as frequency rises, and so does not go around it.".into();
    let verdict = if is_stable(here) { "stable" } else { "unstable" };
    let words = format!(
        "The open loop with its delay of {}: where its gain is one, its phase must be above −180°. This one is {verdict}.",
        seconds(here.delay_s)
    );
    Section::new("response", "The open loop")
        .with(Block::Prose(words))
        .with(Block::Figures(vec![gain, phase, locus]))
}

/// All figures of the loop, with what they are.
fn figures(here: &LoopRecord) -> Section {
    let mut table =
        Table::new([Column::words("Figure"), Column::figures("Value"), Column::words("What it is")]);
    let mut row = |name: &str, value: Option<String>, meaning: &str| {
        let cells = [name.to_owned(), value.unwrap_or_else(|| "none".to_owned()), meaning.to_owned()];
        table.row(cells.map(Cell::words));
    };
    let frequency = |value: f64| Unit::RadiansPerSecond.text(value);
    row("Loop delay", Some(seconds(here.delay_s)), "From the queue to a source and back, without waiting.");
    row(
        "Delay margin",
        here.margin_s.map(seconds),
        "The longest delay at which the loop is stable, found exactly.",
    );
    if here.bound_s.is_some() {
        row(
            "Sufficient bound",
            here.bound_s.map(seconds),
            "Below it the loop is stable; above it may be so too.",
        );
    }
    if here.bound_without_averaging_s.is_some() {
        let bound = here.bound_without_averaging_s.map(seconds);
        row("Bound without averaging", bound, "The same without what the Averaging Principle adds.");
    }
    row(
        "Crossover",
        here.crossover_rad_per_s.map(frequency),
        "Where the gain of the open loop is one, for the margin.",
    );
    row("Growth", Some(growth(here.growth_per_s)), "Of the slowest mode; negative where it dies away.");
    row("Frequency of that mode", Some(frequency(here.mode_rad_per_s)), "Its angular frequency.");
    let mark = if is_stable(here) { Mark::Good } else { Mark::Bad };
    let verdict = if is_stable(here) { "none" } else { "some" };
    table.row([
        Cell::words("Modes that grow"),
        Cell::mark(mark, if is_stable(here) { verdict.to_owned() } else { here.unstable_roots.to_string() }),
        Cell::words("Characteristic roots with a positive real part, at the loop's delay."),
    ]);
    Section::new("figures", "Figures of the loop").with(Block::Table(table))
}

fn growth(value: f64) -> String {
    Unit::PerSecond.text(value)
}

fn meaning() -> Section {
    let points = [
        "A margin is that of a linear loop: of small swings around equal shares at the set point. Quantised feedback, the \
         timer, jitter and hyperactive increase are outside it.",
        "A loop that is unstable does not break: its swings grow until the queue is empty or the buffer full, or until \
         rates can fall no further. How large they are is for the fluid model or for packets to say.",
        "A stable loop still moves: noise of single frames keeps a lightly damped one in motion.",
    ];
    Section::new("meaning", "What a margin does and does not tell you")
        .with(Block::Points(points.map(str::to_owned).to_vec()))
}
