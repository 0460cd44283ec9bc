//! The curves and messages of a run.

use std::collections::HashMap;

use setpoint_lab::results::RunRecord;

use super::{Table, counts, numbers, origin, texts};
use crate::arrow::Column;

/// The curves of the flows, flow by flow.
pub(crate) fn flows(record: &RunRecord) -> Table {
    let flows = &record.series.flows;
    let columns = vec![
        numbers("rate_bps", flows.iter().flat_map(|flow| flow.rate_bps.iter().copied().map(Some))),
        numbers("limit_bps", flows.iter().flat_map(|flow| flow.limit_bps.iter().copied())),
        counts("notifications", flows.iter().flat_map(|flow| whole(&flow.notifications))),
    ];
    curves(record, "flow", flows.iter().map(|flow| flow.name.as_str()), columns)
}

/// The curves of the queues, queue by queue.
pub(crate) fn queues(record: &RunRecord) -> Table {
    let queues = &record.series.queues;
    let columns = vec![
        numbers("length_bytes", queues.iter().flat_map(|queue| queue.length_bytes.iter().copied().map(Some))),
        numbers(
            "largest_bytes",
            queues.iter().flat_map(|queue| queue.largest_bytes.iter().copied().map(Some)),
        ),
        counts("notifications", queues.iter().flat_map(|queue| whole(&queue.notifications))),
    ];
    curves(record, "queue", queues.iter().map(|queue| queue.name.as_str()), columns)
}

/// The curves of the ports, port by port.
pub(crate) fn ports(record: &RunRecord) -> Table {
    let ports = &record.series.ports;
    let columns = vec![
        numbers(
            "utilisation_share",
            ports.iter().flat_map(|port| port.utilisation_share.iter().copied().map(Some)),
        ),
        numbers("paused_share", ports.iter().flat_map(|port| port.paused_share.iter().copied().map(Some))),
    ];
    curves(record, "port", ports.iter().map(|port| port.name.as_str()), columns)
}

/// The messages, in order of completion.
pub(crate) fn messages(record: &RunRecord) -> Table {
    let messages = || record.messages.iter();
    let name = |flow: usize| record.summary.flows.get(flow).map(|flow| flow.name.clone());
    let columns = vec![
        texts("flow", messages().map(|message| name(message.flow))),
        counts("size_bytes", messages().map(|message| message.size_bytes)),
        numbers("offered_s", messages().map(|message| Some(message.offered_s))),
        numbers("completed_s", messages().map(|message| Some(message.completed_s))),
        numbers("ideal_s", messages().map(|message| Some(message.ideal_s))),
        numbers("fct_s", messages().map(|message| Some(message.fct_s))),
    ];
    Table::new(columns, of_run(record))
}

/// A table of curves: the time and the name of each row come first.
fn curves<'a>(
    record: &RunRecord,
    kind: &str,
    names: impl Iterator<Item = &'a str> + Clone,
    columns: Vec<Column>,
) -> Table {
    let time = &record.series.time_s;
    let times = names.clone().flat_map(|_| time.iter().copied().map(Some));
    let names = names.flat_map(|name| std::iter::repeat_n(Some(name.to_owned()), time.len()));
    let mut all = vec![numbers("time_s", times), texts(kind, names)];
    all.extend(columns);
    Table::new(all, of_run(record))
}

fn whole(values: &[u32]) -> impl Iterator<Item = u64> {
    values.iter().copied().map(u64::from)
}

fn of_run(record: &RunRecord) -> HashMap<String, String> {
    let manifest = &record.manifest;
    origin(&[
        ("scenario", manifest.scenario.clone()),
        ("seed", manifest.seed.to_string()),
        ("version", manifest.version.clone()),
        ("digest", manifest.digest.clone()),
    ])
}
