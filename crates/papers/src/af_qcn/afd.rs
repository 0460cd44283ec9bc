//! AFD itself (section II-B), from which AF-QCN's controller is derived.

use super::{AT_SHARE, FOUR, QUEUE, from_shares};
use crate::prelude::*;
use crate::water_filling::{Demand, max_min};

const SETTLED: Window = START.plus(0.5).until(END);
/// The queue's reference length: the default set point of AFD.
const REFERENCE: f64 = 50e3;
/// The rates of the senders.
const OFFERED: [f64; 4] = [1e9, 2e9, 4e9, 8e9];
const CAPACITY: f64 = 10e9;

pub(super) fn experiment() -> Experiment {
    Experiment::new("af-qcn/afd", "AFD: drops based on fair shares")
        .setup(
            "Four unresponsive senders at 1, 2, 4 and 8 Gb/s share a 10 Gb/s link. AFD manages its queue: it \
            randomly drops arriving frames from senders that exceed the fair share.",
        )
        .paper_says(
            "The throughput of a flow is the smaller of its sending rate and the fair share. AFD tries to stabilise \
            the queue around its reference length.",
        )
        .assumptions([
            "The paper shows no run with AFD. We assume four senders with constant rates, two of them above \
            the fair share of 3.5 Gb/s.",
            "It gives no parameters either: we use the defaults, with a reference length of 50 kB.",
        ])
        .cases([Case::new("afd", "AFD", scenario!("af-qcn": "afd"))])
        .quick(0.5)
        .panels(panels)
        .claims([
            Claim::new(
                at("section II-B"),
                "throughput",
                "The throughput of every flow is the smaller of its rate and the fair share.",
            )
            .measure(Unit::Share, Rule::AtMost(AT_SHARE), |seed| {
                let shares: Vec<(&str, f64)> = FOUR.iter().map(|(flow, _)| *flow).zip(fair()).collect();
                from_shares(seed.run("afd"), &shares, SETTLED)
            })
            .read_as("Mean rates from 0.5 s onwards, within 10 % of 1, 2, 3.5 and 3.5 Gb/s."),
            Claim::new(OURS, "queue-at-reference", "The queue is near its reference length.")
                .measure(Unit::Bytes, Rule::about(REFERENCE, 0.2), |seed| {
                    seed.run("afd").mean_queue(QUEUE, SETTLED)
                })
                .read_as("The mean from 0.5 s onwards, within 20 % of 50 kB."),
        ])
}

/// The smaller of the offered rate and the fair share: the max-min allocation with the offered rates as
/// upper bounds.
fn fair() -> Vec<f64> {
    max_min(&[CAPACITY], &OFFERED.map(|most| Demand { weight: 1.0, most, links: vec![0] }))
}

fn panels(runs: &Runs) -> Vec<Block> {
    let first = runs.first();
    let run = first.run("afd");
    let flows = [("f1", "1 Gb/s"), ("f2", "2 Gb/s"), ("f3", "4 Gb/s"), ("f4", "8 Gb/s")];
    let lengths = run.queue(QUEUE).unwrap_or_default().to_vec();
    let y = Axis::from_zero("Queue", Unit::Bytes, largest(&lengths).unwrap_or_default());
    let mut queue = panel::over_time(run, ("queue", "Queue"), y, &[("queue", lengths)]);
    queue.references = vec![across(REFERENCE, "reference 50 kB")];
    panel::of_seed(first, [panel::flow_rates(run, ("rates", "Throughput by offered rate"), &flows), queue])
}
