//! Figure 5: the fluid model of QCN beside packets.

mod cell;
mod compare;
mod map;
mod model;
mod page;

use setpoint_report::quantity::Unit;

use self::cell::{CELLS, Packets};
use self::compare::{Distance, Where, agreement, off_period, off_queue, off_rate, worst};
use self::model::Solved;
use super::{Phase, taken};
use crate::claim::Claim;
use crate::experiment::{Experiment, Keep, Repeats};
use crate::rule::Rule;
use crate::runs::Seed;

/// The end of a run.
const END: f64 = 0.4;
/// When the start is over.
const STEADY: Phase = (0.2, END);

/// Means agree where they are this near.
const MEANS: Rule = Rule::AtMost(0.05);
/// Periods agree where they are this near.
const PERIODS: Rule = Rule::AtMost(0.15);

pub(super) fn experiment() -> Experiment {
    Experiment {
        id: "allerton/fig05",
        title: "The fluid model of QCN beside packets",
        setup: "1, 2, 10 and 50 backlogged sources share a link of 10 Gb/s at round-trip times of 20, 50, 100, 200 and 400 us. Each is solved by the equations (9) to (13), from an empty queue and sources at their \
                line rates, and run with packets: with QCN as far as the equations follow it, with standard QCN without its timer, and with standard QCN.",
        paper_says: "The model is of a simpler QCN, without some of what the timer does and without its transients. Figure 5 has it beside simulations of the same \
                     scenarios, and the two match very well. The figure is missing from our copy, with its numbers of sources and round-trip times.",
        assumptions: [
            taken::list(&[taken::PARAMETERS, taken::ROUND_TRIP]),
            vec![
                "QCN as modelled has the byte counter alone: no timer, hyper-active increase, extra fast recovery, target rate reduction or shorter cycles in active increase, and frames are sampled with a probability of 1 % to 10 % \
                 in proportion to the feedback. Its feedback is still of six bits, of one sign, and per sampled frame."
                    .to_owned(),
                "The first 100 ms are those of standard QCN in all packet runs, as the model leaves the transients out: sources that start at line rate, are cut many times and rise by the byte counter alone would not \
                 be back within the run."
                    .to_owned(),
                "“Very well” is read as: mean queue and mean rate within 5 % where the loop is stable, and the period of oscillation within 15 % where it is not. Stable is by the exact delay margin of the linearised loop. The \
                 nonlinear equations need not come to rest there, since sources start far from the equilibrium; so means are also judged over the cells in which the solution does."
                    .to_owned(),
                "Each claim looks at the worst of its cells. Where packets oscillate and the fluid does not, or the other way round, the period is off by all of it.".to_owned(),
                "A single source has a port of 20 Gb/s, without which it would not congest the link; others have 10 Gb/s.".to_owned(),
            ],
        ]
        .concat(),
        cases: CELLS.iter().flat_map(|cell| Packets::ALL.map(|packets| cell.case(packets))).collect(),
        quick: 0.5,
        repeats: Repeats::Seeds(5),
        keep: Keep::Series,
        panels: Box::new(page::shown),
        claims: Packets::ALL.into_iter().flat_map(claims).collect(),
    }
}

/// A claim on the worst of some cells.
struct OnWorst {
    /// The name with each QCN.
    names: [&'static str; 3],
    /// The statement with each QCN.
    statements: [&'static str; 3],
    rule: Rule,
    of: Where,
    distance: Distance,
    reading: &'static str,
    /// The cause, if the claim differs, with each QCN.
    causes: [&'static str; 3],
}

/// Why the queue of QCN as modelled is below that of the model.
const NO_LIFT: &str = "the model’s feedback of both signs lifts a queue that is below its set point; without extra fast recovery packets come back slowly. The worst is one source at 100 us, where the mean queue is a third of the fluid’s";
/// What fifty sources do.
const NOISE: &str = "with fifty sources the queue of packets swings at random by 8 kB and more, and its mean moves with it; with up to ten sources every cell is within 5 %";
/// What the solution does at 200 us.
const CAUGHT: &str = "at 200 us the solution from line rates is caught in a large oscillation beside its stable equilibrium, and packets are not; the worst is two sources, close to their margin of 205 us. Started near the equilibrium the model is at rest, \
    and packets are near it";
/// How packets and model oscillate.
const ONE_SIGN: &str = "packets have feedback of one sign: rates are cut fast and rise slowly, so that their oscillation is irregular with one and two sources, where seeds have different periods or none, and slower by a quarter to a third with ten and fifty sources (without timer), where it is regular";

const ON_WORST: [OnWorst; 5] = [
    OnWorst {
        names: ["queue-at-rest", "queue-at-rest-timer-off", "queue-at-rest-standard"],
        statements: [
            "Where the solution comes to rest, its queue is that of packets.",
            "Where the solution comes to rest, its queue is that of QCN without timer.",
            "Where the solution comes to rest, its queue is that of standard QCN.",
        ],
        rule: MEANS,
        of: Solved::rests,
        distance: off_queue,
        reading: "Mean queue from 0.2 s on, the largest distance over cells in which the fluid’s queue is still.",
        causes: [NO_LIFT, NOISE, NOISE],
    },
    OnWorst {
        names: ["rate-at-rest", "rate-at-rest-timer-off", "rate-at-rest-standard"],
        statements: [
            "Where the solution comes to rest, its rates are those of packets.",
            "Where the solution comes to rest, its rates are those of QCN without timer.",
            "Where the solution comes to rest, its rates are those of standard QCN.",
        ],
        rule: MEANS,
        of: Solved::rests,
        distance: off_rate,
        reading: "Mean rate of a source from 0.2 s on, the largest distance over cells in which the fluid’s queue is still.",
        causes: ["", "", ""],
    },
    OnWorst {
        names: ["queue-stable", "queue-stable-timer-off", "queue-stable-standard"],
        statements: [
            "Where the linearised loop is stable, the model’s queue is that of packets.",
            "Where the linearised loop is stable, the model’s queue is that of QCN without timer.",
            "Where the linearised loop is stable, the model’s queue is that of standard QCN.",
        ],
        rule: MEANS,
        of: Solved::is_stable,
        distance: off_queue,
        reading: "Mean queue from 0.2 s on, the largest distance over cells with a delay below the exact margin.",
        causes: [NO_LIFT, CAUGHT, CAUGHT],
    },
    OnWorst {
        names: ["rate-stable", "rate-stable-timer-off", "rate-stable-standard"],
        statements: [
            "Where the linearised loop is stable, the model’s rates are those of packets.",
            "Where the linearised loop is stable, the model’s rates are those of QCN without timer.",
            "Where the linearised loop is stable, the model’s rates are those of standard QCN.",
        ],
        rule: MEANS,
        of: Solved::is_stable,
        distance: off_rate,
        reading: "Mean rate of a source from 0.2 s on, the largest distance over cells with a delay below the exact margin.",
        causes: [CAUGHT, CAUGHT, CAUGHT],
    },
    OnWorst {
        names: ["period-unstable", "period-unstable-timer-off", "period-unstable-standard"],
        statements: [
            "Where the loop is unstable, the model oscillates with the period of packets.",
            "Where the loop is unstable, the model oscillates with the period of QCN without timer.",
            "Where the loop is unstable, the model oscillates with the period of standard QCN.",
        ],
        rule: PERIODS,
        of: |solved| !solved.is_stable(),
        distance: off_period,
        reading: "Period of the queue from 0.2 s on, the largest distance over cells with a delay beyond the exact margin.",
        causes: [ONE_SIGN, ONE_SIGN, ONE_SIGN],
    },
];

fn claims(packets: Packets) -> Vec<Claim> {
    let place = packets as usize;
    let on_worst = |OnWorst { names, statements, rule, of, distance, reading, causes }: OnWorst| {
        let measure = move |seed: &Seed<'_>| worst(seed, packets, of, distance);
        let claim =
            Claim::measured(names[place], statements[place], (Unit::Share, rule), measure).read_as(reading);
        if causes[place].is_empty() { claim } else { claim.cause(causes[place]) }
    };
    let mut claims: Vec<Claim> = ON_WORST.into_iter().map(on_worst).collect();
    let (name, statement) = [
        ("margin-tells", "The linearised loop tells where packets oscillate."),
        ("margin-tells-timer-off", "The linearised loop tells where QCN without timer oscillates."),
        ("margin-tells-standard", "The linearised loop tells where standard QCN oscillates."),
    ][place];
    claims.push(
        Claim::measured(name, statement, (Unit::Share, Rule::AtLeast(0.9)), move |seed| agreement(seed, packets))
        .cause("it does by how much the queue swings, as the map shows, and not by whether it does so with a period: beyond the margin packets are irregular with one and two sources; on the stable side fifty sources have a faint period of 9 to 11 ms, and slow drift passes for a period in some seeds")
        .read_as(
            "Share of the twenty cells in which the queue oscillates if the delay is beyond the exact margin, and does not if it is below; nine in ten at least.",
        ),
    );
    claims
}
