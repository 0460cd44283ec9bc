//! Figure 20: a moving bottleneck, with background traffic on half of the link.

use super::choices::{AMPLITUDE, LOOP_DELAY, R_A, SAMPLING};
use super::comparison::{DEVIATIONS, Place, SMALLER, UNCHANGED, amplitude, compared, deviation};
use super::parking_lot::{self, first, qcns, second};
use super::{FINE, REDUCED_QCN, TARGET};
use crate::prelude::*;

const SMCC: &str = scenario!("smcc": "parking-lot-1", "with-smcc");
const QCN: &str = scenario!("smcc": "parking-lot-1", "with-qcn");

const AT_C1: Window = START.plus(0.5).until(starts("background-c2"));
const AT_C2: Window = starts("background-c2").plus(0.5).until(END);

pub(super) fn experiment() -> Experiment {
    parking_lot::experiment("smcc/fig20", "A moving bottleneck: traffic pattern I")
        .setup(
            "Two controlled flows start at the line rate of 1 Gb/s and cross two links. Until 2 s a background flow of \
            500 Mb/s crosses the first link; from 2 to 4 s another flow of 500 Mb/s crosses the second. QCN uses \
            cycles of 30 kB, and SMCC uses R_a = 256 and R_b = 64.",
        )
        .paper_says(
            "With both QCN and SMCC, the queue at the bottleneck is almost the same before and after the change. The \
            amplitude of the oscillations is smaller with SMCC.",
        )
        .choices([&SAMPLING, &R_A, &LOOP_DELAY, &AMPLITUDE])
        .assumptions([REDUCED_QCN, FINE])
        .cases(qcns(QCN))
        .cases([Case::new("smcc", "SMCC", SMCC)])
        .panels(|runs| {
            let cases =
                [("qcn", "(a) The paper’s QCN"), ("smcc", "(b) SMCC"), ("complete", "For comparison: complete QCN")];
            parking_lot::queue_panels(runs, &cases, &[(starts("background-c2"), "background moves to C2")])
        })
        .claims(claims())
}

const FIGURE: Origin = at("section 5.4.1, figure 20");

/// Why the deviations before and after the change differ.
const SEEDS: &str = "the standard deviation within a phase varies by more than a quarter between seeds";

fn claims() -> [Claim; 5] {
    let both = |case| [first(case, AT_C1), second(case, AT_C2)].concat();
    [
        follows(
            "qcn-follows",
            "QCN’s queue reaches its set point at the new bottleneck.",
            second("qcn", AT_C2),
        ),
        follows(
            "smcc-follows",
            "SMCC’s queue reaches its set point at the new bottleneck.",
            second("smcc", AT_C2),
        ),
        unchanged("qcn-unchanged", "QCN’s oscillations are almost the same after the change.", "qcn"),
        unchanged("smcc-unchanged", "SMCC’s oscillations are almost the same after the change.", "smcc"),
        compared(
            (FIGURE, "smcc-smaller-amplitude"),
            "The amplitude of the oscillations is smaller with SMCC than with QCN.",
            (SMALLER, amplitude),
            (both("smcc"), both("qcn")),
        )
        .read_as("Ratio of the amplitudes, averaged over both phases; “smaller” means by at least a tenth."),
    ]
}

fn follows(name: &str, statement: &str, [place]: [Place; 1]) -> Claim {
    Claim::new(FIGURE, name, statement)
        .measure(Unit::Bytes, Rule::about(TARGET, 0.25), move |seed| {
            seed.run(place.case).mean_queue(place.queue, place.window)
        })
        .read_as(
            "Mean queue at C2 in the steady part of the second phase, within a quarter of the set point.",
        )
}

fn unchanged(name: &str, statement: &str, case: &'static str) -> Claim {
    let places = (second(case, AT_C2), first(case, AT_C1));
    compared((FIGURE, name), statement, (UNCHANGED, deviation), places).read_as(DEVIATIONS).cause(SEEDS)
}
