//! Packet simulations of DCQCN on a star: figures 2 and 5.

use std::sync::Arc;

use setpoint_fluid::model::Course;

use super::agreement::{NEAR, NEAR_MEANS, compared, queue_ratio, rate_distance};
use super::choices::{MARKING, REPORTS};
use super::model::{Line, OSCILLATES, TWO_SIZES, dcqcn_solution, oscillation, queues};
use crate::prelude::*;

const SCENARIO: &str = scenario!("conext16": "star", "with-dcqcn");
pub(super) const QUEUE: &str = "bridge->h1/3";
const PORT: &str = "bridge->h1";
/// The link rate in bits per second.
const LINE_RATE: f64 = 40e9;
/// The delays of figure 4 in microseconds, which are the sums of four links.
const SHORT: f64 = 4.0;
pub(super) const LONG: f64 = 85.0;

pub(super) const LOOP: &str = "Stations are connected to one bridge, as in section 3.2. A mark travels to the receiver, the \
    notification back to the source, and its frames to the bridge, so the delay of the loop is that of four links. There \
    is no flow control, as in the model, and the buffer of 80 MB is that of the program: all flows start at line rate.";

/// A case with a number of flows and a loop delay in microseconds.
pub(super) fn case(flows: u32, micros: f64) -> Case {
    Case::new(name(flows, micros), format!("{flows} flows, {micros} us"), SCENARIO).set_all([
        format!("topology.star.stations={}", flows + 1),
        format!("topology.star.delay=\"{} ns\"", micros * 250.0),
        format!("flows.1.from=\"h{{2..{}}}\"", flows + 1),
    ])
}

fn name(flows: u32, micros: f64) -> String {
    format!("n{flows}-{micros}")
}

/// The numbers of flows in figure 2.
const COMPARED: [u32; 3] = [2, 10, 20];
/// The second half of the run.
pub(super) const STEADY: Window = MEASURED.until(END);

pub(super) fn agreement() -> Experiment {
    Experiment::new("conext16/fig02", "DCQCN in the fluid model and in packet simulations")
        .setup("2, 10 and 20 flows start at the line rate of 40 Gb/s and share one link, with a loop delay of 4 us.")
        .paper_says("The fluid model and the packet simulations are in good agreement. The figure shows rates.")
        .assumptions([
            LOOP,
            "The paper does not give the delay for this figure; we use the shorter one of figure 4. It does not define \
            “good agreement” either: the mean difference between the rates over the whole run must be at most a quarter \
            of the fair share. The queues, which the figure does not show, are compared in our own checks.",
        ])
        .choices([&MARKING, &REPORTS])
        .cases(COMPARED.map(|flows| case(flows, SHORT)))
        .seeds(Repeats::LEAST)
        .quick(0.5)
        .panels(agreement_panels)
        .claims(COMPARED.map(rates_agree))
        .claims(COMPARED.map(queues_agree))
}

/// The marking in the set-up of a seed.
pub(super) fn line_of(seed: &Seed<'_>) -> Line {
    if seed.reads(&MARKING, "program") { Line::Program } else { Line::Text }
}

/// The solution of the model for the duration of a run.
pub(super) fn model_of(run: &Run, flows: u32, micros: f64, line: Line) -> Option<Arc<Course>> {
    dcqcn_solution(flows, micros, line, run.summary.duration_s)
}

fn rates_agree(flows: u32) -> Claim {
    Claim::new(
        at("section 3.2, figure 2"),
        format!("rates-agree-{flows}"),
        format!("With {flows} flows the rates in the model and in the packet simulation agree well."),
    )
    .measure(Unit::Share, NEAR, move |seed| {
        let run = seed.run(&name(flows, SHORT));
        rate_distance(run, &*model_of(run, flows, SHORT, line_of(seed))?, LINE_RATE / f64::from(flows))
    })
    .read_as(NEAR_MEANS)
    .cause(
        "the model describes the mean of many small cuts, but a source receives few notifications and cuts its rate by \
        several per cent each time, so the rates of single flows wander around the fair share for tens of milliseconds",
    )
}

fn queues_agree(flows: u32) -> Claim {
    Claim::new(
        OURS,
        format!("queues-agree-{flows}"),
        format!("With {flows} flows the mean queue in the packet simulation is that of the model."),
    )
    .measure(Unit::Ratio, Rule::Equivalent(0.8, 1.25), move |seed| {
        let run = seed.run(&name(flows, SHORT));
        queue_ratio(run, &*model_of(run, flows, SHORT, line_of(seed))?)
    })
    .read_as("Mean queue in the second half of the run divided by that of the model; within a quarter.")
}

fn agreement_panels(runs: &Runs) -> Vec<Block> {
    let line = line_of(&runs.first());
    let of = |run: &Run, flows| model_of(run, flows, SHORT, line);
    compared(runs, &COMPARED, (LINE_RATE, 4e5), &|flows| name(flows, SHORT), &of)
}

/// The cases of figure 5: flows and delay.
const UNSTABLE: [(u32, f64); 4] = [(10, SHORT), (10, LONG), (2, LONG), (64, LONG)];

pub(super) fn instability() -> Experiment {
    Experiment::new("conext16/fig05", "DCQCN at a long delay in packet simulations")
        .setup(
            "Packet simulations of figure 4: ten flows with loop delays of 4 and 85 us, and 2 and 64 flows with 85 \
                us.",
        )
        .paper_says("Packet simulations confirm that ten flows are unstable with a delay of 85 us.")
        .assumptions([
            LOOP,
            "The range of a queue is that from the 5th to the 95th percentile of its samples in the second half of the \
            run. Random marking alone makes a queue vary, so the same flows with 4 us serve as a comparison.",
            TWO_SIZES,
        ])
        .choices([&MARKING, &REPORTS])
        .cases(UNSTABLE.map(|(flows, micros)| {
            let case = case(flows, micros).set("duration=\"200 ms\"").set("measure_from=\"100 ms\"");
            if flows == 10 { case } else { case.beyond_paper() }
        }))
        .seeds(Repeats::LEAST)
        .quick(0.5)
        .panels(instability_panels)
        .claims([
            Claim::new(at("section 3.3, figure 5"), "unstable-10", "With ten flows and 85 us the queue is unstable.")
                .given(
                    "random marks alone, with 4 us, do not make the queue of ten flows vary as much",
                    (Unit::Ratio, Rule::AtMost(OSCILLATES)),
                    |seed| relative(seed, 10, SHORT),
                )
                .measure(Unit::Ratio, Rule::AtLeast(OSCILLATES), |seed| relative(seed, 10, LONG))
                .read_as("Range from the 5th to the 95th percentile of the queue divided by its mean, or by 50 kB if \
                    the mean is shorter; at least half."),
            Claim::new(OURS, "delay-destabilises", "With 85 us the queue of ten flows varies more than with 4 us.")
                .measure(Unit::Ratio, Rule::AtLeast(2.0), |seed| {
                    Some(relative(seed, 10, LONG)? / relative(seed, 10, SHORT)?)
                })
                .read_as("The relative range with 85 us divided by that with 4 us; at least two."),
            stable(2),
            stable(64),
        ])
}

/// The oscillation of the queue between percentiles.
fn relative(seed: &Seed<'_>, flows: u32, micros: f64) -> Option<f64> {
    queue_oscillation(seed.run(&name(flows, micros)))
}

/// The oscillation of the queue of a run from its 5th to its 95th percentile.
pub(super) fn queue_oscillation(run: &Run) -> Option<f64> {
    Some(oscillation(run.queue_percentiles(QUEUE, STEADY)?, run.mean_queue(QUEUE, STEADY)?))
}

fn stable(flows: u32) -> Claim {
    Claim::new(
        OURS,
        format!("stable-{flows}"),
        format!("With {flows} flows and {LONG} us the queue is stable, as in the paper’s fluid model."),
    )
    .measure(Unit::Ratio, Rule::AtMost(OSCILLATES), move |seed| relative(seed, flows, LONG))
    .read_as("The same relative range; at most half.")
    .cause(
        "single cuts of few flows move the queue: with a short delay, the queue of two flows varies about as much (see \
        figure 2). With 64 flows and marking up to 200 kB there is no fixed point",
    )
}

fn instability_panels(runs: &Runs) -> Vec<Block> {
    let first = runs.first();
    let line = line_of(&first);
    let figures = UNSTABLE.map(|(flows, micros)| {
        let run = first.run(&name(flows, micros));
        let title = format!("{flows} flows, {micros} us");
        let top = 1.3 * run.queue_peak(QUEUE, STEADY).unwrap_or(1e5);
        let mut figure = queues(
            (&format!("queue-{flows}-{micros}"), &title),
            top,
            &[("model", model_of(run, flows, micros, line))],
        );
        let packets = run.timed(run.queue(QUEUE).unwrap_or_default());
        figure.marks.insert(0, panel::line("packets", Colour::Series(1), Shape::Straight, packets));
        figure
    });
    let mut blocks = panel::of_seed(first, figures);
    let cases = UNSTABLE.map(|(flows, micros)| (name(flows, micros), format!("{flows} flows, {micros} us")));
    let cases: Vec<(&str, &str)> = cases.iter().map(|(name, label)| (&**name, &**label)).collect();
    blocks.push(Block::Table(queue_table(runs, &cases)));
    blocks
}

pub(super) fn queue_table(runs: &Runs, cases: &[(&str, &str)]) -> Table {
    table::by_case(
        runs,
        cases,
        &[
            ("Mean queue", Unit::Bytes, |run| run.mean_queue(QUEUE, STEADY)),
            ("Deviation", Unit::Bytes, |run| run.queue_std_dev(QUEUE, STEADY)),
            ("5th to 95th percentile", Unit::Bytes, |run| run.queue_percentiles(QUEUE, STEADY)),
            ("Utilisation", Unit::Share, |run| run.utilisation(PORT, STEADY)),
        ],
    )
}
