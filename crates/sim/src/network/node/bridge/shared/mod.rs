//! Bridges whose ports share one buffer.
//!
//! Frames wait in the queues of their outputs, as in output-queued bridges, but the space for them is that of one buffer per
//! bridge ([`pool`]). A frame of a priority under flow control is charged to its input, any other frame to its output queue
//! ([`charge`]). Departures are not decided in advance, because each of them changes all thresholds of its bridge.
//!
//! * Pauses begin only when a frame arrives at the input and end only when one of its frames departs, as in the switch of the
//!   HPCC simulator. Unlike a fixed threshold, these thresholds also change when other inputs gain or lose frames. An input that
//!   holds no shared space always releases its sender, so no sender stays paused by an empty input.
//! * A notification is charged to its output queue, even in a priority under flow control.

mod books;
mod buffering;
mod charge;
mod pool;

use std::ops::Range;

use super::numbers::{Numbers, QueueNumbers};
use crate::ids::Priority;
use crate::index::{BridgeNo, Number, PortNo, QueueNo, Stretch, Table};
use crate::lossless::{LinkBudget, SharedBudget, shared_of};
use crate::network::node::context::Classes;
use crate::spec::{Alpha, SharedBuffer, Spec};
use crate::topology::NodeKind;
use pool::Pool;

/// The shared buffers of the bridges of a partition.
pub(in crate::network) struct SharedBuffers {
    rules: SharedBuffer,
    /// The factor of each class's threshold: at its inputs if flow control protects it, otherwise at its output queues.
    alphas: Vec<Alpha>,
    /// For each port, its bridge.
    bridge_of: Table<PortNo, BridgeNo>,
    pools: Stretch<BridgeNo, Pool>,
    headroom: Stretch<PortNo, Headroom>,
    /// For each queue, the bytes of frames that are charged to it.
    egress: Stretch<QueueNo, u64>,
}

/// The headroom of an input.
#[derive(Clone, Copy, Debug, Default)]
struct Headroom {
    /// The maximum for one counter.
    limit: u64,
    /// Bytes in use, by counter.
    used: [u64; Priority::COUNT],
}

impl SharedBuffers {
    /// The buffers of a range of a spec's bridges.
    pub(super) fn new(
        spec: &Spec,
        rules: &SharedBuffer,
        classes: &Classes,
        numbers: &Numbers,
        queues: &QueueNumbers,
        links: &[LinkBudget],
        range: &Range<BridgeNo>,
    ) -> Self {
        let ports = numbers.ports_of(range);
        let mut headroom =
            Stretch::new(ports.start, numbers.ids_of(&ports).iter().map(|_| Headroom::default()));
        for link in links {
            if let Some(input) = numbers.find(link.port.peer()).filter(|input| headroom.includes(*input)) {
                headroom[input].limit = link.given.get();
            }
        }
        let budgets = shared_of(spec, links);
        let pool = |bridge: usize| {
            let node = numbers.bridges()[BridgeNo::of_place(bridge)];
            debug_assert_eq!(spec.topology.node_at(node).kind, NodeKind::Bridge);
            let budget: Option<&SharedBudget> = budgets.iter().find(|budget| budget.bridge == node);
            Pool::new(*budget.expect("every bridge has a budget"))
        };
        let (first, end) = (queues.from(ports.start), queues.from(ports.end));
        Self {
            rules: *rules,
            alphas: classes.priorities.iter().map(|one| rules.alpha_of(*one, &spec.flow_control)).collect(),
            bridge_of: numbers.bridge_of().clone(),
            pools: Stretch::new(range.start, (range.start.place()..range.end.place()).map(pool)),
            headroom,
            egress: Stretch::new(first, (first.0..end.0).map(|_| 0)),
        }
    }
}

/// Bytes for the counters of all shared buffers, for a given number of classes.
pub(in crate::network) fn shared_bytes(spec: &Spec, classes: usize) -> u64 {
    let ports = spec.topology.links().len() * 2;
    let bridges = spec.topology.nodes().iter().filter(|node| node.kind == NodeKind::Bridge).count();
    let port = size_of::<Headroom>() + classes * size_of::<u64>() + size_of::<BridgeNo>();
    (ports * port + bridges * size_of::<Pool>()) as u64
}
