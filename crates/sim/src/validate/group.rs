//! Validation of multicast groups.

use std::collections::BTreeSet;

use super::is_station;
use crate::error::SpecError;
use crate::ids::{FlowId, GroupId};
use crate::routing::ever_members;
use crate::spec::{Change, Destination, FlowSpec, GroupSpec, Spec};
use crate::traffic::Traffic;

/// Checks that all members are stations, that none is listed twice, and that joins and leaves alternate.
pub(super) fn check(spec: &Spec) -> Result<(), SpecError> {
    for (index, group) in spec.groups.iter().enumerate() {
        let id = GroupId(index as u32);
        let members = ever_members(spec, id);
        if members.is_empty() {
            return Err(SpecError::EmptyGroup(id));
        }
        if let Some(&node) = members.iter().find(|&&node| !is_station(spec, node)) {
            return Err(SpecError::NotAMember(id, node));
        }
        check_membership(spec, id, group)?;
    }
    Ok(())
}

fn check_membership(spec: &Spec, id: GroupId, group: &GroupSpec) -> Result<(), SpecError> {
    let mut present = BTreeSet::new();
    if let Some(&twice) = group.members.iter().find(|&&member| !present.insert(member)) {
        return Err(SpecError::MemberTwice(id, twice));
    }
    let mut changes: Vec<_> = spec.changes.iter().enumerate().collect();
    changes.sort_by_key(|(_, change)| change.at);
    for (index, change) in changes {
        let changed = match change.change {
            Change::Join(group, station) if group == id => present.insert(station),
            Change::Leave(group, station) if group == id => present.remove(&station),
            _ => true,
        };
        if !changed {
            return Err(SpecError::Membership(index));
        }
    }
    Ok(())
}

/// The group of a flow must exist and must never include the flow's source. The flow cannot send messages,
/// because they would reach each member at a different time.
pub(super) fn check_flow(spec: &Spec, id: FlowId, flow: &FlowSpec) -> Result<(), SpecError> {
    let Destination::Group(group) = flow.destination else { return Ok(()) };
    if group.index() >= spec.groups.len() {
        return Err(SpecError::UnknownGroup(id, group));
    }
    if ever_members(spec, group).contains(&flow.source) {
        return Err(SpecError::InOwnGroup(id, group));
    }
    match flow.traffic {
        Traffic::Backlogged | Traffic::Constant { .. } | Traffic::OnOff { .. } => Ok(()),
        Traffic::Poisson { .. } | Traffic::Message { .. } | Traffic::Schedule(_) | Traffic::Dependent(_) => {
            Err(SpecError::GroupMessages(id))
        }
    }
}
