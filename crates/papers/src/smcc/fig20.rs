//! Figure 20: a bottleneck that moves, with half of the link taken by background traffic.

use setpoint_report::document::Block;
use setpoint_report::quantity::Unit;

use super::compared::{AMPLITUDES, Place, SMALLER, SWINGS, UNCHANGED, averages, compared};
use super::measure::{amplitude, level, swing};
use super::parking_lot::{self, ASSOCIATION, TOPOLOGY, first, second};
use super::{Phase, TARGET, scenario, taken};
use crate::case::Case;
use crate::claim::Claim;
use crate::experiment::{Experiment, Keep, Repeats};
use crate::rule::Rule;
use crate::runs::Runs;

const SMCC: &str = scenario!("parking-lot-1", "with-smcc");
const QCN: &str = scenario!("parking-lot-1", "with-qcn");

const AT_C1: Phase = (0.5, 2.0);
const AT_C2: Phase = (2.5, 4.0);

pub(super) fn experiment() -> Experiment {
    Experiment {
        id: "smcc/fig20",
        title: "A bottleneck that moves: traffic pattern I",
        setup: "Two controlled flows start at the line rate of 1 Gb/s and cross two links. A background flow of 500 Mb/s is \
                on the first link until 2 s; then another of 500 Mb/s is on the second until 4 s. QCN has cycles of 30 kB, \
                SMCC R_a 256 and R_b 64.",
        paper_says: "The queue at the bottleneck is almost the same before and after the change, with QCN and with SMCC, and \
                     the amplitude of the swings is smaller with SMCC.",
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
    let change = |case| (second(case, AT_C2), first(case, AT_C1));
    let both = |case| vec![first(case, AT_C1), second(case, AT_C2)];
    vec![
        follows(
            "qcn-follows",
            "QCN’s queue comes to its set point at the new bottleneck.",
            second("qcn", AT_C2),
        ),
        follows(
            "smcc-follows",
            "SMCC’s queue comes to its set point at the new bottleneck.",
            second("smcc", AT_C2),
        ),
        compared(
            "qcn-unchanged",
            "QCN’s swings are almost the same after the change.",
            (UNCHANGED, swing),
            change("qcn"),
        )
        .read_as(SWINGS)
        .cause(
            "the mean is what the paper says, but the swing of 1.5 s varies between seeds by more \
             than a quarter. If only frames that are enqueued are sampled, QCN with its cycles of \
             30 kB does not leave the full queue of the start in half of the seeds: few of the \
             frames offered are enqueued then, and a source has recovered before it is told again",
        ),
        compared(
            "smcc-unchanged",
            "SMCC’s swings are almost the same after the change.",
            (UNCHANGED, swing),
            change("smcc"),
        )
        .read_as(SWINGS)
        .cause(
            "the mean is what the paper says, but the swing is 2 kB, two frames, and varies by \
             more than a quarter from seed to seed",
        ),
        averages(
            "smcc-swings-less",
            "SMCC’s queue swings less than QCN’s.",
            (SMALLER, swing),
            (both("smcc"), both("qcn")),
        )
        .read_as("Ratio of the swings, averaged over both phases; smaller is by a tenth at least."),
        averages(
            "smcc-smaller-amplitude",
            "Their amplitude is smaller, too.",
            (SMALLER, amplitude),
            (both("smcc"), both("qcn")),
        )
        .read_as(AMPLITUDES),
    ]
}

fn follows(name: &'static str, statement: &'static str, place: Place) -> Claim {
    Claim::measured(name, statement, (Unit::Bytes, Rule::about(TARGET, 0.25)), move |seed| {
        place.measure(seed, level)
    })
    .read_as("Mean of the queue at C2 from 2.5 to 4 s, within a quarter of the set point.")
}

fn shown(runs: &Runs) -> Vec<Block> {
    let panels =
        [("qcn", "(a) QCN of the paper"), ("smcc", "(b) SMCC"), ("complete", "Beside it: complete QCN")];
    vec![parking_lot::shown(runs, &panels, &[(2.0, "background moves to C2")])]
}
