//! The traffic of flows.

use std::sync::Arc;

use setpoint_sim::traffic::sizes::SizeTable;
use setpoint_sim::traffic::workloads::Workload;
use setpoint_sim::traffic::{SizeDistribution, Traffic};
use setpoint_units::{Bytes, Rate};

use super::Setting;
use super::entry::Route;
use super::messages::{Messages, Spacing, pace};
use crate::diagnostics::Problem;
use crate::format::{self, Flow, Placed, SizePoints, Sizes};
use crate::limits::LONGEST;

/// The traffic of a `[[flows]]` entry.
pub(super) enum Offer<'a> {
    /// Every flow has the same traffic.
    Same(Traffic),
    /// Repeated messages, whose frequency may depend on the sender.
    Messages(Messages<'a>),
}

impl Offer<'_> {
    /// The traffic of each flow of the entry.
    pub(super) fn of_flows(
        &self,
        entry: &Flow,
        routes: &[Route],
        setting: &Setting<'_>,
    ) -> Result<Vec<Traffic>, Problem> {
        match self {
            Self::Same(traffic) => Ok(vec![traffic.clone(); routes.len()]),
            Self::Messages(messages) => messages.of_flows(entry, routes, setting),
        }
    }
}

/// Reads the traffic of an entry; `slowest` is the rate of the slowest link.
pub(super) fn offer(kind: &format::Traffic, slowest: Rate) -> Result<Offer<'_>, Problem> {
    Ok(Offer::Same(match kind {
        format::Traffic::Backlogged(_) => Traffic::Backlogged,
        format::Traffic::Constant(keys) => Traffic::Constant { rate: *keys.rate },
        format::Traffic::OnOff(keys) => Traffic::OnOff {
            burst: sendable(&keys.burst, slowest)?,
            offered: *keys.rate,
            silence: *keys.silence,
        },
        format::Traffic::Message(keys) => Traffic::Message { size: sendable(&keys.size, slowest)? },
        format::Traffic::Poisson(keys) => {
            let sizes = sizes(&keys.sizes, slowest)?;
            let (pace, key) = pace(&**keys, &keys.mean_gap, Some(&keys.rate), &keys.load)?;
            return Ok(Offer::Messages(Messages { sizes, spacing: Spacing::Exponential, pace, key }));
        }
        format::Traffic::Periodic(keys) => {
            let sizes = SizeDistribution::Fixed(sendable(&keys.size, slowest)?);
            let (pace, key) = pace(&**keys, &keys.every, None, &keys.load)?;
            return Ok(Offer::Messages(Messages { sizes, spacing: Spacing::Fixed, pace, key }));
        }
    }))
}

/// Returns a size if it is at least one byte and can be sent within the maximum time.
fn sendable(key: &Placed<Bytes>, slowest: Rate) -> Result<Bytes, Problem> {
    sendable_size(**key, key, slowest)
}

fn sendable_size<T>(size: Bytes, key: &Placed<T>, slowest: Rate) -> Result<Bytes, Problem> {
    let most = slowest * LONGEST;
    if size.is_zero() || size > most {
        let bound = if size.is_zero() { "at least 1 B".to_string() } else { format!("at most {most}") };
        let message = format!("`{}` is {size}, but must be {bound}", key.name());
        let problem = Problem::at(key.place(), message, "out of range");
        let slow = format!("more would take longer than {LONGEST} on a {slowest} link");
        return Err(if size.is_zero() { problem } else { problem.help(slow) });
    }
    Ok(size)
}

fn sizes(kind: &Sizes, slowest: Rate) -> Result<SizeDistribution, Problem> {
    Ok(match kind {
        Sizes::WebSearch(_) => measured(Workload::WebSearch),
        Sizes::DataMining(_) => measured(Workload::DataMining),
        Sizes::FbHadoop(_) => measured(Workload::FbHadoop),
        Sizes::AliStorage(_) => measured(Workload::AliStorage),
        Sizes::GoogleRpc(_) => measured(Workload::GoogleRpc),
        Sizes::Fixed(keys) => SizeDistribution::Fixed(sendable(&keys.size, slowest)?),
        Sizes::Uniform(keys) => uniform(&keys.from, &keys.to, slowest)?,
        Sizes::Exponential(keys) => SizeDistribution::Exponential(sendable(&keys.mean, slowest)?),
        Sizes::Pareto(keys) => SizeDistribution::Pareto {
            mean: sendable(&keys.mean, slowest)?,
            shape: *keys.shape,
            bound: Some(match *keys.bound {
                Some(bound) => sendable_size(bound, &keys.bound, slowest)?,
                // Larger sizes are too rare to change the mean, but without a bound a message could
                // take longer than the longest representable time.
                None => slowest * LONGEST,
            }),
        },
        Sizes::Table(keys) => table(&keys.points, slowest)?,
    })
}

fn measured(workload: Workload) -> SizeDistribution {
    SizeDistribution::Table(Arc::new(workload.sizes()))
}

fn uniform(from: &Placed<Bytes>, to: &Placed<Bytes>, slowest: Rate) -> Result<SizeDistribution, Problem> {
    let (low, high) = (sendable(from, slowest)?, sendable(to, slowest)?);
    if low > high {
        return Err(Problem::at(to.place(), format!("`to` ({high}) is below `from` ({low})"), "")
            .context(from.place(), "the smallest size"));
    }
    Ok(SizeDistribution::Uniform(low, high))
}

fn table(key: &Placed<SizePoints>, slowest: Rate) -> Result<SizeDistribution, Problem> {
    let largest = key.0.last().map_or(Bytes::ZERO, |point| point.0);
    let points = key.0.iter().map(|&(size, probability)| (size.get() as f64, probability)).collect();
    let table = SizeTable::new(points).map_err(|error| Problem::at(key.place(), error.to_string(), ""))?;
    let most = slowest * LONGEST;
    if largest > most {
        return Err(Problem::at(key.place(), format!("the largest size is above {most}"), "out of range"));
    }
    Ok(SizeDistribution::Table(Arc::new(table)))
}
