//! Figure 19: SMCC with two stages against a large background flow.

use super::comparison::{AMPLITUDES, DEVIATIONS as READING, Place, SMALLER, compared};
use super::{DEVIATIONS, GAINS, NETWORK, QUEUE, SAMPLING, TARGET, queue_panels};
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
    Experiment::new("smcc/fig19", "SMCC with two stages and little bandwidth")
        .setup(
            "Two controlled flows start at the line rate of 1 Gb/s and share a link. From 1 s on a background flow \
            takes 875 Mb/s of it. With two stages, R_a is 256 Mb/s if the queue has changed by more than 8 kB since \
             the last sample, and 128 Mb/s otherwise; R_b is 64. With one stage, R_a is 256.",
        )
        .paper_says(
            "In the first second the queue hardly changes. After that, two stages reduce the amplitude of the \
            oscillations, since the smaller step is closer to the remaining bandwidth.",
        )
        .assumptions([
            "The paper does not give the length of the run; we assume three seconds.",
            "Section 5.3.3 compares the signed difference with the threshold, and section 4.4 compares its magnitude; \
            we use the magnitude.",
            GAINS,
            SAMPLING,
            NETWORK,
            DEVIATIONS,
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

fn claims() -> [Claim; 3] {
    let after = |case| [Place { case, queue: QUEUE, window: AFTER }];
    [
        Claim::new(OURS, "still-at-first", "In the first second the queue hardly changes.")
            .measure(Unit::Bytes, Rule::AtMost(TARGET / 8.0), |seed| {
                seed.run("two").queue_std_dev(QUEUE, BEFORE)
            })
            .read_as("Deviation with two stages from 0.5 to 1 s; at most an eighth of the set point."),
        compared(
            "smaller-swings",
            "After that, two stages make the oscillations smaller.",
            (SMALLER, Run::queue_std_dev),
            (after("two"), after("one")),
        )
        .read_as(READING),
        compared(
            "smaller-amplitude",
            "Their amplitude is smaller, too.",
            (SMALLER, Run::queue_range),
            (after("two"), after("one")),
        )
        .read_as(AMPLITUDES)
        .cause(
            "within 1.5 s the queue is empty at least once and nearly full at least once with both one and two stages, \
            so the range from the lowest to the highest sample is about the buffer size with both. The range \
            from the 5th to the 95th percentile does shrink, from 106 to 70 kB. If R_a is read as the change \
            for the whole buffer of 128 kB, the amplitudes are 128 and 73 kB",
        ),
    ]
}
