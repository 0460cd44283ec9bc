//! The tables of an atlas.

use setpoint_record::table::{Column, Table, Values};
use setpoint_units::quantity::Unit;

use super::record::{AtlasCell, AtlasRecord, AtlasRun};
use crate::theory::record::EquilibriumRecord;

/// `atlas`, with a row for every algorithm, speed and number of flows, and `packets`, with a row for every packet simulation.
#[must_use]
pub fn tables(record: &AtlasRecord) -> Vec<Table> {
    let origin = vec![("setpoint.version".to_owned(), record.version.clone())];
    let cells = Table { name: "atlas".to_owned(), columns: cells(&record.cells), origin: origin.clone() };
    let packets = Table { name: "packets".to_owned(), columns: packets(&record.packets), origin };
    vec![cells, packets]
}

fn cells(cells: &[AtlasCell]) -> Vec<Column> {
    let numbers = |of: &dyn Fn(&AtlasCell) -> Option<f64>| Values::Numbers(cells.iter().map(of).collect());
    let at = |of: fn(&EquilibriumRecord) -> Option<f64>| {
        Values::Numbers(cells.iter().map(|cell| cell.equilibrium.as_ref().and_then(of)).collect())
    };
    let texts = |of: &dyn Fn(&AtlasCell) -> Option<String>| Values::Texts(cells.iter().map(of).collect());
    vec![
        Column::new(
            "scheme",
            None,
            "The algorithm and its parameters.",
            texts(&|cell| Some(cell.scheme.clone())),
        ),
        Column::new(
            "speed_bps",
            Some(Unit::BitsPerSecond),
            "The speed of the link and of the senders' ports.",
            numbers(&|cell| Some(cell.speed_bps)),
        ),
        Column::new(
            "flows",
            None,
            "The number of flows.",
            Values::Counts(cells.iter().map(|cell| Some(cell.flows.into())).collect()),
        ),
        Column::new(
            "stability",
            None,
            "The delays at which the loop is stable: bounded (up to margin_s), never, always, or no-loop.",
            texts(&|cell| Some(cell.stability.name().to_owned())),
        ),
        Column::new(
            "margin_s",
            Some(Unit::Seconds),
            "The longest delay of the network at which the loop is stable, without queueing.",
            numbers(&|cell| cell.margin_s),
        ),
        Column::new(
            "waiting_s",
            Some(Unit::Seconds),
            "The mean time for which hosts wait before they look for marks, in addition to the delay of the network.",
            numbers(&|cell| Some(cell.waiting_s)),
        ),
        Column::new(
            "period_s",
            Some(Unit::Seconds),
            "The period of the oscillation at that delay.",
            numbers(&|cell| cell.period_s),
        ),
        Column::new(
            "settling_s",
            Some(Unit::Seconds),
            "The time in which a small disturbance falls to 2 % at the delay of the atlas.",
            numbers(&|cell| cell.settling_s),
        ),
        Column::new(
            "rate_bps",
            Some(Unit::BitsPerSecond),
            "The rate of a flow at the equilibrium.",
            at(|at| Some(at.rate_bps)),
        ),
        Column::new(
            "queue_bytes",
            Some(Unit::Bytes),
            "The queue at the equilibrium.",
            at(|at| Some(at.queue_bytes)),
        ),
        Column::new(
            "marking_share",
            Some(Unit::Share),
            "The share of marked frames at the equilibrium.",
            at(|at| at.marking_share),
        ),
        Column::new("alpha", None, "DCQCN's α at the equilibrium.", at(|at| at.alpha)),
        Column::new(
            "pauses_from_bytes",
            Some(Unit::Bytes),
            "The queue at which PFC with its default thresholds would pause the senders.",
            numbers(&|cell| cell.pauses_from_bytes),
        ),
        Column::new("reason", None, "The reason why there is no loop.", texts(&|cell| cell.reason.clone())),
    ]
}

fn packets(runs: &[AtlasRun]) -> Vec<Column> {
    let numbers = |of: &dyn Fn(&AtlasRun) -> Option<f64>| Values::Numbers(runs.iter().map(of).collect());
    let texts = |of: &dyn Fn(&AtlasRun) -> Option<String>| Values::Texts(runs.iter().map(of).collect());
    let counts =
        |of: &dyn Fn(&AtlasRun) -> u64| Values::Counts(runs.iter().map(|run| Some(of(run))).collect());
    vec![
        Column::new(
            "scheme",
            None,
            "The algorithm and its parameters.",
            texts(&|run| Some(run.scheme.clone())),
        ),
        Column::new(
            "speed_bps",
            Some(Unit::BitsPerSecond),
            "The speed of the link and of the senders' ports.",
            numbers(&|run| Some(run.speed_bps)),
        ),
        Column::new("flows", None, "The number of flows.", counts(&|run| run.flows.into())),
        Column::new(
            "delay_s",
            Some(Unit::Seconds),
            "The delay of the network, without queueing.",
            numbers(&|run| Some(run.delay_s)),
        ),
        Column::new(
            "model_is_stable",
            None,
            "Whether the model is stable at this delay; empty without a model.",
            Values::Flags(runs.iter().map(|run| run.model_is_stable).collect()),
        ),
        Column::new("seed", None, "The seed.", counts(&|run| run.seed)),
        Column::new(
            "verdict",
            None,
            "The behaviour of the queue: stable, oscillates or unclear.",
            texts(&|run| Some(run.verdict.name().to_owned())),
        ),
        Column::new("why", None, "The reason why the verdict is unclear.", texts(&|run| run.why.clone())),
        Column::new(
            "deviation_ratio",
            None,
            "The relative deviation of the queue, divided by that of a network with a quarter of the flows.",
            numbers(&|run| run.deviation_ratio),
        ),
        Column::new(
            "queue_mean_bytes",
            Some(Unit::Bytes),
            "The mean queue.",
            numbers(&|run| Some(run.queue_mean_bytes)),
        ),
        Column::new(
            "queue_deviation_bytes",
            Some(Unit::Bytes),
            "Its standard deviation.",
            numbers(&|run| Some(run.queue_deviation_bytes)),
        ),
        Column::new(
            "empty_share",
            Some(Unit::Share),
            "The part of the time during which the queue was empty.",
            numbers(&|run| Some(run.empty_share)),
        ),
        Column::new(
            "measured_s",
            Some(Unit::Seconds),
            "The measured time.",
            numbers(&|run| Some(run.measured_s)),
        ),
    ]
}
