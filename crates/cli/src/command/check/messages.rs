//! Repeated messages: how often the flows of an entry offer a message.

use setpoint_scenario::{FlowEntry, Prepared};
use setpoint_sim::FlowSpec;
use setpoint_sim::traffic::{Arrival, SizeDistribution, Traffic};
use setpoint_units::TimeDelta;

use crate::terminal::{Unit, count, plain, quantity, things};

/// A phrase for each entry whose flows repeat messages.
pub(super) fn describe(prepared: &Prepared) -> Vec<String> {
    let phrase = |entry: &FlowEntry| {
        let text = of_flows(&prepared.spec.flows[entry.flows.clone()])?;
        Some(format!("{}: {text}", plain(&entry.name)))
    };
    prepared.entries.iter().filter_map(phrase).collect()
}

fn of_flows(flows: &[FlowSpec]) -> Option<String> {
    let gaps: Option<Vec<(TimeDelta, &SizeDistribution)>> = flows.iter().map(poisson).collect();
    if let Some(gaps) = gaps.filter(|gaps| !gaps.is_empty()) {
        let each = if flows.len() == 1 { "" } else { " of each flow" };
        let (_, sizes) = gaps[0];
        let gap = interval(gaps.iter().map(|(gap, _)| *gap))?;
        return Some(format!("a message{each} every {gap} on average ({} mean size)", size(sizes.mean())));
    }
    let lists: Vec<&[Arrival]> = flows.iter().map(listed).collect::<Option<_>>()?;
    match regular(&lists) {
        Some(gap) => {
            let each = if flows.len() == 1 { "a message" } else { "a message of each flow" };
            Some(format!("{each} every {gap} ({})", size(lists.first()?.first()?.size.get() as f64)))
        }
        None => {
            let messages: usize = lists.iter().map(|list| list.len()).sum();
            Some(format!("{} messages in {}", count(messages as u64), events(&lists)))
        }
    }
}

/// The number of instants at which messages are offered, and the time between them or its mean.
fn events(lists: &[&[Arrival]]) -> String {
    let mut times: Vec<TimeDelta> = lists.iter().flat_map(|list| list.iter().map(|one| one.after)).collect();
    times.sort_unstable();
    times.dedup();
    let events = things(times.len() as u64, "event");
    match times[..] {
        [first, .., last] => {
            let gap = (last.as_secs_f64() - first.as_secs_f64()) / (times.len() - 1) as f64;
            let is_even = times.windows(3).all(|at| at[1] - at[0] == at[2] - at[1]);
            let mean = if is_even { "" } else { " on average" };
            format!("{events}, one every {}{mean}", quantity(Unit::Seconds, gap))
        }
        _ => events,
    }
}

fn poisson(flow: &FlowSpec) -> Option<(TimeDelta, &SizeDistribution)> {
    match &flow.traffic {
        Traffic::Poisson { mean_gap, sizes } => Some((*mean_gap, sizes)),
        _ => None,
    }
}

fn listed(flow: &FlowSpec) -> Option<&[Arrival]> {
    match &flow.traffic {
        Traffic::Schedule(arrivals) => Some(arrivals),
        _ => None,
    }
}

/// The constant time between the messages of each list, if the first message is offered at the start.
fn regular(lists: &[&[Arrival]]) -> Option<String> {
    let gap = |list: &&[Arrival]| {
        let gap = list.get(1)?.after;
        let on_time = |(index, one): (usize, &Arrival)| one.after == gap * index as u64;
        list.iter().enumerate().all(on_time).then_some(gap)
    };
    let gaps: Vec<TimeDelta> = lists.iter().map(gap).collect::<Option<_>>()?;
    interval(gaps.into_iter())
}

/// A time, or the shortest and the longest.
fn interval(times: impl Iterator<Item = TimeDelta> + Clone) -> Option<String> {
    let (shortest, longest) = (times.clone().min()?, times.max()?);
    let text = |time: TimeDelta| quantity(Unit::Seconds, time.as_secs_f64());
    Some(if shortest == longest {
        text(shortest)
    } else {
        format!("{} to {}", text(shortest), text(longest))
    })
}

fn size(bytes: f64) -> String {
    quantity(Unit::Bytes, bytes)
}
