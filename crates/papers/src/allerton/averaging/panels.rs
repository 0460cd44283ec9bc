//! The panels: deviation against lag, queues over time, and stability boundaries compared with margins.

use setpoint_fluid::ModelOptions;
use setpoint_fluid::model::Start;

use super::super::theory::Theory;
use super::super::{PORT, STEADY, fluid_panel};
use super::UNSTABLE;
use super::scheme::{
    ADDITIVE_AVERAGING, ADDITIVE_PLAIN, AVERAGING, EQUIVALENT, LAGS, PLAIN, SCHEMES, Scheme, TEN_AVERAGING,
    TEN_PLAIN,
};
use crate::panel::Swept;
use crate::prelude::*;

/// The lag in the figures over time, between the margins with and without averaging.
const SHOWN_LAG: u32 = 200;

pub(super) fn panels(runs: &Runs) -> Vec<Block> {
    let first = runs.first();
    let over_lags = [
        over_lag(runs, ("swing", "One source"), &[PLAIN, AVERAGING, EQUIVALENT]),
        over_lag(
            runs,
            ("swing-additive", "One source, additive decrease"),
            &[ADDITIVE_PLAIN, ADDITIVE_AVERAGING],
        ),
        over_lag(runs, ("swing-ten", "Ten sources"), &[TEN_PLAIN, TEN_AVERAGING]),
    ];
    let queues = [(PLAIN, "plain"), (AVERAGING, "averaging")]
        .map(|(scheme, name)| beside_fluid(&first, &scheme, name));
    let note = |text: &str| Block::Note(text.to_owned());
    let mut blocks = vec![
        Block::Figures(over_lags.into()),
        note(
            "Standard deviation of the queue as a function of the lag. Curves are means over seeds; whiskers extend \
            one standard deviation to either side. Dashed vertical lines mark the exact margins of the linearised \
            model, in the colours of the schemes.",
        ),
    ];
    blocks.extend(panel::of_seed(first, queues));
    blocks.extend([
        Block::Table(borders(runs)),
        note("The stability boundary is the lag at which the queue deviation in the packet simulation exceeds a third \
            of the set point. Margins, and the periods at the margins, come from the model linearised on the steeper \
            side of its feedback."),
        runs.finding(TEN_SOURCES),
    ]);
    blocks
}

const TEN_SOURCES: &str = "With ten sources the model and the packet simulation disagree. In the model all sources \
    receive feedback at the same time, at intervals equal to the sampling interval of a single source, and averaging \
    reduces the margin (table). In the packet simulation the sources are sampled at different times, and averaging \
    raises the stability boundary by about the same factor as with one source.";

/// The queue deviation as a function of the lag.
fn over_lag(runs: &Runs, (name, title): (&str, &str), schemes: &[Scheme]) -> Figure {
    let places = LAGS.map(|lag| (f64::from(lag) * 1e-6, lag));
    let curve = |(index, scheme): (usize, &Scheme)| {
        Swept::measured(runs, scheme.label, index, places, |seed, lag| scheme.deviation(seed, lag))
    };
    let curves: Vec<Swept> = schemes.iter().enumerate().map(curve).collect();
    let top = curves.iter().flat_map(Swept::extremes).fold(UNSTABLE, f64::max);
    let mut x = Axis::linear("Lag", Unit::Seconds, (0.0, places[LAGS.len() - 1].0 * 1.02));
    x.marked = vec![100e-6, 200e-6, 400e-6, 600e-6, 800e-6];
    let mut figure = Figure::new(name, title, x, Axis::from_zero("Deviation", Unit::Bytes, top));
    figure.marks = curves.iter().flat_map(Swept::marks).collect();
    figure.references = vec![across(UNSTABLE, "stability threshold")];
    // The third scheme has the same margin as the second.
    for (index, scheme) in schemes.iter().take(2).enumerate() {
        let upright = scheme.margin().map(|margin| vec![(margin, 0.0), (margin, figure.y.range.1)]);
        figure.marks.push(line("", Colour::Series(index), Shape::Dashed, upright.unwrap_or_default()));
    }
    figure.alternative = "Standard deviation of the queue as a function of the lag.".to_owned();
    figure.room = Room::Half;
    figure
}

/// The queue at [`SHOWN_LAG`] in the packet simulation and in the fluid model, over the first 20 ms of the
/// steady part.
fn beside_fluid(seed: &Seed<'_>, scheme: &Scheme, name: &str) -> Figure {
    let run = scheme.run(seed, SHOWN_LAG);
    let course = Theory::of(&scheme.case(SHOWN_LAG))
        .zip(run.interval())
        .and_then(|(theory, interval)| theory.course(Start::LineRates, &ModelOptions::default(), interval));
    let title = format!("{}, {SHOWN_LAG} us", scheme.label);
    let window = MEASURED.until(MEASURED.plus(0.02));
    fluid_panel(run, (&format!("queue-{name}"), &title), &[("fluid model", course)], window)
}

fn borders(runs: &Runs) -> Table {
    let headings = [
        "Stability boundary in packet simulation",
        "Margin of the model",
        "Period at the margin",
        "Deviation at 100 µs",
        "at 200 µs",
        "at 400 µs",
        "in the fluid model at 400 µs",
        "Utilisation at 400 µs",
    ];
    let mut table = table::with_headings("Scheme", headings);
    for scheme in &SCHEMES {
        let margin = scheme.theory().and_then(|theory| theory.margin(&ModelOptions::default()));
        let period = margin.map(|margin| std::f64::consts::TAU / margin.crossover_rad_per_s);
        let deviation = |lag| table::cell(Unit::Bytes, &runs.values(|seed| scheme.deviation(seed, lag)));
        let utilisation = runs.values(|seed| scheme.run(seed, 400).utilisation(PORT, STEADY));
        table.row([
            Cell::words(scheme.label),
            table::cell(Unit::Seconds, &runs.values(|seed| scheme.border(seed))),
            table::value_cell(Unit::Seconds, margin.map(|margin| margin.delay_s)),
            table::value_cell(Unit::Seconds, period),
            deviation(100),
            deviation(200),
            deviation(400),
            table::value_cell(Unit::Bytes, fluid_deviation(scheme, 400)),
            table::cell(Unit::Share, &utilisation),
        ]);
    }
    table
}

/// The queue deviation in the fluid model at a lag.
fn fluid_deviation(scheme: &Scheme, lag: u32) -> Option<f64> {
    let theory = Theory::of(&scheme.case(lag))?;
    let course = theory.course(Start::LineRates, &ModelOptions::default(), 20e-6)?;
    let steady = course.queue_bytes.get(theory.steady_from(&course)..)?;
    Some(Moments::of(steady.iter().copied()).deviation())
}
