//! Computes figures and curves from the outcome of a simulation.
//!
//! Every measure is a pure function in its own file. Figures cover the measurement interval, from `measure_from` to the
//! end of the run, unless otherwise documented; curves cover the whole run. All values are finite: a ratio with
//! denominator zero is zero, and a figure that does not exist is none. Sums are computed in the order of IDs, so that
//! the same outcome always gives identical bits.

pub mod activity;
pub mod axis;
mod entries;
mod events;
mod flows;
mod groups;
pub mod jain;
mod jobs;
pub mod messages;
mod notified;
mod ports;
mod queues;
mod receivers;
pub mod settling;
mod sources;
mod totals;
mod trees;
mod view;

use setpoint_scenario::{FlowEntry, Group, Job, PortNames};
use setpoint_sim::{FlowOutcome, Outcome, SourceOutcome, Spec};
use setpoint_units::{Bytes, Time};

use crate::results::{
    FabricSummary, FailedLinkSummary, FlowControlSummary, FlowSummary, MessageRecord, Series,
    SharedBufferSummary, Summary, TopologyView,
};
use activity::Activity;
use axis::Axis;
use messages::Messages;

/// The input to the measures, apart from the outcome.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// The simulated spec.
    pub spec: &'a Spec,
    /// The set point of congestion points, if there are any.
    pub set_point: Option<Bytes>,
    /// Events with their labels, in any order.
    pub events: &'a [Event],
    /// The groups with their senders, in the order of the spec.
    pub groups: &'a [Group],
    /// The `[[flows]]` entries, in the order of the scenario.
    pub entries: &'a [FlowEntry],
    /// The `[[jobs]]` entries, in the order of the scenario.
    pub jobs: &'a [Job],
}

/// An event in the scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Its time.
    pub at: Time,
    /// A description of the event, in a few words.
    pub label: String,
}

/// Everything computed from an outcome.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// The figures.
    pub summary: Summary,
    /// The curves.
    pub series: Series,
    /// The network with the load of its links.
    pub topology: TopologyView,
    /// All retained messages.
    pub messages: Vec<MessageRecord>,
}

/// Measures a run. The outcome is consumed, since its series become the curves.
pub fn measure(context: &Context<'_>, mut outcome: Outcome) -> Measured {
    let (axis, from) = (Axis::of(&outcome), outcome.measure_from);
    let activity = Activity::of(context.spec, context.groups);
    queues::busiest_first(&mut outcome.queues);
    let mut summary = figures(context, &outcome, &activity);
    events::add(context, &mut summary, &outcome, &axis);
    let topology = view::topology(&context.spec.topology, &outcome, &summary.ports);
    let messages = messages::records(&outcome);
    let series = curves(context, &summary, outcome, &axis);
    flows::add_spread(context.spec, &mut summary.flows, &series.flows, &axis, from);
    sources::add_means(&mut summary, &series, &axis.within(from, axis.end));
    totals::add_notifications(&mut summary, &series, &axis);
    groups::add_notifications(&mut summary, &series, &axis, from);
    totals::add_windows(&mut summary.total, &series.flows, &activity, &axis, from);
    Measured { summary, series, topology, messages }
}

/// The figures that need no curves.
fn figures(context: &Context<'_>, outcome: &Outcome, activity: &Activity) -> Summary {
    let spec = context.spec;
    let flows = flows::summaries(context, outcome);
    let messages = Messages::of(outcome);
    let names = PortNames::of_all(&spec.topology);
    Summary {
        duration_s: outcome.end.as_secs_f64(),
        measure_from_s: outcome.measure_from.as_secs_f64(),
        measure_messages_until_s: outcome.measure_messages_until.map(Time::as_secs_f64),
        events: outcome.events,
        packet_hops: outcome.packet_hops,
        total: totals::summary(context, outcome, &flows, activity),
        entries: entries::summaries(context, outcome, &flows, activity, &messages),
        flows,
        queues: outcome.queues.iter().map(|queue| queues::summary(context, &names, queue)).collect(),
        ports: ports::summaries(&names, outcome),
        messages: messages.summary(),
        size_classes: messages.size_classes(),
        slowdown_by_size: messages.slowdown_by_size(),
        hpcc_slowdowns: messages.hpcc_slowdowns(spec),
        events_at: Vec::new(),
        congestion_trees: trees::summary(&names, &outcome.congestion_trees),
        deadlock: outcome.deadlock.as_ref().map(|deadlock| trees::deadlock(&names, deadlock)),
        flow_control: FlowControlSummary::of(spec, &names, &outcome.links),
        shared_buffers: outcome
            .shared_buffers
            .iter()
            .map(|buffer| SharedBufferSummary::of(&spec.topology, buffer))
            .collect(),
        failed_links: outcome
            .failed_links
            .iter()
            .map(|failed| FailedLinkSummary::of(spec, &names, failed))
            .collect(),
        fabric: FabricSummary::of(&outcome.fabric),
        groups: groups::summaries(context, outcome, activity),
        jobs: jobs::summaries(context, &names, outcome),
    }
}

/// The curves, in the order and under the names of the figures.
fn curves(context: &Context<'_>, summary: &Summary, outcome: Outcome, axis: &Axis) -> Series {
    let flows = summary.flows.iter().zip(outcome.flows).enumerate();
    let flow = |(index, (flow, outcome)): (usize, (&FlowSummary, FlowOutcome))| {
        flows::series(flow.name.clone(), outcome, groups::multicast(context, index), axis)
    };
    let queues = summary.queues.iter().zip(outcome.queues);
    let ports = summary.ports.iter().zip(outcome.ports);
    let sources = outcome.sources.into_iter();
    let marks = summary.total.marked_frames.is_some();
    let source = |outcome: SourceOutcome| {
        sources::series(summary.flows[outcome.flow.index()].name.clone(), outcome, marks, axis)
    };
    Series {
        time_s: axis.seconds(),
        flows: flows.map(flow).collect(),
        sources: sources.map(source).collect(),
        queues: queues.map(|(queue, outcome)| queues::series(queue.name.clone(), outcome, axis)).collect(),
        ports: ports.map(|(port, outcome)| ports::series(port.name.clone(), outcome, axis)).collect(),
    }
}
