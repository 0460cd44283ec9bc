//! Figure 5: the fluid model of QCN compared with packet simulations.

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

/// Means must agree within this relative difference.
const MEANS: Rule = Rule::AtMost(0.05);
/// Periods must agree within this relative difference.
const PERIODS: Rule = Rule::AtMost(0.15);

pub(super) fn experiment() -> Experiment {
    Experiment::new("allerton/fig05", "The fluid model of QCN compared with packet simulations")
        .setup(
            "1, 2, 10 and 50 backlogged sources share a link of 10 Gb/s at round-trip times of 20, 50, 100, 200 and \
            400 us. For each combination we solve equations (9) to (13), starting with an empty queue and with sources \
            at line rate, and run packet simulations of three versions of QCN: QCN as far as the equations describe \
            it, standard QCN without its timer, and standard QCN.",
        )
        .paper_says(
            "The model describes a simpler QCN, without some functions of the timer and without its transients. Figure \
            5 compares it with simulations of the same scenarios, and the two match very well. The figure is missing \
            from our copy, so we do not know its numbers of sources and round-trip times.",
        )
        .assumptions([
            PARAMETERS,
            ROUND_TRIP,
            "QCN as modelled has only the byte counter: no timer, hyper-active increase, extra fast recovery, target \
            rate reduction or shorter cycles in active increase. Frames are sampled with a probability of 1 % to 10 %, \
            in proportion to the feedback. The feedback still has six bits, is always negative, and is sent \
            per sampled frame.",
            "All packet runs use standard QCN for the first 100 ms, since the model omits the transients. Sources that \
            start at line rate, are slowed down many times and recover by the byte counter alone would not recover \
            within the run.",
            "We read “very well” as a mean queue and a mean rate within 5 % if the loop is stable, and an \
            oscillation period within 15 % if it is unstable. The exact delay margin of the linearised loop \
            decides whether it is stable. The solution of the nonlinear equations need not settle even then, \
            since sources start far from the equilibrium. We therefore also judge means over the cells in \
            which the solution settles.",
            "Each claim is judged on the worst of its cells. If only the packet simulation or only the fluid \
            model oscillates, the period counts as off by 100 %.",
            "A single source has a port of 20 Gb/s; otherwise it would not congest the link. Other sources \
            have ports of 10 Gb/s.",
        ])
        .cases(cells().flat_map(|cell| Packets::ALL.map(|packets| cell.case(packets))))
        .quick(0.5)
        .seeds(5)
        .panels(panels::panels)
        .claims(Packets::ALL.into_iter().flat_map(claims))
}

/// A claim on the worst of some cells, for each version of QCN.
struct WorstOf {
    name: &'static str,
    /// The statement up to the name of the QCN version.
    statement: &'static str,
    rule: Rule,
    of: Where,
    distance: Distance,
    reading: &'static str,
    /// The cause for each version of QCN, if the claim differs.
    causes: [&'static str; 3],
}

/// Why the queue with QCN as modelled is shorter than in the fluid model.
const NO_LIFT: &str = "the model’s feedback has both signs and therefore raises a queue that is below its set point. \
    In the packet simulation, rates recover slowly without extra fast recovery. The worst cell is one source at 100 \
    us, where the mean queue is a third of the fluid model’s";
/// The effect of fifty sources.
const NOISE: &str = "with fifty sources the queue in the packet simulation fluctuates randomly by 8 kB or \
    more, which shifts its mean. With up to ten sources every cell is within 5 %";
/// The solution at 200 us.
const CAUGHT: &str = "at 200 us the solution that starts at line rate stays in a large oscillation although \
    its equilibrium is stable, while the packet simulation settles. The worst cell is two sources, close to \
    their margin of 205 us. If the model starts near the equilibrium it settles, and the packet simulation \
    is close to it";
/// How packet simulation and model oscillate.
const ONE_SIGN: &str = "in the packet simulation feedback is only negative, so rates are cut fast and rise slowly. \
    With one and two sources its oscillation is therefore irregular, and seeds have different periods or none. With \
    ten and fifty sources (without a timer) it is regular, but slower by a quarter to a third";

const WORST_OF: [WorstOf; 5] = [
    WorstOf {
        name: "queue-at-rest",
        statement: "Where the solution settles, its mean queue agrees with that of",
        rule: MEANS,
        of: Solved::rests,
        distance: off_queue,
        reading: "Mean queue from 0.2 s on; the largest relative difference over the cells in which the \
            fluid model’s queue settles.",
        causes: [NO_LIFT, NOISE, NOISE],
    },
    WorstOf {
        name: "rate-at-rest",
        statement: "Where the solution settles, its rates agree with those of",
        rule: MEANS,
        of: Solved::rests,
        distance: off_rate,
        reading: "Mean rate of a source from 0.2 s on; the largest relative difference over the cells in \
            which the fluid model’s queue settles.",
        causes: ["", "", ""],
    },
    WorstOf {
        name: "queue-stable",
        statement: "Where the linearised loop is stable, the model’s mean queue agrees with that of",
        rule: MEANS,
        of: Solved::is_stable,
        distance: off_queue,
        reading: "Mean queue from 0.2 s on; the largest relative difference over the cells with a delay \
            below the exact margin.",
        causes: [NO_LIFT, CAUGHT, CAUGHT],
    },
    WorstOf {
        name: "rate-stable",
        statement: "Where the linearised loop is stable, the model’s rates agree with those of",
        rule: MEANS,
        of: Solved::is_stable,
        distance: off_rate,
        reading: "Mean rate of a source from 0.2 s on; the largest relative difference over the cells with a \
            delay below the exact margin.",
        causes: [CAUGHT, CAUGHT, CAUGHT],
    },
    WorstOf {
        name: "period-unstable",
        statement: "Where the loop is unstable, the model oscillates with the same period as",
        rule: PERIODS,
        of: |solved| !solved.is_stable(),
        distance: off_period,
        reading: "Period of the queue from 0.2 s on; the largest relative difference over the cells with a \
            delay beyond the exact margin.",
        causes: [ONE_SIGN, ONE_SIGN, ONE_SIGN],
    },
];

fn claims(packets: Packets) -> Vec<Claim> {
    let on_worst = |WorstOf { name, statement, rule, of, distance, reading, causes }: WorstOf| {
        let claim = Claim::new(
            OURS,
            format!("{name}{}", packets.suffix()),
            format!("{statement} {}.", packets.subject()),
        )
        .measure(Unit::Share, rule, move |seed| worst(seed, packets, of, distance))
        .read_as(reading);
        let cause = causes[packets as usize];
        if cause.is_empty() { claim } else { claim.cause(cause) }
    };
    let margin = Claim::new(OURS, format!("margin-tells{}", packets.suffix()),
        format!("The linearised loop predicts where {} oscillates.", packets.subject()),
    )
    .measure(Unit::Share, Rule::AtLeast(0.9), move |seed| agreement(seed, packets))
    .cause("it predicts the queue deviation, as the map shows, but not whether the queue has a period. \
        Beyond the margin the packet simulation is irregular with one and two sources. On the stable side \
        fifty sources show a faint period of 9 to 11 ms, and in some seeds a slow drift is detected as a \
        period")
    .read_as("Share of the twenty cells in which the queue oscillates if and only if the delay is beyond the exact \
        margin; at least nine in ten.");
    WORST_OF.into_iter().map(on_worst).chain([margin]).collect()
}
