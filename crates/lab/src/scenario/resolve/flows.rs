//! Flows: who sends what to whom, and when.

use std::collections::HashMap;

use setpoint_sim::traffic::Traffic;
use setpoint_sim::{FlowSpec, NodeId, Priority, Reaction};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

use super::Setting;
use super::bridge;
use super::network::{frame, priority};
use super::pairs::{Selector, check_reachable, pairs};
use super::traffic::traffic;
use crate::scenario::diagnostics::{Place, Problem, Problems};
use crate::scenario::view::View;

/// Most flows of one scenario.
pub(super) const MAX_FLOWS: usize = 200_000;

/// The flows of a scenario, each with the place it comes from.
#[derive(Default)]
pub(super) struct Flows<'a> {
    pub(super) specs: Vec<FlowSpec>,
    pub(super) places: Vec<&'a Place>,
    tenants: Tenants,
}

/// The numbers of tenants: a flow that names none has its own index, named ones come after all flows.
#[derive(Default)]
struct Tenants {
    names: Vec<String>,
}

impl Tenants {
    fn number(&mut self, name: Option<&str>, flow: usize) -> u32 {
        let Some(name) = name else { return flow as u32 };
        let known = self.names.iter().position(|other| other == name);
        let place = known.unwrap_or_else(|| {
            self.names.push(name.to_string());
            self.names.len() - 1
        });
        (MAX_FLOWS + place) as u32
    }
}

/// Makes the flows.
pub(super) fn flows<'a>(root: &View<'a>, setting: &Setting<'_>, problems: &mut Problems) -> Flows<'a> {
    let mut flows = Flows::default();
    let key = root.key("flows");
    if key.items().is_empty() {
        problems.take(usual_flows(root, setting, &mut flows));
        return flows;
    }
    let mut selector = Selector::new(setting.topology);
    for (number, entry) in key.entries().iter().enumerate() {
        problems.take(entry_flows(entry, number, setting, &mut selector, &mut flows));
        if problems.is_full() {
            break;
        }
    }
    check_names(&flows, problems);
    check_tenants(&flows, problems);
    flows
}

/// In a dumbbell, sender `i` to receiver `i`, round the receivers.
fn usual_flows<'a>(root: &View<'a>, setting: &Setting<'_>, flows: &mut Flows<'a>) -> Result<(), Problem> {
    let topology = root.key("topology");
    let (flows_key, dumbbell) =
        (root.key("flows"), topology.kind().is_some_and(|kind| kind.name() == "dumbbell"));
    if flows_key.is_given() || !dumbbell {
        let place = if flows_key.is_given() { flows_key.place() } else { topology.place() };
        return Err(Problem::at(place, "there are no flows", "")
            .help("add `[[flows]]` with `from` and `to`; only a dumbbell has flows of its own"));
    }
    let stations: Vec<NodeId> = setting.topology.stations().collect();
    let sender = |id: &NodeId| setting.topology.node_at(*id).name.starts_with('s');
    let (senders, receivers): (Vec<NodeId>, Vec<NodeId>) = stations.into_iter().partition(sender);
    let pairs = senders.iter().copied().zip(receivers.iter().copied().cycle());
    let frame_key = root.key("network").key("frame");
    let frame = frame_key.size().unwrap_or(Bytes::new(1_000));
    bridge::check_frame(setting, &frame_key, frame)?;
    let usual = Common {
        priority: setting.network.priority,
        frame,
        traffic: Traffic::Backlogged,
        start: TimeDelta::ZERO,
        stagger: TimeDelta::ZERO,
        stop: None,
        weight: 1,
        max: None,
        tenant: None,
        cap: None,
        reaction: Reaction::Controlled,
        name: None,
    };
    usual.push(pairs.collect(), topology.place(), flows);
    Ok(())
}

fn entry_flows<'a>(
    entry: &View<'a>,
    number: usize,
    setting: &Setting<'_>,
    selector: &mut Selector<'_>,
    flows: &mut Flows<'a>,
) -> Result<(), Problem> {
    let pairs = pairs(entry, number, setting.seed, selector, MAX_FLOWS - flows.specs.len())?;
    check_reachable(entry, &pairs, setting)?;
    let common = Common::read(entry, setting)?;
    common.check(entry, &pairs, setting)?;
    common.push(pairs, entry.place(), flows);
    Ok(())
}

/// What all flows of an entry share.
struct Common {
    priority: Priority,
    frame: Bytes,
    traffic: Traffic,
    start: TimeDelta,
    stagger: TimeDelta,
    stop: Option<Time>,
    weight: u32,
    max: Option<Rate>,
    tenant: Option<String>,
    cap: Option<Rate>,
    reaction: Reaction,
    name: Option<String>,
}

impl Common {
    fn read(entry: &View<'_>, setting: &Setting<'_>) -> Result<Self, Problem> {
        let frame_key = if entry.key("frame").is_given() {
            entry.key("frame")
        } else {
            setting.root.key("network").key("frame")
        };
        let controlled = entry.key("controlled");
        let reaction = match controlled.flag() {
            Some(false) => Reaction::Uncontrolled,
            _ => Reaction::Controlled,
        };
        let priority = priority(&entry.key("priority")).unwrap_or(setting.network.priority);
        let frame = frame(&frame_key, setting.network.buffer)?;
        bridge::check_frame(setting, &frame_key, frame)?;
        let common = Self {
            priority,
            frame,
            traffic: traffic(&entry.key("traffic"), setting.slowest)?,
            start: entry.key("start").time().unwrap_or_default(),
            stagger: entry.key("stagger").time().unwrap_or_default(),
            stop: entry.key("stop").time().map(|stop| Time::ZERO + stop),
            weight: entry.key("weight").integer().map_or(1, |weight| weight as u32),
            max: entry.key("max").rate(),
            tenant: entry.key("tenant").text().map(str::to_string),
            cap: entry.key("cap").rate(),
            reaction,
            name: entry.key("name").text().map(str::to_string),
        };
        Ok(common)
    }

    fn check(
        &self,
        entry: &View<'_>,
        pairs: &[(NodeId, NodeId)],
        setting: &Setting<'_>,
    ) -> Result<(), Problem> {
        self.check_times(entry, pairs.len(), setting)?;
        self.check_control(entry, setting)?;
        self.check_burst(entry, pairs, setting)
    }

    fn check_times(&self, entry: &View<'_>, count: usize, setting: &Setting<'_>) -> Result<(), Problem> {
        let duration = setting.schedule.duration;
        let steps = count.saturating_sub(1) as u64;
        let last = self.stagger.as_picos().saturating_mul(steps).saturating_add(self.start.as_picos());
        let last = TimeDelta::from_picos(last);
        if last >= duration {
            let key = if self.start >= duration { entry.key("start") } else { entry.key("stagger") };
            let message = format!("a flow starts at {last}, and the run ends at {duration}");
            return Err(
                Problem::at(key.place(), message, "after the end").help("start earlier, or run longer")
            );
        }
        match self.stop {
            Some(stop) if stop.since_start() <= last => {
                let message = format!("a flow stops at {stop} and starts at {last}");
                Err(Problem::at(entry.key("stop").place(), message, "before it starts"))
            }
            _ => Ok(()),
        }
    }

    fn check_control(&self, entry: &View<'_>, setting: &Setting<'_>) -> Result<(), Problem> {
        let Some(least) = setting.algorithm.min_rate() else { return Ok(()) };
        let controlled = entry.key("controlled");
        let covered = setting.control.priorities.contains(self.priority);
        if self.reaction == Reaction::Controlled && controlled.is_given() && !covered {
            let message = format!("priority {} is not congestion controlled", self.priority.get());
            return Err(Problem::at(controlled.place(), message, "cannot be controlled")
                .help(format!("add it to `control.{}.priorities`", setting.algorithm.algorithm.name())));
        }
        match self.max {
            Some(max) if setting.algorithm.algorithm.divides() && covered && max < least => {
                return Err(max_too_low(&entry.key("max"), max, least));
            }
            _ => {}
        }
        match self.cap {
            Some(cap) if self.reaction == Reaction::Controlled && covered && cap < least => {
                Err(cap_too_low(&entry.key("cap"), cap, least))
            }
            _ => Ok(()),
        }
    }

    /// Bursts leave at the port's rate, so their mean has to be below it for there to be a silence.
    fn check_burst(
        &self,
        entry: &View<'_>,
        pairs: &[(NodeId, NodeId)],
        setting: &Setting<'_>,
    ) -> Result<(), Problem> {
        let Traffic::OnOff { offered, .. } = self.traffic else { return Ok(()) };
        let rates = pairs.iter().map(|(source, _)| setting.port_rates[source.index()]);
        match rates.min() {
            Some(port) if offered >= port => {
                let place = entry.key("traffic").key("on_off").key("rate");
                let message = format!("the mean rate of bursts ({offered}) is not below the port's ({port})");
                Err(Problem::at(place.place(), message, "leaves no silence"))
            }
            _ => Ok(()),
        }
    }

    fn push<'a>(&self, pairs: Vec<(NodeId, NodeId)>, place: &'a Place, flows: &mut Flows<'a>) {
        let several = pairs.len() > 1;
        for (index, (source, destination)) in pairs.into_iter().enumerate() {
            let name = match &self.name {
                None => format!("f{}", flows.specs.len() + 1),
                Some(name) if several => format!("{name}{}", index + 1),
                Some(name) => name.clone(),
            };
            flows.places.push(place);
            flows.specs.push(FlowSpec {
                name,
                source,
                destination: destination.into(),
                priority: self.priority,
                frame: self.frame,
                traffic: self.traffic.clone(),
                start: Time::ZERO + self.start + self.stagger * index as u64,
                stop: self.stop,
                weight: self.weight,
                tenant: flows.tenants.number(self.tenant.as_deref(), flows.specs.len()),
                max: self.max,
                cap: self.cap,
                reaction: self.reaction,
            });
        }
    }
}

/// The problem of a cap that a limiter at its smallest rate would not keep.
pub(super) fn cap_too_low(key: &View<'_>, cap: Rate, least: Rate) -> Problem {
    let message = format!("`cap` is {cap}, below the smallest rate of a limiter, {least}");
    Problem::at(key.place(), message, "could never be limited")
        .help("lower `min_rate` of the reaction points, or set `controlled = false` for the flow")
}

/// The problem of a bound on a tenant that its limiters cannot go down to.
pub(super) fn max_too_low(key: &View<'_>, max: Rate, least: Rate) -> Problem {
    let message = format!("`max` is {max}, below the smallest rate of a limiter, {least}");
    Problem::at(key.place(), message, "could never be reached")
        .help("lower `min_rate` of the reaction points")
}

/// Flows of one tenant share what they are given, so they have to agree on it.
fn check_tenants(flows: &Flows<'_>, problems: &mut Problems) {
    let mut seen: HashMap<u32, (&FlowSpec, &Place)> = HashMap::new();
    for (spec, place) in flows.specs.iter().zip(&flows.places) {
        let (first, at) = *seen.entry(spec.tenant).or_insert((spec, place));
        let differs = if first.weight != spec.weight { "weight" } else { "max" };
        if (first.weight, first.max) != (spec.weight, spec.max) {
            let tenant = &flows.tenants.names[spec.tenant as usize - MAX_FLOWS];
            let message = format!("two flows of the tenant {tenant:?} have a different `{differs}`");
            problems.push(Problem::at(place, message, "the second").context(at, "the first"));
            return;
        }
    }
}

fn check_names(flows: &Flows<'_>, problems: &mut Problems) {
    let mut seen: HashMap<&str, &Place> = HashMap::new();
    for (spec, place) in flows.specs.iter().zip(&flows.places) {
        if let Some(first) = seen.insert(&spec.name, place) {
            let message = format!("two flows are called {:?}", spec.name);
            let problem = Problem::at(place, message, "the second").context(first, "the first");
            problems.push(problem.help("give the entries different names"));
            return;
        }
    }
}
