//! Figure 11: the feedback rate by set point.

use setpoint_report::document::Block;
use setpoint_report::quantity::Unit;

use super::by_sampling::{Pair, by_sampling, claims};
use super::measure::{ALL, feedback, loss};
use super::variant::{Delivery, FLOORED, Look, Sampling, all_cases, every_frame, floored};
use super::{DUMBBELL, panel, taken};
use crate::case::Case;
use crate::claim::Claim;
use crate::experiment::{Experiment, Keep, Repeats};
use crate::rule::Rule;
use crate::runs::{Run, Runs};
use crate::tables;

/// The paper's figures, by set point.
const UNICAST: [f64; 3] = [0.4805, 0.4449, 0.0187];
const MULTICAST: [f64; 3] = [0.0249, 0.0335, 0.0246];

const DEAF: [(&str, &str); 3] = [
    FLOORED,
    ("unicast-25-deaf", "multiple unicast, Qeq 25 frames, every-frame sampling, sources do not obey"),
    ("multicast-25-deaf", "multicast, Qeq 25 frames, standard sampling, sources do not obey"),
];

/// What the standard's table can give: a frame in 18.5 kB.
const MOST: f64 = 1.5 / 18.5;

pub(super) fn experiment() -> Experiment {
    Experiment {
        id: "multicast/fig11",
        title: "Feedback rate by set point",
        setup: "Six sources and two receivers as in figures 3 to 8, as multicast and as multiple unicast, with a Qeq of 25, 50 and 75 of 100 frames. The feedback rate is \
                the number of notifications over that of frames that sources send.",
        paper_says: "With multiple unicast feedback is higher than with multicast, and falls as Qeq grows: 48.05, 44.49 and 1.87 % of the frames. With multicast it is almost steady: \
                     2.49, 3.35 and 2.46 %.",
        assumptions: [
            taken::dumbbell(),
            vec![
                "The standard’s table cannot give the paper’s 48.05 and 44.49 %: the most it can is a notification for 18.5 kB, 8.1 % of frames of 1500 bytes. Nor can sources that obey, where every frame is \
                 sampled: a notification takes up to half of the rate, and what comes back takes a cycle of 100 frames without another. A source that is told of every other frame would be at R_min, and six of them \
                 at 10 Mb/s congest nothing."
                    .to_owned(),
                "What would have to be true, as was found after a first look: sources whose CR cannot fall below 195 Mb/s, more than CR_mean, with every frame sampled. They have the paper’s feedback, and its loss \
                 (figure 12). The paper’s 2.49 to 3.35 % with multicast are within reach of sources that do not obey and standard sampling. Three cases show them."
                    .to_owned(),
                "At a Qeq of 75 frames the paper’s own feedback is lower with multiple unicast (1.87 %) than with multicast (2.46 %). Higher is read of the mean over the three set points."
                    .to_owned(),
            ],
        ]
        .concat(),
        cases: all_cases(DUMBBELL).into_iter().chain(of_deaf_sources()).collect(),
        quick: 0.1,
        repeats: Repeats::Seeds(10),
        keep: Keep::Series,
        panels: Box::new(shown),
        claims: all_claims(),
    }
}

/// Sources that hardly obey, or not at all, with a Qeq of 25 frames.
fn of_deaf_sources() -> [Case; 3] {
    let [floor, unicast, multicast] = DEAF.map(|(name, label)| Case::new(name, label, DUMBBELL));
    [
        floored(floor),
        every_frame(unicast).set("network.delivery=multiple-unicast").set("control.qcn.rp.enable=off"),
        multicast.set("control.qcn.rp.enable=off"),
    ]
}

fn of(run: &Run) -> Option<f64> {
    feedback(run, ALL)
}

fn all_claims() -> Vec<Claim> {
    let mut all = claims(compared().into_iter().chain(figures()));
    all.push(
        Claim::measured(
            "bound-of-the-table",
            "With standard sampling feedback cannot exceed 8.1 % of the frames (not in the paper).",
            (Unit::Share, Rule::AtMost(MOST)),
            |seed| {
                let look = Look { seed: *seed, sampling: Sampling::Standard };
                let both = Delivery::BOTH.map(|delivery| look.each(delivery, of));
                both.into_iter().collect::<Option<Vec<_>>>()?.into_iter().flatten().reduce(f64::max)
            },
        )
        .read_as("The largest feedback rate of both deliveries and all set points; a frame of 1500 bytes in 18.5 kB."),
    );
    all.push(
        Claim::measured(
            "if-cr-had-a-floor",
            "If CR could not fall below 195 Mb/s, feedback with multiple unicast would be the paper’s 48.05 % (not in the paper).",
            (Unit::Share, Rule::about(UNICAST[0], 1.0 / 3.0)),
            |seed| of(seed.run(FLOORED.0)),
        )
        .read_as("With a Qeq of 25 frames and every frame sampled; within a third, as the other figures. Added after a first look."),
    );
    all
}

fn compared() -> [Pair; 3] {
    [
        by_sampling!(
            "unicast-higher",
            "feedback is higher with multiple unicast than with multicast.",
            (Unit::Ratio, Rule::AtLeast(1.25)),
            |look| Some(look.sum(Delivery::MultipleUnicast, of)? / look.sum(Delivery::Multicast, of)?),
        )
        .read_as("The one over the other, as means over the three set points; higher is by a quarter at least.")
        .cause(SAME_LIMITERS),
        by_sampling!(
            "unicast-falls",
            "with multiple unicast feedback falls as Qeq grows.",
            (Unit::Ratio, Rule::AtMost(0.8)),
            |look| Some(of(look.unicast(75))? / of(look.unicast(25))?),
        )
        .read_as("With 75 frames over 25; falls is by a fifth at least.")
        .cause(STEPS),
        by_sampling!(
            "multicast-steady",
            "with multicast feedback is almost the same for all Qeq.",
            (Unit::Ratio, Rule::AtMost(1.5)),
            |look| {
                let rates = look.each(Delivery::Multicast, of)?;
                let largest = rates.iter().copied().reduce(f64::max)?;
                Some(largest / rates.into_iter().reduce(f64::min)?)
            },
        )
        .read_as("The largest of the three over the smallest; almost the same is within half. The paper’s own are 1.36 apart.")
        .cause(STEPS),
    ]
}

fn figures() -> [Pair; 6] {
    let about = |paper: f64| (Unit::Share, Rule::about(paper, 1.0 / 3.0));
    let pairs = [
        by_sampling!(
            "unicast-25",
            "48.05 % with multiple unicast and 25 frames.",
            about(UNICAST[0]),
            |look| { of(look.unicast(25)) }
        )
        .cause(OUT_OF_REACH),
        by_sampling!(
            "unicast-50",
            "44.49 % with multiple unicast and 50 frames.",
            about(UNICAST[1]),
            |look| { of(look.unicast(50)) }
        )
        .cause(OUT_OF_REACH),
        by_sampling!(
            "unicast-75",
            "1.87 % with multiple unicast and 75 frames.",
            about(UNICAST[2]),
            |look| { of(look.unicast(75)) }
        )
        .cause(OBEDIENT),
        by_sampling!("multicast-25", "2.49 % with multicast and 25 frames.", about(MULTICAST[0]), |look| {
            of(look.multicast(25))
        })
        .standard_cause(OBEDIENT)
        .every_frame_cause(TIMER),
        by_sampling!("multicast-50", "3.35 % with multicast and 50 frames.", about(MULTICAST[1]), |look| {
            of(look.multicast(50))
        })
        .standard_cause(OBEDIENT)
        .every_frame_cause(TIMER),
        by_sampling!("multicast-75", "2.46 % with multicast and 75 frames.", about(MULTICAST[2]), |look| {
            of(look.multicast(75))
        })
        .cause(OBEDIENT),
    ];
    pairs.map(|pair| pair.read_as("The paper’s figure; about is within a third of it."))
}

const SAME_LIMITERS: &str = "the bottleneck has the same six limiters before it with either delivery, and what draws notifications is how fast these rise again. Multiple unicast is no different \
    from multicast with twice the traffic: multicast sources of 400 Mb/s have 0.29 % by the table and 0.86 % with every frame sampled (25 frames), and multiple unicast 0.28 and 0.82 %";

const STEPS: &str = "feedback grows with Qeq, since it is counted in steps of a part of Qeq: with a larger one the same excess is fewer steps, and more notifications are needed for the same cut. With four times \
    the gain at 75 frames, every frame sampled and multiple unicast, it is 0.56 % instead of 1.73 %, and below the 0.82 % at 25 frames";

const OUT_OF_REACH: &str = "out of reach of the standard’s table (8.1 %) and of sources that obey (see below). Tried with every frame sampled and 25 frames: a timer of 1 ms, 6.8 %; cycles of 15 kB, 7.9 %; sources \
    that obey a millisecond later, 2.4 %; Qold at the last sample, 1.2 %; a limiter for each flow, 1.2 %; sources that do not obey, 44 %, with a loss of 50 %; a CR of 195 Mb/s at least, \
    51 %, with a loss of 8.6 %";

const OBEDIENT: &str = "samples of a queue that is under control are 100 frames apart, and less than half of them give a notification. Multicast sources that do not obey have 3.2 % with 25 frames, and \
    0.7 % with 75, since steps are larger";

const TIMER: &str = "the paper does not give the timer’s cycle: with 5 ms instead of 15 it is 2.2 % with 25 frames and 3.7 % with 50";

fn shown(runs: &Runs) -> Vec<Block> {
    let paper = Some([MULTICAST, UNICAST]);
    let figures = panel::by_delivery(
        runs,
        ("feedback", "Feedback rate"),
        ("Notifications per frame", Unit::Share),
        of,
        paper,
    );
    vec![
        Block::Figures(figures),
        Block::Note(panel::WHISKERS.to_owned()),
        Block::Table(panel::by_set_point(runs, &[("Feedback rate", Unit::Share, of)])),
        Block::Prose("Sources that hardly obey, or not at all:".to_owned()),
        Block::Table(tables::by_case(
            runs,
            &DEAF,
            &[("Feedback rate", Unit::Share, of), ("Loss rate", Unit::Share, |run| loss(run, ALL))],
        )),
    ]
}
