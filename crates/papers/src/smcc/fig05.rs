//! Figure 5: QCN's queue as the bandwidth and the cycle of the byte counter change.

use setpoint_report::document::Block;
use setpoint_report::plot::{Figure, Room, Shape};
use setpoint_report::quantity::Unit;

use super::compared::{LARGER, Measure, Place, SMALLER, SWINGS, compared};
use super::measure::{amplitude, level, swing};
use super::{PORT, Phase, QUEUE, TARGET, both_qcns, panel, scenario, taken};
use crate::claim::Claim;
use crate::experiment::{Experiment, Keep, Repeats};
use crate::rule::Rule;
use crate::runs::Runs;

const SCENARIO: &str = scenario!("fig05", "with-qcn");

/// The steady parts of the phases: half a second after each change is left out.
const ALONE: Phase = (0.5, 2.0);
const CROWDED: Phase = (2.5, 4.0);
const CROWDED_SHORT: Phase = (4.5, 6.0);
const ALONE_SHORT: Phase = (6.5, 8.0);

pub(super) fn experiment() -> Experiment {
    Experiment {
        id: "smcc/fig05",
        title: "QCN’s queue as bandwidth and cycle change",
        setup: "Two controlled flows start at the line rate of 1 Gb/s and share a link. From 2 to 6 s a background flow \
                takes 500 Mb/s of it. At 4 s the cycle of the byte counter goes from 150 kB to 30 kB. The queue is \
                sampled every millisecond, with a set point of 64 kB and a buffer of 128 kB.",
        paper_says: "The queue swings about its set point at first; the swings grow when the background flow comes, and \
                     the queue is often empty; they shrink when the cycle is shortened, and shrink greatly when the \
                     background flow goes. Over eight repetitions the queue is empty for more than 10 % of the time, \
                     and between 2 and 4 s the link is used to 96.8 %.",
        assumptions: taken::list(&[taken::REDUCED_QCN, taken::SAMPLING, taken::NETWORK, taken::SWINGS]),
        cases: both_qcns(SCENARIO).into(),
        quick: 0.25,
        repeats: Repeats::Seeds(8),
        keep: Keep::Series,
        panels: Box::new(shown),
        claims: claims(),
    }
}

fn claims() -> Vec<Claim> {
    vec![
        Claim::measured(
            "around-the-set-point",
            "In the first two seconds the queue swings about its set point.",
            (Unit::Bytes, Rule::about(TARGET, 0.25)),
            |seed| level(seed.run("qcn"), QUEUE, ALONE),
        )
        .read_as("Mean of the queue from 0.5 to 2 s, within a quarter of the set point."),
        phases(
            "grows-with-background",
            "The swings grow when the background flow comes at 2 s.",
            (LARGER, swing),
            (CROWDED, ALONE),
        )
        .read_as(SWINGS),
        phases(
            "shrinks-with-cycle",
            "The swings shrink when the cycle is shortened at 4 s.",
            (SMALLER, swing),
            (CROWDED_SHORT, CROWDED),
        )
        .read_as(SWINGS),
        phases(
            "shrinks-without-background",
            "The swings shrink again when the background flow goes at 6 s.",
            (SMALLER, swing),
            (ALONE_SHORT, CROWDED_SHORT),
        )
        .read_as(SWINGS),
        phases(
            "shrinks-greatly",
            "When the background flow goes, the amplitude shrinks greatly.",
            (Rule::AtMost(0.67), amplitude),
            (ALONE_SHORT, CROWDED_SHORT),
        )
        .read_as("Ratio of the amplitudes; greatly is by a third at least."),
        phases(
            "cycle-matters-alone",
            "Without background, too, the short cycle makes the swings smaller.",
            (SMALLER, swing),
            (ALONE_SHORT, ALONE),
        )
        .read_as(SWINGS)
        .cause(
            "without background our queue swings by no more than 1.8 kB, two frames, with either \
             cycle. Where the loop is slower it is as the paper has it: with a delay of 1 ms \
             before a source obeys, 18 kB with cycles of 150 kB and 5 kB with 30 kB; with qOld \
             taken at the last notification instead of the last sample, 12 and 3.6 kB",
        ),
        Claim::measured(
            "empty-in-the-crowd",
            "Between 2 and 4 s the queue is often empty.",
            (Unit::Share, Rule::AtLeast(0.03)),
            |seed| seed.run("qcn").queue_empty_between(QUEUE, 2.0, 4.0),
        )
        .read_as(
            "Share of the samples that are zero; a link that is used to 96.8 % is idle for \
            3.2 % of the time.",
        )
        .cause(
            "the mean follows, but not in enough seeds: the queue is emptied a few times in each \
             run, for long. With a delay of 0.5 ms before a source obeys, or qOld taken at the \
             last notification, the share is 9 %",
        ),
        Claim::measured(
            "often-empty",
            "Over the whole run the queue is empty for more than 10 % of the time.",
            (Unit::Share, Rule::AtLeast(0.1)),
            |seed| seed.run("qcn").queue_empty_between(QUEUE, 0.0, 8.0),
        )
        .read_as("Share of the samples of the whole run that are zero.")
        .cause(
            "our loop is quicker and more regular than the paper’s hardware seems to have been. \
             Tried, with the share of empty samples: each frame sampled with a probability of 1 \
             %, 4 %; qOld taken at the last notification instead of the last sample, 4 %; both, 8 \
             %; both and a delay of 0.5 ms before a source obeys, 14 %; a delay of 1, 1.5 and 2 \
             ms alone, 5, 11 and 15 %. A round-trip time of 50 us, jitter, quantisation, KB of \
             1024 bytes and sampling of enqueued frames alone make no such difference",
        ),
        Claim::measured(
            "utilisation",
            "Between 2 and 4 s the link is used to 96.8 %.",
            (Unit::Share, Rule::within(0.968, 0.01)),
            |seed| seed.run("qcn").utilisation_between(PORT, 2.0, 4.0),
        )
        .read_as("Give or take one per cent of the link.")
        .cause(
            "the queue is empty less often (see above) and for moments rather than for long: a \
             queue of zero still has a frame on the wire. Nothing that was tried brings the \
             utilisation below 98.9 % (a delay of 2 ms before sources obey), but sources that \
             send in bursts of 32 frames do: 98.4 % in a separate model of the same equations",
        ),
    ]
}

/// A claim on what is measured in one phase over what is measured in another.
fn phases(
    name: &'static str,
    statement: &'static str,
    rule: (Rule, Measure),
    (later, earlier): (Phase, Phase),
) -> Claim {
    let place = |phase| Place { case: "qcn", queue: QUEUE, phase };
    compared(name, statement, rule, (place(later), place(earlier)))
}

fn shown(runs: &Runs) -> Vec<Block> {
    let curves = [("qcn", "QCN of the paper", Shape::Straight), ("complete", "complete QCN", Shape::Dashed)];
    let panels = [("qcn", "(a) Queue of the bottleneck, QCN of the paper")];
    let beside = [("complete", "Beside it: complete QCN")];
    let distribution =
        Figure { title: "(b) Distribution of the queue".to_owned(), ..panel::distribution(runs, &curves) };
    let mut figures = panel::in_room(Room::Full, panel::queues(runs, &panels));
    figures.push(distribution);
    figures.extend(panel::in_room(Room::Full, panel::queues(runs, &beside)));
    vec![Block::Figures(figures)]
}
