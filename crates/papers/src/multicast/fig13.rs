//! Figures 13 to 15: how steady CR and the queue are, by set point.

use super::by_sampling::{Pair, by_sampling};
use super::set_points::{self, WHISKERS};
use super::sources::{ALL, limit_deviation, offset};
use super::variation::{Delivery, all_cases};
use super::{DUMBBELL, FRAME, QUEUE, SETTLED, on_dumbbell};
use crate::prelude::*;
use crate::table::RunColumn;

const FIGURES: [RunColumn<'_>; 3] = [
    ("Standard deviation of CR", Unit::BitsPerSecond, |run| limit_deviation(run, ALL)),
    ("Mean queue", Unit::Bytes, |run| run.mean_queue(QUEUE, SETTLED)),
    ("Mean queue minus Qeq", Unit::Bytes, distance),
];

pub(super) fn experiment() -> Experiment {
    on_dumbbell("multicast/fig13-15", "Stability of CR and of the queue")
        .setup(
            "Six sources and two receivers as in figures 3 to 8, as multicast and as multiple unicast, with a Qeq of \
            25, 50 and 75 of 100 frames. We measure the standard deviation of CR, the mean queue length, and its \
            distance from Qeq.",
        )
        .paper_says(
            "CR fluctuates more with multiple unicast than with multicast for most Qeq, since there is more feedback. \
            If Qeq is low, the mean queue length is further above Qeq with multiple unicast than with multicast: \
            congestion is “far too inadequately controlled”.",
        )
        .assumptions([
            "The standard deviation of CR is computed from samples taken every 5 ms from 6 to 10 s and averaged over \
            the sources. The mean queue length covers the same interval. The paper may have used the whole run, which \
            includes the initial fall of CR from 1 Gb/s.",
        ])
        .cases(all_cases(DUMBBELL))
        .panels(panels)
        .claims(claims().into_iter().flatten())
}

fn claims() -> [Pair; 3] {
    [
        by_sampling(
            "unicast-fluctuates-more",
            "CR fluctuates more with multiple unicast for most Qeq.",
            (Unit::Count, Rule::AtLeast(2.0)),
            |runs| runs.count_larger((Delivery::MultipleUnicast, Delivery::Multicast), FIGURES[0].2),
        )
        .read_as("The number of set points, of three, at which the standard deviation of CR is larger; \
            “most” means at least two.")
        .cause(
            "a multicast source offers only 200 Mb/s. Once no frames are waiting, its CR rises above that rate, up to \
            1 Gb/s, without any effect. With multiple unicast a source offers 400 Mb/s and always has frames waiting. \
            If multicast sources offer 400 Mb/s too, the deviation is 34 and 31 Mb/s instead of 85 Mb/s (25 frames, \
            every frame sampled, two seeds), close to the 28 Mb/s of multiple unicast",
        ),
        by_sampling(
            "unicast-above-qeq",
            "with multiple unicast and a Qeq of 25 frames the mean queue is above Qeq.",
            (Unit::Bytes, Rule::AtLeast(0.0)),
            |runs| distance(runs.unicast(25)),
        )
        .read_as("The mean queue length from 6 to 10 s, minus Qeq.")
        .every_frame_cause(
            "if every frame is sampled, sources slow down as soon as the queue grows towards Qeq, and they recover \
            slowly. The queue is therefore empty most of the time with both kinds of delivery",
        ),
        by_sampling(
            "unicast-further-above",
            "with a Qeq of 25 frames the queue is further above Qeq with multiple unicast than with multicast.",
            (Unit::Bytes, Rule::AtLeast(FRAME)),
            |runs| Some(distance(runs.unicast(25))? - distance(runs.multicast(25))?),
        )
        .read_as("The difference between the mean queue lengths from 6 to 10 s; it must be at least one frame.")
        .standard_cause(
            "on average it is, by 1.4 frames, but the spread over runs is about as large: the standard \
            deviation is 1.3 frames with multicast and 1.1 frames with multiple unicast",
        ),
    ]
}

fn distance(run: &Run) -> Option<f64> {
    offset(run, QUEUE)
}

fn panels(runs: &Runs) -> Vec<Block> {
    let names = [
        ("deviation", "(13) Deviation of CR"),
        ("queue", "(14) Mean queue"),
        ("offset", "(15) Queue minus Qeq"),
    ];
    let figures = names.into_iter().zip(FIGURES).flat_map(|(names, (label, unit, measure))| {
        set_points::by_delivery(runs, names, (label, unit), measure, None)
    });
    vec![
        Block::Figures(figures.collect()),
        Block::Note(WHISKERS.to_owned()),
        Block::Table(set_points::table(runs, &FIGURES)),
    ]
}
