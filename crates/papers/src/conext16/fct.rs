//! Figures 13 to 16: completion times of short flows on a dumbbell.

use super::choices::REPORTS;
use super::unjudged::NO_TIMELY;
use crate::prelude::*;

const SCENARIO: &str = scenario!("conext16": "fct");
const QUEUE: &str = "left->right/3";
const PORT: &str = "left->right";
const STEADY: Window = MEASURED.until(END);
/// Kmax.
const BOUND: f64 = 200e3;

const LOADS: [(&str, &str, u32); 3] =
    [("load-4", "Load 0.4", 320), ("load-6", "Load 0.6", 480), ("load-8", "Load 0.8", 640)];

pub(super) fn experiment() -> Experiment {
    let cases = LOADS.map(|(name, label, mbps)| {
        let case =
            Case::new(name, label, SCENARIO).set(format!("flows.1.traffic.poisson.rate=\"{mbps} Mb/s\""));
        if name == "load-8" { case } else { case.beyond_paper() }
    });
    Experiment::new("conext16/fig13-16", "Completion times of short flows")
        .setup(
            "Ten senders and ten receivers on a dumbbell with 10 Gb/s links and delays of 1 us. Flows with sizes from \
            the distribution of the paper on DCTCP arrive as Poisson processes. A load of one is 8 Gb/s on the \
            bottleneck.",
        )
        .paper_says(
            "At higher loads the median and the 90th percentile of the completion times of flows below 100 kB are lower \
            with DCQCN than with TIMELY and patched TIMELY, and vary less. With DCQCN the queue stays within the \
            thresholds of marking even in transients; with TIMELY it becomes very long. Both use the link equally.",
        )
        .assumptions([
            "Sender i sends to receiver i; the paper draws pairs at random. All flows cross the bottleneck in \
                either case.",
            "The sizes are those of the built-in distribution `web-search`. Every flow has its own limiter and starts at \
            line rate. The parameters of DCQCN are those for 40 Gb/s, as the paper names no others.",
            "There are no runs with TIMELY in this experiment yet, so the comparisons with it cannot be judged.",
        ])
        .choices([&REPORTS])
        .cases(cases)
        .seeds(Repeats::LEAST)
        .quick(0.5)
        .panels(panels)
        .claims([
            Claim::new(at("section 5.1, figure 14"), "median-below-timely", "At higher loads the median completion \
                time is lower with DCQCN than with TIMELY.")
                .cannot_be_judged(NO_TIMELY),
            Claim::new(at("section 5.1, figure 14"), "percentile-below-timely", "The same holds for the 90th percentile.")
                .cannot_be_judged(NO_TIMELY),
            Claim::new(at("section 5.1, figure 16"), "queue-within-thresholds", "With DCQCN the queue stays within \
                the thresholds of marking, even in transients.")
                .measure(Unit::Share, Rule::AtLeast(0.99), |seed| {
                    seed.run("load-8").queue_share(QUEUE, STEADY, |length| length <= BOUND)
                })
                .read_as("Share of the samples at a load of 0.8 in which the queue is at most Kmax, 200 kB; at \
                    least 99 %.")
                .cause("flows start at line rate, so several of them fill the queue beyond Kmax before the first \
                    notification arrives"),
            Claim::new(at("section 5.1, figure 16"), "queue-below-timely", "With TIMELY the queue becomes much \
                longer than with DCQCN.")
                .cannot_be_judged(NO_TIMELY),
            Claim::new(at("section 5.1"), "utilisation-alike", "Link utilisation is roughly the same for DCQCN and \
                TIMELY.")
                .cannot_be_judged(NO_TIMELY),
        ])
}

fn panels(runs: &Runs) -> Vec<Block> {
    let first = runs.first();
    let run = first.run("load-8");
    let values = run.queue(QUEUE).unwrap_or_default();
    let top = largest(values).unwrap_or(BOUND).max(BOUND);
    let y = Axis::from_zero("Queue", Unit::Bytes, top);
    let mut figure =
        panel::over_time(run, ("queue", "Queue at a load of 0.8"), y, &[("queue", values.to_vec())]);
    figure.references.push(across(BOUND, "Kmax"));
    let cases: Vec<(&str, &str)> = LOADS.iter().map(|(name, label, _)| (*name, *label)).collect();
    let table = table::by_case(
        runs,
        &cases,
        &[
            ("Utilisation", Unit::Share, |run| run.utilisation(PORT, STEADY)),
            ("Mean queue", Unit::Bytes, |run| run.mean_queue(QUEUE, STEADY)),
            ("Largest queue", Unit::Bytes, |run| run.queue_peak(QUEUE, STEADY)),
            ("Queue above Kmax", Unit::Share, |run| run.queue_share(QUEUE, STEADY, |length| length > BOUND)),
        ],
    );
    let mut blocks = panel::of_seed(first, [figure]);
    blocks.push(Block::Table(table));
    blocks
}
