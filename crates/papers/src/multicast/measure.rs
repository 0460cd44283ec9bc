//! What the claims measure.

use setpoint_lab::metrics::jain::jain_index;
use setpoint_lab::metrics::moments::Moments;
use setpoint_lab::results::FlowSummary;

use super::variant::{Delivery, Look};
use super::{LINE, Phase, SETTLED};
use crate::runs::{Run, mean};

/// Stations whose names begin alike: all sources (`s`), or those of one group (`s1.`).
#[derive(Clone, Copy, Debug)]
pub(super) struct Sources(pub(super) &'static str);

/// All sources of a network.
pub(super) const ALL: Sources = Sources("s");

impl Sources {
    fn has(self, flow: &FlowSummary) -> bool {
        flow.source.starts_with(self.0)
    }

    /// Their names, each once, in the order of the flows.
    pub(super) fn names(self, run: &Run) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for flow in run.summary.flows.iter().filter(|flow| self.has(flow)) {
            if !names.contains(&flow.source.as_str()) {
                names.push(&flow.source);
            }
        }
        names
    }

    fn total(self, run: &Run, count: fn(&FlowSummary) -> u64) -> f64 {
        run.summary.flows.iter().filter(|flow| self.has(flow)).map(count).sum::<u64>() as f64
    }
}

/// Notifications that reached sources, over frames that they sent, in the whole run.
pub(super) fn feedback(run: &Run, sources: Sources) -> Option<f64> {
    let sent = sources.total(run, |flow| flow.sent_frames);
    (sent > 0.0).then(|| sources.total(run, |flow| flow.notifications) / sent)
}

/// Notifications that reached sources in the whole run.
pub(super) fn notifications(run: &Run, sources: Sources) -> Option<f64> {
    Some(sources.total(run, |flow| flow.notifications))
}

/// Frames that were dropped, over frames that sources sent, in the whole run. Where paths part behind all congested
/// queues, as here, that is the loss of every receiver.
pub(super) fn loss(run: &Run, sources: Sources) -> Option<f64> {
    let sent = sources.total(run, |flow| flow.sent_frames);
    (sent > 0.0).then(|| sources.total(run, |flow| flow.dropped_frames) / sent)
}

/// When the first notification reached a source, as a time of the full experiment: the end of its sample.
pub(super) fn first_notified(run: &Run) -> Option<f64> {
    let first = |counts: &[u32]| counts.iter().position(|count| *count > 0);
    let sample = run.series.flows.iter().filter_map(|flow| first(&flow.notifications)).min()?;
    Some(run.series.time_s.get(sample)? / run.time(1.0))
}

/// When the first notification comes: of the three set points, the time that is farthest from one.
pub(super) fn begins(look: &Look<'_>, delivery: Delivery, from: f64) -> Option<f64> {
    let times = look.each(delivery, first_notified)?;
    times.into_iter().max_by(|a, b| (a - from).abs().total_cmp(&(b - from).abs()))
}

/// The paper's CR: the rate of a source's limiter at each sample; without one, that of its line. Flows of one source
/// share a limiter, which each of them has from its own first notification on.
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
    let limits = limits(run, source);
    let samples =
        limits.get(run.window_between(SETTLED.0, SETTLED.1)).filter(|samples| !samples.is_empty())?;
    Some(Moments::of(samples.iter().copied()))
}

/// The mean of CR over sources and the settled phase.
pub(super) fn mean_limit(run: &Run) -> Option<f64> {
    mean(&mean_limits(run, ALL)?)
}

/// The mean of CR in the settled phase, by source.
pub(super) fn mean_limits(run: &Run, sources: Sources) -> Option<Vec<f64>> {
    let of = |source: &str| Some(settled_limits(run, source)?.mean);
    sources.names(run).into_iter().map(of).collect()
}

/// The standard deviation of CR over the settled phase, as the mean over sources.
pub(super) fn limit_deviation(run: &Run, sources: Sources) -> Option<f64> {
    let of = |source: &str| Some(settled_limits(run, source)?.deviation());
    mean(&sources.names(run).into_iter().map(of).collect::<Option<Vec<f64>>>()?)
}

/// The smallest CR that any source has at any sample.
pub(super) fn smallest_limit(run: &Run) -> Option<f64> {
    ALL.names(run).into_iter().flat_map(|source| limits(run, source)).reduce(f64::min)
}

/// Jain's index of the rates that sources were assigned: the means of CR in the settled phase.
pub(super) fn fairness(run: &Run, sources: Sources) -> Option<f64> {
    jain_index(mean_limits(run, sources)?)
}

/// Jain's index of what sources sent in the settled phase.
pub(super) fn fairness_sent(run: &Run, sources: Sources) -> Option<f64> {
    let names = sources.names(run);
    let of = |source: &str| sent(run, source, SETTLED);
    jain_index(names.into_iter().map(of).collect::<Option<Vec<f64>>>()?)
}

/// What a source sends in a phase, with preambles and gaps: how busy its link is.
pub(super) fn sent(run: &Run, source: &str, phase: Phase) -> Option<f64> {
    let of_source = |name: &str| name.split_once("->").is_some_and(|(from, _)| from == source);
    let port = run.series.ports.iter().find(|port| of_source(&port.name))?;
    Some(mean(port.utilisation_share.get(run.window_between(phase.0, phase.1))?)? * LINE)
}

/// The mean length of a queue in the settled phase, less the set point of its congestion point.
pub(super) fn offset(run: &Run, queue: &str) -> Option<f64> {
    let summary = run.summary.queues.iter().find(|summary| summary.name == queue)?;
    Some(run.queue_mean_between(queue, SETTLED.0, SETTLED.1)? - summary.set_point_bytes? as f64)
}

/// At how many set points a figure is larger with the one delivery than with the other.
pub(super) fn larger_at(
    look: &Look<'_>,
    (larger, smaller): (Delivery, Delivery),
    measure: fn(&Run) -> Option<f64>,
) -> Option<f64> {
    let (larger, smaller) = (look.each(larger, measure)?, look.each(smaller, measure)?);
    Some(larger.iter().zip(&smaller).filter(|(larger, smaller)| larger > smaller).count() as f64)
}
