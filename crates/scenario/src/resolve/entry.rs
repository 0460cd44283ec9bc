//! The flows of an entry.

use setpoint_sim::traffic::Traffic;
use setpoint_sim::{Destination, FlowSpec, MessageOrder, NodeId, Priority, Reaction};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

use super::Setting;
use super::bridge;
use super::flow_list::Flows;
use super::names::check_no_formula;
use super::network::frame;
use crate::diagnostics::{Place, Problem};
use crate::format::{self, AnyKey, Flow, GroupDelivery, Placed};
use crate::group_members::Session;

/// Sender and receiver.
pub(super) type Route = (NodeId, Destination);

/// The common part of all flows of an entry.
pub(super) struct Common {
    /// A flow without a name, endpoints, traffic or a tenant.
    pub(super) flow: FlowSpec,
    /// Time between the starts of two flows.
    pub(super) stagger: TimeDelta,
    pub(super) tenant: Option<String>,
    pub(super) name: Option<String>,
}

impl Common {
    pub(super) fn read(entry: &Flow, setting: &Setting<'_>) -> Result<Self, Problem> {
        let network = &setting.root.network;
        let length = frame_length(&entry.frame, setting)?;
        check_no_formula(entry.name.as_deref().unwrap_or_default(), entry.name.place())?;
        let flow = FlowSpec {
            priority: entry.priority.unwrap_or(*network.priority),
            messages: entry.messages.unwrap_or(*network.messages),
            start: Time::ZERO + *entry.start,
            stop: entry.stop.map(|stop| Time::ZERO + stop),
            weight: *entry.weight,
            max: *entry.max,
            cap: *entry.cap,
            reaction: if *entry.controlled { Reaction::Controlled } else { Reaction::Uncontrolled },
            ..usual_flow(*network.priority, length)
        };
        Ok(Self { flow, stagger: *entry.stagger, tenant: entry.tenant.clone(), name: entry.name.clone() })
    }

    pub(super) fn check(&self, entry: &Flow, routes: &[Route], setting: &Setting<'_>) -> Result<(), Problem> {
        self.check_times(entry, routes.len())?;
        self.check_control(entry, setting)?;
        self.check_burst(entry, routes, setting)
    }

    fn check_times(&self, entry: &Flow, count: usize) -> Result<(), Problem> {
        let steps = count.saturating_sub(1) as u64;
        let start = *entry.start;
        let last = self.stagger.as_picos().saturating_mul(steps).saturating_add(start.as_picos());
        let last = TimeDelta::from_picos(last);
        match self.flow.stop {
            Some(stop) if stop.since_start() <= last => {
                let message = format!("a flow stops at {stop}, but starts at {last}");
                Err(Problem::at(entry.stop.place(), message, "before it starts"))
            }
            _ => Ok(()),
        }
    }

    fn check_control(&self, entry: &Flow, setting: &Setting<'_>) -> Result<(), Problem> {
        let Some(least) = setting.algorithm.min_rate() else { return Ok(()) };
        let FlowSpec { priority, max, cap, reaction, .. } = self.flow;
        let covered = setting.control.priorities.contains(priority);
        if reaction == Reaction::Controlled && entry.controlled.is_given() && !covered {
            let message = format!("priority {} is not congestion controlled", priority.get());
            return Err(Problem::at(entry.controlled.place(), message, "cannot be controlled")
                .help(format!("add it to `control.{}.priorities`", setting.algorithm.algorithm.name())));
        }
        if let Some(max) = max.filter(|&max| setting.algorithm.algorithm.divides() && covered && max < least)
        {
            return Err(max_too_low(&entry.max, max, least));
        }
        match cap {
            Some(cap) if reaction == Reaction::Controlled && covered && cap < least => {
                Err(cap_too_low(&entry.cap, cap, least))
            }
            _ => Ok(()),
        }
    }

    /// Refuses a mean rate that is not below the port rate: bursts are sent at the port rate, so
    /// there would be no silence.
    fn check_burst(&self, entry: &Flow, routes: &[Route], setting: &Setting<'_>) -> Result<(), Problem> {
        let format::Traffic::OnOff(keys) = &*entry.traffic else { return Ok(()) };
        let offered = *keys.rate;
        let rates = routes.iter().map(|(source, _)| setting.port_rates[source.index()]);
        match rates.min() {
            Some(port) if offered >= port => {
                let message =
                    format!("the mean rate of the bursts ({offered}) is not below the port rate ({port})");
                Err(Problem::at(keys.rate.place(), message, "leaves no silence"))
            }
            _ => Ok(()),
        }
    }

    /// Adds the flows of the entry. With multiple unicast, a flow to a group becomes one flow to each station that is
    /// ever a member.
    pub(super) fn push<'a>(
        &self,
        routes: Vec<(Route, Traffic)>,
        place: &'a Place,
        setting: &Setting<'_>,
        flows: &mut Flows<'a>,
    ) {
        let several = routes.len() > 1;
        for (index, ((source, destination), traffic)) in routes.into_iter().enumerate() {
            flows.count += 1;
            let name = match &self.name {
                None => format!("f{}", flows.count),
                Some(name) if several => format!("{name}{}", index + 1),
                Some(name) => name.clone(),
            };
            let start = self.flow.start + self.stagger * index as u64;
            let first = flows.specs.len();
            let mut push = |name: String, destination: Destination| {
                let tenant = flows.tenants.number(self.tenant.as_deref(), flows.specs.len());
                flows.places.push(place);
                let (traffic, common) = (traffic.clone(), self.flow.clone());
                flows.specs.push(FlowSpec { name, source, destination, traffic, start, tenant, ..common });
            };
            let parted = *setting.root.network.delivery == GroupDelivery::MultipleUnicast;
            match destination {
                Destination::Group(group) if parted => {
                    for member in setting.groups.ever(group) {
                        let part = format!("{name}.{}", setting.topology.node_at(member).name);
                        push(part, member.into());
                    }
                    flows.parted.push((name.clone(), first..flows.specs.len()));
                }
                _ => push(name.clone(), destination),
            }
            if let Destination::Group(group) = destination {
                flows.sessions.push((group, Session { name, source, flows: first..flows.specs.len() }));
            }
        }
    }
}

/// The length of the frames of an entry: its own, or that of the network.
pub(super) fn frame_length(given: &Placed<Option<Bytes>>, setting: &Setting<'_>) -> Result<Bytes, Problem> {
    let network = &setting.root.network;
    let length = match **given {
        Some(length) => frame(given, length, *network.buffer)?,
        None => frame(&network.frame, *network.frame, *network.buffer)?,
    };
    let key: &dyn AnyKey = if given.is_given() { given } else { &network.frame };
    bridge::check_frame(setting, key, length)?;
    Ok(length)
}

/// A backlogged flow that starts at time zero, without a name or endpoints.
pub(super) fn usual_flow(priority: Priority, frame: Bytes) -> FlowSpec {
    FlowSpec {
        name: String::new(),
        source: NodeId(0),
        destination: NodeId(0).into(),
        priority,
        frame,
        traffic: Traffic::Backlogged,
        messages: MessageOrder::InOrder,
        start: Time::ZERO,
        stop: None,
        weight: 1,
        tenant: 0,
        max: None,
        cap: None,
        reaction: Reaction::Controlled,
    }
}

/// The problem reported for a `cap` below the minimum rate of a limiter.
pub(super) fn cap_too_low<T>(key: &Placed<T>, cap: Rate, least: Rate) -> Problem {
    let message = format!("`cap` is {cap}, which is below the minimum rate of a limiter, {least}");
    Problem::at(key.place(), message, "cannot be enforced")
        .help("lower `min_rate` of the reaction points, or set `controlled = false` for the flow")
}

/// The problem reported for a `max` below the minimum rate of a limiter.
pub(super) fn max_too_low<T>(key: &Placed<T>, max: Rate, least: Rate) -> Problem {
    let message = format!("`max` is {max}, which is below the minimum rate of a limiter, {least}");
    Problem::at(key.place(), message, "cannot be reached").help("lower `min_rate` of the reaction points")
}
