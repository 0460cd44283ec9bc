//! What flows have to send.

use std::sync::Arc;

use setpoint_sim::traffic::sizes::SizeTable;
use setpoint_sim::traffic::{Silence, SizeDistribution, Traffic};
use setpoint_units::{Bytes, Rate, TimeDelta};

use crate::scenario::diagnostics::Problem;
use crate::scenario::tree::Value;
use crate::scenario::view::{self, View};

/// Nothing may take longer to send than this: a tenth of the range of time.
const LONGEST: TimeDelta = TimeDelta::from_secs(1_000_000);

/// The traffic of an entry of flows; `slowest` is the rate of the slowest link.
pub(super) fn traffic(key: &View<'_>, slowest: Rate) -> Result<Traffic, Problem> {
    let Some(kind) = key.kind() else { return Ok(Traffic::Backlogged) };
    Ok(match kind.name() {
        "constant" => Traffic::Constant { rate: kind.key("rate").rate().unwrap_or(Rate::MIN) },
        "on_off" => on_off(&kind, slowest)?,
        "poisson" => poisson(&kind, slowest)?,
        "message" => Traffic::Message { size: sendable(&kind.key("size"), slowest)? },
        _ => Traffic::Backlogged,
    })
}

/// A size of at least a byte that can be sent before time ends.
fn sendable(key: &View<'_>, slowest: Rate) -> Result<Bytes, Problem> {
    let (size, most) = (key.size().unwrap_or_default(), slowest * LONGEST);
    if size.is_zero() || size > most {
        let bound = if size.is_zero() { "at least 1 B".to_string() } else { format!("at most {most}") };
        let message = format!("`{}` is {size}, and must be {bound}", key.name());
        let problem = Problem::at(key.place(), message, "out of range");
        let slow = format!("more would take longer than {LONGEST} on a link of {slowest}");
        return Err(if size.is_zero() { problem } else { problem.help(slow) });
    }
    Ok(size)
}

fn on_off(kind: &View<'_>, slowest: Rate) -> Result<Traffic, Problem> {
    let silence = match kind.key("silence").text() {
        Some("fixed") => Silence::Fixed,
        _ => Silence::Exponential,
    };
    let offered = kind.key("rate").rate().unwrap_or(Rate::MIN);
    Ok(Traffic::OnOff { burst: sendable(&kind.key("burst"), slowest)?, offered, silence })
}

fn poisson(kind: &View<'_>, slowest: Rate) -> Result<Traffic, Problem> {
    let sizes = sizes(&kind.key("sizes"), slowest)?;
    let (rate_key, gap_key) = (kind.key("rate"), kind.key("mean_gap"));
    let mean_gap = match (rate_key.rate(), gap_key.time()) {
        (Some(_), Some(_)) => {
            return Err(Problem::at(
                gap_key.place(),
                "both `rate` and `mean_gap` are given",
                "says it again",
            )
            .context(rate_key.place(), "the mean rate")
            .help("keep one of them: the gap is the mean size over the rate"));
        }
        (None, None) => {
            return Err(Problem::at(kind.place(), "`poisson` has neither `rate` nor `mean_gap`", "")
                .help("say how much each flow sends, as in `rate = \"3 Gb/s\"`"));
        }
        (Some(rate), None) => gap_for(&sizes, rate),
        (None, Some(gap)) => gap,
    };
    if mean_gap.is_zero() || mean_gap > LONGEST {
        let key = if gap_key.is_given() { gap_key } else { rate_key };
        let message =
            format!("the mean time between messages is {mean_gap}, and must be from 1 ps to {LONGEST}");
        return Err(Problem::at(key.place(), message, "out of range"));
    }
    Ok(Traffic::Poisson { mean_gap, sizes })
}

/// The mean time between messages that gives a mean rate, to the nearest picosecond.
fn gap_for(sizes: &SizeDistribution, rate: Rate) -> TimeDelta {
    let picos = sizes.mean() * 8e12 / rate.bits_per_second() as f64;
    TimeDelta::from_picos(picos.round() as u64)
}

fn sizes(key: &View<'_>, slowest: Rate) -> Result<SizeDistribution, Problem> {
    let Some(kind) = key.kind() else { return Ok(SizeDistribution::Fixed(Bytes::new(1))) };
    Ok(match kind.name() {
        "web-search" => SizeDistribution::Table(Arc::new(SizeTable::web_search())),
        "data-mining" => SizeDistribution::Table(Arc::new(SizeTable::data_mining())),
        "fixed" => SizeDistribution::Fixed(sendable(&kind.key("size"), slowest)?),
        "exponential" => SizeDistribution::Exponential(sendable(&kind.key("mean"), slowest)?),
        "uniform" => uniform(&kind, slowest)?,
        "pareto" => pareto(&kind, slowest)?,
        _ => table(&kind.key("points"), slowest)?,
    })
}

fn uniform(kind: &View<'_>, slowest: Rate) -> Result<SizeDistribution, Problem> {
    let (low, high) = (sendable(&kind.key("from"), slowest)?, sendable(&kind.key("to"), slowest)?);
    if low > high {
        return Err(Problem::at(
            kind.key("to").place(),
            format!("`to` ({high}) is below `from` ({low})"),
            "",
        )
        .context(kind.key("from").place(), "the smallest size"));
    }
    Ok(SizeDistribution::Uniform(low, high))
}

fn pareto(kind: &View<'_>, slowest: Rate) -> Result<SizeDistribution, Problem> {
    let mean = sendable(&kind.key("mean"), slowest)?;
    let bound = match kind.key("bound").is_given() {
        true => Some(sendable(&kind.key("bound"), slowest)?),
        // Drawn so rarely that no mean feels it, but without a bound a draw could outlast time.
        false => Some(slowest * LONGEST),
    };
    Ok(SizeDistribution::Pareto { mean, shape: kind.key("shape").number().unwrap_or(2.0), bound })
}

fn table(key: &View<'_>, slowest: Rate) -> Result<SizeDistribution, Problem> {
    let mut points = Vec::new();
    for item in key.items() {
        if let Value::List(pair) = &item.value
            && let [size, probability] = &pair[..]
            && let Value::Text(text) = &size.value
            && let (Ok(size), Some(probability)) = (text.parse::<Bytes>(), view::number(probability))
        {
            points.push((size.get() as f64, probability));
        }
    }
    let largest = points.last().map_or(0.0, |point| point.0);
    let table = SizeTable::new(points).map_err(|error| Problem::at(key.place(), error.to_string(), ""))?;
    let most = slowest * LONGEST;
    if largest > most.get() as f64 {
        return Err(Problem::at(key.place(), format!("the largest size is above {most}"), "out of range"));
    }
    Ok(SizeDistribution::Table(Arc::new(table)))
}
