//! Figures 9 and 12: the fluid models of TIMELY and patched TIMELY.

use std::sync::Arc;

use setpoint_fluid::Scheme;
use setpoint_fluid::fixed_point::timely::fixed_point;
use setpoint_fluid::model::Course;
use setpoint_fluid::timely::Params;
use setpoint_units::Bytes;

use super::choices::{KB_64, SEGMENT};
use super::model::{
    Group, STILL, TWO_SIZES, bottleneck, full_oscillation, last, queues, rate_ratio, rates, solution,
};
use crate::prelude::*;

const GBPS: u64 = 10;
/// The path's delay in the programs.
const MICROS: f64 = 4.0;
/// The duration of a solution, and the part of it that is judged.
const SECONDS: f64 = 0.2;
const PART: f64 = 0.2;

/// The three starts of figure 9: name, title, and the groups.
type StartOf = (&'static str, &'static str, [Group; 2]);

const STARTS: [StartOf; 3] = [
    ("together", "Both start at 5 Gb/s", [flow(5.0, 0.0), flow(5.0, 0.0)]),
    ("late", "Both start at 5 Gb/s, one 10 ms late", [flow(5.0, 0.0), flow(5.0, 0.01)]),
    ("unequal", "They start at 7 and 3 Gb/s", [flow(7.0, 0.0), flow(3.0, 0.0)]),
];

/// Rates that differ by less count as equal.
const FAIR: f64 = 1.05;
/// Rates that differ by more count as unfair.
const UNFAIR: f64 = 1.5;

const fn flow(gbps: f64, start_s: f64) -> Group {
    Group { flows: 1, start_s, rate_bps: gbps * 1e9 }
}

/// The parameters of the original TIMELY in the set-up of a seed.
pub(super) fn original(seed: &Seed<'_>) -> Params {
    let kilobytes = if seed.reads(&SEGMENT, KB_64) { 64 } else { 16 };
    Params { segment: Bytes::new(kilobytes * 1_000), ..Params::default() }
}

fn solved(params: Params, groups: &[Group]) -> Option<Arc<Course>> {
    solution((GBPS, groups, MICROS), &Scheme::Timely(params), SECONDS)
}

fn range(course: &Course) -> Option<f64> {
    full_oscillation(last(&course.queue_bytes, PART))
}

pub(super) fn original_experiment() -> Experiment {
    Experiment::new("conext16/fig09", "Two TIMELY flows with different starts")
        .setup(
            "The fluid model of TIMELY with two flows on a 10 Gb/s link. Both start at 5 Gb/s; one of them starts 10 ms \
            late; or they start at 7 and 3 Gb/s.",
        )
        .paper_says(
            "TIMELY has no fixed point (theorem 3): it always oscillates. Any division of the link is possible, so \
            nothing can be said about fairness. With the three starts, the two flows end in completely different \
            regimes.",
        )
        .assumptions([
            "The paper’s figure shows packet simulations with pacing of single packets; here the fluid model is \
            solved.",
            "The solution lasts 0.2 s, and rates are means over the last fifth of it. Rates that differ by a factor of \
            at least 1.5 are unfair.",
        ])
        .choices([&SEGMENT])
        .repeats(Repeats::Once)
        .panels(original_panels)
        .claims([
            Claim::new(at("section 4.3, theorem 3"), "no-fixed-point", "The queue never settles, whatever the \
                start.")
                .measure(Unit::Ratio, Rule::AtLeast(0.01), |seed| {
                    least(STARTS.map(|(.., groups)| range(&*solved(original(seed), &groups)?)))
                })
                .fails_for("patched TIMELY", || range(&*solved(Params::patched(), &STARTS[2].2)?))
                .read_as(
                    "Range of the queue in the last fifth divided by its mean, smallest value of the three starts; at \
                    least one per cent.",
                ),
            unfair("late", "late-start-unfair", "If one flow starts 10 ms late, the rates stay unequal."),
            unfair("unequal", "unequal-start-unfair", "If the flows start at 7 and 3 Gb/s, the rates stay unequal."),
            Claim::new(at("section 4.3, figure 9"), "different-outcomes", "The outcome depends on the start.")
                .measure(Unit::Ratio, Rule::AtLeast(UNFAIR), |seed| spread(original(seed)))
                .fails_for("patched TIMELY", || spread(Params::patched()))
                .read_as(
                    "The ratio of the two mean rates for each of the three starts; the largest ratio divided by the \
                    smallest, at least 1.5.",
                ),
        ])
}

/// The ratio of the rates for a start.
fn ratio(params: Params, name: &str) -> Option<f64> {
    let (.., groups) = STARTS.iter().find(|(start, ..)| *start == name)?;
    rate_ratio(&*solved(params, groups)?, PART)
}

/// The largest ratio of the rates over all starts, divided by the smallest.
fn spread(params: Params) -> Option<f64> {
    max_over_min(&all(STARTS.map(|(name, ..)| ratio(params, name)))?)
}

fn unfair(start: &'static str, name: &str, statement: &str) -> Claim {
    Claim::new(at("section 4.3, figure 9"), name, statement)
        .measure(Unit::Ratio, Rule::AtLeast(UNFAIR), move |seed| ratio(original(seed), start))
        .fails_for("patched TIMELY", move || ratio(Params::patched(), start))
        .read_as("The larger mean rate in the last fifth divided by the smaller one; at least 1.5.")
}

fn original_panels(runs: &Runs) -> Vec<Block> {
    let params = original(&runs.first());
    let figures = STARTS.iter().map(|(name, title, groups)| {
        let names = (&*format!("rates-{name}"), *title);
        rates(names, 10e9, solved(params, groups).as_deref(), &["first flow", "second flow"])
    });
    let solutions: Vec<_> =
        STARTS.iter().map(|(_, title, groups)| (*title, solved(params, groups))).collect();
    let queue = queues(("queues", "Queue"), 1e6, &solutions);
    let mut table = table::with_headings("Start", ["Ratio of the rates", "Range of the queue / mean"]);
    for (name, title, groups) in &STARTS {
        let range = solved(params, groups).and_then(|course| range(&course));
        table.row([
            Cell::words(*title),
            table::value_cell(Unit::Ratio, ratio(params, name)),
            table::value_cell(Unit::Ratio, range),
        ]);
    }
    vec![Block::Figures(figures.chain([queue]).collect()), Block::Table(table)]
}

/// Forty flows that start at an equal share.
const FORTY: [Group; 1] = [Group { flows: 40, start_s: 0.0, rate_bps: 250e6 }];
/// Numbers of flows for which convergence is checked, half of which start at three times the rate of the others.
const COUNTS: [u32; 4] = [2, 10, 20, 40];

pub(super) fn patched_experiment() -> Experiment {
    Experiment::new("conext16/fig12", "Patched TIMELY")
        .setup(
            "The fluid model of patched TIMELY at 10 Gb/s: two flows that start at 7 and 3 Gb/s, and 40 flows that \
            start at 0.25 Gb/s.",
        )
        .paper_says(
            "Patched TIMELY has a unique fixed point with equal rates, to which it always converges (theorem 5). Two \
            flows converge and are stable without oscillation. With 40 flows stability ends, which the simulation of \
            figure 12c confirms.",
        )
        .assumptions([
            "The paper’s figure shows packet simulations; here the fluid model is solved.",
            "The queue is judged in the last fifth of 0.2 s.",
            TWO_SIZES,
        ])
        .repeats(Repeats::Once)
        .panels(patched_panels)
        .claims(patched_claims())
}

fn patched_claims() -> [Claim; 5] {
    let seven_three = || solved(Params::patched(), &STARTS[2].2);
    [
        Claim::new(at("section 4.4, figure 12a"), "rates-converge", "Two flows that start at 7 and 3 Gb/s converge.")
            .measure(Unit::Ratio, Rule::AtMost(FAIR), move |_| rate_ratio(&*seven_three()?, PART))
            .fails_for("the original TIMELY", || rate_ratio(&*solved(Params::default(), &STARTS[2].2)?, PART))
            .read_as("The larger mean rate in the last fifth divided by the smaller one; at most 1.05."),
        Claim::new(at("section 4.4, figure 12b"), "queue-stable", "Their queue is stable without oscillation.")
            .measure(Unit::Ratio, Rule::AtMost(STILL), move |_| range(&*seven_three()?))
            .fails_for("40 flows", || range(&*solved(Params::patched(), &FORTY)?))
            .read_as("Range of the queue in the last fifth divided by its mean; at most a tenth."),
        Claim::new(at("section 4.4, theorem 5"), "queue-at-formula", "Their queue is N δ q′/(β C) + q′.")
            .measure(Unit::Ratio, Rule::about(1.0, 0.01), move |_| {
                let formula = fixed_point(&bottleneck(GBPS, &STARTS[2].2, MICROS), &Params::patched()).ok()?;
                Some(mean(last(&seven_three()?.queue_bytes, PART))? / formula.queue_bytes)
            })
            .fails_for("40 flows", || {
                let formula = fixed_point(&bottleneck(GBPS, &STARTS[2].2, MICROS), &Params::patched()).ok()?;
                Some(mean(last(&solved(Params::patched(), &FORTY)?.queue_bytes, PART))? / formula.queue_bytes)
            })
            .read_as("Mean queue in the last fifth divided by 78.125 kB, which the formula gives for two flows; \
                within one per cent."),
        Claim::new(at("section 4.4, theorem 5"), "always-converges", "The system always converges to its fixed \
            point.")
            .measure(Unit::Share, Rule::AtLeast(1.0), |_| converging(Params::patched()))
            .fails_for("the original TIMELY", || converging(Params::default()))
            .read_as(
                "Half of 2, 10, 20 and 40 flows start with three times the rate of the others. Share of the numbers of \
                flows for which the queue’s range in the last fifth is at most a tenth of its mean; all of them.",
            )
            .cause(
                "the proof assumes that the queue becomes stable, but the fixed point is unstable with more than about \
                18 flows (see figure 11)",
            ),
        Claim::new(at("section 4.4, figure 12c"), "forty-oscillate", "With 40 flows the queue oscillates.")
            .measure(Unit::Ratio, Rule::AtLeast(STILL), |_| range(&*solved(Params::patched(), &FORTY)?))
            .fails_for("two flows", move || range(&*seven_three()?))
            .read_as("Range of the queue in the last fifth divided by its mean; at least a tenth."),
    ]
}

/// Half of the flows with three times the rate of the others.
fn halves(flows: u32) -> [Group; 2] {
    let slow = 10e9 / (2.0 * f64::from(flows));
    [3.0 * slow, slow].map(|rate_bps| Group { flows: flows / 2, start_s: 0.0, rate_bps })
}

fn converging(params: Params) -> Option<f64> {
    let ranges = all(COUNTS.map(|flows| range(&*solved(params, &halves(flows))?)))?;
    Some(ranges.iter().filter(|range| **range <= STILL).count() as f64 / ranges.len() as f64)
}

fn patched_panels(_: &Runs) -> Vec<Block> {
    let (two, forty) = (solved(Params::patched(), &STARTS[2].2), solved(Params::patched(), &FORTY));
    let figures = vec![
        rates(
            ("rates", "Two flows, 7 and 3 Gb/s: rates"),
            10e9,
            two.as_deref(),
            &["first flow", "second flow"],
        ),
        queues(("queue", "Two flows: queue"), 3e5, &[("queue", two)]),
        queues(("queue-40", "40 flows: queue"), 1e6, &[("queue", forty)]),
    ];
    let mut table = table::with_headings("Flows", ["Range of the queue / mean", "Ratio of the rates"]);
    for flows in COUNTS {
        let course = solved(Params::patched(), &halves(flows));
        let cell = |value: Option<f64>| table::value_cell(Unit::Ratio, value);
        table.row([
            Cell::words(flows.to_string()),
            cell(course.as_ref().and_then(|course| range(course))),
            cell(course.as_ref().and_then(|course| rate_ratio(course, PART))),
        ]);
    }
    let note = "Half of the flows start with three times the rate of the others. Figures for the last fifth of 0.2 \
        s.";
    vec![Block::Figures(figures), Block::Table(table), Block::Note(note.to_owned())]
}
