//! Packet simulations of TIMELY on a star: figure 8.

use std::sync::Arc;

use setpoint_fluid::Scheme;
use setpoint_fluid::model::Course;
use setpoint_fluid::timely::Params;

use super::agreement::{NEAR, NEAR_MEANS, compared, queue_ratio, rate_distance};
use super::choices::SEGMENT;
use super::model::{Group, solution};
use super::timely::original;
use crate::prelude::*;

const SCENARIO: &str = scenario!("conext16": "star", "with-timely");
const GBPS: u64 = 10;
/// The link rate in bits per second.
const LINE_RATE: f64 = 10e9;
/// The delay of the path in microseconds, which is that of four links.
const MICROS: f64 = 4.0;
/// The numbers of flows in the figure.
const COMPARED: [u32; 3] = [2, 10, 20];

fn case(flows: u32) -> Case {
    let share_mbps = GBPS * 1_000 / u64::from(flows);
    Case::new(name(flows), format!("{flows} flows"), SCENARIO).set_all([
        format!("topology.star.stations={}", flows + 1),
        format!("topology.star.rate=\"{GBPS} Gb/s\""),
        format!("flows.1.from=\"h{{2..{}}}\"", flows + 1),
        "control.timely.rp.hyper=\"never\"".to_owned(),
        format!("control.timely.rp.first_rate=\"{share_mbps} Mb/s\""),
    ])
}

fn name(flows: u32) -> String {
    format!("n{flows}")
}

fn share(flows: u32) -> f64 {
    LINE_RATE / f64::from(flows)
}

pub(super) fn agreement() -> Experiment {
    Experiment::new("conext16/fig08", "TIMELY in the fluid model and in packet simulations")
        .setup("2, 10 and 20 TIMELY flows start at an equal share of a 10 Gb/s link, with pacing of single packets.")
        .paper_says("The fluid model and the packet simulations are in good agreement. The figure shows rates.")
        .assumptions([
            "Stations are connected to one bridge. The paper does not give the delay for this figure; the path has 4 us, as in \
            the programs, which are the sum of four links. There is no flow control, and no hyper increase, as in the model.",
            "The source compares the round-trip time with the thresholds, as in algorithm 1. In the model it is the queueing \
            delay, which is shorter by the 4 us of the path and by the transmission on its links.",
            "As in figure 2, “good agreement” means that the mean difference between the rates over the whole run is at most a \
            quarter of the fair share. The queues, which the figure does not show, are compared in our own checks.",
        ])
        .choices([&SEGMENT])
        .cases(COMPARED.map(case))
        .seeds(Repeats::LEAST)
        .quick(0.5)
        .panels(panels)
        .claims(COMPARED.map(rates_agree))
        .claims(COMPARED.map(queues_agree))
}

/// The solution of the model for the duration of a run.
fn model_of(run: &Run, flows: u32, params: Params) -> Option<Arc<Course>> {
    let groups = [Group { flows, start_s: 0.0, rate_bps: share(flows) }];
    solution((GBPS, &groups, MICROS), &Scheme::Timely(params), run.summary.duration_s)
}

fn rates_agree(flows: u32) -> Claim {
    Claim::new(
        at("section 4.2, figure 8"),
        format!("rates-agree-{flows}"),
        format!("With {flows} flows the rates in the model and in the packet simulation agree well."),
    )
    .measure(Unit::Share, NEAR, move |seed| {
        let run = seed.run(&name(flows));
        rate_distance(run, &*model_of(run, flows, original(seed))?, share(flows))
    })
    .read_as(NEAR_MEANS)
}

fn queues_agree(flows: u32) -> Claim {
    Claim::new(
        OURS,
        format!("queues-agree-{flows}"),
        format!("With {flows} flows the mean queue in the packet simulation is that of the model."),
    )
    .measure(Unit::Ratio, Rule::Equivalent(0.8, 1.25), move |seed| {
        let run = seed.run(&name(flows));
        queue_ratio(run, &*model_of(run, flows, original(seed))?)
    })
    .read_as("Mean queue in the second half of the run divided by that of the model; within a quarter.")
}

fn panels(runs: &Runs) -> Vec<Block> {
    let params = original(&runs.first());
    let of = |run: &Run, flows| model_of(run, flows, params);
    compared(runs, &COMPARED, (LINE_RATE, 4e5), &name, &of)
}
