//! Figures 13 to 15: stability of the rates and the queue, by set point.

use super::choices::{self, RATE_MEASURED};
use super::set_points::{self, WHISKERS};
use super::sources::{ALL, deviation, offset};
use super::variation::{Delivery, all_cases};
use super::{DUMBBELL, FRAME, QUEUE, SENDING_RATE, SETTLED, on_dumbbell};
use crate::prelude::*;
use crate::table::SeedColumn;

const FIGURES: [SeedColumn<'_>; 3] = [
    ("Standard deviation of the rate", Unit::BitsPerSecond, |seed, case| deviation(seed, case, ALL)),
    ("Mean queue", Unit::Bytes, |seed, case| seed.run(case).mean_queue(QUEUE, SETTLED)),
    ("Mean queue minus Qeq", Unit::Bytes, distance),
];

pub(super) fn experiment() -> Experiment {
    on_dumbbell("multicast/fig13-15", "Stability of rates and of the queue")
        .setup(
            "Six sources and two receivers as in figures 3 to 8, with multicast and with multiple unicast, and with \
            Qeq set to 25, 50 or 75 frames in a queue of 100 frames. We measure the standard deviation of the sources’ \
            rates, the mean queue length, and its distance from Qeq.",
        )
        .paper_says(
            "CR fluctuates more with multiple unicast than with multicast for most values of Qeq, since there is more \
            feedback. If Qeq is low, the mean queue length is further above Qeq with multiple unicast than with \
            multicast: congestion is “far too inadequately controlled”.",
        )
        .assumptions([
            SENDING_RATE,
            "The standard deviation is computed from the settled samples of each source and averaged over the sources. \
            The mean queue length covers the same interval. The paper may have used the whole run, which includes the \
            initial fall of CR from 1 Gb/s.",
        ])
        .choices(choices::BOTH)
        .choices([&RATE_MEASURED])
        .cases(all_cases(DUMBBELL))
        .panels(panels)
        .claims(claims())
}

fn claims() -> [Claim; 3] {
    [
        Claim::new(
            at("section 3.4, figure 13"),
            "unicast-fluctuates-more",
            "Rates fluctuate more with multiple unicast for most values of Qeq.",
        )
        .measure(Unit::Count, Rule::AtLeast(2.0), |seed| {
            Delivery::MultipleUnicast.count_larger(Delivery::Multicast, seed, FIGURES[0].2)
        })
        .read_as("The number of set points (out of three) at which the standard deviation is larger; “most” means at \
            least two."),
        Claim::new(
            at("section 3.4, figure 15"),
            "unicast-above-qeq",
            "With multiple unicast and Qeq set to 25 frames, the mean queue is above Qeq.",
        )
        .measure(Unit::Bytes, Rule::AtLeast(0.0), |seed| Delivery::MultipleUnicast.at(seed, 25, distance))
        .read_as("The mean length of the settled queue, minus Qeq.")
        .cause(
            "sources slow down as soon as the queue grows towards Qeq, and they recover slowly, so the queue is below \
            Qeq, or empty, much of the time",
        ),
        Claim::new(
            at("section 3.4, figure 15"),
            "unicast-further-above",
            "With Qeq set to 25 frames, the queue is further above Qeq with multiple unicast than with multicast.",
        )
        .measure(Unit::Bytes, Rule::AtLeast(FRAME), |seed| {
            let [multicast, unicast] = Delivery::BOTH.map(|delivery| delivery.at(seed, 25, distance));
            Some(unicast? - multicast?)
        })
        .read_as("The difference between the mean lengths of the settled queues; it must be at least one frame.")
        .cause("with both kinds of delivery, six limiters that have frames waiting feed the queue"),
    ]
}

fn distance(seed: &Seed<'_>, case: &str) -> Option<f64> {
    offset(seed.run(case), QUEUE)
}

fn panels(runs: &Runs) -> Vec<Block> {
    let names = [
        ("deviation", "(13) Deviation of rates"),
        ("queue", "(14) Mean queue"),
        ("offset", "(15) Queue minus Qeq"),
    ];
    let figures = names.into_iter().zip(FIGURES).map(|(names, (label, unit, measure))| {
        set_points::by_delivery(runs, names, (label, unit), measure, None)
    });
    vec![
        Block::Figures(figures.collect()),
        Block::Note(WHISKERS.to_owned()),
        Block::Table(set_points::table(runs, &FIGURES)),
    ]
}
