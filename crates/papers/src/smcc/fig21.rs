//! Figures 21 and 22: a bottleneck that moves and narrows, with one-stage and two-stage SMCC.

use super::choices::{AMPLITUDE, CHANGE, LOOP_DELAY, R_A, SAMPLING};
use super::comparison::{
    AMPLITUDES, LARGER, OSCILLATES, SMALLER, WITHIN_LIMIT, amplitude, compared, deviation, limit,
};
use super::parking_lot::{self, first, qcns, second};
use super::{FINE, REDUCED_QCN};
use crate::prelude::*;
use crate::timeline::Moment;

const SMCC: &str = scenario!("smcc": "parking-lot-2", "with-smcc");
const QCN: &str = scenario!("smcc": "parking-lot-2", "with-qcn");

/// Without background traffic, and with 500 and 750 Mb/s of it.
const ALONE: Window = START.plus(0.5).until(starts("background-c1"));
const AT_500: Window = starts("background-c1").plus(0.5).until(starts("background-c2"));
const AT_750: Window = starts("background-c2").plus(0.5).until(END);

const EVENTS: [(Moment, &str); 2] =
    [(starts("background-c1"), "500 Mb/s at C1"), (starts("background-c2"), "750 Mb/s at C2")];

/// Figure 21.
pub(super) fn experiment() -> Experiment {
    parking_lot::experiment("smcc/fig21", "A moving bottleneck: traffic pattern II")
        .setup(
            "Two controlled flows start at the line rate of 1 Gb/s and cross two links. From 1 to 3 s a background \
            flow of 500 Mb/s crosses the first link, and from 3 to 5 s one of 750 Mb/s crosses the second. QCN uses \
            cycles of 30 kB, and SMCC uses R_a = 256 and R_b = 64.",
        )
        .paper_says(
            "QCN’s oscillations grow with the background flow. SMCC’s oscillations are almost unchanged with 500 Mb/s \
            and much larger with 750 Mb/s, where the remaining bandwidth is less than R_a. Overall SMCC’s queue is \
            more stable.",
        )
        .choices([&SAMPLING, &R_A, &LOOP_DELAY, &AMPLITUDE, &CHANGE])
        .assumptions([REDUCED_QCN, FINE])
        .cases(qcns(QCN))
        .cases([Case::new("smcc", "SMCC", SMCC)])
        .panels(|runs| {
            let cases =
                [("qcn", "(a) The paper’s QCN"), ("smcc", "(b) SMCC"), ("complete", "For comparison: complete QCN")];
            parking_lot::queue_panels(runs, &cases, &EVENTS)
        })
        .claims(claims())
}

const FIGURE: Origin = at("section 5.4.2, figure 21");

fn claims() -> [Claim; 5] {
    let claim =
        |name, statement, rule, places| compared((FIGURE, name), statement, (rule, amplitude), places);
    let to_500 = |case| (first(case, AT_500), first(case, ALONE));
    let to_750 = |case| (second(case, AT_750), first(case, AT_500));
    let every = |case| [first(case, ALONE), first(case, AT_500), second(case, AT_750)].concat();
    [
        claim(
            "qcn-grows-at-500",
            "QCN’s oscillations grow with 500 Mb/s of background traffic.",
            LARGER,
            to_500("qcn"),
        )
        .read_as(AMPLITUDES),
        claim("qcn-grows-at-750", "QCN’s oscillations grow further at 750 Mb/s.", LARGER, to_750("qcn"))
            .read_as(AMPLITUDES),
        unchanged_at_500(),
        claim(
            "smcc-grows-at-750",
            "SMCC’s oscillations are much larger at 750 Mb/s.",
            Rule::AtLeast(1.5),
            to_750("smcc"),
        )
        .read_as("Ratio of the amplitudes; “much larger” means by at least half."),
        compared(
            (FIGURE, "smcc-steadier"),
            "Overall SMCC’s queue is more stable than QCN’s.",
            (SMALLER, deviation),
            (every("smcc"), every("qcn")),
        )
        .read_as(
            "Ratio of the standard deviations, averaged over the three phases; “more stable” means by at least a \
            tenth.",
        ),
    ]
}

/// Almost unchanged: the deviation changes by at most a sixteenth of the set point, or a quarter of its
/// earlier value.
fn unchanged_at_500() -> Claim {
    Claim::new(FIGURE, "smcc-unchanged-at-500", "SMCC’s oscillations are almost the same at 500 Mb/s.")
        .measure(Unit::Ratio, WITHIN_LIMIT, |seed| {
            let [before, after] = [ALONE, AT_500].map(|window| deviation(seed, first("smcc", window)[0]));
            let (before, after) = (before?, after?);
            Some((after - before) / limit(seed, before))
        })
        .read_as(
            "Difference between the standard deviations with and without background traffic, divided by its limit, a \
            sixteenth of the set point. In the other reading, the limit is a quarter of the deviation without \
            background traffic.",
        )
        .cause(
            "without background traffic our queue varies by less than a frame, so any ratio to that is large",
        )
}

/// Figure 22.
pub(super) fn two_stages() -> Experiment {
    parking_lot::experiment("smcc/fig22", "Two-stage SMCC with traffic pattern II")
        .setup(
            "As in figure 21, but SMCC has two stages: R_a is 256 Mb/s if the queue has changed by more than 8 kB \
            since the last sample, and 128 Mb/s otherwise; R_b is 32. For comparison, SMCC is also run with one stage, \
            as in figure 21: R_a = 256, R_b = 64.",
        )
        .choices([&SAMPLING, &R_A, &LOOP_DELAY, &AMPLITUDE])
        .paper_says(
            "With two stages the amplitude of the oscillations is smaller, even with 750 Mb/s of background traffic.",
        )
        .cases([
            Case::new("two", "SMCC, two stages", SMCC)
                .set_all(["control.smcc.rp.two_stage=on", "control.smcc.rp.state_b=32 Mb/s"]),
            Case::new("one", "SMCC, one stage", SMCC),
        ])
        .panels(|runs| {
            let cases = [
                ("two", "Two stages: R_large 256, R_small 128, R_b 32"),
                ("one", "For comparison, one stage: R_a 256, R_b 64"),
            ];
            parking_lot::queue_panels(runs, &cases, &EVENTS)
        })
        .claims([compared(
            (at("section 5.4.2, figure 22"), "smaller-amplitude"),
            "With 750 Mb/s of background traffic, the amplitude of the oscillations is smaller with two stages than \
            with one.",
            (SMALLER, amplitude),
            (second("two", AT_750), second("one", AT_750)),
        )
        .given("with one stage the queue oscillates", OSCILLATES, |seed| {
            deviation(seed, second("one", AT_750)[0])
        })
        .read_as(AMPLITUDES)])
}
