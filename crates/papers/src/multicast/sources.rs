//! Quantities measured on the sources of a network or of a group.

use setpoint_lab::results::FlowSummary;

use super::{LINE, SETTLED};
use crate::prelude::*;

/// Stations whose names share a prefix: all sources (`s`), or those of one group (`s1.`).
#[derive(Clone, Copy, Debug)]
pub(super) struct Sources(pub(super) &'static str);

/// All sources of a network.
pub(super) const ALL: Sources = Sources("s");

impl Sources {
    /// Their names without duplicates, in the order of the flows.
    pub(super) fn names(self, run: &Run) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for flow in self.flows(run) {
            if !names.contains(&flow.source.as_str()) {
                names.push(&flow.source);
            }
        }
        names
    }

    fn flows(self, run: &Run) -> impl Iterator<Item = &FlowSummary> {
        run.summary.flows.iter().filter(move |flow| flow.source.starts_with(self.0))
    }

    fn total(self, run: &Run, count: fn(&FlowSummary) -> u64) -> f64 {
        self.flows(run).map(count).sum::<u64>() as f64
    }

    fn per_frame(self, run: &Run, count: fn(&FlowSummary) -> u64) -> Option<f64> {
        let sent = self.total(run, |flow| flow.sent_frames);
        (sent > 0.0).then(|| self.total(run, count) / sent)
    }
}

/// Notifications received by the sources in the whole run, divided by the frames they sent.
pub(super) fn feedback(run: &Run, sources: Sources) -> Option<f64> {
    sources.per_frame(run, |flow| flow.notifications)
}

/// Notifications received by sources in the whole run.
#[expect(clippy::unnecessary_wraps, reason = "measures of groups are options")]
pub(super) fn notifications(run: &Run, sources: Sources) -> Option<f64> {
    Some(sources.total(run, |flow| flow.notifications))
}

/// Dropped frames divided by frames sent, in the whole run. Here paths diverge only after all congested queues, so
/// this is the loss of every receiver.
pub(super) fn loss(run: &Run, sources: Sources) -> Option<f64> {
    sources.per_frame(run, |flow| flow.dropped_frames)
}

/// The time of the first notification, in seconds of the full version: the end of the sample interval that contains it.
pub(super) fn first_notification(run: &Run) -> Option<f64> {
    let first = |counts: &[u32]| counts.iter().position(|count| *count > 0);
    let sample = run.series.flows.iter().filter_map(|flow| first(&flow.notifications)).min()?;
    Some(run.series.time_s.get(sample)? / run.timeline.scaled(1.0))
}

/// The paper's CR: the rate of a source's limiter at the samples; without one, the line rate. Flows of one source
/// share a limiter; each flow uses it from its own first notification on.
pub(super) fn limits(run: &Run, source: &str) -> Vec<f64> {
    let mut least = vec![LINE; run.series.time_s.len()];
    let flows = run.summary.flows.iter().zip(&run.series.flows);
    for (_, series) in flows.filter(|(flow, _)| flow.source == source) {
        for (least, limit) in least.iter_mut().zip(&series.limit_bps) {
            *least = least.min(limit.unwrap_or(LINE));
        }
    }
    least
}

fn settled_limits(run: &Run, source: &str) -> Option<Moments> {
    run.moments_over(&limits(run, source), SETTLED)
}

/// The settled CR, averaged over sources.
pub(super) fn mean_limit(run: &Run) -> Option<f64> {
    mean(&mean_limits(run, ALL)?)
}

/// The mean settled CR of each source.
fn mean_limits(run: &Run, sources: Sources) -> Option<Vec<f64>> {
    all(sources.names(run).into_iter().map(|source| Some(settled_limits(run, source)?.mean)))
}

/// The standard deviation of the settled CR, averaged over sources.
pub(super) fn limit_deviation(run: &Run, sources: Sources) -> Option<f64> {
    let names = sources.names(run).into_iter();
    mean(&all(names.map(|source| Some(settled_limits(run, source)?.deviation())))?)
}

/// The smallest CR of any source at any sample.
pub(super) fn smallest_limit(run: &Run) -> Option<f64> {
    ALL.names(run).into_iter().flat_map(|source| limits(run, source)).reduce(f64::min)
}

/// Jain's index of the assigned rates: the means of settled CR.
pub(super) fn fairness(run: &Run, sources: Sources) -> Option<f64> {
    jain_index(mean_limits(run, sources)?)
}

/// Jain's index of the settled sending rates.
pub(super) fn fairness_sent(run: &Run, sources: Sources) -> Option<f64> {
    jain_index(all(sources.names(run).into_iter().map(|source| sent(run, source)))?)
}

/// The settled sending rate of a source, with preambles and gaps: the utilisation of its link.
pub(super) fn sent(run: &Run, source: &str) -> Option<f64> {
    let of_source = |name: &str| name.split_once("->").is_some_and(|(from, _)| from == source);
    let port = run.series.ports.iter().find(|port| of_source(&port.name))?;
    Some(run.mean_over(&port.utilisation_share, SETTLED)? * LINE)
}

/// The mean length of a settled queue, minus its set point.
pub(super) fn offset(run: &Run, queue: &str) -> Option<f64> {
    Some(run.mean_queue(queue, SETTLED)? - run.queue_summary(queue)?.set_point_bytes? as f64)
}
