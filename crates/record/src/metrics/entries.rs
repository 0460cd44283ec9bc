//! Figures per `[[flows]]` entry.
//!
//! An entry is a **query** if it has two or more flows that each send one message from a common start, as in an incast.
//! Its completion time runs from that start until the last message is complete.

use std::ops::Range;

use setpoint_scenario::FlowEntry;
use setpoint_sim::traffic::Traffic;
use setpoint_sim::{FlowOutcome, Outcome, Spec};
use setpoint_units::Time;

use super::Context;
use super::activity::Activity;
use super::jain::jain_index;
use super::messages::{FlowMessages, Messages};
use super::receivers::Losses;
use super::totals::rate_sum;
use crate::results::{Bounded, EntrySummary, FlowSummary};
use crate::statistics::moments::{Moments, ratio};

/// The figures for all entries, in the order of the scenario.
pub(super) fn summaries(
    context: &Context<'_>,
    outcome: &Outcome,
    flows: &[FlowSummary],
    activity: &Activity,
    messages: &Messages<'_>,
) -> Vec<EntrySummary> {
    let ranges: Vec<Range<usize>> = context.entries.iter().map(|entry| entry.flows.clone()).collect();
    let summary = |(entry, messages): (&FlowEntry, FlowMessages)| {
        let figures = Figures { context, range: entry.flows.clone(), outcome, flows, activity };
        let query = query_start(context.spec, &entry.flows)
            .and_then(|start| messages.last_completion(start, entry.flows.len()));
        EntrySummary {
            name: entry.name.clone(),
            messages: messages.class(),
            query_completion_s: query.filter(|query| !query.is_lower_bound).map(value),
            query_completion_at_least_s: query.filter(|query| query.is_lower_bound).map(value),
            ..figures.summary()
        }
    };
    context.entries.iter().zip(messages.by_flows(&ranges)).map(summary).collect()
}

fn value(bounded: Bounded) -> f64 {
    bounded.value
}

/// The common start of the flows' messages, if the flows form a query.
fn query_start(spec: &Spec, flows: &Range<usize>) -> Option<Time> {
    let flows = spec.flows.get(flows.clone())?;
    let start = flows.first()?.start;
    let together =
        flows.iter().all(|flow| matches!(flow.traffic, Traffic::Message { .. }) && flow.start == start);
    (flows.len() >= 2 && together).then_some(start)
}

/// The flows of an entry.
struct Figures<'a> {
    context: &'a Context<'a>,
    range: Range<usize>,
    outcome: &'a Outcome,
    flows: &'a [FlowSummary],
    activity: &'a Activity,
}

impl Figures<'_> {
    /// All figures except those of messages.
    fn summary(&self) -> EntrySummary {
        let flows = &self.flows[self.range.clone()];
        let outcomes = &self.outcome.flows[self.range.clone()];
        let rates = || flows.iter().map(|flow| flow.rate_bps);
        EntrySummary {
            flows: flows.len(),
            rate_sum_bps: rate_sum(self.context, self.outcome, self.flows, self.range.clone()),
            rate_mean_bps: Moments::of(rates()).mean,
            rate_min_bps: rates().min_by(f64::total_cmp).unwrap_or(0.0),
            rate_max_bps: rates().max_by(f64::total_cmp).unwrap_or(0.0),
            jain_index: jain_index(self.competing_rates()),
            sent_frames: flows.iter().map(|flow| flow.sent_frames).sum(),
            dropped_frames: flows.iter().map(|flow| flow.dropped_frames).sum(),
            loss_share: outcomes.iter().map(Losses::of).sum::<Losses>().share(),
            notifications: flows.iter().map(|flow| flow.notifications).sum(),
            delay_mean_s: delay_mean(outcomes),
            ..EntrySummary::default()
        }
    }

    /// The rates, per weight, of the flows that competed during the whole measurement interval.
    fn competing_rates(&self) -> impl Iterator<Item = f64> + '_ {
        let (from, to) = (self.outcome.measure_from, self.outcome.end);
        let competing = self.range.clone().filter(move |&flow| self.activity.covers(flow, from, to));
        competing.map(|flow| self.activity.per_weight(flow, self.flows[flow].rate_bps))
    }
}

/// The mean delay of all frames, in seconds; the sums are in picoseconds.
fn delay_mean(flows: &[FlowOutcome]) -> Option<f64> {
    let frames: u64 = flows.iter().map(|flow| flow.delay_frames).sum();
    let sum: f64 = flows.iter().map(|flow| flow.delay_sum as f64).sum();
    (frames > 0).then(|| ratio(sum, frames as f64) / 1e12)
}
