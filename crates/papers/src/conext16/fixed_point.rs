//! Theorem 1: DCQCN's fixed point and its approximation.

use setpoint_fluid::fixed_point::dcqcn::{FixedPoint, fixed_point};

use super::choices::MARKING_IN_MODEL;
use super::model::{DEFAULT, Line};
use crate::prelude::*;

/// The numbers of flows for which the paper shows margins.
const FLOWS: std::ops::RangeInclusive<u32> = 2..=100;
/// The numbers of flows in figure 4.
const SHOWN: [u32; 3] = [2, 10, 64];
/// The queue at the end of the authors' trace of two flows (conext2016/figures/unstable.2.0.100.dat).
const TRACE: f64 = 20_501.0;

pub(super) fn experiment() -> Experiment {
    Experiment::new("conext16/fixed-point", "DCQCN’s fixed point and its approximation")
        .setup("The fixed point of the equations for 2 to 100 flows at 40 Gb/s, and the approximation by equation \
            (14).")
        .paper_says(
            "DCQCN has a unique fixed point (theorem 1), at which all flows have the same rate. The marking \
            probability p* is typically very close to zero, so it can be approximated by a formula from a series at p \
            = 0.",
        )
        .assumptions([
            "The equation for p* has exactly one root: the left side rises with p and the right side falls. It is a \
            fixed point only if the root does not exceed Pmax. Otherwise marking jumps to one at Kmax, and no queue \
            length gives the probability that is needed.",
        ])
        .choices([&MARKING_IN_MODEL])
        .repeats(Repeats::Once)
        .panels(panels)
        .claims(claims())
}

/// The fixed point; none if marking would have to exceed Pmax.
fn point(flows: u32, line: Line) -> Option<FixedPoint> {
    fixed_point(&DEFAULT.bottleneck(flows, 4.0), &DEFAULT.params(line)).ok()
}

fn claims() -> [Claim; 4] {
    let exists = |line| {
        let found = FLOWS.filter(|flows| point(*flows, line).is_some()).count();
        Some(found as f64 / FLOWS.count() as f64)
    };
    [
        Claim::new(at("section 3.3, theorem 1"), "unique", "DCQCN has a unique fixed point.")
            .measure(Unit::Share, Rule::AtLeast(1.0), move |seed| exists(Line::of(seed)))
            .fails_for("marking up to 200 kB and 1 %", move || exists(Line::Text))
            .read_as("Share of the numbers of flows from 2 to 100 with a fixed point; all of them.")
            .cause(
                "the proof assumes that some queue length gives every probability between zero and one, but equation \
                (3) jumps from Pmax to one at Kmax. With 200 kB and 1 %, more than 14 flows would need a probability \
                in the gap",
            ),
        Claim::new(at("section 3.3"), "probability-near-zero", "At the fixed point, p* is very close to zero.")
            .measure(Unit::Share, Rule::AtMost(0.01), |_| most(SHOWN.map(probability)))
            .fails_for("100 flows", || probability(100))
            .read_as("The largest p* for the 2, 10 and 64 flows of figure 4; “very close” means at most one per \
                cent.")
            .cause("p* grows with the number of flows and is several per cent with 64"),
        Claim::new(at("section 3.3, equation (14)"), "approximation", "Equation (14) approximates p*.")
            .measure(Unit::Share, Rule::AtMost(0.1), |_| most(SHOWN.map(error)))
            .fails_for("64 flows", || error(64))
            .read_as(
                "Relative difference from the exact root, largest value for 2, 10 and 64 flows; an approximation may \
                differ by a tenth.",
            )
            .cause(
                "the series needs p B ≪ 1. The byte counter has B = 10 000 frames, so p B is eight even with two \
                    flows",
            ),
        Claim::new(
            OURS,
            "queue-of-the-trace",
            "The queue of two flows in the authors’ own solution of the model is the one at the exact fixed point.",
        )
        .measure(Unit::Ratio, Rule::about(1.0, 0.005), |seed| Some(TRACE / point(2, Line::of(seed))?.queue_bytes))
        .fails_for("the approximation", || Some(TRACE / point(2, Line::Program)?.approximation.queue_bytes))
        .read_as(
            "The queue at the end of their file unstable.2.0.100.dat, 20.501 kB, divided by the queue at the fixed point; \
            within half a per cent, since they solve the equations with a relative tolerance of one per cent.",
        )
        .cause(
            "the figure in the file is that of marking up to 2000 kB and 10 %, which the program sets. With 200 kB and \
            1 % the queue is 1.7 % shorter",
        ),
    ]
}

/// The exact root, whatever Pmax is.
fn probability(flows: u32) -> Option<f64> {
    Some(point(flows, Line::Program)?.probability)
}

/// The relative error of the approximation.
fn error(flows: u32) -> Option<f64> {
    let point = point(flows, Line::Program)?;
    Some((point.approximation.probability / point.probability - 1.0).abs())
}

fn panels(runs: &Runs) -> Vec<Block> {
    let line = Line::of(&runs.first());
    let headings =
        ["p*, exact", "p*, equation (14)", "Queue, exact", "Queue from equation (14)", "α", "Rate of a flow"];
    let mut table = table::with_headings("Flows", headings);
    for flows in [2, 4, 10, 14, 15, 20, 40, 64, 80] {
        let cell = |unit, of: &dyn Fn(&FixedPoint) -> f64| {
            table::value_cell(unit, point(flows, line).map(|point| of(&point)))
        };
        table.row([
            Cell::words(flows.to_string()),
            cell(Unit::Share, &|point| point.probability),
            cell(Unit::Share, &|point| point.approximation.probability),
            cell(Unit::Bytes, &|point| point.queue_bytes),
            cell(Unit::Bytes, &|point| point.approximation.queue_bytes),
            cell(Unit::Share, &|point| point.alpha),
            cell(Unit::BitsPerSecond, &|point| point.rate_bps),
        ]);
    }
    let note = "A dash means that there is no fixed point, since marking would have to exceed Pmax. The queue from \
        equation (14) is on the line of marking, even beyond Kmax.";
    vec![Block::Table(table), Block::Note(note.to_owned())]
}
