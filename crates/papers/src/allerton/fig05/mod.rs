//! Figure 5: the fluid model of QCN beside packets.

mod cell;
mod compare;
mod map;
mod model;
mod panels;

use self::cell::{Packets, cells};
use self::compare::{Distance, Where, agreement, off_period, off_queue, off_rate, worst};
use self::model::Solved;
use super::{PARAMETERS, ROUND_TRIP};
use crate::prelude::*;

/// Means agree within this.
const MEANS: Rule = Rule::AtMost(0.05);
/// Periods agree within this.
const PERIODS: Rule = Rule::AtMost(0.15);

pub(super) fn experiment() -> Experiment {
    Experiment::new("allerton/fig05", "The fluid model of QCN beside packets")
        .setup(
            "1, 2, 10 and 50 backlogged sources share a link of 10 Gb/s at round-trip times of 20, 50, 100, 200 and 400 us. Each is solved by the equations (9) to (13), from an empty queue and sources at their \
             line rates, and run with packets: with QCN as far as the equations follow it, with standard QCN without its timer, and with standard QCN.",
        )
        .paper_says(
            "The model is of a simpler QCN, without some of the timer’s functions and without its transients. Figure 5 compares it with simulations of the same \
             scenarios, and the two match very well. The figure is missing from our copy, with its numbers of sources and round-trip times.",
        )
        .assumptions([
            PARAMETERS,
            ROUND_TRIP,
            "QCN as modelled has the byte counter alone: no timer, hyper-active increase, extra fast recovery, target rate reduction or shorter cycles in active increase, and frames are sampled with a probability of 1 % to 10 % \
             in proportion to the feedback. Its feedback still has six bits and one sign, and is sent per sampled frame.",
            "The first 100 ms are those of standard QCN in all packet runs, as the model omits the transients: sources that start at line rate, are cut many times and rise by the byte counter alone would not \
             recover within the run.",
            "“Very well” is read as: mean queue and mean rate within 5 % if the loop is stable, and the period of oscillation within 15 % if it is not. Stable is by the exact delay margin of the linearised loop. The \
             nonlinear equations need not come to rest there, since sources start far from the equilibrium; so means are also judged over the cells in which the solution does.",
            "Each claim is about the worst of its cells. If only one of packets and fluid oscillates, the period is off by all of it.",
            "A single source has a port of 20 Gb/s, without which it would not congest the link; others have 10 Gb/s.",
        ])
        .cases(cells().flat_map(|cell| Packets::ALL.map(|packets| cell.case(packets))))
        .quick(0.5)
        .seeds(5)
        .panels(panels::panels)
        .claims(Packets::ALL.into_iter().flat_map(claims))
}

/// A claim on the worst of some cells, for each QCN.
struct WorstOf {
    name: &'static str,
    /// The statement up to the name of the QCN.
    statement: &'static str,
    rule: Rule,
    of: Where,
    distance: Distance,
    reading: &'static str,
    /// The cause with each QCN, if the claim differs.
    causes: [&'static str; 3],
}

/// Why the queue of QCN as modelled is below that of the model.
const NO_LIFT: &str = "the model’s feedback of both signs raises a queue that is below its set point; without extra fast recovery packets recover slowly. The worst is one source at 100 us, where the mean queue is a third of the fluid’s";
/// The effect of fifty sources.
const NOISE: &str = "with fifty sources the queue of packets deviates randomly by 8 kB and more, and its mean moves with it; with up to ten sources every cell is within 5 %";
/// The solution at 200 us.
const CAUGHT: &str = "at 200 us the solution from line rates is caught in a large oscillation beside its stable equilibrium, and packets are not; the worst is two sources, close to their margin of 205 us. Started near the equilibrium the model is at rest, \
    and packets are near it";
/// How packets and model oscillate.
const ONE_SIGN: &str = "packets have feedback of one sign: rates are cut fast and rise slowly, so that their oscillation is irregular with one and two sources, where seeds have different periods or none, and slower by a quarter to a third with ten and fifty sources (without timer), where it is regular";

const WORST_OF: [WorstOf; 5] = [
    WorstOf {
        name: "queue-at-rest",
        statement: "Where the solution comes to rest, its queue is that of",
        rule: MEANS,
        of: Solved::rests,
        distance: off_queue,
        reading: "Mean queue from 0.2 s on, the largest distance over cells in which the fluid’s queue is at rest.",
        causes: [NO_LIFT, NOISE, NOISE],
    },
    WorstOf {
        name: "rate-at-rest",
        statement: "Where the solution comes to rest, its rates are those of",
        rule: MEANS,
        of: Solved::rests,
        distance: off_rate,
        reading: "Mean rate of a source from 0.2 s on, the largest distance over cells in which the fluid’s queue is at rest.",
        causes: ["", "", ""],
    },
    WorstOf {
        name: "queue-stable",
        statement: "Where the linearised loop is stable, the model’s queue is that of",
        rule: MEANS,
        of: Solved::is_stable,
        distance: off_queue,
        reading: "Mean queue from 0.2 s on, the largest distance over cells with a delay below the exact margin.",
        causes: [NO_LIFT, CAUGHT, CAUGHT],
    },
    WorstOf {
        name: "rate-stable",
        statement: "Where the linearised loop is stable, the model’s rates are those of",
        rule: MEANS,
        of: Solved::is_stable,
        distance: off_rate,
        reading: "Mean rate of a source from 0.2 s on, the largest distance over cells with a delay below the exact margin.",
        causes: [CAUGHT, CAUGHT, CAUGHT],
    },
    WorstOf {
        name: "period-unstable",
        statement: "Where the loop is unstable, the model oscillates with the period of",
        rule: PERIODS,
        of: |solved| !solved.is_stable(),
        distance: off_period,
        reading: "Period of the queue from 0.2 s on, the largest distance over cells with a delay beyond the exact margin.",
        causes: [ONE_SIGN, ONE_SIGN, ONE_SIGN],
    },
];

fn claims(packets: Packets) -> Vec<Claim> {
    let on_worst = |WorstOf { name, statement, rule, of, distance, reading, causes }: WorstOf| {
        let claim =
            Claim::new(format!("{name}{}", packets.suffix()), format!("{statement} {}.", packets.subject()))
                .measure(Unit::Share, rule, move |seed| worst(seed, packets, of, distance))
                .read_as(reading);
        let cause = causes[packets as usize];
        if cause.is_empty() { claim } else { claim.cause(cause) }
    };
    let oscillate = if packets == Packets::Modelled { "oscillate" } else { "oscillates" };
    let margin = Claim::new(
        format!("margin-tells{}", packets.suffix()),
        format!("The linearised loop predicts where {} {oscillate}.", packets.subject()),
    )
    .measure(Unit::Share, Rule::AtLeast(0.9), move |seed| agreement(seed, packets))
    .cause("it does so for the deviation of the queue, as the map shows, and not for whether it has a period: beyond the margin packets are irregular with one and two sources; on the stable side fifty sources have a faint period of 9 to 11 ms, and slow drift passes for a period in some seeds")
    .read_as("Share of the twenty cells in which the queue oscillates if the delay is beyond the exact margin, and does not if it is below; nine in ten at least.");
    WORST_OF.into_iter().map(on_worst).chain([margin]).collect()
}
