//! Comparisons of packet simulations on a star with solutions of the fluid models: figures 2 and 8.

use std::sync::Arc;

use setpoint_fluid::model::Course;

use super::model::{SAMPLE_S, over_time};
use super::packets::{QUEUE, STEADY};
use crate::prelude::*;

/// The rule for [`rate_distance`].
pub(super) const NEAR: Rule = Rule::Equivalent(f64::NEG_INFINITY, 0.25);
/// Its meaning.
pub(super) const NEAR_MEANS: &str = "Mean distance between the rate of a flow and the rate in the model over all samples \
    and flows, divided by the fair share; the confidence interval must end at a quarter or below.";

/// The mean rate or queue of the model between the samples of a run.
fn resampled(run: &Run, values: &[f64]) -> Option<Vec<f64>> {
    let per_sample = (run.interval()? / SAMPLE_S).round().max(1.0) as usize;
    all(values.chunks(per_sample).take(run.series.time_s.len()).map(mean))
}

/// The mean distance between the rates of all flows and the model, relative to the fair share.
pub(super) fn rate_distance(run: &Run, course: &Course, share_bps: f64) -> Option<f64> {
    let model = resampled(run, course.rates_bps.first()?)?;
    let distance = |name: &str| {
        let rates = run.rates(name)?;
        mean(&rates.iter().zip(&model).map(|(one, other)| (one - other).abs()).collect::<Vec<_>>())
    };
    let distances = all(run.series.flows.iter().map(|flow| distance(&flow.name)))?;
    Some(mean(&distances)? / share_bps)
}

/// The mean queue of the second half of a run.
fn model_queue(run: &Run, course: &Course) -> Option<f64> {
    run.mean_over(&resampled(run, &course.queue_bytes)?, STEADY)
}

/// The mean queue of a run in its second half, divided by that of the model.
pub(super) fn queue_ratio(run: &Run, course: &Course) -> Option<f64> {
    Some(run.mean_queue(QUEUE, STEADY)? / model_queue(run, course)?)
}

/// The rates and queues of runs with several numbers of flows and of their models, over time, and a table of their means.
/// The axes of the figures end at twice the fair share of the line rate, and at `top` bytes.
pub(super) fn compared(
    runs: &Runs,
    numbers: &[u32],
    (line_rate, top): (f64, f64),
    case: &dyn Fn(u32) -> String,
    model: &dyn Fn(&Run, u32) -> Option<Arc<Course>>,
) -> Vec<Block> {
    let first = runs.first();
    let figures = numbers.iter().flat_map(|&flows| {
        let run = first.run(&case(flows));
        let share = line_rate / f64::from(flows);
        let course = model(run, flows);
        [rates(run, course.as_deref(), flows, share), queue(run, course.as_deref(), flows, top)]
    });
    let mut blocks = panel::of_seed(first, figures);
    let mut table = table::with_headings(
        "Flows",
        ["Distance of the rates / fair share", "Mean queue, packets", "model", "Deviation, packets"],
    );
    for &flows in numbers {
        let of = |measure: &dyn Fn(&Run) -> Option<f64>| runs.values(|seed| measure(seed.run(&case(flows))));
        let share = line_rate / f64::from(flows);
        table.row([
            Cell::words(flows.to_string()),
            table::cell(Unit::Share, &of(&|run| rate_distance(run, &*model(run, flows)?, share))),
            table::cell(Unit::Bytes, &of(&|run| run.mean_queue(QUEUE, STEADY))),
            table::cell(Unit::Bytes, &of(&|run| model_queue(run, &*model(run, flows)?))),
            table::cell(Unit::Bytes, &of(&|run| run.queue_std_dev(QUEUE, STEADY))),
        ]);
    }
    blocks.push(Block::Table(table));
    blocks
}

/// A curve over the samples of a run.
fn curve(run: &Run, label: &str, values: Option<Vec<f64>>) -> (String, Vec<f64>, Vec<f64>) {
    (label.to_owned(), run.series.time_s.clone(), values.unwrap_or_default())
}

fn rates(run: &Run, course: Option<&Course>, flows: u32, share_bps: f64) -> Figure {
    let packets = |name: &str| run.rates(name).map(<[f64]>::to_vec);
    let model = course.and_then(|course| resampled(run, course.rates_bps.first()?));
    over_time(
        (&format!("rates-{flows}"), &format!("{flows} flows: rates")),
        Axis::linear("Rate", Unit::BitsPerSecond, (0.0, 2.0 * share_bps)),
        vec![
            curve(run, "first flow, packets", packets("f1")),
            curve(run, "second flow, packets", packets("f2")),
            curve(run, "model", model),
        ],
    )
}

fn queue(run: &Run, course: Option<&Course>, flows: u32, top: f64) -> Figure {
    let model = course.and_then(|course| resampled(run, &course.queue_bytes));
    over_time(
        (&format!("queue-{flows}"), &format!("{flows} flows: queue")),
        Axis::linear("Queue", Unit::Bytes, (0.0, top)),
        vec![curve(run, "packets", run.queue(QUEUE).map(<[f64]>::to_vec)), curve(run, "model", model)],
    )
}
