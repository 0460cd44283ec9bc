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
            "Two controlled flows start at the line rate of 1 Gb/s and share a link, of which a background flow takes \
             875 Mb/s from 1 s on. With two stages, R_a is 256 Mb/s if the queue has changed by more than 8 kB since \
             the last sample, and 128 Mb/s otherwise; R_b is 64. Without, R_a is 256.",
        )
        .paper_says(
            "The queue hardly moves in the first second. After it, two stages reduce the amplitude of the oscillations: \
             the smaller step is nearer to the remaining bandwidth.",
        )
        .assumptions([
            "The paper does not give the length of the run; we assume three seconds.",
            "Section 5.3.3 compares the signed difference with the threshold, section 4.4 its magnitude; we use the magnitude.",
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
        Claim::new("still-at-first", "In the first second the queue hardly moves.")
            .measure(Unit::Bytes, Rule::AtMost(TARGET / 8.0), |seed| {
                seed.run("two").queue_std_dev(QUEUE, BEFORE)
            })
            .read_as("Deviation with two stages from 0.5 to 1 s, at most an eighth of the set point."),
        compared(
            "smaller-swings",
            "After it, two stages make the oscillations smaller.",
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
            "in 1.5 s both reach an empty and a nearly full queue at least once, so that the distance from the lowest to the highest sample \
             is about the buffer with either. The range from the 5th to the 95th percentile does shrink, from 106 to 70 kB. With R_a \
             read as the change for the whole buffer of 128 kB, amplitudes are 128 and 73 kB",
        ),
    ]
}
