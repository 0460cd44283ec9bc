//! Figure 20: a moving bottleneck, with background traffic on half of the link.

use super::choices::{AMPLITUDE, LOOP_DELAY, R_A, SAMPLING};
use super::comparison::{Place, SAME, SMALLER, UNCHANGED, amplitude, compared, deviation};
use super::parking_lot::{self, first, qcns, second};
use super::{FINE, QUEUE, REDUCED_QCN, TARGET};
use crate::prelude::*;

const SMCC: &str = scenario!("smcc": "parking-lot-1", "with-smcc");
const QCN: &str = scenario!("smcc": "parking-lot-1", "with-qcn");

/// The runs of figures 5 and 18 that the paper compares with this one, and their phases from 4 to 6 s.
const FIGURE_5: &str = scenario!("smcc": "fig05", "with-qcn");
const FIGURE_18: &str = scenario!("smcc": "background", "with-smcc");
const IN_FIGURE_5: [Place; 1] =
    [Place { case: "qcn-fig05", queue: QUEUE, window: change(1).plus(0.5).until(stops("background")) }];
const IN_FIGURE_18: [Place; 1] =
    [Place { case: "smcc-fig18", queue: QUEUE, window: starts("background").plus(2.0).until(END) }];

const AT_C1: Window = START.plus(0.5).until(starts("background-c2"));
const AT_C2: Window = starts("background-c2").plus(0.5).until(END);

pub(super) fn experiment() -> Experiment {
    parking_lot::experiment("smcc/fig20", "A moving bottleneck: traffic pattern I")
        .setup(
            "Two controlled flows start at the line rate of 1 Gb/s and cross two links. Until 2 s a background flow of \
            500 Mb/s crosses the first link; from 2 to 4 s another flow of 500 Mb/s crosses the second. QCN uses \
            cycles of 30 kB, and SMCC uses R_a = 256 and R_b = 64. The runs of figures 5 and 18 with background \
            traffic of 500 Mb/s are repeated for comparison.",
        )
        .paper_says(
            "With both QCN and SMCC, the queue at the bottleneck is almost the same before and after the change. The \
            amplitude of the oscillations is smaller with SMCC. The queues are the same as from 4 to 6 s in figures 5a \
            and 18.",
        )
        .choices([&SAMPLING, &R_A, &LOOP_DELAY, &AMPLITUDE])
        .assumptions([REDUCED_QCN, FINE])
        .cases(qcns(QCN))
        .cases([
            Case::new("smcc", "SMCC", SMCC),
            Case::new("qcn-fig05", "the paper’s QCN as in figure 5", FIGURE_5),
            Case::new("smcc-fig18", "SMCC as in figure 18, G = 500 Mb/s", FIGURE_18),
        ])
        .panels(|runs| {
            let cases =
                [("qcn", "(a) The paper’s QCN"), ("smcc", "(b) SMCC"), ("complete", "For comparison: complete QCN")];
            parking_lot::queue_panels(runs, &cases, &[(starts("background-c2"), "background moves to C2")])
        })
        .claims(claims())
}

const FIGURE: Origin = at("section 5.4.1, figure 20");

/// The reason why the deviations before and after the change differ.
const SEEDS: &str = "the standard deviation within a phase varies by more than a quarter between seeds";

fn claims() -> [Claim; 7] {
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
        same(
            "qcn-as-on-one-link",
            "QCN’s oscillations are the same as from 4 to 6 s in figure 5a.",
            both("qcn"),
            IN_FIGURE_5,
        ),
        same(
            "smcc-as-on-one-link",
            "SMCC’s oscillations are the same as from 4 to 6 s in figure 18.",
            both("smcc"),
            IN_FIGURE_18,
        ),
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
    compared((FIGURE, name), statement, (UNCHANGED, deviation), places).read_as(SAME).cause(SEEDS)
}

/// A claim that the oscillations, averaged over both phases, are the same as on one link.
fn same(name: &str, statement: &str, here: Vec<Place>, there: [Place; 1]) -> Claim {
    const FIGURES: Origin = at("section 5.4.1, figures 20, 5a and 18");
    compared((FIGURES, name), statement, (UNCHANGED, deviation), (here, there))
        .read_as(format!("The standard deviations here are averaged over both phases. {SAME}"))
}
