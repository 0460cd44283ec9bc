//! Figure 16: the distribution of the queue with SMCC and with QCN.

use super::choices::{FEEDBACK, LOOP_DELAY, SAMPLING};
use super::comparison::LARGER;
use super::{
    ARRIVING, GAINS, NETWORK, QUEUE, REDUCED_QCN, TARGET, both_qcns, queue_distribution, queue_panels,
};
use crate::prelude::*;

const SMCC: &str = scenario!("smcc": "three-sources", "with-smcc");
const QCN: &str = scenario!("smcc": "three-sources", "with-qcn");

/// "Around 64 KB" and "between 40 and 80 KB", each as a centre and a distance from it.
const AROUND: (f64, f64) = (TARGET, TARGET / 8.0);
const WIDE: (f64, f64) = (60e3, 20e3);

pub(super) fn experiment() -> Experiment {
    Experiment::new("smcc/fig16", "Distribution of the queue with SMCC and QCN")
        .setup(
            "Three controlled flows start at the line rate of 1 Gb/s and share a link for two seconds, with SMCC \
            (R_a = 256, R_b = 64) and with QCN. Each run is repeated ten times. The distributions include all samples, \
            from the start of the run.",
        )
        .paper_says(
            "SMCC mostly holds the queue around its set point of 64 kB. QCN only holds it between 40 and 80 kB, and \
            the queue is empty for up to 10 % of the time. Section 4.5 adds that SMCC generates more feedback packets, \
            since it also uses feedback to raise rates.",
        )
        .choices([&FEEDBACK, &SAMPLING, &LOOP_DELAY])
        .assumptions([GAINS, REDUCED_QCN, ARRIVING, NETWORK])
        .cases([Case::new("smcc", "SMCC", SMCC)])
        .cases(both_qcns(QCN))
        .panels(panels)
        .claims(claims())
}

fn claims() -> [Claim; 6] {
    let empty = |case: &'static str| move |seed: &Seed<'_>| seed.run(case).queue_empty(QUEUE, WHOLE_RUN);
    [
        Claim::new(FIGURE, "smcc-at-the-set-point", "SMCC’s queue is mostly around its set point.")
            .measure(Unit::Share, Rule::AtLeast(0.5), |seed| near(seed, "smcc", AROUND))
            .read_as(
                "Share of samples within an eighth of the set point, 56 to 72 kB; “mostly” means at least half.",
            ),
        Claim::new(FIGURE, "qcn-between-40-and-80", "QCN’s queue is between 40 and 80 kB.")
            .measure(Unit::Share, Rule::AtLeast(0.5), |seed| near(seed, "qcn", WIDE))
            .read_as("Share of samples in this range; at least half."),
        Claim::new(FIGURE, "qcn-less-close", "QCN’s queue is less often around its set point than SMCC’s.")
            .measure(Unit::Ratio, Rule::AtMost(0.8), |seed| {
                Some(near(seed, "qcn", AROUND)? / near(seed, "smcc", AROUND)?)
            })
            .read_as(
                "Ratio of the shares of samples between 56 and 72 kB; “less often” means by at least a fifth.",
            )
            .cause("QCN’s queue is steadier here than in the paper"),
        Claim::new(FIGURE, "qcn-empty", "QCN’s queue is empty for up to 10 % of the time.")
            .measure(Unit::Share, Rule::within(0.1, 0.05), empty("qcn"))
            .published(0.1)
            .read_as("Share of samples that are zero, within five percentage points of 10 %.")
            .cause("QCN’s queue is empty only after the first overshoot (see the figure)"),
        Claim::new(at("section 4.5"), "more-feedback", "SMCC generates more feedback packets than QCN.")
            .measure(Unit::Ratio, LARGER, |seed| {
                Some(notifications(seed.run("smcc"))? / notifications(seed.run("qcn"))?)
            })
            .read_as(
                "Ratio of the numbers of notifications that the sources receive in the whole run; “more” means by at \
                least a tenth.",
            ),
        Claim::new(OURS, "smcc-not-empty", "SMCC’s queue is hardly ever empty.")
            .measure(Unit::Share, Rule::AtMost(0.01), empty("smcc"))
            .read_as("Share of samples that are zero; “hardly ever” means at most 1 %."),
    ]
}

const FIGURE: Origin = at("section 5.3.1, figure 16");

/// The number of notifications that all sources receive.
fn notifications(run: &Run) -> Option<f64> {
    Some(all(run.summary.flows.iter().map(|flow| run.notifications(&flow.name)))?.iter().sum())
}

/// The share of queue samples within a distance of a value.
fn near(seed: &Seed<'_>, case: &str, (value, distance): (f64, f64)) -> Option<f64> {
    seed.run(case).queue_share(QUEUE, WHOLE_RUN, |length| (length - value).abs() <= distance)
}

fn panels(runs: &Runs) -> Vec<Block> {
    let curves = [
        ("smcc", "SMCC", Shape::Straight),
        ("qcn", "the paper’s QCN", Shape::Straight),
        ("complete", "complete QCN", Shape::Dashed),
    ];
    let cases = [("smcc", "A single run: SMCC"), ("qcn", "A single run: the paper’s QCN")];
    let mut figures = vec![queue_distribution(runs, "Distribution of the queue length", &curves)];
    figures.extend(queue_panels(runs, &cases));
    vec![Block::Figures(figures)]
}
