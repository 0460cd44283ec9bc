//! The figures that a sweep keeps for each run in order to compare runs.
//!
//! The queue to compare is chosen for all runs together ([`super::watched`]), so the metrics of every
//! queue are kept until then.

use std::collections::{BTreeMap, BTreeSet};

use setpoint_record::catalogue::{self, Metric};
use setpoint_record::results::{QueueSummary, SlowdownBin, Summary};

/// The metrics of a run, with the metrics of its queues kept separately.
#[derive(Clone, Debug, Default)]
pub(super) struct Kept {
    pub(super) figures: BTreeMap<String, f64>,
    /// Metrics whose value is only a lower bound.
    pub(super) lower_bounds: BTreeSet<String>,
    /// Slowdown by message size.
    pub(super) slowdown_by_size: Vec<SlowdownBin>,
    /// The queues in the order of the summary, the busiest first.
    pub(super) queues: Vec<KeptQueue>,
    /// The index of the queue that would be used to judge the run on its own.
    pub(super) own: Option<usize>,
}

/// The metrics of one queue.
#[derive(Clone, Debug)]
pub(super) struct KeptQueue {
    pub(super) name: String,
    pub(super) port: String,
    pub(super) mean: f64,
    /// Whether a congestion point acts on it; in bridges with input buffers, outputs are full by design.
    pub(super) acted_on: bool,
    figures: Vec<(&'static Metric, f64)>,
}

impl Kept {
    pub(super) fn of(summary: &Summary) -> Self {
        let mut kept = Self { own: summary.watched(), ..Self::default() };
        for metric in catalogue::all() {
            let Some(value) = metric.of_summary(summary) else { continue };
            kept.figures.insert(metric.name.to_owned(), value.value);
            kept.lower_bounds.extend(value.is_lower_bound.then(|| metric.name.to_owned()));
        }
        kept.slowdown_by_size.clone_from(&summary.slowdown_by_size);
        kept.queues = summary.queues.iter().map(|queue| KeptQueue::of(summary, queue)).collect();
        kept
    }

    /// Adds the metrics of one of the queues to those of the run.
    pub(super) fn with_queue(mut self, place: Option<usize>) -> Self {
        if let Some(queue) = place.and_then(|place| self.queues.get(place)) {
            self.figures.extend(queue.figures.iter().map(|(metric, value)| (metric.name.to_owned(), *value)));
        }
        self
    }
}

impl KeptQueue {
    fn of(summary: &Summary, queue: &QueueSummary) -> Self {
        let figure = |metric: &'static Metric| Some((metric, metric.of_queue_in(summary, queue)?));
        Self {
            name: queue.name.clone(),
            port: queue.port.clone(),
            mean: queue.mean_bytes,
            acted_on: summary.is_acted_on(queue),
            figures: catalogue::all().filter_map(figure).collect(),
        }
    }
}
