//! Random incasts: at each event, several random stations each send a message to a random station.

use std::collections::BTreeMap;

use setpoint_sim::traffic::{Arrival, Traffic};
use setpoint_sim::{NodeId, Purpose, RandomStream};
use setpoint_units::TimeDelta;

use super::Setting;
use super::messages::{Messages, Pace, Spacing, span};
use super::pairs::{self, Selector};
use crate::diagnostics::Problem;
use crate::format::{AnyKey, Choice, Flow, Pattern, Placed};
use crate::limits::MAX_LISTED;

/// Sender and receiver.
type Pair = (NodeId, NodeId);

/// The messages between each pair of stations.
type Pairs = BTreeMap<Pair, Vec<Arrival>>;

/// The flows of an entry with the pattern random-incast: one for each pair of stations that exchange a message.
pub(super) fn flows(
    entry: &Placed<Flow>,
    number: usize,
    messages: &Messages<'_>,
    setting: &Setting<'_>,
    selector: &mut Selector<'_>,
    room: usize,
) -> Result<Vec<(Pair, Traffic)>, Problem> {
    pairs::check_keys(entry)?;
    let stations = Stations::read(entry, selector)?;
    if let Pace::Rate(_) = messages.pace {
        let message = "`rate` is the rate of one flow, but an event of \"random-incast\" starts many";
        return Err(Problem::at(messages.key, message, "has no meaning here")
            .help("give the load of the network, as in `load = \"2 %\"`, or the mean time between events"));
    }
    let port = |station: &NodeId| setting.port_rates[station.index()].bits_per_second() as f64;
    let capacity: f64 = stations.senders.iter().map(port).sum();
    let gap = messages.gap(capacity / stations.fan_in as f64)?;
    let random = RandomStream::new(setting.seed, Purpose::Matrix, u32::try_from(number).unwrap_or(u32::MAX));
    let events = Events { messages, gap, span: span(entry, setting), random };
    let pairs = events.draw(stations)?;
    if pairs.is_empty() {
        let message = format!("no incast begins before the run ends: the mean time between them is {gap}");
        return Err(
            Problem::at(messages.key, message, "no event").help("shorten this time, or increase `duration`")
        );
    }
    if pairs.len() > room {
        return Err(pairs::too_many(&entry.pattern, pairs.len()));
    }
    Ok(pairs.into_iter().map(|(pair, arrivals)| (pair, Traffic::Schedule(arrivals.into()))).collect())
}

/// The stations that can take part.
struct Stations {
    senders: Vec<NodeId>,
    receivers: Vec<NodeId>,
    fan_in: usize,
}

impl Stations {
    fn read(entry: &Placed<Flow>, selector: &mut Selector<'_>) -> Result<Self, Problem> {
        let Some(fan_in) = *entry.fan_in else {
            let message = format!("the pattern {:?} needs `fan_in`", entry.pattern.word());
            return Err(Problem::at(entry.place(), message, "`fan_in` is missing")
                .help("give the number of senders per event, as in `fan_in = 16`"));
        };
        if entry.stagger.is_given() {
            let message =
                "the pattern \"random-incast\" takes no `stagger`: an event's senders start together";
            return Err(Problem::at(entry.stagger.place(), message, "would be ignored").help("remove it"));
        }
        let senders = selector.select(&entry.from)?;
        let receivers = if entry.to.is_given() { selector.select_any(&entry.to)? } else { senders.clone() };
        let others = |receiver: &NodeId| senders.len() - usize::from(senders.contains(receiver));
        let fewest = receivers.iter().map(others).min().unwrap_or(0);
        if fan_in > fewest {
            let message = format!("`fan_in` is {fan_in}, but only {fewest} stations can send to a receiver");
            return Err(Problem::at(entry.fan_in.place(), message, "too many")
                .context(entry.from.place(), format!("{} stations", senders.len())));
        }
        Ok(Self { senders, receivers, fan_in })
    }

    /// A random receiver and `fan_in` different random senders.
    fn draw(&mut self, random: &mut RandomStream) -> (NodeId, Vec<NodeId>) {
        let receiver = self.receivers[random.below(self.receivers.len() as u64) as usize];
        let mut chosen = Vec::with_capacity(self.fan_in);
        let mut first = 0;
        while chosen.len() < self.fan_in {
            let rest = (self.senders.len() - first) as u64;
            self.senders.swap(first, first + random.below(rest) as usize);
            chosen.extend((self.senders[first] != receiver).then_some(self.senders[first]));
            first += 1;
        }
        (receiver, chosen)
    }
}

/// The events of an entry.
struct Events<'a> {
    messages: &'a Messages<'a>,
    gap: TimeDelta,
    span: TimeDelta,
    random: RandomStream,
}

impl Events<'_> {
    fn draw(mut self, mut stations: Stations) -> Result<Pairs, Problem> {
        let (mut pairs, mut count) = (Pairs::new(), 0);
        let mut after = self.first();
        while after < self.span {
            let (receiver, senders) = stations.draw(&mut self.random);
            for sender in senders {
                let size = self.messages.sizes.quantile(self.random.unit());
                pairs.entry((sender, receiver)).or_default().push(Arrival { after, size });
            }
            count += stations.fan_in as u64;
            if count > MAX_LISTED {
                return Err(self.messages.too_many(self.gap));
            }
            after = self.next(after);
        }
        Ok(pairs)
    }

    /// Regular events begin at the start; a Poisson process has no event at its start.
    fn first(&mut self) -> TimeDelta {
        match self.messages.spacing {
            Spacing::Fixed => TimeDelta::ZERO,
            Spacing::Exponential => self.next(TimeDelta::ZERO),
        }
    }

    fn next(&mut self, after: TimeDelta) -> TimeDelta {
        let gap = self.gap.as_picos();
        let gap = match self.messages.spacing {
            Spacing::Fixed => gap,
            Spacing::Exponential => ((gap as f64 * self.random.exponential()).round() as u64).max(1),
        };
        TimeDelta::from_picos(after.as_picos().saturating_add(gap))
    }
}

/// Refuses `fan_in` where it would be ignored.
pub(super) fn check_keys(entry: &Flow) -> Result<(), Problem> {
    let key = &entry.fan_in;
    if *entry.pattern == Pattern::RandomIncast || !key.is_given() {
        return Ok(());
    }
    let message = format!("the pattern {:?} takes no `fan_in`", entry.pattern.word());
    Err(Problem::at(AnyKey::place(key), message, "would be ignored")
        .help("write `pattern = \"random-incast\"`"))
}
