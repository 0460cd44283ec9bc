//! Figure 5: QCN's queue as the bandwidth and the byte-counter cycle change.

use super::choices::{AMPLITUDE, BACKGROUND, FEEDBACK, LOOP_DELAY, SAMPLING};
use super::comparison::{
    AMPLITUDES as RATIO, DEVIATIONS as READING, LARGER, Measure, Place, SMALLER, amplitude, compared,
    deviation,
};
use super::{
    AMPLITUDES, ARRIVING, DEVIATIONS, NETWORK, PORT, QUEUE, REDUCED_QCN, TARGET, both_qcns,
    queue_distribution, queue_panels,
};
use crate::prelude::*;

/// The steady parts of the phases, from half a second after each change.
const ALONE: Window = START.plus(0.5).until(starts("background"));
const CROWDED: Window = starts("background").plus(0.5).until(change(1));
const CROWDED_SHORT: Window = change(1).plus(0.5).until(stops("background"));
const ALONE_SHORT: Window = stops("background").plus(0.5).until(END);
/// The whole phase with background traffic and the long cycle.
const CROWD: Window = starts("background").until(change(1));

pub(super) fn experiment() -> Experiment {
    Experiment::new("smcc/fig05", "QCN’s queue as the bandwidth and the cycle length change")
        .setup(
            "Two controlled flows start at the line rate of 1 Gb/s and share a link. From 2 to 6 s a background flow \
            takes 500 Mb/s of it. At 4 s the byte-counter cycle changes from 150 kB to 30 kB. The queue is sampled \
            every millisecond, with a set point of 64 kB and a buffer of 128 kB.",
        )
        .paper_says(
            "At first the queue oscillates around its set point. When the background flow starts, the oscillations \
            grow and the queue is often empty. They shrink when the cycle is shortened, and shrink greatly when the \
            background flow stops: with proper parameters QCN holds the queue tightly. Over eight repetitions the queue is empty for more than 10 % of the time, and \
            between 2 and 4 s the link utilisation is 96.8 %.",
        )
        .choices([&FEEDBACK, &SAMPLING, &LOOP_DELAY, &BACKGROUND, &AMPLITUDE])
        .assumptions([REDUCED_QCN, ARRIVING, NETWORK, DEVIATIONS, AMPLITUDES])
        .cases(both_qcns(scenario!("smcc": "fig05", "with-qcn")))
        .seeds(8)
        .panels(panels)
        .claims(of_oscillations())
        .claims(of_the_empty_queue())
}

const FIGURE: Origin = at("section 3.1, figure 5a");

fn of_oscillations() -> [Claim; 6] {
    [
        Claim::new(
            FIGURE,
            "around-the-set-point",
            "In the first two seconds the queue oscillates around its set point.",
        )
        .measure(Unit::Bytes, Rule::about(TARGET, 0.25), |seed| seed.run("qcn").mean_queue(QUEUE, ALONE))
        .read_as("Mean queue in the steady part of the first phase, within a quarter of the set point."),
        phases(
            "grows-with-background",
            "The amplitude of the oscillations grows when the background flow starts at 2 s.",
            (LARGER, amplitude),
            (CROWDED, ALONE),
        )
        .read_as(RATIO),
        phases(
            "shrinks-with-cycle",
            "The amplitude shrinks when the cycle is shortened at 4 s.",
            (SMALLER, amplitude),
            (CROWDED_SHORT, CROWDED),
        )
        .read_as(RATIO),
        phases(
            "shrinks-greatly",
            "When the background flow stops at 6 s, the amplitude shrinks greatly.",
            (Rule::AtMost(0.67), amplitude),
            (ALONE_SHORT, CROWDED_SHORT),
        )
        .read_as("Ratio of the amplitudes; “greatly” means by at least a third."),
        phases(
            "cycle-matters-alone",
            "Without background traffic, the short cycle also makes the oscillations smaller.",
            (SMALLER, deviation),
            (ALONE_SHORT, ALONE),
        )
        .read_as(format!(
            "The paper compares the first two seconds with the last two and concludes that performance depends on T; \
            section 5.3.1 likens the last two to SMCC’s queue, which it calls more stable. {READING}"
        ))
        .cause("without background traffic our queue hardly varies with either cycle"),
        Claim::new(
            at("section 3.1"),
            "held-tightly",
            "With the short cycle and without background traffic, QCN holds the queue tightly around its set point.",
        )
        .measure(Unit::Bytes, Rule::AtMost(TARGET / 16.0), |seed| {
            seed.run("qcn").queue_std_dev(QUEUE, ALONE_SHORT)
        })
        .read_as(
            "Standard deviation in the steady part of the last phase, the one with the “proper parameters setting and \
            network configuration”. “Tightly” means at most a sixteenth of the set point, as “almost unchanged” does \
            in smcc/fig18.",
        ),
    ]
}

fn of_the_empty_queue() -> [Claim; 3] {
    [
        Claim::new(FIGURE, "empty-in-the-crowd", "Between 2 and 4 s the queue is often empty.")
            .measure(Unit::Share, Rule::AtLeast(0.03), |seed| seed.run("qcn").queue_empty(QUEUE, CROWD))
            .read_as(
                "Share of samples that are zero; a link with a utilisation of 96.8 % is idle for 3.2 % of the time.",
            )
            .cause(
                "the queue becomes empty a few times in each run and then stays empty for a long time, so the share \
                varies between seeds",
            ),
        Claim::new(
            at("section 3.1, figure 5b"),
            "often-empty",
            "Over the whole run the queue is empty for more than 10 % of the time.",
        )
        .measure(Unit::Share, Rule::AtLeast(0.1), |seed| seed.run("qcn").queue_empty(QUEUE, WHOLE_RUN))
        .read_as("Share of samples in the whole run that are zero.")
        .cause(
            "our loop is faster and more regular than the paper’s hardware seems to have been: the share grows with \
            the loop delay and with random sampling (see the other readings)",
        ),
        Claim::new(at("section 3.1"), "utilisation", "Between 2 and 4 s the link utilisation is 96.8 %.")
            .measure(Unit::Share, Rule::within(0.968, 0.01), |seed| seed.run("qcn").utilisation(PORT, CROWD))
            .published(0.968)
            .read_as("Within one percentage point of 96.8 %.")
            .cause(
                "the queue is empty less often than in the paper, and while it is empty a frame may still be on the \
                wire",
            ),
    ]
}

/// A claim about a quantity in one phase divided by the same quantity in another.
fn phases(name: &str, statement: &str, rule: (Rule, Measure), (later, earlier): (Window, Window)) -> Claim {
    let place = |window| [Place { case: "qcn", queue: QUEUE, window }];
    compared((FIGURE, name), statement, rule, (place(later), place(earlier)))
}

fn panels(runs: &Runs) -> Vec<Block> {
    let curves = [("qcn", "the paper’s QCN", Shape::Straight), ("complete", "complete QCN", Shape::Dashed)];
    let queue = |case: (&str, &str)| panel::in_room(Room::Full, queue_panels(runs, &[case]));
    let figures = [
        queue(("qcn", "(a) Bottleneck queue, the paper’s QCN")),
        vec![queue_distribution(runs, "(b) Distribution of the queue", &curves)],
        queue(("complete", "For comparison: complete QCN")),
    ];
    vec![Block::Figures(figures.concat())]
}
