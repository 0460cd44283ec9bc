//! Figure 5: QCN's queue as the bandwidth and the byte-counter cycle change.

use super::comparison::{DEVIATIONS as READING, LARGER, Measure, Place, SMALLER, compared};
use super::{
    DEVIATIONS, NETWORK, PORT, QUEUE, REDUCED_QCN, SAMPLING, TARGET, both_qcns, queue_distribution,
    queue_panels,
};
use crate::prelude::*;

/// The steady parts of the phases, from half a second after each change.
const ALONE: Window = START.plus(0.5).until(starts("background"));
const CROWDED: Window = starts("background").plus(0.5).until(change(1));
const CROWDED_SHORT: Window = change(1).plus(0.5).until(stops("background"));
const ALONE_SHORT: Window = stops("background").plus(0.5).until(END);
/// The whole phase with background and long cycles.
const CROWD: Window = starts("background").until(change(1));

pub(super) fn experiment() -> Experiment {
    Experiment::new("smcc/fig05", "QCN’s queue as bandwidth and cycle change")
        .setup(
            "Two controlled flows start at the line rate of 1 Gb/s and share a link. From 2 to 6 s a background flow \
             takes 500 Mb/s of it. At 4 s the byte-counter cycle changes from 150 kB to 30 kB. The queue is \
             sampled every millisecond, with a set point of 64 kB and a buffer of 128 kB.",
        )
        .paper_says(
            "At first the queue oscillates around its set point. When the background flow starts, the oscillations \
            grow and the queue is often empty. They shrink when the cycle is shortened, and shrink greatly when the \
            background flow stops. Over eight repetitions the queue is empty for more than 10 % of the time, and \
            between 2 and 4 s the link utilisation is 96.8 %.",
        )
        .assumptions([REDUCED_QCN, SAMPLING, NETWORK, DEVIATIONS])
        .cases(both_qcns(scenario!("smcc": "fig05", "with-qcn")))
        .seeds(8)
        .panels(panels)
        .claims(claims())
}

fn claims() -> [Claim; 9] {
    [
        Claim::new(OURS, "around-the-set-point", "In the first two seconds the queue oscillates around its set point.")
            .measure(Unit::Bytes, Rule::about(TARGET, 0.25), |seed| seed.run("qcn").mean_queue(QUEUE, ALONE))
            .read_as("Mean queue from 0.5 to 2 s, within a quarter of the set point."),
        phases(
            "grows-with-background",
            "The oscillations grow when the background flow starts at 2 s.",
            (LARGER, Run::queue_std_dev),
            (CROWDED, ALONE),
        )
        .read_as(READING),
        phases(
            "shrinks-with-cycle",
            "The oscillations shrink when the cycle is shortened at 4 s.",
            (SMALLER, Run::queue_std_dev),
            (CROWDED_SHORT, CROWDED),
        )
        .read_as(READING),
        phases(
            "shrinks-without-background",
            "The oscillations shrink again when the background flow stops at 6 s.",
            (SMALLER, Run::queue_std_dev),
            (ALONE_SHORT, CROWDED_SHORT),
        )
        .read_as(READING),
        phases(
            "shrinks-greatly",
            "When the background flow stops, the amplitude shrinks greatly.",
            (Rule::AtMost(0.67), Run::queue_range),
            (ALONE_SHORT, CROWDED_SHORT),
        )
        .read_as("Ratio of the amplitudes; “greatly” means by at least a third."),
        phases(
            "cycle-matters-alone",
            "Without background, too, the short cycle makes the oscillations smaller.",
            (SMALLER, Run::queue_std_dev),
            (ALONE_SHORT, ALONE),
        )
        .read_as(READING)
        .cause(
            "without background the standard deviation of our queue is at most 1.8 kB, about two frames, \
            with either cycle length. With a slower loop we observe the same as the paper. If a source \
            reacts 1 ms later, the deviation is 18 kB with cycles of 150 kB and 5 kB with cycles of 30 kB. \
            If qOld is taken at the last notification instead of the last sample, it is 12 and 3.6 kB",
        ),
        Claim::new(OURS, "empty-in-the-crowd", "Between 2 and 4 s the queue is often empty.")
            .measure(Unit::Share, Rule::AtLeast(0.03), |seed| seed.run("qcn").queue_empty(QUEUE, CROWD))
            .read_as("Share of the samples that are zero; a link with a utilisation of 96.8 % is idle for 3.2 % of the \
                time.")
            .cause(
                "the rule holds for the mean, but not for enough seeds: in each run the queue is empty only a few \
                times, but each time for long. If a source reacts 0.5 ms later, or if qOld is taken at the \
                last notification, the share is 9 %",
            ),
        Claim::new(OURS, "often-empty", "Over the whole run the queue is empty for more than 10 % of the time.")
            .measure(Unit::Share, Rule::AtLeast(0.1), |seed| seed.run("qcn").queue_empty(QUEUE, WHOLE_RUN))
            .read_as("Share of the samples of the whole run that are zero.")
            .cause(
                "our loop is faster and more regular than the paper’s hardware seems to have been. We tried several \
                variants. The share of empty samples is 4 % if each frame is sampled with a probability of 1 %, 4 % if \
                qOld is taken at the last notification instead of the last sample, 8 % with both, and 14 % with both \
                and a delay of 0.5 ms before a source reacts. With a delay alone, of 1, 1.5 and 2 ms, it is \
                5, 11 and 15 %. A round-trip time of 50 us, jitter, quantisation, KB of 1024 bytes and \
                sampling only enqueued frames have no such effect",
            ),
        Claim::new(OURS, "utilisation", "Between 2 and 4 s the link utilisation is 96.8 %.")
            .measure(Unit::Share, Rule::within(0.968, 0.01), |seed| seed.run("qcn").utilisation(PORT, CROWD))
            .read_as("Within one percentage point of 96.8 %.")
            .cause(
                "the queue is empty less often (see above) and only briefly, and while the queue is empty there may \
                still be a frame on the wire. The lowest utilisation in our trials was 98.9 %, with a delay of 2 ms \
                before sources react, except for sources that send in bursts of 32 frames: a separate model of the \
                same equations gives 98.4 % for them",
            ),
    ]
}

/// A claim on a quantity in one phase divided by the same quantity in another.
fn phases(name: &str, statement: &str, rule: (Rule, Measure), (later, earlier): (Window, Window)) -> Claim {
    let place = |window| [Place { case: "qcn", queue: QUEUE, window }];
    compared(name, statement, rule, (place(later), place(earlier)))
}

fn panels(runs: &Runs) -> Vec<Block> {
    let curves = [("qcn", "QCN of the paper", Shape::Straight), ("complete", "complete QCN", Shape::Dashed)];
    let queue = |case: (&str, &str)| panel::in_room(Room::Full, queue_panels(runs, &[case]));
    let figures = [
        queue(("qcn", "(a) Bottleneck queue, QCN of the paper")),
        vec![queue_distribution(runs, "(b) Distribution of the queue", &curves)],
        queue(("complete", "For comparison: complete QCN")),
    ];
    vec![Block::Figures(figures.concat())]
}
