//! Derives the queue and the sources of a fluid model from a scenario, or the reason why there is none.
//!
//! A fluid model has one queue. A scenario therefore has a fluid form if controlled flows can
//! overload exactly one bridge port, and if each of them sends at a definite rate: a backlog, or
//! frames at a constant pace. Minor details that the models ignore are listed in
//! [`Form::leaves_out`]; anything else is a reason to refuse ([`NoFluidForm`]).
//!
//! # Loop delay
//!
//! The loop delay of a flow excludes queueing. It is the sum of the time a frame takes to reach the
//! congested queue (serialisation and propagation on each link, since bridges store and forward), the
//! time a notification takes to return over the same links, and the reaction delay.
//!
//! Marks and delays travel to the receiver first: with DCQCN and TIMELY, the frame also crosses the rest of its path, and the
//! receiver's reply the whole path. TIMELY's equations contain the transmission on the congested link, so that its delay does
//! not. Where sources or receivers look for marks periodically, they find one after half an interval, on average.

mod classes;
mod dcqcn;
mod overload;
mod refusal;
mod scheme;
mod timely;

use setpoint_control::Algorithm;
use setpoint_fluid::dcqcn::Cycles;
use setpoint_fluid::linear::{Equilibrium, equilibrium};
use setpoint_fluid::{Bottleneck, ModelOptions, Scheme};
use setpoint_record::metrics::activity::Activity;
use setpoint_record::results::{Side as QueueSide, queue_name};
use setpoint_scenario::{Prepared, port_names};
use setpoint_sim::{Bridges, Change, Destination, FlowControl, PortId, Reaction, Side, Spec, paths};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

use overload::Loads;
pub use refusal::NoFluidForm;

/// The input of a fluid model of a scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct Form {
    /// The queue and its sources.
    pub bottleneck: Bottleneck,
    /// The algorithm.
    pub scheme: Scheme,
    /// The port of the modelled queue.
    pub port: PortId,
    /// The queue, as named in results.
    pub queue: String,
    /// Its set point. An algorithm without one holds the queue at its equilibrium; if there is none, this is the length
    /// above which every frame is marked or, with TIMELY, the queue at the lower threshold of the delay.
    pub set_point: Bytes,
    /// The mean time for which sources or receivers wait before they look for marks; part of the loop delay.
    pub waiting: TimeDelta,
    /// The rate at which controlled sources start, if it is not their line rate.
    pub first_rate: Option<Rate>,
    /// Details of the scenario that the model ignores, as sentences.
    pub leaves_out: Vec<String>,
    /// The ignored details that concern the network and its traffic rather than the algorithm.
    pub around: Vec<String>,
    /// The flows of each class, by their index in the spec.
    pub flows: Vec<Vec<usize>>,
}

/// The fluid form of a scenario.
///
/// # Errors
/// The first reason why there is none.
pub fn form(prepared: &Prepared) -> Result<Form, NoFluidForm> {
    let spec = &prepared.spec;
    check_network(spec)?;
    let mut leaves_out = Vec::new();
    let mut scheme = scheme::scheme(spec, &mut leaves_out)?;
    let of_algorithm = leaves_out.len();
    let network = Network {
        spec,
        paths: paths(spec).map_err(|error| NoFluidForm::Unreachable(error.to_string()))?,
        activity: Activity::of(spec, &prepared.groups),
    };
    let port = network.bottleneck(&mut leaves_out)?;
    let members = network.through(port);
    classes::check_flows(&network, port, &members)?;
    check_changes(&network, port, &members, &scheme, &mut leaves_out)?;
    let grouped = classes::classes(&network, &members, &mut leaves_out)?;
    timely::complete(&mut scheme, &network, &members)?;
    let first = &spec.flows[members[0].flow];
    let bottleneck = Bottleneck {
        frame: first.frame,
        overhead: spec.overhead,
        capacity: network.capacity(port),
        buffer: network.buffer(&members, &mut leaves_out),
        classes: grouped.iter().map(|(class, _)| class.clone()).collect(),
    };
    bottleneck.check()?;
    scheme::check_classes(&scheme, &network, &grouped, &mut leaves_out)?;
    let waiting = dcqcn::waiting(spec);
    let set_point = prepared.set_point.unwrap_or_else(|| scheme::balance(&bottleneck, &scheme));
    Ok(Form {
        bottleneck,
        scheme,
        port,
        queue: queue_name(&spec.topology.port_name(port), first.priority.get(), QueueSide::Output),
        set_point,
        waiting,
        first_rate: timely::first_rate(spec),
        around: leaves_out[of_algorithm..].to_vec(),
        leaves_out,
        flows: grouped.into_iter().map(|(_, flows)| flows).collect(),
    })
}

impl Form {
    /// The same form with DCQCN's equations as printed, if requested.
    #[must_use]
    pub fn read_as(mut self, reading: DcqcnReading) -> Self {
        if let Scheme::Dcqcn(params) = &mut self.scheme
            && reading == DcqcnReading::AsPrinted
        {
            params.cycles = Cycles::AsPrinted;
            self.set_point = scheme::balance(&self.bottleneck, &self.scheme);
        }
        self
    }

    /// The longest delay of the network for a loop, without queueing and without waiting.
    #[must_use]
    pub fn path_delay(&self) -> TimeDelta {
        let longest = self.bottleneck.classes.iter().map(|class| class.delay).max().unwrap_or_default();
        longest.saturating_sub(self.waiting)
    }

    /// The equilibrium, if there is one.
    #[must_use]
    pub fn equilibrium(&self, reading: &ModelOptions) -> Option<Equilibrium> {
        equilibrium(&self.bottleneck, &self.scheme, reading).ok()
    }
}

/// How DCQCN's equations count cuts and increases under the rules of the paper.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DcqcnReading {
    /// Means over the time between two cuts, as the protocol counts them.
    #[default]
    Renewal,
    /// The counts in the printed equations.
    AsPrinted,
}

/// Checks that do not depend on the port.
fn check_network(spec: &Spec) -> Result<(), NoFluidForm> {
    match spec.control.algorithm() {
        Algorithm::None => return Err(NoFluidForm::NoControl),
        algorithm @ (Algorithm::Afd
        | Algorithm::Fqcn
        | Algorithm::Hpcc
        | Algorithm::Powertcp
        | Algorithm::Swift) => {
            return Err(NoFluidForm::NoModel(algorithm.name()));
        }
        _ => {}
    }
    if spec.control.placement.includes(Side::Input) {
        return Err(NoFluidForm::PointsAtInputs);
    }
    if matches!(spec.bridges, Bridges::Cioq(_)) {
        return Err(NoFluidForm::InputBuffers);
    }
    if spec.shared_buffer().is_some() {
        return Err(NoFluidForm::SharedBuffer);
    }
    let to_group = |flow: &&setpoint_sim::FlowSpec| matches!(flow.destination, Destination::Group(_));
    match spec.flows.iter().find(to_group) {
        Some(flow) => Err(NoFluidForm::Groups { flow: flow.name.clone() }),
        None => Ok(()),
    }
}

/// A spec and derived data.
struct Network<'a> {
    spec: &'a Spec,
    /// The path of each flow.
    paths: Vec<Vec<PortId>>,
    activity: Activity,
}

/// A flow that passes through a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Passing {
    flow: usize,
    /// Position of the port on the path.
    place: usize,
}

impl Network<'_> {
    /// Whether notifications limit the rate of a flow.
    fn is_controlled(&self, flow: usize) -> bool {
        let flow = &self.spec.flows[flow];
        flow.reaction == Reaction::Controlled && self.spec.control.priorities.contains(flow.priority)
    }

    /// Whether a flow is ever active.
    fn is_ever_on(&self, flow: usize) -> bool {
        let end = Time::ZERO + self.spec.duration;
        self.activity.spans(flow).iter().any(|(start, _)| *start < end)
    }

    /// The flows that pass through a port at some time.
    fn through(&self, port: PortId) -> Vec<Passing> {
        let place = |flow: usize| self.paths[flow].iter().position(|passed| *passed == port);
        let passing = |flow| Some(Passing { flow, place: place(flow)? });
        (0..self.paths.len()).filter(|&flow| self.is_ever_on(flow)).filter_map(passing).collect()
    }

    /// The only port that controlled flows can overload.
    fn bottleneck(&self, leaves_out: &mut Vec<String>) -> Result<PortId, NoFluidForm> {
        let loads = Loads::new(self);
        let overloaded = loads.overloaded();
        let name = |port: &PortId| port_names::shown(&self.spec.topology, *port);
        let is_controlled =
            |port: &PortId| self.through(*port).iter().any(|member| self.is_controlled(member.flow));
        let (controlled, others): (Vec<PortId>, Vec<PortId>) =
            overloaded.into_iter().partition(is_controlled);
        match controlled[..] {
            [] => Err(loads.nearest().map_or(NoFluidForm::NothingControlled, |(port, offered, rate)| {
                NoFluidForm::NoOverload { port: name(&port), offered, rate }
            })),
            [port] => {
                leaves_out.extend(others.iter().map(|other| {
                    format!("{} is overloaded by uncontrolled flows; their losses are ignored.", name(other))
                }));
                Ok(port)
            }
            _ => Err(NoFluidForm::SeveralBottlenecks(controlled.iter().map(name).collect())),
        }
    }

    /// The rates of a port over time.
    fn capacity(&self, port: PortId) -> Vec<(Time, Rate)> {
        let mut capacity = vec![(Time::ZERO, self.spec.topology.link_at(port.link()).rate)];
        let mut changes: Vec<(Time, Rate)> =
            self.rate_changes().filter(|change| change.1 == port).map(|(at, _, rate)| (at, rate)).collect();
        changes.sort_by_key(|change| change.0);
        for (at, rate) in changes {
            match capacity.last_mut() {
                Some(last) if last.0 == at => last.1 = rate,
                Some(last) if last.1 == rate => {}
                _ => capacity.push((at, rate)),
            }
        }
        capacity
    }

    fn rate_changes(&self) -> impl Iterator<Item = (Time, PortId, Rate)> {
        self.spec.changes.iter().filter_map(|timed| match timed.change {
            Change::PortRate(port, rate) => Some((timed.at, port, rate)),
            _ => None,
        })
    }

    /// Capacity of the queue. Under flow control it is limited by the inputs, not by the output queue.
    fn buffer(&self, members: &[Passing], leaves_out: &mut Vec<String>) -> Bytes {
        let priority = self.spec.flows[members[0].flow].priority;
        let (params, name) = match self.spec.flow_control {
            FlowControl::Pause(params) => (params, "PAUSE"),
            FlowControl::Pfc(params, priorities) if priorities.contains(priority) => (params, "PFC"),
            FlowControl::None | FlowControl::Pfc(..) => return self.spec.buffer,
        };
        let mut inputs: Vec<PortId> =
            members.iter().map(|member| self.paths[member.flow][member.place - 1]).collect();
        inputs.sort_unstable();
        inputs.dedup();
        let room = Bytes::new(params.xoff.get().saturating_mul(inputs.len() as u64));
        leaves_out.push(format!(
            "{name} pauses senders once an input holds {}; the model drops traffic beyond {room}, the sum over all inputs.",
            params.xoff
        ));
        room
    }
}

/// Refuses changes that the models do not support.
fn check_changes(
    network: &Network<'_>,
    port: PortId,
    members: &[Passing],
    scheme: &Scheme,
    leaves_out: &mut Vec<String>,
) -> Result<(), NoFluidForm> {
    let spec = network.spec;
    let ours = |flow: setpoint_sim::FlowId| members.iter().any(|member| member.flow == flow.index());
    let on_the_way = |other: PortId| {
        members.iter().any(|member| network.paths[member.flow][..member.place].contains(&other))
    };
    let flow_name = |flow: setpoint_sim::FlowId| spec.flows[flow.index()].name.clone();
    for timed in &spec.changes {
        let refuse = |what: String| Err(NoFluidForm::Change { at: timed.at, what });
        match timed.change {
            Change::PortRate(other, _) if other != port && on_the_way(other) => {
                return refuse(format!("the rate of {}", port_names::shown(&spec.topology, other)));
            }
            Change::LinkDown(link) => {
                let name = port_names::shown(&spec.topology, link.forward());
                return refuse(format!("{name}, which fails"));
            }
            Change::Cap(flow, _) if ours(flow) => return refuse(format!("the cap of {}", flow_name(flow))),
            Change::Weight(flow, _) if ours(flow) && matches!(scheme, Scheme::AfQcn(..)) => {
                return refuse(format!("the weight of {}", flow_name(flow)));
            }
            Change::Max(flow, _) if ours(flow) && matches!(scheme, Scheme::AfQcn(..)) => {
                return refuse(format!("the bound of {}", flow_name(flow)));
            }
            Change::ReactionPoint(_) => return refuse("a parameter of reaction points".to_owned()),
            Change::PortRate(other, _) if on_the_way(other.peer()) => {
                let name = port_names::shown(&spec.topology, other);
                leaves_out.push(format!(
                    "The rate change of {name} at {} affects only notifications and is ignored.",
                    timed.at
                ));
            }
            _ => {}
        }
    }
    Ok(())
}
