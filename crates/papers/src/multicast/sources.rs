//! Quantities measured for the sources of a network or of a group.

use setpoint_record::results::FlowSummary;

use super::choices::{LIMITERS, PER_SOURCE, RATE_MEASURED, SENT, SHARE_OF, TOTAL_STREAM};
use super::{LINE, OFFER, SETTLED};
use crate::prelude::*;

/// Stations whose names share a prefix: all sources (`s`), or those of one group (`s1.`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sources(pub(super) &'static str);

/// All sources of a network.
pub(super) const ALL: Sources = Sources("s");

/// A rate limiter of a source.
#[derive(Clone, Debug, PartialEq)]
struct Limiter<'a> {
    source: &'a str,
    /// The name of its first flow.
    flow: &'a str,
    /// The offered rate of its flows.
    offer: f64,
    /// The paper's CR at the sample times: the rate of the limiter or, while there is no limiter, the line rate.
    limit: Vec<f64>,
}

impl Sources {
    fn flows(self, run: &Run) -> impl Iterator<Item = &FlowSummary> {
        run.summary.flows.iter().filter(move |flow| flow.source.starts_with(self.0))
    }

    fn total(self, run: &Run, count: fn(&FlowSummary) -> u64) -> f64 {
        self.flows(run).map(count).sum::<u64>() as f64
    }

    /// A count divided by the number of frames sent, in the whole run.
    fn per_frame(self, seed: &Seed<'_>, case: &str, count: fn(&FlowSummary) -> u64) -> Option<f64> {
        let run = seed.run(case);
        let stream = if self == ALL || seed.reads(&SHARE_OF, TOTAL_STREAM) { ALL } else { self };
        let sent = stream.total(run, |flow| flow.sent_frames);
        (sent > 0.0).then(|| self.total(run, count) / sent)
    }

    /// The limiters of these sources. A source with a single flow has one limiter in all set-ups. Flows that share a
    /// limiter use it from their own first notification onwards.
    fn limiters<'a>(self, seed: &Seed<'a>, case: &str) -> Vec<Limiter<'a>> {
        let run = seed.run(case);
        let mut limiters: Vec<Limiter<'_>> = Vec::new();
        for (flow, series) in run.summary.flows.iter().zip(&run.series.flows) {
            if !flow.source.starts_with(self.0) {
                continue;
            }
            let limit = series.limit_bps.iter().map(|limit| limit.unwrap_or(LINE));
            match limiters.last_mut() {
                Some(last) if last.source == flow.source && seed.reads(&LIMITERS, PER_SOURCE) => {
                    last.offer += OFFER;
                    last.limit.iter_mut().zip(limit).for_each(|(least, limit)| *least = least.min(limit));
                }
                _ => limiters.push(Limiter {
                    source: &flow.source,
                    flow: &flow.name,
                    offer: OFFER,
                    limit: limit.collect(),
                }),
            }
        }
        limiters
    }

    /// The rates whose stability and fairness are measured: CR of each limiter, or the sending rate of each source.
    fn rates(self, seed: &Seed<'_>, case: &str) -> Vec<Vec<f64>> {
        let limiters = self.limiters(seed, case);
        if seed.reads(&RATE_MEASURED, SENT) {
            sending_rates(&limiters)
        } else {
            limiters.into_iter().map(|limiter| limiter.limit).collect()
        }
    }

    /// Mean and deviation of each of these rates once settled.
    fn settled_rates(self, seed: &Seed<'_>, case: &str) -> Option<Vec<Moments>> {
        let run = seed.run(case);
        self.rates(seed, case).iter().map(|rate| run.moments_over(rate, SETTLED)).collect()
    }
}

impl Limiter<'_> {
    fn same_source(&self, other: &Self) -> bool {
        self.source == other.source
    }
}

/// The sending rate of each source: the sum, over its limiters, of CR or the rate that the limiter's flows
/// offer, whichever is lower.
fn sending_rates(limiters: &[Limiter<'_>]) -> Vec<Vec<f64>> {
    let of_source = |limiters: &[Limiter<'_>]| {
        let sum =
            |sample: usize| limiters.iter().map(|limiter| limiter.limit[sample].min(limiter.offer)).sum();
        (0..limiters[0].limit.len()).map(sum).collect()
    };
    limiters.chunk_by(Limiter::same_source).map(of_source).collect()
}

/// Notifications received by the sources, divided by frames sent.
pub(super) fn feedback(seed: &Seed<'_>, case: &str, sources: Sources) -> Option<f64> {
    sources.per_frame(seed, case, |flow| flow.notifications)
}

/// Dropped frames divided by frames sent. Paths diverge only after all congested queues here, so this is the loss at
/// every receiver.
pub(super) fn loss(seed: &Seed<'_>, case: &str, sources: Sources) -> Option<f64> {
    sources.per_frame(seed, case, |flow| flow.dropped_frames)
}

/// The time of the first notification, in seconds of the full version: the end of the sample interval that contains it.
pub(super) fn first_notification(seed: &Seed<'_>, case: &str) -> Option<f64> {
    let run = seed.run(case);
    let first = |counts: &[u32]| counts.iter().position(|count| *count > 0);
    let sample = run.series.flows.iter().filter_map(|flow| first(&flow.notifications)).min()?;
    Some(run.series.time_s.get(sample)? / run.timeline.scaled(1.0))
}

/// CR of all limiters over time. A limiter is named after its source or, if the source has several, after its flow.
pub(super) fn limit_curves<'a>(seed: &Seed<'a>, case: &str) -> Vec<Curve<'a>> {
    let limiters = ALL.limiters(seed, case);
    let of_source = |limiters: &[Limiter<'a>]| {
        let alone = limiters.len() == 1;
        let curve = |one: &Limiter<'a>| (if alone { one.source } else { one.flow }, one.limit.clone());
        limiters.iter().map(curve).collect::<Vec<Curve<'a>>>()
    };
    limiters.chunk_by(Limiter::same_source).flat_map(of_source).collect()
}

/// The settled CR, averaged over limiters.
pub(super) fn mean_limit(seed: &Seed<'_>, case: &str) -> Option<f64> {
    let limiters = ALL.limiters(seed, case).into_iter();
    mean(&all(limiters.map(|limiter| seed.run(case).mean_over(&limiter.limit, SETTLED)))?)
}

/// The smallest CR of any limiter at any sample.
pub(super) fn smallest_limit(seed: &Seed<'_>, case: &str) -> Option<f64> {
    ALL.limiters(seed, case).into_iter().flat_map(|limiter| limiter.limit).reduce(f64::min)
}

/// The settled sending rate of the slowest source.
pub(super) fn slowest(seed: &Seed<'_>, case: &str) -> Option<f64> {
    let rates = sending_rates(&ALL.limiters(seed, case));
    least(rates.iter().map(|rate| seed.run(case).mean_over(rate, SETTLED)))
}

/// The standard deviation of the settled rates, averaged over sources.
pub(super) fn deviation(seed: &Seed<'_>, case: &str, sources: Sources) -> Option<f64> {
    let rates = sources.settled_rates(seed, case)?;
    mean(&rates.iter().map(Moments::deviation).collect::<Vec<f64>>())
}

/// Jain's index of the means of the settled rates.
pub(super) fn fairness(seed: &Seed<'_>, case: &str, sources: Sources) -> Option<f64> {
    jain_index(sources.settled_rates(seed, case)?.iter().map(|rate| rate.mean))
}

/// The settled rate at which a source uses its link, including preambles and gaps.
pub(super) fn link_use(run: &Run, source: &str) -> Option<f64> {
    let of_source = |name: &str| name.split_once("->").is_some_and(|(from, _)| from == source);
    let port = run.series.ports.iter().find(|port| of_source(&port.name))?;
    Some(run.mean_over(&port.utilisation_share, SETTLED)? * LINE)
}

/// The mean length of a settled queue, minus its set point.
pub(super) fn offset(run: &Run, queue: &str) -> Option<f64> {
    Some(run.mean_queue(queue, SETTLED)? - run.queue_summary(queue)?.set_point_bytes? as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A source sends what its limiter allows, but no more than its flows offer.
    #[test]
    fn sending_rates_are_sums_over_limiters_of_the_smaller_of_limit_and_offer() {
        let limiter = |source, flows, limit: [f64; 3]| Limiter {
            source,
            flow: "",
            offer: flows * OFFER,
            limit: limit.map(|mbps| mbps * 1e6).to_vec(),
        };
        let per_source =
            [limiter("s1", 2.0, [1000.0, 300.0, 100.0]), limiter("s2", 1.0, [150.0, 200.0, 250.0])];
        assert_eq!(sending_rates(&per_source), [[4e8, 3e8, 1e8], [1.5e8, 2e8, 2e8]]);
        let per_flow =
            [limiter("s1", 1.0, [1000.0, 300.0, 100.0]), limiter("s1", 1.0, [150.0, 200.0, 250.0])];
        assert_eq!(sending_rates(&per_flow), [[3.5e8, 4e8, 3e8]]);
    }
}
