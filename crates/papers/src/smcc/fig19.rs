//! Figure 19: two-stage SMCC with a large background flow.

use super::choices::{AMPLITUDE, LOOP_DELAY, R_A, SAMPLING};
use super::comparison::{AMPLITUDES as RATIO, OSCILLATES, Place, SMALLER, amplitude, compared, deviation};
use super::{AMPLITUDES, ARRIVING, DEVIATIONS, GAIN_B, NETWORK, QUEUE, TARGET, queue_panels};
use crate::prelude::*;

const BEFORE: Window = START.plus(0.5).until(starts("background"));
const AFTER: Window = starts("background").plus(0.5).until(END);

pub(super) fn experiment() -> Experiment {
    let case = |name, label| {
        Case::new(name, label, scenario!("smcc": "background", "with-smcc")).set_all([
            "duration=3 s",
            "flows.2.start=1 s",
            "flows.2.traffic.constant.rate=875 Mb/s",
        ])
    };
    Experiment::new("smcc/fig19", "Two-stage SMCC with little bandwidth")
        .setup(
            "Two controlled flows start at the line rate of 1 Gb/s and share a link. At 1 s a background flow joins \
            and takes 875 Mb/s of it. With two stages, R_a is 256 Mb/s if the queue has changed by more than 8 kB \
            since the last sample, and 128 Mb/s otherwise; R_b is 64. With one stage, R_a is 256.",
        )
        .paper_says(
            "In the first second the queue hardly changes. After that, two stages reduce the amplitude of the \
            oscillations, since the smaller step is closer to the remaining bandwidth.",
        )
        .choices([&SAMPLING, &R_A, &LOOP_DELAY, &AMPLITUDE])
        .assumptions([
            "The paper does not give the length of the run; we assume three seconds.",
            "Section 5.3.3 compares the signed difference with the threshold, and section 4.4 compares its magnitude; \
            we use the magnitude.",
            GAIN_B,
            ARRIVING,
            NETWORK,
            DEVIATIONS,
            AMPLITUDES,
        ])
        .cases([
            case("two", "SMCC, two stages").set("control.smcc.rp.two_stage=on"),
            case("one", "SMCC, one stage"),
        ])
        .panels(|runs| {
            let cases =
                [("two", "Two stages: R_large 256, R_small 128"), ("one", "For comparison, one stage: R_a 256")];
            vec![Block::Figures(queue_panels(runs, &cases))]
        })
        .claims(claims())
}

fn claims() -> [Claim; 2] {
    const FIGURE: Origin = at("section 5.3.3, figure 19");
    fn after(case: &'static str) -> [Place; 1] {
        [Place { case, queue: QUEUE, window: AFTER }]
    }
    [
        Claim::new(FIGURE, "still-at-first", "In the first second the queue hardly changes.")
            .measure(Unit::Bytes, Rule::Equivalent(f64::NEG_INFINITY, TARGET / 16.0), |seed| {
                seed.run("two").queue_std_dev(QUEUE, BEFORE)
            })
            .read_as(
                "Standard deviation with two stages in the steady part of the first second; at most a sixteenth of the \
                set point, as in smcc/fig18.",
            ),
        compared(
            (FIGURE, "smaller-amplitude"),
            "After the first second, two stages reduce the amplitude of the oscillations.",
            (SMALLER, amplitude),
            (after("two"), after("one")),
        )
        .given("with one stage the queue oscillates", OSCILLATES, |seed| deviation(seed, after("one")[0]))
        .read_as(RATIO)
        .cause(
            "R_small also exceeds the remaining bandwidth, so single steps fill or empty the queue with two stages as \
            well",
        ),
    ]
}
