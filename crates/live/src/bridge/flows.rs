//! The flows that a bridge has seen.
//!
//! A flow is identified by its source: by the source's address, a flow identifier and the priority. The identifier is that in
//! the CN-TAG or, if the algorithm marks frames, the number of the flow in congestion notification packets. A bridge distinguishes flows for three reasons: a notification goes to the source of a flow, congestion points that
//! divide the capacity of a link count arrivals separately for each flow, and results show rates by flow.

use std::collections::HashMap;

use setpoint_control::{FlowKey, Tenant};
use setpoint_wire::{Header, MacAddress, Priority};

use super::plan::{FlowPlan, Notified};

/// The maximum number of flows that are kept. Frames of further flows share an entry, so forged frames cannot use
/// more memory.
const MOST: usize = 65_536;

/// The flows of a bridge.
#[derive(Clone, Debug, Default)]
pub(super) struct Flows {
    keys: HashMap<Name, u32>,
    entries: Vec<Flow>,
    plan: Vec<FlowPlan>,
    /// Whether each configured flow has been matched to a flow that was seen.
    taken: Vec<bool>,
    /// Frames of flows for which the table was full.
    pub(super) crowded: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Name {
    source: MacAddress,
    identifier: u32,
    priority: Priority,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Flow {
    /// The header of its first frame.
    pub(super) header: Header,
    /// The port at which its frames arrive.
    pub(super) from: usize,
    /// Its number in the configuration, once a frame has been forwarded.
    pub(super) planned: Option<usize>,
    /// Whether the configuration has been searched for it.
    placed: bool,
    pub(super) tenant: Tenant,
    pub(super) notified: Notified,
}

impl Flows {
    pub(super) fn new(plan: Vec<FlowPlan>) -> Self {
        Self { taken: vec![false; plan.len()], plan, ..Self::default() }
    }

    /// The flow of a frame that arrived at a port. The identifier distinguishes the flows of a source.
    pub(super) fn of(
        &mut self,
        header: &Header,
        priority: Priority,
        from: usize,
        identifier: u32,
    ) -> FlowKey {
        let name = Name { source: header.source, identifier, priority };
        if let Some(&key) = self.keys.get(&name) {
            self.entries[key as usize].from = from;
            return FlowKey(key);
        }
        if self.entries.len() >= MOST {
            self.crowded += 1;
            return FlowKey(0);
        }
        let key = self.entries.len() as u32;
        // The flow becomes a separate tenant, in addition to those in the configuration.
        let tenant = Tenant { id: u32::MAX - key, ..Tenant::ANYONE };
        let notified = Notified::Yes;
        self.entries.push(Flow { header: *header, from, planned: None, placed: false, tenant, notified });
        self.keys.insert(name, key);
        FlowKey(key)
    }

    /// Looks the flow up in the configuration when its first frame leaves through a port.
    pub(super) fn place(&mut self, FlowKey(key): FlowKey, to: usize, priority: Priority) {
        let from = match self.entries.get_mut(key as usize) {
            Some(flow) if !flow.placed => {
                flow.placed = true;
                flow.from
            }
            _ => return,
        };
        let fits = |flow: &FlowPlan| (flow.from, flow.to, flow.priority) == (from, to, priority);
        let mut places = (0..self.plan.len()).filter(|&index| fits(&self.plan[index]));
        let free = places.clone().find(|&index| !self.taken[index]);
        let Some(index) = free.or_else(|| places.next()) else { return };
        self.taken[index] = true;
        let flow = &mut self.entries[key as usize];
        (flow.planned, flow.tenant, flow.notified) =
            (Some(index), self.plan[index].tenant, self.plan[index].notified);
    }

    /// The flow with this number, if there is one.
    pub(super) fn get(&self, FlowKey(key): FlowKey) -> Option<&Flow> {
        self.entries.get(key as usize)
    }

    /// Replaces the configuration; flows are looked up in it again.
    pub(super) fn set_plan(&mut self, plan: Vec<FlowPlan>) {
        if self.plan != plan {
            self.taken = vec![false; plan.len()];
            self.plan = plan;
            for flow in &mut self.entries {
                (flow.placed, flow.planned) = (false, None);
            }
        }
    }
}
