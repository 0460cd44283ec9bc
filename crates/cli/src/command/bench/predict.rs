//! The speed-up that more cores would give.

use std::num::NonZeroUsize;
use std::time::Duration;

use serde_json::{Value, json};
use setpoint_lab::bench::Shape;
use setpoint_sim::{Threads, barrier_time};

use super::{Bench, Timed};
use crate::failure::Failure;
use crate::terminal::{Column, Screen, Table, Unit, count, quantity};

/// Runs a shape on one thread, and as a rehearsal for a number of cores.
pub(super) fn measure(bench: &Bench, shape: &Shape, cores: NonZeroUsize) -> Result<Value, Failure> {
    let alone = bench.fastest(shape, Threads::ONE)?;
    let Timed { seconds, rehearsal, .. } = bench.fastest(shape, Threads::rehearsed(cores))?;
    let rehearsal = rehearsal.unwrap_or_default();
    let barrier = barrier_time(cores);
    let predicted = rehearsal.predicted(Duration::from_secs_f64(seconds), barrier).as_secs_f64();
    let divided = rehearsal.windows > 0;
    Ok(json!({
        "shape": shape.name,
        "cores": cores,
        "windows": rehearsal.windows,
        "events_per_window": divided.then(|| rehearsal.events_per_window()),
        "imbalance": divided.then(|| rehearsal.imbalance()),
        "barrier_seconds": barrier.as_secs_f64(),
        "seconds": alone.seconds,
        "rehearsal_seconds": seconds,
        "predicted_seconds": if divided { predicted } else { alone.seconds },
        "predicted_speed_up": if divided { alone.seconds / predicted } else { 1.0 },
    }))
}

pub(super) fn table(lines: &[Value], screen: Screen) -> String {
    let mut table = Table::new(vec![
        Column::words("shape", 0),
        Column::figures("cores", 0),
        Column::figures("speed-up", 0),
        Column::figures("time on one", 2),
        Column::figures("predicted", 3),
        Column::figures("windows", 5),
        Column::figures("events per window", 1),
        Column::figures("imbalance", 1),
        Column::figures("barrier", 6),
    ]);
    for line in lines {
        let figure = |key: &str, unit: Unit| {
            line[key].as_f64().map_or_else(|| "-".to_owned(), |value| quantity(unit, value))
        };
        let whole = |key: &str| line[key].as_u64().map_or_else(|| "-".to_owned(), count);
        table.row([
            line["shape"].as_str().unwrap_or_default().to_owned(),
            whole("cores"),
            figure("predicted_speed_up", Unit::Ratio),
            figure("seconds", Unit::Seconds),
            figure("predicted_seconds", Unit::Seconds),
            whole("windows"),
            figure("events_per_window", Unit::Ratio),
            figure("imbalance", Unit::Ratio),
            figure("barrier_seconds", Unit::Seconds),
        ]);
    }
    table.render(screen).0
}
