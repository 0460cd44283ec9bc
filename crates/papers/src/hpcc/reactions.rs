//! Figure 13: reaction to every acknowledgement, to every round trip, and their combination in HPCC.

use super::choices::{INCREMENT, STAGES};
use super::{BUFFER, UNVERIFIED, WIRE};
use crate::prelude::*;

const SCENARIO: &str = scenario!("hpcc": "incast", "with-hpcc");
const QUEUE: &str = "bridge->h1/3";
const PORT: &str = "bridge->h1";
/// B T, the most that one flow has in flight.
const PRODUCT: f64 = 150e3;

/// The time after the first reaction, until the end of the first half of the run.
const AFTER_START: Window = START.plus(200e-6).until(MEASURED);
const STEADY: Window = MEASURED.until(END);

const CASES: [(&str, &str, &str); 3] = [
    ("hpcc", "HPCC", "acknowledgement"),
    ("per-ack", "Per ACK", "without-reference"),
    ("per-rtt", "Per RTT", "window"),
];

const FIGURE_13: Origin = at("section 5.4, figure 13 (from memory, unverified)");

pub(super) fn experiment() -> Experiment {
    let cases = CASES.map(|(name, label, updates)| {
        Case::new(name, label, SCENARIO).set(format!("control.hpcc.rp.updates={updates}"))
    });
    Experiment::new("hpcc/fig13", "Reaction per acknowledgement and per round trip")
        .setup(
            "16 backlogged flows start at the same time to send to one station over a bridge with 100 Gb/s links. HPCC reacts to \
            every acknowledgement, starting from a reference rate that changes once per round trip. It is compared with reaction \
            to every acknowledgement without a reference, and with reaction once per round trip.",
        )
        .paper_says(
            "With reaction to every acknowledgement alone, sources react several times to the same congestion, and throughput \
            drops. With reaction once per round trip, the queue is drained slowly. HPCC drains the queue quickly and keeps the \
            throughput.",
        )
        .assumptions([
            UNVERIFIED,
            WIRE,
            BUFFER,
            "Links have a delay of 3 us, so that the round-trip time of 12 us is that of the fat tree.",
            "Queues are expected to be drained when they are below 50 kB, three frames for every flow.",
        ])
        .choices([&STAGES, &INCREMENT])
        .cases(cases)
        .seeds(Repeats::LEAST)
        .quick(0.5)
        .panels(panels)
        .claims([
            Claim::new(FIGURE_13, "per-ack-loses-throughput", "With reaction to every acknowledgement alone, throughput is lost.")
                .measure(Unit::Ratio, Rule::AtMost(0.8), |seed| Some(used(seed, "per-ack")? / used(seed, "hpcc")?))
                .read_as(
                    "Utilisation of the link from 0.2 to 1 ms, divided by that with HPCC; at most four fifths.",
                ),
            Claim::new(FIGURE_13, "per-rtt-drains-slowly", "With reaction once per round trip, the queue is drained more slowly.")
                .measure(Unit::Ratio, Rule::AtLeast(1.25), |seed| {
                    Some(drained(seed, "per-rtt") / drained(seed, "hpcc"))
                })
                .read_as(
                    "Time from the start until the queue falls below 50 kB and stays there for 0.1 ms, divided by that with HPCC; \
                    at least 1.25.",
                ),
            Claim::new(FIGURE_13, "keeps-throughput", "HPCC keeps the throughput.")
                .measure(Unit::Share, Rule::AtLeast(0.9), |seed| used(seed, "hpcc"))
                .read_as("Utilisation of the link from 0.2 to 1 ms; at least 90 %, near the target of 95 %."),
            Claim::new(FIGURE_13, "queue-near-zero", "HPCC’s queue is close to empty in the steady state.")
                .measure(Unit::Bytes, Rule::AtMost(PRODUCT / 3.0), |seed| seed.run("hpcc").mean_queue(QUEUE, STEADY))
                .read_as("Mean queue in the second half of the run; at most a third of the bandwidth-delay product."),
        ])
}

/// The utilisation after the first reaction.
fn used(seed: &Seed<'_>, case: &str) -> Option<f64> {
    seed.run(case).utilisation(PORT, AFTER_START)
}

/// The time until the queue is drained; the whole run if it is not.
fn drained(seed: &Seed<'_>, case: &str) -> f64 {
    let run = seed.run(case);
    let time = run
        .queue(QUEUE)
        .and_then(|queue| run.settling(queue, START, 100e-6, |length| length <= PRODUCT / 3.0));
    time.unwrap_or(run.summary.duration_s)
}

fn panels(runs: &Runs) -> Vec<Block> {
    let first = runs.first();
    let cases = CASES.map(|(name, label, _)| (name, label));
    let queues = panel::curves(&cases, |case| first.run(case).queue(QUEUE));
    let top = queues.iter().flat_map(|(_, values)| values).copied().fold(PRODUCT, f64::max);
    let y = Axis::from_zero("Queue", Unit::Bytes, top);
    let queue = panel::over_time(first.run("hpcc"), ("queue", "Queue"), y, &queues);
    let shares = panel::curves(&cases, |case| Some(&first.run(case).port_series(PORT)?.utilisation_share));
    let y = Axis::linear("Utilisation", Unit::Share, (0.0, 1.0));
    let share = panel::over_time(first.run("hpcc"), ("utilisation", "Utilisation of the link"), y, &shares);
    let columns: [table::SeedColumn<'_>; 4] = [
        ("Utilisation from 0.2 to 1 ms", Unit::Share, used),
        ("Time until the queue is drained", Unit::Seconds, |seed, case| Some(drained(seed, case))),
        ("Mean queue in the second half", Unit::Bytes, |seed, case| seed.run(case).mean_queue(QUEUE, STEADY)),
        ("Jain’s index in the second half", Unit::Ratio, |seed, case| {
            let run = seed.run(case);
            let names = run.series.flows.iter().map(|flow| &*flow.name);
            jain_index(run.mean_rates(names, STEADY)?)
        }),
    ];
    let mut blocks = panel::of_seed(first, [queue, share]);
    blocks.push(Block::Table(table::by_case_and_seed(runs, ("Reaction", &cases), &columns)));
    blocks
}
