//! Requirement (a): a queue of 30 kB under one fast source at a long round-trip time.

use setpoint_fluid::ModelOptions;
use setpoint_report::document::{Block, Cell, Column, Table};
use setpoint_report::quantity::Unit;

use super::measure::{empty, filled, level, limits, swing, used};
use super::theory::Theory;
use super::{Phase, TARGET, as_described, panel, scenario, taken};
use crate::case::Case;
use crate::claim::Claim;
use crate::experiment::{Experiment, Keep, Repeats};
use crate::rule::Rule;
use crate::runs::{Run, Runs};
use crate::tables;

const SCENARIO: &str = scenario!("stability", "with-qcn");

/// When the start is over.
const STEADY: Phase = (0.1, 0.5);
/// Round-trip time, in seconds.
const ROUND_TRIP: f64 = 500e-6;

pub(super) fn experiment() -> Experiment {
    Experiment {
        id: "allerton/stability",
        title: "A queue of 30 kB, one source, 500 us",
        setup: "One backlogged source, a link of 10 Gb/s and a round-trip time of 500 us, with a buffer of 150 kB and a set point of 30 kB. The source starts at the \
                rate of its port, which is twice the link’s; and once more a source of 10 Gb/s on a link of 9.5 Gb/s. Beside: two and ten sources of \
                10 Gb/s, and one source at shorter round-trip times.",
        paper_says: "Buffers should neither overflow nor run empty, which is hardest with few fast sources and shallow buffers. With one source of 10 Gb/s and a round-trip time of \
                     500 us the queue is to be held at 30 kB, less than 6 % of what is under way. It is a requirement, of which the paper does not show a run.",
        assumptions: [
            taken::list(&[taken::PARAMETERS, taken::ROUND_TRIP]),
            vec![
                "A single source congests a link only if it can send faster. Its port has 20 Gb/s, and QCN must bring it to 10 Gb/s; or the link serves the \
                 priority with 9.5 Gb/s, and the port itself keeps a source of 10 Gb/s from sending much more. Claims are judged for both."
                    .to_owned(),
                "The first 100 ms are left out: without PAUSE a source that starts at twice the link’s rate overflows any such buffer within a round-trip time."
                    .to_owned(),
                taken::AS_DESCRIBED.to_owned(),
            ],
        ]
        .concat(),
        cases: cases(),
        quick: 0.5,
        repeats: Repeats::Seeds(10),
        keep: Keep::Series,
        panels: Box::new(shown),
        claims: claims(),
    }
}

const CASES: [(&str, &str); 9] = [
    ("one", "One source of 20 Gb/s"),
    ("narrow", "One source of 10 Gb/s, link of 9.5 Gb/s"),
    ("two", "Two sources of 10 Gb/s"),
    ("ten", "Ten sources of 10 Gb/s"),
    ("described", "One source of 20 Gb/s, QCN as described"),
    ("at-50", "One source of 20 Gb/s, 50 us"),
    ("at-100", "One source of 20 Gb/s, 100 us"),
    ("at-200", "One source of 20 Gb/s, 200 us"),
    ("at-300", "One source of 20 Gb/s, 300 us"),
];

fn cases() -> Vec<Case> {
    let access = "topology.dumbbell.access_rate=\"10 Gb/s\"";
    let [one, narrow, two, ten, described, at_50, at_100, at_200, at_300] =
        CASES.map(|(name, label)| Case::new(name, label, SCENARIO));
    let at = |case: Case, lag: u32| case.set(format!("topology.dumbbell.rtt=\"{lag} us\""));
    vec![
        one,
        narrow.set(access).set("topology.dumbbell.bottleneck_rate=\"9.5 Gb/s\""),
        two.set(access).set("topology.dumbbell.senders=2"),
        ten.set(access).set("topology.dumbbell.senders=10"),
        as_described(described),
        at(at_50, 50),
        at(at_100, 100),
        at(at_200, 200),
        at(at_300, 300),
    ]
}

/// A case that is judged, with the link's rate, and names and statements of its claims.
#[derive(Clone, Copy, Debug)]
struct Judged {
    case: &'static str,
    rate: f64,
    claims: [(&'static str, &'static str); 5],
}

const JUDGED: [Judged; 2] = [
    Judged {
        case: "one",
        rate: 10e9,
        claims: [
            ("near-30-kb", "The queue is held near 30 kB."),
            ("under-6-percent", "The queue is less than 6 % of the bandwidth-delay product."),
            ("no-underflow", "The buffer does not underflow."),
            ("no-overflow", "The buffer does not overflow."),
            ("link-used", "The link is used."),
        ],
    },
    Judged {
        case: "narrow",
        rate: 9.5e9,
        claims: [
            ("near-30-kb-narrow", "On a link of 9.5 Gb/s the queue is held near 30 kB."),
            ("under-6-percent-narrow", "There it is less than 6 % of the bandwidth-delay product."),
            ("no-underflow-narrow", "There the buffer does not underflow."),
            ("no-overflow-narrow", "There it does not overflow."),
            ("link-used-narrow", "There the link is used."),
        ],
    },
];

/// Why QCN does not do it.
const TOO_FAR: &str = "500 us are beyond what the loop bears with one source: the exact margin of the linearised model is 152 us, and packets agree with it. At 50 and 100 us the queue is held at 30 kB, at 200 us the mean is 22 kB, \
    at 300 us 8 kB. At 500 us a rate that rises finds the queue empty for a round-trip time after it has passed the link’s, and messages that were sent in the meantime then cut it several times over: to a few per cent of the link with a port of 20 Gb/s, \
    where hyper-active increase overshoots most (the link is used to 91 % without it), and to nine tenths on the link of 9.5 Gb/s. Tried besides, with mean queue and use of the link, for 20 Gb/s: gains of 2^-8, 2^-9 and 2^-10, 2 kB and 76 %, 7 kB and 98 %, 9 kB and \
    98 %; samples of 600 kB, 13 kB and 99 %; and a weight of 8 instead of 2, which does most of it, 23 kB and 99.95 %";

const SEE_ABOVE: &str = "the loop does not bear 500 us with one source; see the first claim";

fn claims() -> Vec<Claim> {
    JUDGED.into_iter().flat_map(of_case).collect()
}

fn of_case(Judged { case, rate, claims }: Judged) -> [Claim; 5] {
    let [near, under, underflow, overflow, utilisation] = claims;
    [
        Claim::measured(near.0, near.1, (Unit::Bytes, Rule::about(TARGET, 0.25)), move |seed| {
            level(seed.run(case), STEADY)
        })
        .read_as("Mean of the queue from 0.1 to 0.5 s; near is within a quarter.")
        .cause(TOO_FAR),
        Claim::measured(under.0, under.1, (Unit::Share, Rule::AtMost(0.06)), move |seed| {
            share_of_product(seed.run(case), rate)
        })
        .read_as("Mean of the queue over the link’s rate times 500 us. A queue that is empty most of the time follows it, too."),
        Claim::measured(underflow.0, underflow.1, (Unit::Share, Rule::AtMost(0.01)), move |seed| {
            empty(seed.run(case), STEADY)
        })
        .read_as("Share of the samples that are zero; one per cent at most.")
        .cause(SEE_ABOVE),
        Claim::measured(overflow.0, overflow.1, (Unit::Share, Rule::AtMost(0.99)), move |seed| {
            filled(seed.run(case), STEADY)
        })
        .read_as("The queue’s largest length over the buffer: where there is room for a frame at all times, nothing is dropped.")
        .cause(SEE_ABOVE),
        Claim::measured(utilisation.0, utilisation.1, (Unit::Share, Rule::AtLeast(0.98)), move |seed| {
            used(seed.run(case), STEADY)
        })
        .read_as("Busy for 98 % of the time at least; the paper says only that underflows cost utilisation.")
        .cause(SEE_ABOVE),
    ]
}

/// The mean of the queue over the bandwidth-delay product of a link.
fn share_of_product(run: &Run, rate: f64) -> Option<f64> {
    Some(level(run, STEADY)? * 8.0 / (rate * ROUND_TRIP))
}

fn shown(runs: &Runs) -> Vec<Block> {
    let first = runs.first();
    let queues = CASES[..4]
        .iter()
        .map(|(case, label)| panel::queue(first.run(case), (&format!("queue-{case}"), label)));
    let limits = CASES[..2].iter().zip([20e9, 10e9]).map(|((case, label), line)| {
        let run = first.run(case);
        panel::rates(
            run,
            (&format!("rate-{case}"), &format!("{label}: its rate")),
            &[("rate limit", limits(run, line))],
        )
    });
    let table = tables::by_case(
        runs,
        &CASES,
        &[
            ("Mean queue", Unit::Bytes, |run| level(run, STEADY)),
            ("Swing", Unit::Bytes, |run| swing(run, STEADY)),
            ("Largest, over the buffer", Unit::Share, |run| filled(run, STEADY)),
            ("Empty", Unit::Share, |run| empty(run, STEADY)),
            ("Link used", Unit::Share, |run| used(run, STEADY)),
            ("Frames dropped, start included", Unit::Count, |run| {
                Some(run.summary.total.dropped_frames as f64)
            }),
        ],
    );
    let mut blocks = panel::of_seed(first, queues.chain(limits).collect()).to_vec();
    blocks.push(Block::Table(table));
    blocks.push(Block::Note("From 0.1 s on. Swing is the standard deviation of the queue.".to_owned()));
    blocks.push(Block::Prose(THEORY.to_owned()));
    blocks.push(Block::Table(margins()));
    blocks
}

const THEORY: &str = "What the linearised fluid model says: the longest delay at which the loop is stable, exactly and by the sufficient bound, and what becomes of a small disturbance at a round-trip time of 500 us. The model has the byte \
                      counter alone, without timer and hyper-active increase.";

fn margins() -> Table {
    let mut table = Table::scrolled(
        [Column::words("")].into_iter().chain(
            [
                "Exact margin",
                "Sufficient bound",
                "Delay of the loop",
                "Unstable roots",
                "A disturbance grows tenfold in",
            ]
            .map(Column::figures),
        ),
    );
    for (case, label) in cases().into_iter().zip(CASES).take(4).map(|(case, (_, label))| (case, label)) {
        table.row([Cell::words(label)].into_iter().chain(margin_cells(&case).unwrap_or_default()));
    }
    table
}

fn margin_cells(case: &Case) -> Option<Vec<Cell>> {
    let closed = Theory::of(case)?.linear(&ModelOptions::default())?;
    let seconds = |value: Option<f64>| {
        Cell::words(value.map_or_else(|| "–".to_owned(), |value| Unit::Seconds.text(value)))
    };
    let grows = closed.dominant(closed.delay_s).filter(|root| root.growth_per_s > 0.0);
    Some(vec![
        seconds(closed.margin().map(|margin| margin.delay_s)),
        seconds(closed.bound().map(|bound| bound.delay_s)),
        seconds(Some(closed.delay_s)),
        Cell::words(closed.unstable_roots(closed.delay_s).to_string()),
        seconds(grows.map(|root| std::f64::consts::LN_10 / root.growth_per_s)),
    ])
}
