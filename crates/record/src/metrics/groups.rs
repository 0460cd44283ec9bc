//! Figures for groups, with multicast or with multiple unicast.
//!
//! A session is the single flow of a sender with multicast, or the sender's flows to all members with
//! multiple unicast. In both cases a sender's rate to the group is the mean over the receivers.

use std::collections::BTreeSet;

use setpoint_scenario::{Group, Member, Session};
use setpoint_sim::{Destination, FlowOutcome, NodeId, Outcome, Spec};
use setpoint_units::Time;

use super::Context;
use super::activity::Activity;
use super::axis::Axis;
use super::jain::jain_index;
use super::notified::Notified;
use super::receivers::{Arrived, Losses, Received};
use crate::results::{FlowSummary, GroupSummary, ReceiverSummary, Series, Summary};
use crate::statistics::moments::{Moments, ratio};

/// The figures that need no curves, for groups with a sender; [`add_notifications`] adds the rest.
pub(super) fn summaries(context: &Context<'_>, outcome: &Outcome, activity: &Activity) -> Vec<GroupSummary> {
    let sent_to = context.groups.iter().filter(|group| !group.sessions.is_empty());
    sent_to.map(|group| View { spec: context.spec, outcome, group }.summary(activity)).collect()
}

/// The name of each flow's group.
pub(super) fn names(spec: &Spec, groups: &[Group]) -> Vec<Option<String>> {
    let mut names = vec![None; if groups.is_empty() { 0 } else { spec.flows.len() }];
    for group in groups {
        for flow in group.sessions.iter().flat_map(|session| session.flows.clone()) {
            names[flow] = Some(group.name.clone());
        }
    }
    names
}

/// The receivers of a multicast flow; empty for a flow to a station.
pub(super) fn receivers(context: &Context<'_>, flow: usize, outcome: &Outcome) -> Vec<ReceiverSummary> {
    let Some(group) = multicast(context, flow) else { return Vec::new() };
    let measured = (outcome.measure_from, outcome.end);
    let of = |member: &Member| {
        let received = Received::copies(&outcome.flows[flow], member.station);
        received.summary(member, &context.spec.topology, measured)
    };
    group.members.iter().map(of).collect()
}

/// The group to which a multicast flow is sent.
pub(super) fn multicast<'a>(context: &Context<'a>, flow: usize) -> Option<&'a Group> {
    match context.spec.flows[flow].destination {
        Destination::Group(group) => context.groups.get(group.index()),
        Destination::Station(_) => None,
    }
}

/// The share of the measurement interval during which a group has members.
pub(super) fn occupied_share(group: &Group, outcome: &Outcome) -> f64 {
    let (from, to) = (outcome.measure_from, outcome.end);
    let occupied = group.occupied_within(from, to).as_picos() as f64;
    ratio(occupied, to.saturating_since(from).as_picos() as f64)
}

/// Adds the notifications that the senders of each group received.
pub(super) fn add_notifications(summary: &mut Summary, series: &Series, axis: &Axis, from: Time) {
    let Summary { groups, flows, .. } = summary;
    for group in groups {
        let own = |flow: &FlowSummary| flow.group.as_ref() == Some(&group.name);
        let mut notified = Notified::default();
        for (flow, curves) in flows.iter().zip(&series.flows).filter(|(flow, _)| own(flow)) {
            notified.add(&flow.source, &curves.notifications);
        }
        group.notifications_per_source_mean = notified.mean(group.sources, axis, from);
        group.notifications_per_source_peak = notified.peak(axis);
    }
}

/// A group and the outcome of its flows.
struct View<'a> {
    spec: &'a Spec,
    outcome: &'a Outcome,
    group: &'a Group,
}

impl View<'_> {
    fn summary(&self, activity: &Activity) -> GroupSummary {
        let sessions = &self.group.sessions;
        let sources: BTreeSet<NodeId> = sessions.iter().map(|session| session.source).collect();
        let sent: u64 = self.flows().map(|flow| flow.sent_frames).sum();
        let notifications: u64 = self.flows().map(|flow| flow.notifications).sum();
        GroupSummary {
            name: self.group.name.clone(),
            flows: self.flows().count(),
            sources: sources.len(),
            occupied_share: occupied_share(self.group, self.outcome),
            receivers: (0..self.group.members.len()).map(|member| self.receiver(member)).collect(),
            rate_mean_bps: Moments::of(sessions.iter().map(|session| self.rate(session))).mean,
            jain_index: jain_index(self.rates_of_those_on(activity)),
            feedback_overhead: ratio(notifications as f64, sent as f64),
            loss_share: self.flows().map(Losses::of).sum::<Losses>().share(),
            notifications_per_source_mean: 0.0,
            notifications_per_source_peak: 0.0,
        }
    }

    fn flows(&self) -> impl Iterator<Item = &FlowOutcome> {
        let flows = self.group.sessions.iter().flat_map(|session| session.flows.clone());
        flows.map(|flow| &self.outcome.flows[flow])
    }

    fn measured(&self) -> (Time, Time) {
        (self.outcome.measure_from, self.outcome.end)
    }

    /// The frames that a member received from a session.
    fn received(&self, session: &Session, member: usize) -> Received {
        let first = session.flows.start;
        match self.spec.flows[first].destination {
            Destination::Group(_) => {
                Received::copies(&self.outcome.flows[first], self.group.members[member].station)
            }
            Destination::Station(_) => Received::alone(&self.outcome.flows[first + member]),
        }
    }

    /// The frames that a member received from all sessions.
    fn receiver(&self, member: usize) -> ReceiverSummary {
        let all: Received = self.group.sessions.iter().map(|session| self.received(session, member)).sum();
        all.summary(&self.group.members[member], &self.spec.topology, self.measured())
    }

    /// The rate of a sender to the group.
    fn rate(&self, session: &Session) -> f64 {
        let (from, to) = self.measured();
        let arrived = |(index, member): (usize, &Member)| {
            Arrived::at(member, self.received(session, index).measured_bytes, from, to)
        };
        self.group.members.iter().enumerate().map(arrived).sum::<Arrived>().rate()
    }

    /// The rates, per weight, of senders whose flows were on during the whole measurement interval.
    fn rates_of_those_on<'a>(&'a self, activity: &'a Activity) -> impl Iterator<Item = f64> + 'a {
        let (from, to) = self.measured();
        let on = self.group.sessions.iter().filter(move |one| activity.any_on(one.flows.clone(), from, to));
        on.map(|session| activity.per_weight(session.flows.start, self.rate(session)))
    }
}
