//! Messages of an entry: their sizes and how often they are offered.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

use setpoint_control::parameter::Percent;
use setpoint_sim::Destination;
use setpoint_sim::traffic::{Arrival, SizeDistribution, Traffic};
use setpoint_units::{Rate, TimeDelta};

use super::Setting;
use super::entry::Route;
use crate::diagnostics::{Place, Problem};
use crate::format::{AnyKey, Flow, Placed};
use crate::limits::{LONGEST, MAX_LISTED};

/// Messages that the flows of an entry offer repeatedly.
#[derive(Debug)]
pub(super) struct Messages<'a> {
    pub(super) sizes: SizeDistribution,
    pub(super) spacing: Spacing,
    pub(super) pace: Pace,
    /// The key that sets the pace.
    pub(super) key: &'a Place,
}

/// The distribution of the times between messages.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Spacing {
    Exponential,
    Fixed,
}

/// The pace at which messages are offered.
#[derive(Clone, Copy, Debug)]
pub(super) enum Pace {
    Gap(TimeDelta),
    /// The mean rate of each flow.
    Rate(Rate),
    /// The share of each sender's port rate that its flows offer together.
    Load(Percent),
}

/// Reads the one key that sets the pace of messages.
pub(super) fn pace<'a>(
    table: &'a dyn AnyKey,
    gap: &'a Placed<Option<TimeDelta>>,
    rate: Option<&'a Placed<Option<Rate>>>,
    load: &'a Placed<Option<Percent>>,
) -> Result<(Pace, &'a Place), Problem> {
    let gap_key: &dyn AnyKey = gap;
    let rate_key = rate.map(|rate| rate as &dyn AnyKey);
    let keys: Vec<&dyn AnyKey> = rate_key.into_iter().chain([gap_key, load]).collect();
    let given: Vec<&dyn AnyKey> = keys.iter().copied().filter(|key| key.is_given()).collect();
    let names = |keys: &[&dyn AnyKey]| -> Vec<String> {
        keys.iter().map(|key| format!("`{}`", key.field().name)).collect()
    };
    if let [first, second, ..] = given[..] {
        let message = format!("both {} are given", names(&[first, second]).join(" and "));
        return Err(Problem::at(second.place(), message, "redundant")
            .context(first.place(), "the first")
            .help("keep one of them: the mean time between messages follows from it"));
    }
    let Some(key) = given.first() else {
        let message = format!("`{}` has none of {}", table.field().name, names(&keys).join(", "));
        return Err(Problem::at(table.place(), message, "")
            .help("add the load of each sender's link, as in `load = \"40 %\"`"));
    };
    let pace = match (**gap, rate.and_then(|rate| **rate), **load) {
        (Some(gap), ..) => Pace::Gap(gap),
        (None, Some(rate), _) => Pace::Rate(rate),
        (None, None, Some(load)) => Pace::Load(load),
        (None, None, None) => Pace::Load(Percent::ZERO),
    };
    Ok((pace, key.place()))
}

impl Messages<'_> {
    /// The traffic of each flow of an entry.
    pub(super) fn of_flows(
        &self,
        entry: &Flow,
        routes: &[Route],
        setting: &Setting<'_>,
    ) -> Result<Vec<Traffic>, Problem> {
        let mut flows_of: BTreeMap<usize, u64> = BTreeMap::new();
        for (source, destination) in routes {
            *flows_of.entry(source.index()).or_default() += flows_of_route(*destination, setting);
        }
        let mut lists: BTreeMap<TimeDelta, Arc<[Arrival]>> = BTreeMap::new();
        let span = span(entry, setting);
        let traffic = |(source, _): &Route| {
            let line = setting.port_rates[source.index()].bits_per_second() as f64;
            let gap = self.gap(line / flows_of[&source.index()] as f64)?;
            if self.spacing == Spacing::Exponential {
                return Ok(Traffic::Poisson { mean_gap: gap, sizes: self.sizes.clone() });
            }
            let list = match lists.entry(gap) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => new.insert(self.periodic(gap, span)?),
            };
            Ok(Traffic::Schedule(Arc::clone(list)))
        };
        routes.iter().map(traffic).collect()
    }

    /// The mean time between messages, to the nearest picosecond; `line` is the rate in bit/s that a load refers to.
    pub(super) fn gap(&self, line: f64) -> Result<TimeDelta, Problem> {
        let at_rate = |bps: f64| TimeDelta::from_picos((self.sizes.mean() * 8e12 / bps).round() as u64);
        let gap = match self.pace {
            Pace::Gap(gap) => gap,
            Pace::Rate(rate) => at_rate(rate.bits_per_second() as f64),
            Pace::Load(Percent::ZERO) => {
                let message = "`load` is 0 %, but must be larger";
                return Err(Problem::at(self.key, message, "no message would be offered"));
            }
            Pace::Load(load) => at_rate(line * f64::from(load.hundredths()) / 1e4),
        };
        if gap.is_zero() || gap > LONGEST {
            let message =
                format!("the mean time between messages is {gap}, but must be from 1 ps to {LONGEST}");
            return Err(Problem::at(self.key, message, "out of range"));
        }
        Ok(gap)
    }

    /// A message at the start and then after each gap.
    fn periodic(&self, gap: TimeDelta, span: TimeDelta) -> Result<Arc<[Arrival]>, Problem> {
        let count = span.as_picos().div_ceil(gap.as_picos()).max(1);
        if count > MAX_LISTED {
            return Err(self.too_many(gap));
        }
        let size = self.sizes.quantile(0.0);
        Ok((0..count).map(|index| Arrival { after: gap * index, size }).collect())
    }

    /// The problem reported for more messages than an entry may list.
    pub(super) fn too_many(&self, gap: TimeDelta) -> Problem {
        let message = format!("messages every {gap} exceed {MAX_LISTED} in the run");
        Problem::at(self.key, message, "too many").help("increase the time between them, or shorten the run")
    }
}

/// The time from the entry's start until it stops or the run ends.
pub(super) fn span(entry: &Flow, setting: &Setting<'_>) -> TimeDelta {
    let end = entry.stop.unwrap_or(setting.schedule.duration).min(setting.schedule.duration);
    end.saturating_sub(*entry.start)
}

/// Number of flows of a route: messages to a group are sent to each member by a separate flow.
fn flows_of_route(destination: Destination, setting: &Setting<'_>) -> u64 {
    match destination {
        Destination::Station(_) => 1,
        Destination::Group(group) => setting.groups.ever(group).len().max(1) as u64,
    }
}
