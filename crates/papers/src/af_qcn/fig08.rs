//! Figure 8: forty flows.

use super::choices::SIMULATED;
use super::{BOTH, QUEUE, both};
use crate::prelude::*;

const SCENARIO: &str = scenario!("af-qcn": "fig08");

/// The fair share of a flow.
const SHARE: f64 = 250e6;
/// The run without its first second, and without its first two seconds.
const FROM_1_S: Window = START.plus(1.0).until(END);
const FROM_2_S: Window = START.plus(2.0).until(END);

pub(super) fn experiment() -> Experiment {
    Experiment::new("af-qcn/fig08", "Forty flows share a link")
        .setup(
            "Forty backlogged flows start together and share 10 Gb/s for 6 s. The rate of each is measured every \
             10 ms and divided by the fair share of 250 Mb/s.",
        )
        .paper_says(
            "With AF-QCN almost 99 % of the flows are within 25 % of the fair share. With QCN more than 45 % are off \
            by more than 25 %, and around 10 % by more than 50 %.",
        )
        .assumptions([
            "All samples of the run count, including those at its start: the paper excludes none.",
            "A flow’s rate is its delivery rate.",
        ])
        .choices(SIMULATED)
        .cases(both(SCENARIO))
        .quick(0.2)
        .panels(panels)
        .claims(claims())
}

/// The whole run is judged, including the time in which rates converge, which must be a small part of it.
const WHOLE: Needs = Needs {
    part: "the run",
    window: WHOLE_RUN,
    least: 6.0,
    process: "a run in which convergence takes up little of the time",
};

fn claims() -> [Claim; 3] {
    let claim = |name, statement| Claim::new(at("section IV-B, figure 8"), name, statement);
    [
        claim(
            "af-qcn-within-a-quarter",
            "With AF-QCN about 99 % of the samples are within 25 % of the fair share.",
        )
        .measure(Unit::Share, Rule::AtLeast(0.98), |seed| near(seed.run("af-qcn"), WHOLE_RUN))
        .published(0.99)
        .read_as("We read “almost 99 %” as at least 98 %.")
        .cause(
            "the flows drop from the line rate to unequal rates and take more than a second to become nearly equal \
            (see the table). A larger set point makes them more equal, but it has the same effect on QCN’s flows, \
            whose rates should be unequal (see the other readings)",
        ),
        claim("qcn-off-by-a-quarter", "With QCN more than 45 % of the samples are off by more than 25 %.")
            .measure(Unit::Share, Rule::AtLeast(0.45), |seed| off(seed.run("qcn"), 0.25))
            .published(0.45)
            .cause("the share varies between seeds, and the paper shows a single run"),
        claim("qcn-off-by-a-half", "With QCN around 10 % of the samples are off by more than 50 %.")
            .measure(Unit::Share, Rule::within(0.1, 0.03), |seed| off(seed.run("qcn"), 0.5))
            .published(0.1)
            .read_as("We read “around 10 %” as 7 to 13 %."),
    ]
    .map(|claim| claim.needs(WHOLE))
}

/// The sampled rates of all flows, divided by the fair share.
fn normalised(run: &Run, window: Window) -> Vec<f64> {
    let samples = run.samples(window);
    let rates = run.series.flows.iter().flat_map(|flow| &flow.rate_bps[samples.clone()]);
    rates.map(|rate| rate / SHARE).collect()
}

/// The share of samples within a quarter of the fair share.
fn near(run: &Run, window: Window) -> Option<f64> {
    Some(1.0 - share_beyond(&normalised(run, window), 0.25)?)
}

/// The share of all samples that differ from the fair share by more than a given relative distance.
fn off(run: &Run, distance: f64) -> Option<f64> {
    share_beyond(&normalised(run, WHOLE_RUN), distance)
}

fn share_beyond(rates: &[f64], distance: f64) -> Option<f64> {
    let beyond = rates.iter().filter(|rate| (*rate - 1.0).abs() > distance).count();
    (!rates.is_empty()).then(|| beyond as f64 / rates.len() as f64)
}

fn panels(runs: &Runs) -> Vec<Block> {
    let curves = BOTH.map(|(case, label)| {
        let rates = runs.seeds().flat_map(|seed| normalised(seed.run(case), WHOLE_RUN)).collect();
        (label, Shape::Straight, rates)
    });
    let x = Axis::linear("Rate / fair share", Unit::Ratio, (0.0, 3.0));
    let names = ("rates-cdf", "Distribution of the flows’ rates");
    let mut figure = panel::distribution(names, x, "samples", curves);
    figure.references = vec![upright(0.75, "−25 %"), upright(1.25, "+25 %")];
    figure.note =
        "All flows, samples and seeds. Rates above three times the fair share are drawn at the right edge."
            .to_owned();
    let table = table::by_case(
        runs,
        &BOTH,
        &[
            ("Samples within 25 %", Unit::Share, |run| near(run, WHOLE_RUN)),
            ("after 1 s", Unit::Share, |run| near(run, FROM_1_S)),
            ("after 2 s", Unit::Share, |run| near(run, FROM_2_S)),
            ("Standard deviation of the queue after 2 s", Unit::Bytes, |run| {
                run.queue_std_dev(QUEUE, FROM_2_S)
            }),
        ],
    );
    vec![Block::Figures(vec![figure]), Block::Table(table)]
}
