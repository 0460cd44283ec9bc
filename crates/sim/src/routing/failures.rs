//! The links known to have failed, from which routes are computed.

use std::collections::{BTreeMap, BTreeSet};

use setpoint_units::Time;

use crate::ids::LinkId;
use crate::spec::{Change, Spec};

/// A time at which failures or recoveries of links become known to routes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RouteChange {
    pub(crate) at: Time,
    /// The links that are known to be down from then on.
    pub(crate) down: BTreeSet<LinkId>,
}

/// The times at which routes change, in chronological order: a fixed delay after each failure and recovery.
pub(crate) fn route_changes(spec: &Spec) -> Vec<RouteChange> {
    let mut events: BTreeMap<Time, Vec<Change>> = BTreeMap::new();
    for timed in &spec.changes {
        if matches!(timed.change, Change::LinkDown(_) | Change::LinkUp(_)) {
            events.entry(timed.at).or_default().push(timed.change);
        }
    }
    let mut down = BTreeSet::new();
    let change = |(at, changes): (Time, Vec<Change>)| {
        for change in changes {
            match change {
                Change::LinkDown(link) => _ = down.insert(link),
                Change::LinkUp(link) => _ = down.remove(&link),
                _ => {}
            }
        }
        RouteChange { at: at.saturating_add(spec.rerouting_delay), down: down.clone() }
    };
    events.into_iter().map(change).collect()
}
