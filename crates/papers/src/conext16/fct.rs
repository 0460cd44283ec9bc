//! Figures 13 to 16: completion times of short flows on a dumbbell.

mod completion;

use completion::{pooled_ratio, quantile_of, small};

use super::choices::{FIRST_RATE, HYPER, REPORTS, SEGMENT};
use crate::prelude::*;

const QUEUE: &str = "left->right/3";
const PORT: &str = "left->right";
const STEADY: Window = MEASURED.until(END);
/// Kmax.
const BOUND: f64 = 200e3;

/// The load for which the paper shows distributions and queues.
const HIGH: &str = "8";
/// Ten times the load, and the rate of a flow in Mb/s.
const LOADS: [(&str, u32); 3] = [("4", 320), ("6", 480), (HIGH, 640)];

/// Name of cases, label, scenario and settings of the three algorithms.
type Algorithm = (&'static str, &'static str, &'static str, &'static [&'static str]);

const DCQCN: &str = "dcqcn";
const TIMELY: &str = "timely";
const PATCHED: &str = "patched";

const ALGORITHMS: [Algorithm; 3] = [
    (DCQCN, "DCQCN", scenario!("conext16": "fct", "with-dcqcn"), &[]),
    (TIMELY, "TIMELY", scenario!("conext16": "fct", "with-timely"), &[]),
    (
        PATCHED,
        "Patched TIMELY",
        scenario!("conext16": "fct", "with-timely"),
        &[
            "control.timely.profile=\"patched\"",
            "control.timely.np.bytes=\"16 kB\"",
            "control.timely.rp.hyper=\"never\"",
        ],
    ),
];

fn name(algorithm: &str, load: &str) -> String {
    format!("{algorithm}-{load}")
}

fn cases() -> impl Iterator<Item = Case> {
    ALGORITHMS.into_iter().flat_map(|(algorithm, label, scenario, settings)| {
        LOADS.map(|(load, mbps)| {
            let label = format!("{label}, load 0.{load}");
            let case = Case::new(name(algorithm, load), label, scenario)
                .set_all(settings.iter().copied())
                .set(format!("flows.1.traffic.poisson.rate=\"{mbps} Mb/s\""));
            if load == HIGH { case } else { case.beyond_paper() }
        })
    })
}

pub(super) fn experiment() -> Experiment {
    Experiment::new("conext16/fig13-16", "Completion times of short flows")
        .setup(
            "Ten senders and ten receivers on a dumbbell with 10 Gb/s links and delays of 1 us. Flows with sizes from \
            the distribution of the paper on DCTCP arrive as Poisson processes. A load of one is 8 Gb/s on the \
            bottleneck.",
        )
        .paper_says(
            "At higher loads the median and the 90th percentile of the completion times of flows below 100 kB are lower \
            with DCQCN than with TIMELY and patched TIMELY, and vary less. With DCQCN the queue stays within the \
            thresholds of marking even in transients; with TIMELY it becomes very long. Patched TIMELY is between the two. \
            All use the link equally.",
        )
        .assumptions([
            "Sender i sends to receiver i; the paper draws pairs at random. All flows cross the bottleneck in \
                either case.",
            "The sizes are those of the built-in distribution `web-search`. Every flow has its own limiter. With DCQCN it \
            starts at line rate. The parameters of DCQCN are those for 40 Gb/s, as the paper names no others.",
            "Flows offered from 0.1 to 0.9 s of one second count. The completion time of a flow that is not completed is a \
            lower bound. Percentiles are taken over the flows of all seeds together.",
            "Segments of patched TIMELY have 16 kB, and it has no hyper increase, as in section 4.4.",
        ])
        .choices([&REPORTS, &SEGMENT, &HYPER, &FIRST_RATE])
        .cases(cases())
        .keep_messages()
        .seeds(Repeats::LEAST)
        .quick(0.5)
        .panels(panels)
        .claims([
            faster("median-below-timely", "The median completion time", 0.5, TIMELY),
            faster("percentile-below-timely", "The 90th percentile of the completion time", 0.9, TIMELY),
            faster("median-below-patched", "The median completion time", 0.5, PATCHED),
            faster("percentile-below-patched", "The 90th percentile of the completion time", 0.9, PATCHED),
        ])
        .claims(queue_claims())
        .claims([Claim::new(at("section 5.1"), "utilisation-alike", "Link utilisation is roughly the same for DCQCN and \
                TIMELY.")
                .measure(Unit::Ratio, Rule::Equivalent(0.9, 1.1), |seed| {
                    let of = |algorithm| seed.run(&name(algorithm, HIGH)).utilisation(PORT, STEADY);
                    Some(of(DCQCN)? / of(TIMELY)?)
                })
                .read_as("Utilisation with DCQCN divided by that with TIMELY at a load of 0.8; within a tenth.")])
}

fn faster(claim: &'static str, figure: &str, share: f64, other: &'static str) -> Claim {
    let label = if other == TIMELY { "TIMELY" } else { "patched TIMELY" };
    Claim::new(
        at("section 5.1, figures 14 and 15"),
        claim,
        format!("{figure} of short flows is lower with DCQCN than with {label} at a high load."),
    )
    .measure_pooled(
        Unit::Ratio,
        Rule::AtMost(0.9),
        move |seed| Some([DCQCN, other].map(|algorithm| small(seed.run(&name(algorithm, HIGH))))),
        move |parts| pooled_ratio(parts, share),
    )
    .read_as(
        "The figure with DCQCN divided by that with the other algorithm, for flows below 100 kB at a load of 0.8; “lower” \
        means by at least a tenth.",
    )
}

fn queue_claims() -> [Claim; 3] {
    let place = at("section 5.1, figure 16");
    [
        Claim::new(place, "queue-within-thresholds", "With DCQCN the queue stays within the thresholds of marking, even in \
            transients.")
            .measure(Unit::Share, Rule::AtLeast(0.99), |seed| {
                seed.run(&name(DCQCN, HIGH)).queue_share(QUEUE, STEADY, |length| length <= BOUND)
            })
            .read_as("Share of the samples at a load of 0.8 in which the queue is at most Kmax, 200 kB; at \
                least 99 %.")
            .cause("flows start at line rate, so several of them fill the queue beyond Kmax before the first \
                notification arrives"),
        Claim::new(place, "queue-below-timely", "With TIMELY the queue becomes much longer than with DCQCN.")
            .measure(Unit::Ratio, Rule::AtLeast(2.0), |seed| {
                let of = |algorithm| seed.run(&name(algorithm, HIGH)).queue_peak(QUEUE, STEADY);
                Some(of(TIMELY)? / of(DCQCN)?)
            })
            .read_as("The largest queue with TIMELY divided by that with DCQCN at a load of 0.8; at least two."),
        Claim::new(at("section 5.1"), "patched-between", "Patched TIMELY is between TIMELY and DCQCN.")
            .measure(Unit::Ratio, Rule::Between(0.0, 1.0), |seed| {
                let of = |algorithm| seed.run(&name(algorithm, HIGH)).mean_queue(QUEUE, STEADY);
                let (dcqcn, timely, patched) = (of(DCQCN)?, of(TIMELY)?, of(PATCHED)?);
                Some((patched - dcqcn) / (timely - dcqcn))
            })
            .read_as(
                "The sentence follows the description of the queue. Excess of the mean queue with patched TIMELY over that with \
                DCQCN, divided by the excess with TIMELY, at a load of 0.8; between zero and one.",
            ),
    ]
}

fn panels(runs: &Runs) -> Vec<Block> {
    let first = runs.first();
    let queue = |(algorithm, label, ..): Algorithm| {
        let run = first.run(&name(algorithm, HIGH));
        let values = run.queue(QUEUE).unwrap_or_default();
        let top = largest(values).unwrap_or(BOUND).max(BOUND);
        let y = Axis::from_zero("Queue", Unit::Bytes, top);
        let titles = (&*format!("queue-{algorithm}"), &*format!("{label}: queue at a load of 0.8"));
        let mut figure = panel::over_time(run, titles, y, &[("queue", values.to_vec())]);
        if algorithm == DCQCN {
            figure.references.push(across(BOUND, "Kmax"));
        }
        figure
    };
    let mut blocks = panel::of_seed(first, ALGORITHMS.map(queue));
    let cases: Vec<(String, String)> = cases().map(|case| (case.name, case.label)).collect();
    let cases: Vec<(&str, &str)> = cases.iter().map(|(name, label)| (&**name, &**label)).collect();
    blocks.push(Block::Table(table::by_case(
        runs,
        &cases,
        &[
            ("Median completion time", Unit::Seconds, |run| quantile_of(small(run), 0.5)),
            ("90th percentile", Unit::Seconds, |run| quantile_of(small(run), 0.9)),
            ("Short flows", Unit::Count, |run| Some(small(run).len() as f64)),
            ("Utilisation", Unit::Share, |run| run.utilisation(PORT, STEADY)),
            ("Mean queue", Unit::Bytes, |run| run.mean_queue(QUEUE, STEADY)),
            ("Largest queue", Unit::Bytes, |run| run.queue_peak(QUEUE, STEADY)),
        ],
    )));
    blocks
}
