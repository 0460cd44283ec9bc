//! Figure 5: QCN's queue as the bandwidth and the cycle of the byte counter change.

use setpoint_report::document::Block;
use setpoint_report::plot::{Axis, Colour, Figure, Room, Shape};
use setpoint_report::quantity::Unit;

use super::{PORT, QUEUE};
use crate::case::{Case, Timing};
use crate::claim::Claim;
use crate::curves::{self, line};
use crate::experiment::{Experiment, Kept, Repeats};
use crate::rule::Rule;
use crate::runs::{Runs, Seed};

const SCENARIO: &str = include_str!("../../scenarios/smcc/fig05.toml");

/// The phases of the experiment. The start of the first, in which the flows come down from line rate, is left out.
const ALONE: (f64, f64) = (0.5, 2.0);
const CROWDED: (f64, f64) = (2.0, 4.0);
const CROWDED_SHORT: (f64, f64) = (4.0, 6.0);
const ALONE_SHORT: (f64, f64) = (6.0, 8.0);
const WHOLE: (f64, f64) = (0.0, 8.0);

pub(super) fn experiment() -> Experiment {
    Experiment {
        id: "smcc/fig05",
        title: "QCN’s queue as bandwidth and cycle change",
        setup: "Two controlled flows start at the line rate of 1 Gb/s and share a link. From 2 to 6 s a background flow \
                takes 500 Mb/s of it. At 4 s the cycle of the byte counter goes from 150 kB to 30 kB. The queue is \
                sampled every millisecond, with a set point of 64 kB and a buffer of 128 kB.",
        paper_says: "The queue swings about its set point at first; the swings grow when the background flow comes, \
                     shrink when the cycle is shortened, and shrink greatly when the background flow goes. Over eight \
                     repetitions the queue is empty for more than 10 % of the time, and between 2 and 4 s the link is \
                     used to 96.8 %.",
        we_take: vec![
            "QCN is the paper’s reduced one: decrease, fast recovery and active increase, without timer, hyper-active \
             increase, extra fast recovery and target rate reduction. The complete QCN is shown beside it."
                .to_owned(),
            "One frame in a hundred is sampled, whatever the feedback, with the usual jitter of 15 %: an exact count would beat \
             with the constant rate of the background flow."
                .to_owned(),
            "The paper gives no round-trip time; 50 us is taken, that of the AF-QCN paper’s run on the same hardware. \
             KB is read as 1000 bytes."
                .to_owned(),
        ],
        cases: vec![
            Case::new("reduced", "QCN of the paper", SCENARIO),
            Case::new("complete", "complete QCN", SCENARIO)
                .set("control.qcn.rp.timer=on")
                .set("control.qcn.rp.hyper_phase=on")
                .set("control.qcn.rp.extra_fast_recovery=on")
                .set("control.qcn.rp.target_reduction=on"),
        ],
        timing: Timing {
            times: vec![("duration", 8.0), ("flows.2.start", 2.0), ("flows.2.stop", 6.0), ("at.1.time", 4.0)],
            quick: 0.25,
        },
        repeats: Repeats::Seeds(8),
        kept: Kept::Series,
        shown,
        claims: claims(),
    }
}

fn claims() -> Vec<Claim> {
    const READING: &str =
        "Swing is the standard deviation of the queue; more or less is by a tenth at least.";
    vec![
        Claim::new(
            "grows-with-background",
            "The swings grow when the background flow comes at 2 s.",
            (Unit::Ratio, Rule::AtLeast(1.1)),
            |seed| swing_ratio(seed, CROWDED, ALONE),
        )
        .read_as(READING),
        Claim::new(
            "shrinks-with-cycle",
            "The swings shrink when the cycle is shortened at 4 s.",
            (Unit::Ratio, Rule::AtMost(0.9)),
            |seed| swing_ratio(seed, CROWDED_SHORT, CROWDED),
        )
        .read_as(READING),
        Claim::new(
            "shrinks-without-background",
            "The swings shrink again when the background flow goes at 6 s.",
            (Unit::Ratio, Rule::AtMost(0.9)),
            |seed| swing_ratio(seed, ALONE_SHORT, CROWDED_SHORT),
        )
        .read_as(READING),
        Claim::new(
            "often-empty",
            "The queue is empty for more than 10 % of the time.",
            (Unit::Share, Rule::AtLeast(0.1)),
            |seed| seed.run("reduced").queue_empty(QUEUE, WHOLE.0, WHOLE.1),
        )
        .read_as("Share of the samples of the whole run that are zero."),
        Claim::new(
            "utilisation",
            "Between 2 and 4 s the link is used to 96.8 %.",
            (Unit::Share, Rule::within(0.968, 0.01)),
            |seed| seed.run("reduced").utilisation(PORT, CROWDED.0, CROWDED.1),
        )
        .read_as("Give or take one per cent of the link."),
    ]
}

/// The swing of the queue in one phase over that in another.
fn swing_ratio(seed: &Seed<'_>, phase: (f64, f64), before: (f64, f64)) -> Option<f64> {
    let run = seed.run("reduced");
    Some(run.queue_deviation(QUEUE, phase.0, phase.1)? / run.queue_deviation(QUEUE, before.0, before.1)?)
}

fn shown(runs: &Runs) -> Vec<Block> {
    let Some(first) = runs.first() else { return Vec::new() };
    let over_time = |case: &str, title: &str| {
        let mut figure = curves::queue(first.run(case), QUEUE, &format!("queue-{case}"), title);
        figure.note = format!("Seed {}.", first.number());
        figure
    };
    vec![Block::Figures(vec![
        over_time("reduced", "Queue of the bottleneck, QCN of the paper"),
        distribution(runs),
        over_time("complete", "Queue of the bottleneck, complete QCN"),
    ])]
}

/// The paper's figure 5b: all samples of all repetitions.
fn distribution(runs: &Runs) -> Figure {
    let x = Axis::linear("Queue", Unit::Bytes, (0.0, 128e3));
    let y = Axis::linear("Share of samples at or below", Unit::Share, (0.0, 1.0));
    let mut figure = Figure::new("queue-cdf", "Distribution of the queue’s length", x, y);
    let cases =
        [("reduced", "QCN of the paper", Shape::Straight), ("complete", "complete QCN", Shape::Dashed)];
    for (index, (case, label, shape)) in cases.into_iter().enumerate() {
        let samples = runs.seeds().flat_map(|seed| seed.run(case).queue(QUEUE).unwrap_or_default().to_vec());
        figure.marks.push(line(label, Colour::Series(index), shape, curves::cdf(samples.collect())));
    }
    figure.alternative = "Cumulative distribution of the queue over all seeds.".to_owned();
    figure.note = "All samples of all seeds.".to_owned();
    figure.room = Room::Half;
    figure
}
