//! Figure 4: the reaction to an incast.

use super::choices::{BASE_RTT, INCREASE, STAGES, TARGET, WEIGHT, WINDOW};
use super::{
    BUFFER, HPCC, LIKE_THE_PROGRAM, OMITTED, POWERTCP, SCHEMES, SOURCES, THETA, TIMELY, TIMELY_PARAMETERS,
    WEIGHTED, WIRE, cases,
};
use crate::prelude::*;

const QUEUE: &str = "tor1->h17/3";
const PORT: &str = "tor1->h17";

/// The part of a run that the figure shows after the incast.
const REACTION: Window = starts("incast1").until(starts("incast1").plus(4e-3));
/// Its second half.
const LATER: Window = starts("incast1").plus(2e-3).until(starts("incast1").plus(4e-3));

/// A queue close to zero: a fortieth of the figure's axis.
const NEAR_ZERO: f64 = 50e3;
/// The time for which the queue must stay short.
const STAY: f64 = 500e-6;
/// A quick reaction, in seconds.
const QUICK: f64 = 1e-3;
/// The shares of the link below which throughput is lost, and above which it is kept.
const LOST: f64 = 0.8;
const KEPT: f64 = 0.9;
/// The number of samples over which throughput is averaged.
const AVERAGED: usize = 10;

const FIGURE_4: Origin = at("section 4.2, figure 4");

const LONGEST: &str = "A frame from a distant station at the start makes the longest round-trip time of any flow, from which \
    windows follow, that of the network, 29 us.";
const AXES: &str = "The plotting script of the simulator shows 4 ms after the incast, and queues up to 2 MB.";

/// Causes of differences.
const LONGER_RTT: &str = "θ-PowerTCP compares delays with the network’s round-trip time, which is longer than that of the rack, and \
    leaves a queue that makes up the difference";

fn experiment(id: &'static str, title: &'static str, cases: [Case; 4]) -> Experiment {
    Experiment::new(id, title)
        .assumptions([SOURCES, WIRE, BUFFER, LIKE_THE_PROGRAM, TIMELY_PARAMETERS, LONGEST, AXES, OMITTED])
        .choices([&TARGET, &WEIGHT, &BASE_RTT, &INCREASE, &STAGES, &WINDOW])
        .cases(cases)
        .seeds(Repeats::LEAST)
        .quick(0.5)
        .panels(panels)
}

pub(super) fn small() -> Experiment {
    let cases = cases(
        scenario!("powertcp": "incast", "with-powertcp"),
        scenario!("powertcp": "incast", "with-hpcc"),
        scenario!("powertcp": "incast", "with-timely"),
    );
    experiment("powertcp/incast-10", "Reaction to a 10:1 incast", cases)
        .setup(
            "Ten backlogged flows start at the same time to send to the receiver of another one, at 25 Gb/s. All stations are \
            in one rack of a fat tree with 256 stations.",
        )
        .paper_says(
            "PowerTCP and θ-PowerTCP mitigate the incast quickly and reach a queue near zero without losing throughput. HPCC’s \
            queue also returns quickly to near zero, but becomes about twice as long at first, and throughput is lost \
            afterwards. TIMELY does not control the queue, and loses throughput after reacting.",
        )
        .claims([
            drains(POWERTCP, "PowerTCP"),
            keeps(POWERTCP, "PowerTCP"),
            drains(THETA, "θ-PowerTCP").cause(LONGER_RTT),
            keeps(THETA, "θ-PowerTCP").cause(WEIGHTED),
            drains(HPCC, "HPCC"),
            Claim::new(FIGURE_4, "hpcc-twice-as-long", "HPCC’s queue becomes about twice as long as PowerTCP’s.")
                .measure(Unit::Ratio, Rule::about(2.0, 0.25), |seed| {
                    Some(peak(seed.run(HPCC))? / peak(seed.run(POWERTCP))?)
                })
                .published(2.0)
                .read_as("Ratio of the largest queues after the incast; “≈ 2x” means to a quarter."),
            loses(HPCC, "HPCC"),
            Claim::new(FIGURE_4, "timely-queue", "TIMELY does not control the queue.")
                .measure(Unit::Bytes, Rule::AtLeast(2.0 * NEAR_ZERO), |seed| {
                    seed.run(TIMELY).mean_queue(QUEUE, LATER)
                })
                .read_as(
                    "Mean queue from 2 to 4 ms after the incast; at least 100 kB, twice what counts as near zero.",
                )
                .cause(
                    "its queue is the longest at first, but then the sources react so strongly that the link is often idle",
                ),
            loses(TIMELY, "TIMELY"),
        ])
}

pub(super) fn large() -> Experiment {
    let cases = cases(
        scenario!("powertcp": "incast", "burst", "with-powertcp"),
        scenario!("powertcp": "incast", "burst", "with-hpcc"),
        scenario!("powertcp": "incast", "burst", "with-timely"),
    );
    experiment("powertcp/incast-255", "Reaction to a 255:1 incast", cases)
        .setup(
            "As in the 10:1 incast, but all 255 other stations also send 2800 B each to the same receiver at the same time.",
        )
        .paper_says(
            "PowerTCP and θ-PowerTCP react quickly and converge to queues near zero without losing throughput. TIMELY and HPCC \
            lose throughput immediately after reacting to the increased queue.",
        )
        .assumptions(["The size of the responses is that of the simulator’s flow-burstExp-256.txt."])
        .claims([
            drains(POWERTCP, "PowerTCP"),
            keeps(POWERTCP, "PowerTCP"),
            drains(THETA, "θ-PowerTCP").cause(LONGER_RTT),
            keeps(THETA, "θ-PowerTCP").cause(WEIGHTED),
            loses(HPCC, "HPCC"),
            loses(TIMELY, "TIMELY"),
        ])
}

fn drains(case: &'static str, label: &str) -> Claim {
    Claim::new(FIGURE_4, format!("{case}-drains"), format!("{label} quickly returns to a queue near zero."))
        .measure(Unit::Seconds, Rule::AtMost(QUICK), move |seed| drained(seed.run(case)))
        .read_as(
            "Time from the incast until the queue falls below 50 kB, a fortieth of the figure’s axis, and stays there for 0.5 ms; \
            “quickly” means within 1 ms, a quarter of the time that the figure shows. If it does not happen, the time until the \
            end of the run counts.",
        )
}

const LEAST_USE: &str =
    "Smallest share of the link’s rate that is used in 0.1 ms, in the 4 ms after the incast";

fn keeps(case: &'static str, label: &str) -> Claim {
    Claim::new(FIGURE_4, format!("{case}-keeps-throughput"), format!("{label} loses no throughput."))
        .measure(Unit::Share, Rule::AtLeast(KEPT), move |seed| least_use(seed.run(case)))
        .read_as(format!("{LEAST_USE}; at least nine tenths."))
}

fn loses(case: &'static str, label: &str) -> Claim {
    Claim::new(
        FIGURE_4,
        format!("{case}-loses-throughput"),
        format!("{label} loses throughput after reacting to the incast."),
    )
    .measure(Unit::Share, Rule::AtMost(LOST), move |seed| least_use(seed.run(case)))
    .read_as(format!("{LEAST_USE}; at most four fifths."))
}

/// The time until the queue is short and stays so; until the end of the run if it never does.
fn drained(run: &Run) -> Option<f64> {
    let settled = run.settling(run.queue(QUEUE)?, REACTION.from(), STAY, |length| length <= NEAR_ZERO);
    Some(settled.unwrap_or_else(|| run.timeline.time(END) - run.timeline.time(REACTION.from())))
}

fn peak(run: &Run) -> Option<f64> {
    run.queue_peak(QUEUE, REACTION)
}

/// The lowest utilisation of the link, averaged over successive samples.
fn least_use(run: &Run) -> Option<f64> {
    let shares = run.over(&run.port_series(PORT)?.utilisation_share, REACTION)?;
    smallest(&shares.windows(AVERAGED).filter_map(mean).collect::<Vec<f64>>())
}

fn panels(runs: &Runs) -> Vec<Block> {
    let first = runs.first();
    let queues = panel::curves(&SCHEMES, |case| first.run(case).queue(QUEUE));
    let top = queues.iter().flat_map(|(_, values)| values).copied().fold(1e6, f64::max);
    let y = Axis::from_zero("Queue", Unit::Bytes, top);
    let queue = panel::over_time(first.run(POWERTCP), ("queue", "Queue at the receiver’s port"), y, &queues);
    let shares = panel::curves(&SCHEMES, |case| Some(&first.run(case).port_series(PORT)?.utilisation_share));
    let y = Axis::linear("Utilisation", Unit::Share, (0.0, 1.0));
    let share = panel::over_time(
        first.run(POWERTCP),
        ("utilisation", "Utilisation of the receiver’s link"),
        y,
        &shares,
    );
    let columns: [table::RunColumn<'_>; 5] = [
        ("Largest queue", Unit::Bytes, peak),
        ("Time until the queue is near zero", Unit::Seconds, drained),
        ("Mean queue, 2 to 4 ms after", Unit::Bytes, |run| run.mean_queue(QUEUE, LATER)),
        ("Least utilisation in 0.1 ms", Unit::Share, least_use),
        ("Mean utilisation in 4 ms", Unit::Share, |run| run.utilisation(PORT, REACTION)),
    ];
    let mut blocks = panel::of_seed(first, [queue, share]);
    blocks.push(Block::Table(table::by_case(runs, &SCHEMES, &columns)));
    blocks
}
