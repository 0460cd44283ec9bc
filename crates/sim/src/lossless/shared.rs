//! How a bridge divides a shared buffer, and whether its headroom pool suffices in the worst case.
//!
//! An input begins to use headroom with the frame that exceeds its threshold, and on that frame it pauses its sender.
//! So the headroom that one input and priority can use is the same as above a fixed threshold, whatever the threshold
//! is at that time. It releases its sender only when it no longer uses any headroom, so no headroom is in use when the
//! next pause begins. Several inputs can use headroom at the same time, since frames can arrive at all of them
//! while the shared pool is full. A pool of the sum of all headrooms is therefore sufficient, and in the worst case
//! necessary.

use std::collections::BTreeMap;

use setpoint_units::Bytes;

use super::{LinkBudget, budgets};
use crate::error::SpecError;
use crate::ids::{NodeId, Priority};
use crate::routing::routes;
use crate::spec::{HeadroomPool, SharedBuffer, Spec};
use crate::topology::NodeKind;

/// The parts of a bridge's shared buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SharedBudget {
    /// The bridge.
    pub bridge: NodeId,
    /// The whole buffer.
    pub size: Bytes,
    /// The sum of all reserves.
    pub reserves: Bytes,
    /// The headroom pool.
    pub headroom_pool: Bytes,
    /// The sum of the headrooms that its inputs need in the worst case, for all protected priorities.
    pub headroom_needed: Bytes,
    /// The number of inputs and priorities with headroom.
    pub counters: u64,
    /// The smallest number of inputs and priorities whose headrooms together can exceed the pool; `None` if the pool suffices for
    /// all of them.
    pub exhausted_by: Option<u64>,
}

impl SharedBudget {
    /// The space that remains for the shared pool; `None` if reserves and headroom exceed the buffer.
    pub fn shared(&self) -> Option<Bytes> {
        let taken = self.reserves.get().saturating_add(self.headroom_pool.get());
        self.size.get().checked_sub(taken).map(Bytes::new)
    }

    /// The number of bytes by which the headroom pool is too small in the worst case.
    pub fn oversubscribed(&self) -> Bytes {
        self.headroom_needed.saturating_sub(self.headroom_pool)
    }
}

/// The division of every bridge's shared buffer, in the order of the bridges. Empty if bridges have no shared buffer.
///
/// # Errors
/// Returns an error if a flow has no path to its destination.
pub fn shared_budgets(spec: &Spec) -> Result<Vec<SharedBudget>, SpecError> {
    Ok(shared_of(spec, &budgets(spec, &routes(spec)?)))
}

/// Like [`shared_budgets`], but takes budgets that have already been computed.
pub(crate) fn shared_of(spec: &Spec, links: &[LinkBudget]) -> Vec<SharedBudget> {
    let Some(shared) = spec.shared_buffer() else { return Vec::new() };
    let mut by_bridge: BTreeMap<NodeId, Vec<&LinkBudget>> = BTreeMap::new();
    for link in links {
        by_bridge.entry(spec.topology.target(link.port)).or_default().push(link);
    }
    let unprotected = unprotected(spec);
    let nodes = spec.topology.nodes().iter().enumerate().filter(|(_, node)| node.kind == NodeKind::Bridge);
    let ids = nodes.map(|(index, _)| NodeId(index as u32));
    ids.map(|bridge| {
        let links = by_bridge.get(&bridge).map_or(&[][..], Vec::as_slice);
        let ports = spec.topology.ports().filter(|port| spec.topology.source(*port) == bridge).count();
        divide(shared, bridge, links, ports as u64 * unprotected)
    })
    .collect()
}

/// Divides the buffer of a bridge, given the links that lead to it and its number of output queues without flow control.
fn divide(shared: &SharedBuffer, bridge: NodeId, links: &[&LinkBudget], queues: u64) -> SharedBudget {
    let times = |bytes: Bytes, count: u64| Bytes::new(bytes.get().saturating_mul(count));
    let add = |sum: Bytes, link: Bytes| Bytes::new(sum.get().saturating_add(link.get()));
    let sum = |one: fn(&LinkBudget) -> Bytes| {
        links.iter().map(|link| times(one(link), u64::from(link.counters))).fold(Bytes::ZERO, add)
    };
    let counters: u64 = links.iter().map(|link| u64::from(link.counters)).sum();
    let headroom_pool = match shared.headroom_pool {
        HeadroomPool::Sum => sum(|link| link.given),
        HeadroomPool::Fixed(bytes) => bytes,
    };
    SharedBudget {
        bridge,
        size: shared.size,
        reserves: times(shared.reserve, counters + queues),
        headroom_pool,
        headroom_needed: sum(|link| link.needed.total()),
        counters,
        exhausted_by: exhausted_by(links, headroom_pool),
    }
}

/// The smallest number of counters whose headrooms together exceed a pool.
fn exhausted_by(links: &[&LinkBudget], pool: Bytes) -> Option<u64> {
    let each = |link: &&LinkBudget| std::iter::repeat_n(link.needed.total().get(), link.counters as usize);
    let mut headrooms: Vec<u64> = links.iter().flat_map(each).collect();
    headrooms.sort_unstable_by(|first, second| second.cmp(first));
    let mut sum = 0u64;
    let exceeds = |bytes: &u64| {
        sum = sum.saturating_add(*bytes);
        sum > pool.get()
    };
    headrooms.iter().position(exceeds).map(|place| place as u64 + 1)
}

/// The number of priorities in use that flow control does not protect.
fn unprotected(spec: &Spec) -> u64 {
    let protected = spec.flow_control.protected();
    let notified = [spec.control.notification_priority];
    let used = spec.flows.iter().map(|flow| flow.priority).chain(notified);
    let mut set = [false; Priority::COUNT];
    used.filter(|priority| !protected.contains(*priority))
        .for_each(|priority| set[priority.get() as usize] = true);
    set.iter().filter(|used| **used).count() as u64
}

/// Checks that the shared buffer of every bridge has room for its reserves, its headroom pool and a frame.
///
/// # Errors
/// Returns [`SpecError::SharedTooSmall`] for the first bridge whose buffer is too small, or another error if a flow has no path to
/// its destination.
pub fn check_shared_buffers(spec: &Spec) -> Result<(), SpecError> {
    check_shared(spec, &budgets(spec, &routes(spec)?))
}

/// The reserves and the headroom pool of every bridge must leave shared space for the longest frame.
pub(crate) fn check_shared(spec: &Spec, links: &[LinkBudget]) -> Result<(), SpecError> {
    let longest = spec.flows.iter().map(|flow| flow.frame).fold(spec.control.notification_size, Bytes::max);
    for budget in shared_of(spec, links) {
        let SharedBudget { bridge, size, reserves, headroom_pool, .. } = budget;
        let needed = reserves.get().saturating_add(headroom_pool.get()).saturating_add(longest.get());
        if needed > size.get() {
            let short_by = Bytes::new(needed - size.get());
            return Err(SpecError::SharedTooSmall { bridge, size, reserves, headroom_pool, short_by });
        }
    }
    Ok(())
}
