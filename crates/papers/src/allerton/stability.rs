//! Requirement (a): a queue of 30 kB under one fast source at a long round-trip time.

use setpoint_fluid::ModelOptions;

use super::theory::Theory;
use super::{
    AS_DESCRIBED, BUFFER, PARAMETERS, PORT, QUEUE, ROUND_TRIP, STEADY, TARGET, as_described, dropped,
    limit_sum, queue_panel,
};
use crate::prelude::*;

const SCENARIO: &str = scenario!("allerton": "stability", "with-qcn");

/// The round-trip time of the scenario, in seconds.
const ROUND_TRIP_S: f64 = 500e-6;

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

pub(super) fn experiment() -> Experiment {
    Experiment::new("allerton/stability", "A queue of 30 kB, one source, 500 us")
        .setup(
            "One backlogged source, a link of 10 Gb/s and a round-trip time of 500 us, with a buffer of 150 kB and a \
            set point of 30 kB. The source starts at its port rate, which is twice the link rate. A second \
            case has a source of 10 Gb/s on a link of 9.5 Gb/s. For comparison we also run two and ten \
            sources of 10 Gb/s, and one source at shorter round-trip times.",
        )
        .paper_says(
            "Buffers should neither overflow nor underflow, which is hardest with few fast sources and shallow buffers. With one source of 10 Gb/s and a round-trip time of \
             500 us the queue is to be held at 30 kB, less than 6 % of the bandwidth-delay product. This is a \
             requirement; the paper shows no such run.",
        )
        .assumptions([
            PARAMETERS,
            ROUND_TRIP,
            "A single source congests a link only if it can send faster than the link. Either its port runs \
            at 20 Gb/s, and QCN must slow it down to 10 Gb/s, or the link serves the priority at 9.5 Gb/s, \
            and the port itself prevents a source of 10 Gb/s from sending much more. Claims are judged for \
            both cases.",
            "The first 100 ms are excluded: without PAUSE a source that starts at twice the link rate \
            overflows any such buffer within a round-trip time.",
            AS_DESCRIBED,
        ])
        .cases(cases())
        .quick(0.5)
        .panels(panels)
        .claims(judged("one", 10e9, "", ["The queue", "The queue", "The buffer", "The buffer", "The link"]))
        .claims(judged("narrow", 9.5e9, "-narrow", ["On a link of 9.5 Gb/s the queue", "There it", "There the buffer", "There it", "There the link"]))
}

fn cases() -> [Case; 9] {
    let access = "topology.dumbbell.access_rate=\"10 Gb/s\"";
    let [one, narrow, two, ten, described, at_50, at_100, at_200, at_300] =
        CASES.map(|(name, label)| Case::new(name, label, SCENARIO));
    let at = |case: Case, lag: u32| case.set(format!("topology.dumbbell.rtt=\"{lag} us\""));
    [
        one,
        narrow.set_all([access, "topology.dumbbell.bottleneck_rate=\"9.5 Gb/s\""]),
        two.set_all([access, "topology.dumbbell.senders=2"]),
        ten.set_all([access, "topology.dumbbell.senders=10"]),
        as_described(described),
        at(at_50, 50),
        at(at_100, 100),
        at(at_200, 200),
        at(at_300, 300),
    ]
}

/// Why QCN does not achieve this.
const TOO_FAR: &str = "with one source the loop is not stable at 500 us: the exact margin of the linearised model is \
    152 us, and the packet simulation agrees with it. At 50 and 100 us the queue is held at 30 kB; at 200 us its mean \
    is 22 kB, and at 300 us 8 kB. At 500 us a rising rate still sees an empty queue for a round-trip time after it has \
    exceeded the link rate, and the messages sent in the meantime then cut it several times. With a port of 20 Gb/s \
    the rate falls to a few per cent of the link rate; hyper-active increase overshoots most there, and without it the \
    utilisation is 91 %. On the link of 9.5 Gb/s the rate falls to nine tenths. We also tried other parameters for the \
    port of 20 Gb/s. The mean queue and the utilisation are 2 kB and 76 % with a gain of 2^-8, 7 kB and 98 % with \
    2^-9, 9 kB and 98 % with 2^-10, and 13 kB and 99 % with a sampling interval of 600 kB. A weight of 8 instead of 2 \
    helps most: 23 kB and 99.95 %";

/// The claims on a case with its link rate, a suffix for the names, and the subjects of the statements.
fn judged(case: &'static str, rate: f64, suffix: &str, subjects: [&str; 5]) -> [Claim; 5] {
    const SEE_ABOVE: &str = "the loop is not stable at 500 us with one source; see the first claim";
    let [near, under, underflow, overflow, used] = subjects;
    let claim = |name: &str, subject: &str, predicate: &str| {
        Claim::new(OURS, format!("{name}{suffix}"), format!("{subject} {predicate}"))
    };
    [
        claim("near-30-kb", near, "is held near 30 kB.")
            .measure(Unit::Bytes, Rule::about(TARGET, 0.25), move |seed| {
                seed.run(case).mean_queue(QUEUE, STEADY)
            })
            .read_as("Mean queue from 0.1 to 0.5 s; “near” means within a quarter.")
            .cause(TOO_FAR),
        claim("under-6-percent", under, "is less than 6 % of the bandwidth-delay product.")
            .measure(Unit::Share, Rule::AtMost(0.06), move |seed| {
                Some(seed.run(case).mean_queue(QUEUE, STEADY)? * 8.0 / (rate * ROUND_TRIP_S))
            })
            .read_as(
                "Mean queue divided by the link rate times 500 us. A queue that is empty most of the time \
                satisfies this too.",
            ),
        claim("no-underflow", underflow, "does not underflow.")
            .measure(Unit::Share, Rule::AtMost(0.01), move |seed| seed.run(case).queue_empty(QUEUE, STEADY))
            .read_as("Share of the samples that are zero; at most one per cent.")
            .cause(SEE_ABOVE),
        claim("no-overflow", overflow, "does not overflow.")
            .measure(Unit::Share, Rule::AtMost(0.99), move |seed| filled(seed.run(case)))
            .read_as(
                "The largest queue length divided by the buffer size. If there is always room for a frame, \
                nothing is dropped.",
            )
            .cause(SEE_ABOVE),
        claim("link-used", used, "is used.")
            .measure(Unit::Share, Rule::AtLeast(0.98), move |seed| seed.run(case).utilisation(PORT, STEADY))
            .read_as(
                "Busy for at least 98 % of the time; the paper says only that underflows reduce utilisation.",
            )
            .cause(SEE_ABOVE),
    ]
}

/// The largest queue length divided by the buffer size.
fn filled(run: &Run) -> Option<f64> {
    Some(run.queue_peak(QUEUE, STEADY)? / BUFFER.size)
}

fn panels(runs: &Runs) -> Vec<Block> {
    let first = runs.first();
    let queues = CASES[..4]
        .iter()
        .map(|(case, label)| queue_panel(first.run(case), (&format!("queue-{case}"), label)));
    let limits = CASES[..2].iter().zip([20e9, 10e9]).map(|((case, label), line)| {
        let run = first.run(case);
        let names = (&*format!("rate-{case}"), &*format!("{label}: rate"));
        panel::rates(run, names, &[("rate limit", limit_sum(run, line))])
    });
    let table = table::by_case(
        runs,
        &CASES,
        &[
            ("Mean queue", Unit::Bytes, |run| run.mean_queue(QUEUE, STEADY)),
            ("Deviation", Unit::Bytes, |run| run.queue_std_dev(QUEUE, STEADY)),
            ("Largest queue / buffer", Unit::Share, filled),
            ("Empty", Unit::Share, |run| run.queue_empty(QUEUE, STEADY)),
            ("Utilisation", Unit::Share, |run| run.utilisation(PORT, STEADY)),
            ("Frames dropped, including the start", Unit::Count, dropped),
        ],
    );
    let theory = "Results of the linearised fluid model: the longest delay at which the loop is stable, both the exact \
        value and the sufficient bound, and the growth of a small disturbance at a round-trip time of 500 us. The \
        model has only the byte counter, without a timer or hyper-active increase.";
    let mut blocks = panel::of_seed(first, queues.chain(limits));
    blocks.extend([
        Block::Table(table),
        Block::Note("From 0.1 s on. The deviation is the standard deviation of the queue.".to_owned()),
        Block::Prose(theory.to_owned()),
        Block::Table(margins()),
    ]);
    blocks
}

fn margins() -> Table {
    let headings = [
        "Exact margin",
        "Sufficient bound",
        "Loop delay",
        "Unstable roots",
        "Time for a disturbance to grow tenfold",
    ];
    let mut table = table::with_headings("", headings);
    for case in cases().into_iter().take(4) {
        table.row([Cell::words(&case.label)].into_iter().chain(margin_cells(&case).unwrap_or_default()));
    }
    table
}

fn margin_cells(case: &Case) -> Option<Vec<Cell>> {
    let closed = Theory::of(case)?.linear(&ModelOptions::default())?;
    let seconds = |value: Option<f64>| table::value_cell(Unit::Seconds, value);
    let grows = closed.dominant(closed.delay_s).filter(|root| root.growth_per_s > 0.0);
    Some(vec![
        seconds(closed.margin().map(|margin| margin.delay_s)),
        seconds(closed.bound().map(|bound| bound.delay_s)),
        seconds(Some(closed.delay_s)),
        Cell::words(closed.unstable_roots(closed.delay_s).to_string()),
        seconds(grows.map(|root| std::f64::consts::LN_10 / root.growth_per_s)),
    ])
}
