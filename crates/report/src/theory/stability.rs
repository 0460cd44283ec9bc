//! The page on the stability of a loop.

use std::f64::consts::TAU;

use setpoint_lab::theory::{LoopRecord, StabilityRecord};

use super::wording::{seconds, share_of, things};
use super::{card, map};
use crate::document::{Block, Card, Cell, Column, Document, Mark, Section, Table};
use setpoint_plot::{Response, bode, nyquist};
use setpoint_units::quantity::Unit;

/// The page on the stability margins of a loop, with a map if there is one.
pub fn stability(record: &StabilityRecord) -> Document {
    let here = &record.here;
    let mut page = Document::new(format!("Stability of {}", record.name));
    page.description = description(here);
    page.facts = vec![
        here.model.clone(),
        things(u64::from(here.sources), "source"),
        format!("Setpoint {}", setpoint_record::VERSION),
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

/// Whether the loop is stable at its actual delay.
fn is_stable(here: &LoopRecord) -> bool {
    here.unstable_roots == 0
}

fn description(here: &LoopRecord) -> String {
    let margin = here.margin_s.filter(|margin| margin.is_finite());
    let Some(margin) = margin else {
        return match is_stable(here) {
            true => "The linear loop is stable; its margin is unknown.".into(),
            false => {
                "The linear loop is unstable even without delay: the queue oscillates whatever the loop delay."
                    .into()
            }
        };
    };
    let (longest, delay) = (seconds(margin), seconds(here.delay_s));
    let part = share_of(here.delay_s / margin, "that");
    let verdict = if is_stable(here) { "stable" } else { "unstable, and the queue oscillates" };
    format!(
        "The loop is stable up to a loop delay of {longest}. Its loop delay is {delay}, {part}: it is {verdict}."
    )
}

fn cards(here: &LoopRecord) -> Vec<Card> {
    let verdict = match is_stable(here) {
        true => card("This loop is", "stable", "every disturbance decays"),
        false => {
            card("This loop is", "unstable", format!("{} grow", things(here.unstable_roots as u64, "mode")))
        }
    };
    let bound = here.bound_s.map(|bound| format!("sufficient: {}", seconds(bound)));
    let margin = match here.margin_s {
        Some(margin) => {
            card("Delay margin", seconds(margin), bound.unwrap_or_else(|| "the longest stable delay".into()))
        }
        None => card("Delay margin", "none", "unstable at any delay"),
    };
    let part = here.margin_s.map(|margin| share_of(here.delay_s / margin, "the margin")).unwrap_or_default();
    vec![verdict, margin, card("Loop delay", seconds(here.delay_s), part), mode(here)]
}

/// The slowest mode: the one that decays most slowly or grows fastest.
fn mode(here: &LoopRecord) -> Card {
    let swings = here.mode_rad_per_s.is_finite() && here.mode_rad_per_s > 0.0;
    let value = if swings { seconds(TAU / here.mode_rad_per_s) } else { "no oscillation".to_owned() };
    let note = match here.growth_per_s {
        growth if growth < 0.0 => format!("decays to 1/e in {}", seconds(-1.0 / growth)),
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
        "The loop is stable if the locus keeps −1 on its left as the frequency rises, and thus does not encircle it.".into();
    let verdict = if is_stable(here) { "stable" } else { "unstable" };
    let words = format!(
        "The open loop including the loop delay of {}. For stability, its phase must be above −180° at unity gain. This loop \
         is {verdict}.",
        seconds(here.delay_s)
    );
    Section::new("response", "Open loop")
        .with(Block::Prose(words))
        .with(Block::Figures(vec![gain, phase, locus]))
}

/// All figures for the loop, with their meaning.
fn figures(here: &LoopRecord) -> Section {
    let mut table = Table::new([Column::words("Figure"), Column::figures("Value"), Column::words("Meaning")]);
    let mut row = |name: &str, value: Option<String>, meaning: &str| {
        let cells = [name.to_owned(), value.unwrap_or_else(|| "none".to_owned()), meaning.to_owned()];
        table.row(cells.map(Cell::words));
    };
    let frequency = |value: f64| Unit::RadiansPerSecond.text(value);
    let delay = if here.delay_has_queueing {
        "From the queue to a source and back, with the queueing at the equilibrium."
    } else {
        "From the queue to a source and back, without queueing."
    };
    row("Loop delay", Some(seconds(here.delay_s)), delay);
    row(
        "Delay margin",
        here.margin_s.map(seconds),
        "The longest delay at which the loop is stable, computed exactly.",
    );
    if here.bound_s.is_some() {
        row(
            "Sufficient bound",
            here.bound_s.map(seconds),
            "Below this delay the loop is stable; above it, the loop may still be stable.",
        );
    }
    if here.bound_without_averaging_s.is_some() {
        let bound = here.bound_without_averaging_s.map(seconds);
        row("Bound without averaging", bound, "The same bound without the Averaging Principle.");
    }
    row(
        "Crossover",
        here.crossover_rad_per_s.map(frequency),
        "The frequency at which the gain of the open loop is one; it determines the margin.",
    );
    row("Growth", Some(growth(here.growth_per_s)), "Growth rate of the slowest mode; negative if it decays.");
    row("Frequency of the slowest mode", Some(frequency(here.mode_rad_per_s)), "Its angular frequency.");
    let mark = if is_stable(here) { Mark::Good } else { Mark::Bad };
    let verdict = if is_stable(here) { "none" } else { "some" };
    table.row([
        Cell::words("Growing modes"),
        Cell::mark(mark, if is_stable(here) { verdict.to_owned() } else { here.unstable_roots.to_string() }),
        Cell::words("Characteristic roots with a positive real part at the loop delay."),
    ]);
    Section::new("figures", "Figures for the loop").with(Block::Table(table))
}

fn growth(value: f64) -> String {
    Unit::PerSecond.text(value)
}

fn meaning() -> Section {
    let points = [
        "The margin applies to a linear loop, that is, to small deviations from equal rates at the set point. It ignores \
         quantised feedback, the timer, jitter and hyper-active increase.",
        "An unstable loop does not fail: its oscillation grows until the queue is empty, the buffer is full or the rates \
         reach their minimum. The fluid model or packets show how large it becomes.",
        "A stable loop still fluctuates: the randomness of individual frames excites a lightly damped loop.",
    ];
    Section::new("meaning", "Meaning and limits of the margin")
        .with(Block::Points(points.map(str::to_owned).to_vec()))
}
