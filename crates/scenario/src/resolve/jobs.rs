//! Jobs as flows whose messages wait for each other.

use std::collections::BTreeSet;
use std::sync::Arc;

use setpoint_sim::traffic::Traffic;
use setpoint_sim::traffic::collective::{self, Collective, PairFlow, RankMessage};
use setpoint_sim::{FlowId, FlowSpec, MessageId, NodeId, Reaction};
use setpoint_units::Time;

use super::Setting;
use super::entry::{frame_length, usual_flow};
use super::flow_list::Flows;
use super::names::check_no_formula;
use super::pairs::Selector;
use crate::diagnostics::{Problem, Problems};
use crate::format::{self, AnyKey, Choice, Placed};
use crate::job::{Job, JobMessage};
use crate::limits::{MAX_FLOWS, MAX_LISTED};

/// Adds the flows of all jobs.
pub(super) fn jobs<'a>(
    setting: &Setting<'a>,
    selector: &mut Selector<'_>,
    flows: &mut Flows<'a>,
    problems: &mut Problems,
) {
    let mut names: BTreeSet<String> = flows.jobs.iter().map(|job| job.name.clone()).collect();
    for (number, entry) in setting.root.jobs.iter().enumerate() {
        let name = entry.name.clone().unwrap_or_else(|| format!("job{}", number + 1));
        if names.insert(name.clone()) {
            problems.take(add(entry, name, setting, selector, flows));
        } else {
            let problem = Problem::at(entry.place(), format!("two jobs are called {name:?}"), "the second");
            problems.push(problem.help("give the entries different names"));
        }
        if problems.is_full() {
            break;
        }
    }
}

fn add<'a>(
    entry: &'a Placed<format::Job>,
    name: String,
    setting: &Setting<'a>,
    selector: &mut Selector<'_>,
    flows: &mut Flows<'a>,
) -> Result<(), Problem> {
    check_no_formula(&name, entry.name.place())?;
    let ranks = selector.select(&entry.ranks)?;
    check_reachable(entry, &ranks, setting)?;
    let operation = operation(entry, &ranks)?;
    let messages = operation.messages();
    let first = flows.specs.len();
    let pairs = collective::flows(&messages, FlowId(first as u32));
    if first + pairs.len() > MAX_FLOWS {
        let message = format!(
            "with this job, there are {} flows; a scenario can have at most {MAX_FLOWS}",
            first + pairs.len()
        );
        return Err(Problem::at(entry.ranks.place(), message, "too many"));
    }
    let common = common(entry, setting)?;
    let order = in_order(&messages, &pairs, first, &operation);
    for PairFlow { from, to, messages, .. } in pairs {
        let (source, destination) = (ranks[from as usize], ranks[to as usize]);
        let node = |id: NodeId| &setting.topology.node_at(id).name;
        flows.count += 1;
        flows.places.push(entry.place());
        flows.specs.push(FlowSpec {
            name: format!("{name}:{}-{}", node(source), node(destination)),
            source,
            destination: destination.into(),
            traffic: Traffic::Dependent(messages.into()),
            tenant: flows.tenants.number(None, flows.specs.len()),
            ..common.clone()
        });
    }
    flows.jobs.push(Job {
        name,
        kind: entry.kind.word(),
        steps_per_iteration: operation.pattern.steps(operation.ranks, operation.parts),
        ranks,
        start: common.start,
        flows: first..flows.specs.len(),
        messages: order.into(),
        ids: Arc::default(),
    });
    Ok(())
}

/// The operation, if it is possible.
fn operation(entry: &Placed<format::Job>, ranks: &[NodeId]) -> Result<Collective, Problem> {
    let operation = Collective {
        pattern: *entry.kind,
        ranks: ranks.len() as u32,
        size: *entry.size,
        parts: *entry.parts,
        iterations: *entry.iterations,
        compute: *entry.compute,
        reduce: *entry.reduce,
    };
    let is_pipeline = operation.pattern == collective::Pattern::Pipeline;
    if entry.parts.is_given() && !is_pipeline {
        let message = format!("the kind {:?} takes no `parts`", entry.kind.word());
        return Err(Problem::at(entry.parts.place(), message, "would be ignored")
            .help("remove it, or write `kind = \"pipeline\"`"));
    }
    if entry.reduce.is_given() && !operation.pattern.reduces() {
        let message = format!("the kind {:?} reduces nothing", entry.kind.word());
        return Err(Problem::at(entry.reduce.place(), message, "would be ignored").help("remove `reduce`"));
    }
    if let Some(fault) = operation.fault() {
        let message = format!(
            "the kind {:?} is impossible with {} and {}: {fault}",
            entry.kind.word(),
            operation.size,
            if ranks.len() == 1 { "1 rank".to_owned() } else { format!("{} ranks", ranks.len()) }
        );
        let key: &dyn AnyKey = if operation.has_too_little() { &entry.size } else { &entry.ranks };
        return Err(Problem::at(key.place(), message, ""));
    }
    let count = operation.message_count();
    if count > MAX_LISTED {
        let message = format!("this job has {count} messages; a job can have at most {MAX_LISTED}");
        return Err(Problem::at(entry.place(), message, "too many")
            .help("reduce the number of ranks or of iterations"));
    }
    Ok(operation)
}

/// The common part of all flows of a job.
fn common(entry: &format::Job, setting: &Setting<'_>) -> Result<FlowSpec, Problem> {
    let network = &setting.root.network;
    let length = frame_length(&entry.frame, setting)?;
    Ok(FlowSpec {
        start: Time::ZERO + *entry.start,
        reaction: if *entry.controlled { Reaction::Controlled } else { Reaction::Uncontrolled },
        ..usual_flow(entry.priority.unwrap_or(*network.priority), length)
    })
}

/// The messages with their steps, in the order of the operation.
fn in_order(
    messages: &[RankMessage],
    pairs: &[PairFlow],
    first: usize,
    operation: &Collective,
) -> Vec<JobMessage> {
    let steps = operation.pattern.steps(operation.ranks, operation.parts);
    let step = |message: &RankMessage| message.iteration * steps + message.step;
    let unknown = MessageId { flow: FlowId(first as u32), number: 0 };
    let mut order: Vec<JobMessage> =
        messages.iter().map(|message| JobMessage { id: unknown, step: step(message) }).collect();
    for (flow, pair) in (first as u32..).map(FlowId).zip(pairs) {
        for (number, &place) in (0..).zip(&pair.places) {
            order[place].id = MessageId { flow, number };
        }
    }
    order
}

/// All ranks must be in one connected part of the network.
fn check_reachable(entry: &format::Job, ranks: &[NodeId], setting: &Setting<'_>) -> Result<(), Problem> {
    let island = |rank: &NodeId| setting.islands[rank.index()];
    let Some(apart) = ranks.iter().find(|rank| island(rank) != island(&ranks[0])) else { return Ok(()) };
    let name = |id: &NodeId| &setting.topology.node_at(*id).name;
    let message = format!("{:?} cannot reach {:?}", name(&ranks[0]), name(apart));
    Err(Problem::at(entry.ranks.place(), message, "there is no path")
        .help("add a link between the two parts of the network"))
}
