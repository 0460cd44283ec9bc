//! The flows of a scenario while it is resolved.

use std::ops::Range;

use setpoint_sim::{FlowId, FlowSpec, GroupId};

use crate::FlowEntry;
use crate::diagnostics::Place;
use crate::group_members::Session;
use crate::job::Job;
use crate::limits::MAX_FLOWS;

/// The flows of a scenario, each with the place it comes from.
#[derive(Default)]
pub(super) struct Flows<'a> {
    pub(super) specs: Vec<FlowSpec>,
    pub(super) places: Vec<&'a Place>,
    pub(super) tenants: Tenants,
    /// The entries that define them; empty for the default flows of a dumbbell.
    pub(super) entries: Vec<FlowEntry>,
    /// The jobs, whose flows follow those of the entries.
    pub(super) jobs: Vec<Job>,
    /// Senders and their groups.
    pub(super) sessions: Vec<(GroupId, Session)>,
    /// Flows that together form one flow of the scenario, with the name of that flow.
    pub(super) parted: Vec<(String, Range<usize>)>,
    /// Number of flows in the scenario: a flow that was split counts once.
    pub(super) count: usize,
}

impl Flows<'_> {
    /// The names by which flows can be selected: their own, then those of flows that were split.
    pub(super) fn names(&self) -> Vec<&str> {
        let own = self.specs.iter().map(|flow| flow.name.as_str());
        own.chain(self.parted.iter().map(|(name, _)| name.as_str())).collect()
    }

    /// The flows with these names, without duplicates.
    pub(super) fn named(&self, names: &[usize]) -> Vec<FlowId> {
        let mut taken = vec![false; if self.parted.is_empty() { 0 } else { self.specs.len() }];
        let range = |&name: &usize| match name.checked_sub(self.specs.len()) {
            Some(parted) => self.parted[parted].1.clone(),
            None => name..name + 1,
        };
        let mut is_new =
            |flow: &usize| taken.get_mut(*flow).is_none_or(|taken| !std::mem::replace(taken, true));
        names.iter().flat_map(range).filter(|flow| is_new(flow)).map(|flow| FlowId(flow as u32)).collect()
    }
}

/// Tenant numbers: a flow without a tenant uses its own index; named tenants are numbered after
/// all flows.
#[derive(Default)]
pub(super) struct Tenants {
    pub(super) names: Vec<String>,
}

impl Tenants {
    pub(super) fn number(&mut self, name: Option<&str>, flow: usize) -> u32 {
        let Some(name) = name else { return flow as u32 };
        let known = self.names.iter().position(|other| other == name);
        let place = known.unwrap_or_else(|| {
            self.names.push(name.to_string());
            self.names.len() - 1
        });
        (MAX_FLOWS + place) as u32
    }
}
