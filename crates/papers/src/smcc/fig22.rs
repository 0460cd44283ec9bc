//! Figure 22: traffic pattern II with two stages.

use setpoint_report::document::Block;

use super::compared::{AMPLITUDES, SMALLER, SWINGS, compared};
use super::measure::{amplitude, swing};
use super::parking_lot::{self, ASSOCIATION, PATTERN_II, TOPOLOGY, second};
use super::{Phase, scenario, taken};
use crate::case::Case;
use crate::claim::Claim;
use crate::experiment::{Experiment, Keep, Repeats};
use crate::runs::Runs;

const SCENARIO: &str = scenario!("parking-lot-2", "with-smcc");

const AT_750: Phase = (3.5, 5.0);

pub(super) fn experiment() -> Experiment {
    Experiment {
        id: "smcc/fig22",
        title: "Traffic pattern II with two stages",
        setup: "The same as figure 21, with SMCC in two stages: R_a is 256 Mb/s where the queue has changed by more than 8 kB \
                since the last sample, and 128 Mb/s elsewhere; R_b is 32. Beside it, one stage as in figure 21: R_a 256, \
                R_b 64.",
        paper_says: "With two stages the amplitude of the swings is smaller, even with 750 Mb/s of background.",
        assumptions: taken::list(&[
            TOPOLOGY,
            ASSOCIATION,
            taken::GAINS,
            taken::SAMPLING,
            taken::NETWORK,
            taken::SWINGS,
        ]),
        cases: vec![
            Case::new("two", "SMCC, two stages", SCENARIO)
                .set("control.smcc.rp.two_stage=on")
                .set("control.smcc.rp.state_b=32 Mb/s"),
            Case::new("one", "SMCC, one stage", SCENARIO),
        ],
        quick: 0.25,
        repeats: Repeats::Seeds(10),
        keep: Keep::Series,
        panels: Box::new(shown),
        claims: claims(),
    }
}

fn claims() -> Vec<Claim> {
    let both = (second("two", AT_750), second("one", AT_750));
    vec![
        compared(
            "smaller-swings",
            "With 750 Mb/s the swings are smaller than with one stage.",
            (SMALLER, swing),
            both,
        )
        .read_as(SWINGS),
        compared("smaller-amplitude", "Their amplitude is smaller, too.", (SMALLER, amplitude), both)
            .read_as(AMPLITUDES),
    ]
}

fn shown(runs: &Runs) -> Vec<Block> {
    let panels = [
        ("two", "Two stages: R_large 256, R_small 128, R_b 32"),
        ("one", "For comparison, one stage: R_a 256, R_b 64"),
    ];
    vec![parking_lot::shown(runs, &panels, &PATTERN_II)]
}
