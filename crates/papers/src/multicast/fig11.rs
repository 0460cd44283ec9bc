//! Figure 11: the feedback rate by set point.

use setpoint_report::document::Block;
use setpoint_report::quantity::Unit;

use super::by_sampling::{Pair, by_sampling, claims};
use super::measure::{ALL, feedback};
use super::variant::{Delivery, Look, Sampling, all_cases};
use super::{DUMBBELL, dumbbell_timing, panel, taken};
use crate::claim::Claim;
use crate::experiment::{Experiment, Kept, Repeats};
use crate::rule::Rule;
use crate::runs::{Run, Runs};

/// The paper's figures, by set point.
const UNICAST: [f64; 3] = [0.4805, 0.4449, 0.0187];
const MULTICAST: [f64; 3] = [0.0249, 0.0335, 0.0246];

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
        we_take: [
            taken::dumbbell(),
            vec![
                "The standard’s table cannot give the paper’s 48.05 and 44.49 %: the most it can is a notification for 18.5 kB, 8.1 % of frames of 1500 bytes. Where every frame is sampled, about half of \
                 them find the queue above its set point or growing if it swings about it."
                    .to_owned(),
                "At a Qeq of 75 frames the paper’s own feedback is lower with multiple unicast (1.87 %) than with multicast (2.46 %). Higher is read of the mean over the three set points."
                    .to_owned(),
            ],
        ]
        .concat(),
        cases: all_cases(DUMBBELL),
        timing: dumbbell_timing(),
        repeats: Repeats::Seeds(10),
        kept: Kept::Series,
        shown,
        claims: all_claims(),
    }
}

fn of(run: &Run) -> Option<f64> {
    feedback(run, ALL)
}

fn all_claims() -> Vec<Claim> {
    let mut all = claims(compared().into_iter().chain(figures()));
    all.push(
        Claim::new(
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
        .read_as("The one over the other, as means over the three set points; higher is by a quarter at least."),
        by_sampling!(
            "unicast-falls",
            "with multiple unicast feedback falls as Qeq grows.",
            (Unit::Ratio, Rule::AtMost(0.8)),
            |look| Some(of(look.unicast(75))? / of(look.unicast(25))?),
        )
        .read_as("With 75 frames over 25; falls is by a fifth at least."),
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
        .read_as("The largest of the three over the smallest; almost the same is within half. The paper’s own are 1.36 apart."),
    ]
}

fn figures() -> [Pair; 6] {
    const READING: &str = "The paper’s figure; about is within a third of it.";
    let about = |paper: f64| (Unit::Share, Rule::about(paper, 1.0 / 3.0));
    [
        by_sampling!("unicast-25", "48.05 % with multiple unicast and 25 frames.", about(UNICAST[0]), |look| {
            of(look.unicast(25))
        }),
        by_sampling!("unicast-50", "44.49 % with multiple unicast and 50 frames.", about(UNICAST[1]), |look| {
            of(look.unicast(50))
        }),
        by_sampling!("unicast-75", "1.87 % with multiple unicast and 75 frames.", about(UNICAST[2]), |look| {
            of(look.unicast(75))
        }),
        by_sampling!("multicast-25", "2.49 % with multicast and 25 frames.", about(MULTICAST[0]), |look| {
            of(look.multicast(25))
        }),
        by_sampling!("multicast-50", "3.35 % with multicast and 50 frames.", about(MULTICAST[1]), |look| {
            of(look.multicast(50))
        }),
        by_sampling!("multicast-75", "2.46 % with multicast and 75 frames.", about(MULTICAST[2]), |look| {
            of(look.multicast(75))
        }),
    ]
    .map(|pair| pair.read_as(READING))
}

fn shown(runs: &Runs) -> Vec<Block> {
    if runs.first().is_none() {
        return Vec::new();
    }
    let paper = Some([MULTICAST, UNICAST]);
    let figures =
        panel::by_delivery(runs, ("feedback", "Feedback rate"), ("Notifications per frame", Unit::Share), of, paper);
    vec![
        Block::Figures(figures),
        Block::Note(panel::WHISKERS.to_owned()),
        Block::Table(panel::by_set_point(runs, &[("Feedback rate", Unit::Share, of)])),
    ]
}
