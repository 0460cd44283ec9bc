//! The traffic of flows.

use std::sync::Arc;

use setpoint_sim::traffic::sizes::SizeTable;
use setpoint_sim::traffic::{SizeDistribution, Traffic};
use setpoint_units::{Bytes, Rate, TimeDelta};

use crate::scenario::diagnostics::Problem;
use crate::scenario::format::{self, Placed, Poisson, SizePoints, Sizes};

/// Maximum time that sending anything may take: a tenth of the longest representable time.
const LONGEST: TimeDelta = TimeDelta::from_secs(1_000_000);

/// The traffic of a `[[flows]]` entry; `slowest` is the rate of the slowest link.
pub(super) fn traffic(kind: &format::Traffic, slowest: Rate) -> Result<Traffic, Problem> {
    Ok(match kind {
        format::Traffic::Backlogged(_) => Traffic::Backlogged,
        format::Traffic::Constant(keys) => Traffic::Constant { rate: *keys.rate },
        format::Traffic::OnOff(keys) => Traffic::OnOff {
            burst: sendable(&keys.burst, slowest)?,
            offered: *keys.rate,
            silence: *keys.silence,
        },
        format::Traffic::Poisson(keys) => poisson(keys, slowest)?,
        format::Traffic::Message(keys) => Traffic::Message { size: sendable(&keys.size, slowest)? },
    })
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

fn poisson(keys: &Placed<Poisson>, slowest: Rate) -> Result<Traffic, Problem> {
    let sizes = sizes(&keys.sizes, slowest)?;
    let (rate, gap) = (&keys.rate, &keys.mean_gap);
    let mean_gap = match (**rate, **gap) {
        (Some(_), Some(_)) => {
            return Err(Problem::at(gap.place(), "both `rate` and `mean_gap` are given", "redundant")
                .context(rate.place(), "the mean rate")
                .help("keep one of them: the gap is the mean size divided by the rate"));
        }
        (None, None) => {
            return Err(Problem::at(keys.place(), "`poisson` has neither `rate` nor `mean_gap`", "")
                .help("add the mean rate of each flow, as in `rate = \"3 Gb/s\"`"));
        }
        (Some(rate), None) => gap_for(&sizes, rate),
        (None, Some(gap)) => gap,
    };
    if mean_gap.is_zero() || mean_gap > LONGEST {
        let place = if gap.is_given() { gap.place() } else { rate.place() };
        let message =
            format!("the mean time between messages is {mean_gap}, but must be from 1 ps to {LONGEST}");
        return Err(Problem::at(place, message, "out of range"));
    }
    Ok(Traffic::Poisson { mean_gap, sizes })
}

/// The mean time between messages that gives a mean rate, to the nearest picosecond.
fn gap_for(sizes: &SizeDistribution, rate: Rate) -> TimeDelta {
    let picos = sizes.mean() * 8e12 / rate.bits_per_second() as f64;
    TimeDelta::from_picos(picos.round() as u64)
}

fn sizes(kind: &Sizes, slowest: Rate) -> Result<SizeDistribution, Problem> {
    Ok(match kind {
        Sizes::WebSearch(_) => SizeDistribution::Table(Arc::new(SizeTable::web_search())),
        Sizes::DataMining(_) => SizeDistribution::Table(Arc::new(SizeTable::data_mining())),
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
