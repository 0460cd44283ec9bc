//! Figures 18 and 19: DCQCN and patched TIMELY with proportional-integral controllers.

use std::sync::Arc;

use setpoint_fluid::model::Course;
use setpoint_fluid::timely::Variant;
use setpoint_fluid::{Pi, Scheme, dcqcn, timely};
use setpoint_units::Bytes;

use super::model::{
    DEFAULT, Group, Line, STILL, TWO_SIZES, full_oscillation, last, queues, rate_ratio, rates, solution,
};
use crate::prelude::*;

/// The part of a solution that is judged.
const PART: f64 = 0.2;
/// The queue that DCQCN's controller holds.
const AT_SWITCH: Pi =
    Pi { reference: Bytes::new(200_000), proportional_per_byte: 2e-8, integral_per_byte_s: 2e-6 };
/// The queue that TIMELY's controllers hold.
const AT_HOSTS: Pi =
    Pi { reference: Bytes::new(300_000), proportional_per_byte: 4e-6, integral_per_byte_s: 2e-5 };

const FLOWS: [u32; 3] = [2, 10, 64];

const GAINS: &str = "The paper gives no gains. Those of its programs belong to a controller that is updated whenever the \
    solver evaluates the equations, so they depend on the solver. We use gains with which the linearised loop is stable.";

/// DCQCN with the controller at the switch; the first flow starts earlier than the others.
fn dcqcn_solution(flows: u32, marking: dcqcn::Marking) -> Option<Arc<Course>> {
    let group = |flows, start_s| Group { flows, start_s, rate_bps: DEFAULT.gbps as f64 * 1e9 };
    let params = dcqcn::Params { marking, ..DEFAULT.params(Line::Text) };
    let groups = [group(1, 0.0), group(flows - 1, 0.01)];
    solution((DEFAULT.gbps, &groups, 4.0), &Scheme::Dcqcn(params), duration(flows))
}

/// The start of many flows at line rate drives p to one; the controller then lowers it by 0.4 per second while the queue
/// is empty.
const fn duration(flows: u32) -> f64 {
    if flows > 10 { 4.0 } else { 1.0 }
}

fn with_controller(flows: u32) -> Option<Arc<Course>> {
    dcqcn_solution(flows, dcqcn::Marking::Pi(AT_SWITCH))
}

fn without(flows: u32) -> Option<Arc<Course>> {
    dcqcn_solution(flows, DEFAULT.params(Line::Program).marking)
}

fn queue_over(course: &Course, reference: Bytes) -> Option<f64> {
    Some(mean(last(&course.queue_bytes, PART))? / reference.get() as f64)
}

pub(super) fn at_switch() -> Experiment {
    let farthest = |of: fn(u32) -> Option<Arc<Course>>| {
        let distance = |flows| Some((queue_over(&*of(flows)?, AT_SWITCH.reference)? - 1.0).abs());
        most(FLOWS.map(distance))
    };
    let range = |of: fn(u32) -> Option<Arc<Course>>| {
        most(FLOWS.map(|flows| full_oscillation(last(&of(flows)?.queue_bytes, PART))))
    };
    Experiment::new("conext16/fig18", "DCQCN with a PI controller at the switch")
        .setup(
            "The fluid model of DCQCN with 2, 10 and 64 flows at 40 Gb/s and a delay of 4 us. Frames are marked by a \
            proportional-integral controller with a reference of 200 kB. One flow starts 10 ms before the others.",
        )
        .paper_says(
            "All flows converge to the fair rate, and the queue settles at its configured value for any number of \
                flows.",
        )
        .assumptions([
            GAINS,
            "The solution lasts 1 s, and 4 s with 64 flows: their start at line rate drives p to one, and with an empty \
            queue the controller lowers it by only 0.4 per second. The program simulates 5 s.",
            TWO_SIZES,
        ])
        .repeats(Repeats::Once)
        .panels(switch_panels)
        .claims([
            Claim::new(at("section 5.2, figure 18"), "queue-at-reference", "The queue settles at the reference for \
                any number of flows.")
                .measure(Unit::Share, Rule::AtMost(0.02), move |_| farthest(with_controller))
                .fails_for("marking by the queue length", move || farthest(without))
                .read_as("Relative difference of the mean queue in the last fifth from 200 kB, largest value for 2, \
                    10 and 64 flows; at most 2 %."),
            Claim::new(at("section 5.2, figure 18"), "queue-stable", "The queue is stable.")
                .measure(Unit::Ratio, Rule::AtMost(STILL), move |_| range(with_controller))
                .fails_for("marking by the queue length, which jumps to one at 200 kB", move || {
                    range(|flows| dcqcn_solution(flows, DEFAULT.params(Line::Text).marking))
                })
                .read_as("Range of the queue in the last fifth divided by its mean, largest value; at most a tenth."),
            Claim::new(at("section 5.2, figure 18"), "fair", "All flows converge to the same rate.")
                .measure(Unit::Ratio, Rule::AtMost(1.05), |_| {
                    most(FLOWS.map(|flows| rate_ratio(&*with_controller(flows)?, PART)))
                })
                .fails_for("the beginning of the solution", || {
                    let course = with_controller(2)?;
                    let early = |rates: &Vec<f64>| rates.get(210).copied();
                    max_over_min(&all(course.rates_bps.iter().map(early))?)
                })
                .read_as("Mean rate of the first flow and of one of the others in the last fifth; the larger \
                    divided by the smaller, largest value, at most 1.05."),
        ])
}

fn switch_panels(_: &Runs) -> Vec<Block> {
    let labels = ["2 flows", "10 flows", "64 flows"];
    let solutions: Vec<_> = labels.iter().copied().zip(FLOWS.map(with_controller)).collect();
    let ten = with_controller(10);
    let figures = vec![
        queues(("queue", "Queue"), 1e6, &solutions),
        rates(("rates", "Ten flows: rates"), 40e9, ten.as_deref(), &["first flow", "each of the others"]),
    ];
    vec![Block::Figures(figures)]
}

/// Flows with rates from 7 to 3 Gb/s, or in proportion to 1, 2, …, 10.
fn groups(flows: u32) -> Vec<Group> {
    let flow = |rate_bps| Group { flows: 1, start_s: 0.0, rate_bps };
    match flows {
        2 => [7e9, 3e9].map(flow).to_vec(),
        flows => (1..=flows)
            .map(|place| flow(10e9 * f64::from(place) / f64::from(flows * (flows + 1) / 2)))
            .collect(),
    }
}

fn timely_solution(flows: u32, variant: Variant) -> Option<Arc<Course>> {
    let params = timely::Params { variant, ..timely::Params::patched() };
    solution((10, &groups(flows), 4.0), &Scheme::Timely(params), 1.0)
}

/// Two flows, and a third one that joins them 100 ms later.
fn late(variant: Variant) -> Option<Arc<Course>> {
    let params = timely::Params { variant, ..timely::Params::patched() };
    let groups =
        [Group { flows: 2, start_s: 0.0, rate_bps: 5e9 }, Group { flows: 1, start_s: 0.1, rate_bps: 3e9 }];
    solution((10, &groups, 4.0), &Scheme::Timely(params), 1.0)
}

fn with_controllers(flows: u32) -> Option<Arc<Course>> {
    timely_solution(flows, Variant::PatchedPi(AT_HOSTS))
}

fn patched(flows: u32) -> Option<Arc<Course>> {
    timely_solution(flows, Variant::Patched)
}

pub(super) fn at_hosts() -> Experiment {
    let distance = |of: fn(u32) -> Option<Arc<Course>>| {
        most([2, 10].map(|flows| Some((queue_over(&*of(flows)?, AT_HOSTS.reference)? - 1.0).abs())))
    };
    let unfair = |flows: u32| {
        Claim::new(
            at("section 5.2, figure 19"),
            format!("unfair-with-{flows}"),
            format!("The rates of {flows} flows stay unequal."),
        )
        .measure(Unit::Ratio, Rule::AtLeast(1.2), move |_| rate_ratio(&*with_controllers(flows)?, PART))
        .fails_for("patched TIMELY without the controller", move || rate_ratio(&*patched(flows)?, PART))
        .read_as("The largest mean rate in the last fifth divided by the smallest one; at least 1.2.")
        .cause(
            "all controllers start with the same p and see the same queue, so they keep the same p, and the rates become \
            equal. The program draws the initial values of p at random; the shares in the paper’s figure are those of \
            these numbers",
        )
    };
    Experiment::new("conext16/fig19", "Patched TIMELY with PI controllers at the hosts")
        .setup(
            "The fluid model of patched TIMELY at 10 Gb/s with a controller for 300 kB at every source, and two flows \
            that start at 7 and 3 Gb/s, or ten that start with rates in proportion to 1, 2, …, 10.",
        )
        .paper_says(
            "The queue is controlled to the specified value of 300 kB, but fairness is not achieved. By theorem 6, an \
            end-to-end scheme based on delay can have a fixed delay or fairness, but not both.",
        )
        .assumptions([
            GAINS,
            "The controller of a source starts at p = 0. The program starts from small random values of p; it also \
            leaves out the weight w(g) and the thresholds, which we keep as in the text.",
        ])
        .repeats(Repeats::Once)
        .panels(host_panels)
        .claims([
            Claim::new(at("section 5.2, figure 19"), "queue-at-reference", "The queue is controlled to 300 kB.")
                .measure(Unit::Share, Rule::AtMost(0.05), move |_| distance(with_controllers))
                .fails_for("patched TIMELY without the controller", move || distance(patched))
                .read_as("Relative difference of the mean queue in the last fifth of 1 s from 300 kB, larger value \
                    for 2 and 10 flows; at most 5 %."),
            unfair(2),
            unfair(10),
            Claim::new(OURS, "late-flow-unfair", "If a flow joins later, the rates stay unequal.")
                .measure(Unit::Ratio, Rule::AtLeast(1.2), |_| {
                    rate_ratio(&*late(Variant::PatchedPi(AT_HOSTS))?, PART)
                })
                .fails_for("patched TIMELY without the controller", || {
                    rate_ratio(&*late(Variant::Patched)?, PART)
                })
                .read_as(
                    "Two flows start at 5 Gb/s and a third one at 3 Gb/s, 100 ms later. Mean rate of one of the first \
                    two and of the third in the last fifth of 1 s; the larger divided by the smaller, at least 1.2.",
                ),
        ])
}

fn host_panels(_: &Runs) -> Vec<Block> {
    let (two, ten) = (with_controllers(2), with_controllers(10));
    let names: Vec<String> = (1..=10).map(|flow| format!("flow {flow}")).collect();
    let labels: Vec<&str> = names.iter().map(String::as_str).collect();
    let figures = vec![
        rates(("rates-2", "Two flows: rates"), 10e9, two.as_deref(), &labels[..2]),
        queues(("queues", "Queue"), 6e5, &[("2 flows", two), ("10 flows", ten.clone())]),
        rates(("rates-10", "Ten flows: rates"), 4e9, ten.as_deref(), &labels),
    ];
    vec![Block::Figures(figures)]
}
