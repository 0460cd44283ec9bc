//! Figure 11: the phase margins of patched TIMELY.

use setpoint_fluid::linear::Linearisation;

use super::choices::LINEARISATION;
use super::margins::{Part, System, TOLERANCE, linearisation, panels, timely};
use super::model::Line;
use crate::prelude::*;

const GROUPS: [Part; 1] = [("margins", "Phase margin of patched TIMELY", |_| true)];

pub(super) fn experiment() -> Experiment {
    Experiment::new("conext16/fig11", "Phase margins of patched TIMELY")
        .setup("The phase margin of the linearised loop at 10 Gb/s for 2 to 50 flows and path delays of 0, 50 and \
            100 us.")
        .paper_says(
            "Patched TIMELY is stable until the number of flows exceeds 40. Beyond, the margin falls rapidly, since more \
            flows lead to a longer queue and so to a longer feedback delay.",
        )
        .assumptions(["The statement is judged for a path without delay, for which the margin is largest."])
        .choices([&LINEARISATION])
        .repeats(Repeats::Once)
        .panels(|runs| {
            let mut blocks = panels(timely(), &GROUPS);
            if runs.reads(&LINEARISATION, LINEARISATION.leading().name) {
                blocks.push(runs.finding(FINDING));
            }
            blocks
        })
        .claims(claims())
}

const FINDING: &str = "The program reproduces all published margins to 0.1°, but in it the gradient acts with a quarter \
    of the gain of the printed equations, as if w(g) were g/2 + 1/2 instead of 2g + 1/2. The solved equations behave \
    as the exact loop predicts. Contrary to the text, the published margin without delay is also negative for two \
    flows; with 100 us it is negative for two and four.";

/// The margin without path delay.
fn margin(flows: u32, how: Linearisation) -> Option<f64> {
    System::Timely.margin(flows, 0.0, how, Line::Text)
}

/// The share of even numbers of flows in a range for which the sign of the margin is as given.
fn share(halves: std::ops::RangeInclusive<u32>, positive: bool, how: Linearisation) -> Option<f64> {
    let signs: Vec<bool> =
        all(halves.map(|half| margin(2 * half, how)))?.iter().map(|one| *one > 0.0).collect();
    Some(signs.iter().filter(|sign| **sign == positive).count() as f64 / signs.len() as f64)
}

fn claims() -> [Claim; 4] {
    [
        Claim::new(at("section 4.4, figure 11"), "stable-until-40", "Patched TIMELY is stable with up to 40 flows.")
            .measure(Unit::Share, Rule::AtLeast(1.0), |seed| share(1..=20, true, linearisation(seed)))
            .fails_for("42 to 50 flows", || share(21..=25, true, Linearisation::PublishedCode))
            .read_as("Share of the numbers of flows 2, 4, …, 40 with a positive margin; all of them.")
            .cause(
                "by the printed equations the margin is negative from 20 flows onwards. The published margins come from \
                a program with a quarter of the gradient’s gain, and are negative for 2 and 40 flows, too",
            ),
        Claim::new(at("section 4.4, figure 11"), "unstable-beyond-40", "Patched TIMELY is unstable with more than \
            40 flows.")
            .measure(Unit::Share, Rule::AtLeast(1.0), |seed| share(21..=25, false, linearisation(seed)))
            .fails_for("10 to 16 flows", || share(5..=8, false, Linearisation::Exact))
            .read_as("Share of the numbers of flows 42, 44, …, 50 with a negative margin; all of them."),
        Claim::new(OURS, "published-margins-follow", "The published margins follow from the printed equations.")
            .measure(Unit::Share, Rule::AtLeast(1.0), |seed| agreement(linearisation(seed), 0))
            .fails_for("margins of two more flows", || agreement(Linearisation::PublishedCode, 2))
            .read_as("Share of the 75 published margins from which the recomputed one differs by at most 0.5°; all.")
            .cause("the program uses a quarter of the gradient’s gain; with its coefficients all margins agree to \
                0.1°"),
        Claim::new(
            OURS,
            "published-margins-positive",
            "The published margins without path delay are positive up to 40 flows.",
        )
        .measure(Unit::Share, Rule::AtLeast(1.0), |_| positive(40))
        .fails_for("up to 50 flows", || positive(50))
        .read_as("Share of the margins for up to 40 flows in pm_timely_delay0_fixed.txt that are positive; all of \
            them.")
        .cause("the margins for 2 and 40 flows are −1.95° and −1.31°"),
    ]
}

/// The share of published margins that agree with those for more flows.
fn agreement(how: Linearisation, more: u32) -> Option<f64> {
    let margins = timely().iter().flat_map(|file| file.margins.iter().map(move |one| (file.micros, one)));
    let close: Vec<bool> = margins
        .map(|(micros, one)| {
            let margin = System::Timely.margin(one.flows + more, micros, how, Line::Text);
            margin.is_some_and(|margin| (margin - one.published).abs() <= TOLERANCE)
        })
        .collect();
    Some(close.iter().filter(|close| **close).count() as f64 / close.len() as f64)
}

/// The share of published margins without delay that are positive.
fn positive(most: u32) -> Option<f64> {
    let file = timely().first()?;
    let margins: Vec<f64> =
        file.margins.iter().filter(|one| one.flows <= most).map(|one| one.published).collect();
    Some(margins.iter().filter(|margin| **margin > 0.0).count() as f64 / margins.len() as f64)
}
