//! Figure 8: forty flows.

use super::{QUEUE, both, by_reading, other_readings};
use crate::prelude::*;

const SCENARIO: &str = scenario!("af-qcn": "fig08");

/// The fair share of a flow.
const SHARE: f64 = 250e6;
/// The last two thirds of the run.
const LATER: Window = START.plus(2.0).until(END);

pub(super) fn experiment() -> Experiment {
    Experiment::new("af-qcn/fig08", "Forty flows share a link")
        .setup(
            "Forty backlogged flows start together and share 10 Gb/s for 6 s. The rate of each is measured every 10 ms and \
             divided by the fair share of 250 Mb/s.",
        )
        .paper_says(
            "With AF-QCN almost 99 % of the rates are within a quarter of the fair share. With QCN more than 45 % are off by more than a \
             quarter, and around 10 % by more than half.",
        )
        .assumptions([
            "All samples of the run count, including its start: the paper excludes none.",
            "A flow’s rate is its delivery rate.",
        ])
        .cases(both(SCENARIO))
        .cases(other_readings(SCENARIO))
        .quick(0.2)
        .panels(panels)
        .claims(claims())
}

fn claims() -> [Claim; 3] {
    [
        Claim::new(OURS, "af-qcn-within-a-quarter",
            "With AF-QCN about 99 % of the samples are within 25 % of the fair share.",
        )
        .measure(Unit::Share, Rule::AtLeast(0.98), |seed| near(seed.run("af-qcn"), WHOLE_RUN))
        .read_as("We read “almost 99 %” as at least 98 %.")
        .cause(
            "the flows fall from the line rate to unequal rates and take seconds to become nearly equal. How fast and \
            how equal they become depends on details that the paper leaves open in equation (4). With its sum rounded \
            up and QCN’s part never negative, the figure is close to the paper’s (table below the figure), but then \
            figures 10 and 11 are not reproduced. Sampling dropped frames as well, or removing the threshold \
            for active flows, has a smaller effect.",
        ),
        Claim::new(OURS, "qcn-off-by-a-quarter", "With QCN more than 45 % of the samples are off by more than 25 %.")
            .measure(Unit::Share, Rule::AtLeast(0.45), |seed| off(seed.run("qcn"), 0.25))
            .cause(
                "our mean is two points lower, with a deviation of three points between seeds; the paper shows a single run, whose figure lies \
                 within our spread. Sampling dropped frames as well, or using a set point of 33 kB, does not \
                 change it.",
            ),
        Claim::new(OURS, "qcn-off-by-a-half", "With QCN around 10 % of the samples are off by more than 50 %.")
            .measure(Unit::Share, Rule::within(0.1, 0.03), |seed| off(seed.run("qcn"), 0.5))
            .read_as("We read “around 10 %” as 7 to 13 %."),
    ]
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

/// The share of all samples that are farther from the fair share than a relative distance.
fn off(run: &Run, distance: f64) -> Option<f64> {
    share_beyond(&normalised(run, WHOLE_RUN), distance)
}

fn share_beyond(rates: &[f64], distance: f64) -> Option<f64> {
    let beyond = rates.iter().filter(|rate| (*rate - 1.0).abs() > distance).count();
    (!rates.is_empty()).then(|| beyond as f64 / rates.len() as f64)
}

fn panels(runs: &Runs) -> Vec<Block> {
    let cases = [
        ("qcn", "QCN", Shape::Straight),
        ("af-qcn", "AF-QCN", Shape::Straight),
        ("zero-up", "AF-QCN, (4) never negative and rounded up", Shape::Dashed),
    ];
    let curves = cases.map(|(case, label, shape)| {
        (label, shape, runs.seeds().flat_map(|seed| normalised(seed.run(case), WHOLE_RUN)).collect())
    });
    let x = Axis::linear("Rate / fair share", Unit::Ratio, (0.0, 3.0));
    let names = ("rates-cdf", "Distribution of the flows’ rates");
    let mut figure = panel::distribution(names, x, "samples", curves);
    figure.references = vec![upright(0.75, "−25 %"), upright(1.25, "+25 %")];
    figure.note =
        "All flows, samples and seeds. Rates above three times the fair share are drawn at the right edge."
            .to_owned();
    let readings = by_reading(
        runs,
        &[
            ("Within a quarter", Unit::Share, |seed, case| near(seed.run(case), WHOLE_RUN)),
            ("From 2 s on", Unit::Share, |seed, case| near(seed.run(case), LATER)),
            ("Queue deviation", Unit::Bytes, |seed, case| seed.run(case).queue_std_dev(QUEUE, LATER)),
        ],
    );
    [Block::Figures(vec![figure])].into_iter().chain(readings).collect()
}
