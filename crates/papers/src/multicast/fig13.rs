//! Figures 13 to 15: how steady CR and the queue are, by set point.

use setpoint_report::document::Block;
use setpoint_report::quantity::Unit;

use super::by_sampling::{by_sampling, claims};
use super::measure::{ALL, larger_at, limit_deviation, offset};
use super::variant::{Delivery, all_cases};
use super::{DUMBBELL, FRAME, QUEUE, SETTLED, panel, taken};
use crate::experiment::{Experiment, Keep, Repeats};
use crate::rule::Rule;
use crate::runs::{Run, Runs};

pub(super) fn experiment() -> Experiment {
    Experiment {
        id: "multicast/fig13-15",
        title: "Stability of CR and of the queue",
        setup: "Six sources and two receivers as in figures 3 to 8, as multicast and as multiple unicast, with a Qeq of 25, 50 and 75 of 100 frames: the standard deviation of CR, the \
                mean length of the queue, and its distance from Qeq.",
        paper_says: "CR fluctuates more with multiple unicast than with multicast for most Qeq, since there is more feedback. The queue’s mean length is further above Qeq with multiple unicast \
                     than with multicast where Qeq is low: congestion is “far too inadequately controlled”.",
        assumptions: [
            taken::dumbbell(),
            vec!["The standard deviation of CR is that of its samples from 6 to 10 s, every 5 ms, as the mean over sources. The queue’s mean is of the same time. The paper may have \
                  taken the whole run, in which CR falls from 1 Gb/s once."
                .to_owned()],
        ]
        .concat(),
        cases: all_cases(DUMBBELL),
        quick: 0.1,
        repeats: Repeats::Seeds(10),
        keep: Keep::Series,
        panels: Box::new(shown),
        claims: claims([
            by_sampling!(
                "unicast-fluctuates-more",
                "CR fluctuates more with multiple unicast for most Qeq.",
                (Unit::Count, Rule::AtLeast(2.0)),
                |look| larger_at(look, (Delivery::MultipleUnicast, Delivery::Multicast), deviation),
            )
            .read_as("At how many of the three set points the standard deviation of CR is larger; most are two at least.")
            .cause(
                "with multicast a source offers 200 Mb/s, and its CR rises beyond without effect once it has nothing waiting, as far as 1 Gb/s; with multiple unicast it offers 400 Mb/s, and always has. With multicast \
                 sources of 400 Mb/s the deviation is 34 and 31 Mb/s (25 frames, every frame sampled, two seeds) instead of 85, as multiple unicast’s 28",
            ),
            by_sampling!(
                "unicast-above-qeq",
                "with multiple unicast and a Qeq of 25 frames the queue is above Qeq in the mean.",
                (Unit::Bytes, Rule::AtLeast(0.0)),
                |look| distance(look.unicast(25)),
            )
            .read_as("The mean of the queue from 6 to 10 s less Qeq.")
            .every_frame_cause(
                "where every frame is sampled the queue is cut short as soon as it grows towards Qeq, by sources that take long to come back: it is empty most of the time, with either delivery",
            ),
            by_sampling!(
                "unicast-further-above",
                "with a Qeq of 25 frames the queue is further above Qeq with multiple unicast than with multicast.",
                (Unit::Bytes, Rule::AtLeast(FRAME)),
                |look| Some(distance(look.unicast(25))? - distance(look.multicast(25))?),
            )
            .read_as("The difference of the queues’ means from 6 to 10 s; a frame at least.")
            .standard_cause("in the mean it is, by 1.4 frames, but runs scatter as much: a standard deviation of 1.3 frames with multicast, and of 1.1 with multiple unicast"),
        ]),
    }
}

fn deviation(run: &Run) -> Option<f64> {
    limit_deviation(run, ALL)
}

fn length(run: &Run) -> Option<f64> {
    run.queue_mean_between(QUEUE, SETTLED.0, SETTLED.1)
}

fn distance(run: &Run) -> Option<f64> {
    offset(run, QUEUE)
}

fn shown(runs: &Runs) -> Vec<Block> {
    let deviations = ("Standard deviation of CR", Unit::BitsPerSecond);
    let figures = [
        panel::by_delivery(runs, ("deviation", "(13) Deviation of CR"), deviations, deviation, None),
        panel::by_delivery(runs, ("queue", "(14) Mean queue"), ("Mean length", Unit::Bytes), length, None),
        panel::by_delivery(
            runs,
            ("offset", "(15) Queue less Qeq"),
            ("Mean length less Qeq", Unit::Bytes),
            distance,
            None,
        ),
    ];
    let table = panel::by_set_point(
        runs,
        &[
            ("Standard deviation of CR", Unit::BitsPerSecond, deviation),
            ("Mean queue", Unit::Bytes, length),
            ("Mean queue less Qeq", Unit::Bytes, distance),
        ],
    );
    vec![Block::Figures(figures.concat()), Block::Note(panel::WHISKERS.to_owned()), Block::Table(table)]
}
