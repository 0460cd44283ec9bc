//! Figure 21: a bottleneck that moves and becomes narrower.

use setpoint_report::document::Block;

use super::compared::{LARGER, SMALLER, SWINGS, UNCHANGED, averages, compared};
use super::measure::swing;
use super::parking_lot::{self, ASSOCIATION, PATTERN_II, TOPOLOGY, first, second};
use super::{Phase, scenario, taken};
use crate::case::Case;
use crate::claim::Claim;
use crate::experiment::{Experiment, Keep, Repeats};
use crate::rule::Rule;
use crate::runs::Runs;

const SMCC: &str = scenario!("parking-lot-2", "with-smcc");
const QCN: &str = scenario!("parking-lot-2", "with-qcn");

/// Without background, and with 500 and 750 Mb/s of it.
const ALONE: Phase = (0.5, 1.0);
const AT_500: Phase = (1.5, 3.0);
const AT_750: Phase = (3.5, 5.0);

pub(super) fn experiment() -> Experiment {
    Experiment {
        id: "smcc/fig21",
        title: "A bottleneck that moves: traffic pattern II",
        setup: "Two controlled flows start at the line rate of 1 Gb/s and cross two links. From 1 to 3 s a background flow of \
                500 Mb/s is on the first link, from 3 to 5 s one of 750 Mb/s on the second. QCN has cycles of 30 kB, SMCC \
                R_a 256 and R_b 64.",
        paper_says: "QCN’s swings grow with the background flow. SMCC’s are almost the same with 500 Mb/s and much larger with \
                     750 Mb/s, where what is left of the link is less than R_a. All in all SMCC’s queue is more stable.",
        assumptions: taken::list(&[
            TOPOLOGY,
            ASSOCIATION,
            taken::GAINS,
            taken::REDUCED_QCN,
            taken::SAMPLING,
            taken::NETWORK,
            taken::SWINGS,
        ]),
        cases: parking_lot::qcns(QCN).into_iter().chain([Case::new("smcc", "SMCC", SMCC)]).collect(),
        quick: 0.25,
        repeats: Repeats::Seeds(10),
        keep: Keep::Series,
        panels: Box::new(shown),
        claims: claims(),
    }
}

fn claims() -> Vec<Claim> {
    let to_500 = |case| (first(case, AT_500), first(case, ALONE));
    let to_750 = |case| (second(case, AT_750), first(case, AT_500));
    let all = |case| vec![first(case, ALONE), first(case, AT_500), second(case, AT_750)];
    vec![
        compared(
            "qcn-grows-at-500",
            "QCN’s swings grow with 500 Mb/s of background.",
            (LARGER, swing),
            to_500("qcn"),
        )
        .read_as(SWINGS),
        compared(
            "qcn-grows-at-750",
            "QCN’s swings grow further with 750 Mb/s.",
            (LARGER, swing),
            to_750("qcn"),
        )
        .read_as(SWINGS),
        compared(
            "smcc-unchanged-at-500",
            "SMCC’s swings are almost the same with 500 Mb/s.",
            (UNCHANGED, swing),
            to_500("smcc"),
        )
        .read_as(SWINGS)
        .cause(
            "before, our queue swings by less than a frame (0.8 kB), where hardware has noise of \
             its own; with 500 Mb/s by 2.6 kB. The ratio is large because the queue was so still; \
             beside the 20 kB with 750 Mb/s it is hardly any change",
        ),
        compared(
            "smcc-grows-at-750",
            "SMCC’s swings are much larger with 750 Mb/s.",
            (Rule::AtLeast(1.5), swing),
            to_750("smcc"),
        )
        .read_as("Ratio of the swings; much larger is by a half at least."),
        averages(
            "smcc-steadier",
            "All in all SMCC’s queue is more stable than QCN’s.",
            (SMALLER, swing),
            (all("smcc"), all("qcn")),
        )
        .read_as("Ratio of the swings, averaged over the three phases; smaller is by a tenth at least."),
    ]
}

fn shown(runs: &Runs) -> Vec<Block> {
    let panels =
        [("qcn", "(a) QCN of the paper"), ("smcc", "(b) SMCC"), ("complete", "Beside it: complete QCN")];
    vec![parking_lot::shown(runs, &panels, &PATTERN_II)]
}
