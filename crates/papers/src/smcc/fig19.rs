//! Figure 19: SMCC with two stages against a large background flow.

use setpoint_report::document::Block;
use setpoint_report::quantity::Unit;

use super::compared::{AMPLITUDES, Place, SMALLER, SWINGS, compared};
use super::measure::{amplitude, swing};
use super::{Phase, QUEUE, TARGET, panel, scenario, taken};
use crate::case::Case;
use crate::claim::Claim;
use crate::experiment::{Experiment, Keep, Repeats};
use crate::rule::Rule;
use crate::runs::Runs;

const SCENARIO: &str = scenario!("background", "with-smcc");

const BEFORE: Phase = (0.5, 1.0);
const AFTER: Phase = (1.5, 3.0);

pub(super) fn experiment() -> Experiment {
    let case = |name, label| {
        Case::new(name, label, SCENARIO)
            .set("duration=3 s")
            .set("flows.2.start=1 s")
            .set("flows.2.traffic.constant.rate=875 Mb/s")
    };
    Experiment {
        id: "smcc/fig19",
        title: "SMCC with two stages and little bandwidth",
        setup: "Two controlled flows start at the line rate of 1 Gb/s and share a link, of which a background flow takes \
                875 Mb/s from 1 s on. With two stages, R_a is 256 Mb/s where the queue has changed by more than 8 kB since \
                the last sample, and 128 Mb/s elsewhere; R_b is 64. Without, R_a is 256.",
        paper_says: "The queue hardly moves in the first second. After it, two stages make the amplitude of the swings \
                     smaller: the smaller step is nearer to what is left of the link.",
        assumptions: taken::list(&[
            "The paper does not say how long the run is; three seconds are taken.",
            "Section 5.3.3 compares the difference itself with the threshold, section 4.4 \
             its size; the latter is taken.",
            taken::GAINS,
            taken::SAMPLING,
            taken::NETWORK,
            taken::SWINGS,
        ]),
        cases: vec![
            case("two", "SMCC, two stages").set("control.smcc.rp.two_stage=on"),
            case("one", "SMCC, one stage"),
        ],
        quick: 0.25,
        repeats: Repeats::Seeds(10),
        keep: Keep::Series,
        panels: Box::new(shown),
        claims: claims(),
    }
}

fn claims() -> Vec<Claim> {
    let after = |case| Place { case, queue: QUEUE, phase: AFTER };
    vec![
        Claim::measured(
            "still-at-first",
            "In the first second the queue hardly moves.",
            (Unit::Bytes, Rule::AtMost(TARGET / 8.0)),
            |seed| swing(seed.run("two"), QUEUE, BEFORE),
        )
        .read_as("Swing with two stages from 0.5 to 1 s, at most an eighth of the set point."),
        compared(
            "smaller-swings",
            "After it, two stages make the swings smaller.",
            (SMALLER, swing),
            (after("two"), after("one")),
        )
        .read_as(SWINGS),
        compared(
            "smaller-amplitude",
            "Their amplitude is smaller, too.",
            (SMALLER, amplitude),
            (after("two"), after("one")),
        )
        .read_as(AMPLITUDES)
        .cause(
            "in 1.5 s both come to an empty and to a nearly full queue at least once, so that the \
             distance from the lowest to the highest sample is about the buffer with either. The \
             range from the 5th to the 95th percentile does shrink, from 106 to 70 kB. With R_a \
             read as the change for the whole buffer of 128 kB, amplitudes are 128 and 73 kB",
        ),
    ]
}

fn shown(runs: &Runs) -> Vec<Block> {
    let panels =
        [("two", "Two stages: R_large 256, R_small 128"), ("one", "For comparison, one stage: R_a 256")];
    vec![Block::Figures(panel::queues(runs, &panels))]
}
