//! Figure 16: the distribution of the queue, of SMCC and of QCN.

use setpoint_report::document::Block;
use setpoint_report::plot::Shape;
use setpoint_report::quantity::Unit;

use super::measure::near;
use super::{Phase, QUEUE, TARGET, both_qcns, panel, scenario, taken};
use crate::case::Case;
use crate::claim::Claim;
use crate::experiment::{Experiment, Keep, Repeats};
use crate::rule::Rule;
use crate::runs::{Runs, Seed};

const SMCC: &str = scenario!("three-sources", "with-smcc");
const QCN: &str = scenario!("three-sources", "with-qcn");

/// The start is part of the distributions.
const WHOLE: Phase = (0.0, 2.0);

/// "Around 64 KB" and "between 40 and 80 KB", as a value and a distance.
const AROUND: (f64, f64) = (TARGET, TARGET / 8.0);
const WIDE: (f64, f64) = (60e3, 20e3);

pub(super) fn experiment() -> Experiment {
    Experiment {
        id: "smcc/fig16",
        title: "Distribution of the queue, SMCC and QCN",
        setup: "Three controlled flows start at the line rate of 1 Gb/s and share a link for two seconds, ten times over, \
                with SMCC (R_a 256, R_b 64) and with QCN. All samples, from the first, make the distributions.",
        paper_says: "SMCC holds the queue mostly around its set point of 64 kB. QCN holds it between 40 and 80 kB only, \
                     and it is empty for up to 10 % of the time.",
        assumptions: taken::list(&[taken::GAINS, taken::REDUCED_QCN, taken::SAMPLING, taken::NETWORK]),
        cases: [Case::new("smcc", "SMCC", SMCC)].into_iter().chain(both_qcns(QCN)).collect(),
        quick: 0.25,
        repeats: Repeats::Seeds(10),
        keep: Keep::Series,
        panels: Box::new(shown),
        claims: claims(),
    }
}

fn claims() -> Vec<Claim> {
    let empty = |case: &'static str| {
        move |seed: &Seed<'_>| seed.run(case).queue_empty_between(QUEUE, WHOLE.0, WHOLE.1)
    };
    let within = |case: &'static str, range| move |seed: &Seed<'_>| near(seed.run(case), QUEUE, WHOLE, range);
    vec![
        Claim::measured(
            "smcc-at-the-set-point",
            "SMCC’s queue is mostly around its set point.",
            (Unit::Share, Rule::AtLeast(0.5)),
            within("smcc", AROUND),
        )
        .read_as(
            "Share of the samples within an eighth of the set point, 56 to 72 kB; mostly is half or more.",
        ),
        Claim::measured(
            "qcn-between-40-and-80",
            "QCN’s queue is between 40 and 80 kB.",
            (Unit::Share, Rule::AtLeast(0.5)),
            within("qcn", WIDE),
        )
        .read_as("Share of the samples; half or more."),
        Claim::measured(
            "qcn-less-close",
            "QCN’s queue is less often around its set point than SMCC’s.",
            (Unit::Ratio, Rule::AtMost(0.8)),
            |seed| {
                let [qcn, smcc] = ["qcn", "smcc"].map(|case| near(seed.run(case), QUEUE, WHOLE, AROUND));
                Some(qcn? / smcc?)
            },
        )
        .read_as("Ratio of the shares of samples from 56 to 72 kB; less is by a fifth at least.")
        .cause(
            "QCN’s queue is stiller here than in the paper: once settled it swings by less than 3 \
             kB. With each frame sampled with a probability of 1 % the ratio is 0.7; with qOld \
             taken at the last notification instead of the last sample, 0.3",
        ),
        Claim::measured(
            "qcn-empty",
            "QCN’s queue is empty for up to 10 % of the time.",
            (Unit::Share, Rule::within(0.1, 0.05)),
            empty("qcn"),
        )
        .read_as("Share of the samples that are zero, 10 % give or take five.")
        .cause(
            "QCN’s queue is empty after the first overshoot only, for some 25 ms. Tried: each \
             frame sampled with a probability of 1 %, 1.8 %; qOld taken at the last notification, \
             2 %; both, 9 %; a delay of 1 ms before a source obeys, 3 %, of 1.5 ms, 12 %. The \
             paper’s loop must have been slower or less regular than ours",
        ),
        Claim::measured(
            "smcc-not-empty",
            "SMCC’s queue is hardly ever empty.",
            (Unit::Share, Rule::AtMost(0.01)),
            empty("smcc"),
        )
        .read_as("Share of the samples that are zero; hardly ever is 1 % or less."),
    ]
}

fn shown(runs: &Runs) -> Vec<Block> {
    let curves = [
        ("smcc", "SMCC", Shape::Straight),
        ("qcn", "QCN of the paper", Shape::Straight),
        ("complete", "complete QCN", Shape::Dashed),
    ];
    let panels = [("smcc", "One of the runs: SMCC"), ("qcn", "One of the runs: QCN of the paper")];
    let mut figures = vec![panel::distribution(runs, &curves)];
    figures.extend(panel::queues(runs, &panels));
    vec![Block::Figures(figures)]
}
