//! Validation of bridges with input buffers.

use setpoint_control::{Audience, CongestionPointParams, Marking};
use setpoint_units::{Bytes, TimeDelta};

use super::LONGEST_FRAME;
use crate::error::SpecError;
use crate::ids::{FlowId, NodeId};
use crate::lossless::{LinkBudget, link_budgets};
use crate::routing::ports_by_node;
use crate::spec::{Bridges, Cioq, ControlSpec, FlowControl, Headroom, Placement, Scheduling, Spec};
use crate::topology::NodeKind;

/// Checks the bridges of a spec and the congestion-control settings that depend on them.
pub(super) fn check(spec: &Spec) -> Result<(), SpecError> {
    check_points(spec)?;
    let Bridges::Cioq(cioq) = spec.bridges else {
        let spine = spec.topology.nodes().iter().any(|node| node.kind == NodeKind::Spine);
        return if spine {
            Err(SpecError::Bridges("spines need bridges with input buffers"))
        } else {
            Ok(())
        };
    };
    if spec.scheduling != Scheduling::Strict {
        return Err(SpecError::Bridges(
            "weighted priorities need output-queued bridges: arbiters serve the highest priority first",
        ));
    }
    check_sizes(spec, &cioq)?;
    check_spines(spec)
}

fn check_points(spec: &Spec) -> Result<(), SpecError> {
    let control = &spec.control;
    let at_inputs = control.placement != Placement::Outputs;
    if at_inputs && !matches!(spec.bridges, Bridges::Cioq(_)) {
        return Err(SpecError::Bridges("congestion points at inputs need bridges with input buffers"));
    }
    if control.marking != Marking::Arrival && !at_inputs {
        return Err(SpecError::Bridges("only congestion points at inputs can choose flows by occupancy"));
    }
    check_audience(control)?;
    if let Marking::RandomOccupancy(search) = control.marking
        && search.words_per_read == 0
    {
        return Err(SpecError::Bridges("a read of the culprit array must return at least one word"));
    }
    if control.congestion_point.needs().admission && matches!(spec.bridges, Bridges::Cioq(_)) {
        return Err(SpecError::Bridges("congestion points that drop frames need output-queued bridges"));
    }
    check_keep_alive(spec)
}

fn check_audience(control: &ControlSpec) -> Result<(), SpecError> {
    if control.audience == Audience::Sampled || control.congestion_point == CongestionPointParams::None {
        return Ok(());
    }
    if control.placement != Placement::Outputs {
        return Err(SpecError::Bridges("only congestion points at outputs can notify every flow"));
    }
    if !control.congestion_point.needs().clock {
        return Err(SpecError::Bridges(
            "congestion points whose feedback depends on the flow cannot send the same notification to every flow",
        ));
    }
    Ok(())
}

fn check_keep_alive(spec: &Spec) -> Result<(), SpecError> {
    let Some(period) = spec.control.keep_alive else { return Ok(()) };
    let fault = if period.is_zero() {
        "the keep-alive interval is zero bytes"
    } else if spec.flow_control == FlowControl::None {
        "keep-alive samples during pauses, but there is no flow control"
    } else if spec.control.marking == Marking::Arrival {
        "keep-alive needs occupancy marking: during a pause no frame arrives whose flow could be notified"
    } else if !spec.control.congestion_point.needs().clock {
        "keep-alive needs congestion points that can sample without a frame"
    } else {
        return Ok(());
    };
    Err(SpecError::Bridges(fault))
}

fn check_sizes(spec: &Spec, cioq: &Cioq) -> Result<(), SpecError> {
    let cells = &cioq.cells;
    let units = |room: Bytes| room.get() / cioq.unit.get();
    let fault = if cioq.unit.is_zero() {
        "the buffer unit is 0 B"
    } else if cioq.speedup.hundredths() < 10_000 {
        "a crossbar must be at least as fast as the links that feed it"
    } else if cells.payload.is_zero() || cells.payload + cells.header > LONGEST_FRAME {
        "a cell must hold at least 1 B of a frame and be at most 65535 B long with its header"
    } else if cells.spine_input == 0 || cells.spine_output == 0 {
        "spines need room for at least one cell at each input and output"
    } else if units(cioq.input_buffer.max(spec.buffer)) > Cioq::MOST_UNITS {
        "a buffer can have at most 2147483648 units"
    } else if spec.control.marking != Marking::Arrival && units(cioq.input_buffer) > Cioq::MOST_WORDS {
        "an input buffer can have at most 16777216 units if each has a word in the culprit array"
    } else {
        return check_frames(spec, cioq);
    };
    Err(SpecError::Bridges(fault))
}

/// The bytes that may keep a port busy in addition to those in its own buffer: a whole shared buffer or, in bridges with input
/// buffers, the frames that its input has sent into the crossbar, the cells that a spine can hold, or the interval between two
/// keep-alive samples.
pub(super) fn bytes_ahead(spec: &Spec) -> u128 {
    let cioq = match spec.bridges {
        Bridges::OutputQueued => return 0,
        Bridges::SharedBuffer(shared) => return u128::from(shared.size.get()),
        Bridges::Cioq(cioq) => cioq,
    };
    let cells = &cioq.cells;
    let cell = u128::from(cells.payload.get()) + u128::from(cells.header.get());
    let clock = spec.control.keep_alive.unwrap_or(Bytes::ZERO);
    let rest = u128::from(cioq.input_buffer.get()) + u128::from(clock.get());
    u128::from(cells.spine_input.max(cells.spine_output)).saturating_mul(cell).saturating_add(rest)
}

/// The delay of messages inside bridges.
pub(super) fn control_delay(spec: &Spec) -> TimeDelta {
    match spec.bridges {
        Bridges::OutputQueued | Bridges::SharedBuffer(_) => TimeDelta::ZERO,
        Bridges::Cioq(cioq) => cioq.control_delay,
    }
}

/// Every frame must fit into the whole units of an empty input and an empty output.
fn check_frames(spec: &Spec, cioq: &Cioq) -> Result<(), SpecError> {
    for (index, flow) in spec.flows.iter().enumerate() {
        for room in [cioq.input_buffer, spec.buffer] {
            let room = cioq.whole_units(room);
            if flow.frame > room {
                return Err(SpecError::FrameBeyondBuffer(FlowId(index as u32), flow.frame, room));
            }
        }
    }
    Ok(())
}

/// The maximum number of leaves: cells store the number of their leaf in 16 bits.
const MOST_LEAVES: usize = 1 << 16;

/// Every spine must have exactly one link to every leaf and no other links; leaves, which together form one
/// bridge, must not be linked to each other in any other way.
fn check_spines(spec: &Spec) -> Result<(), SpecError> {
    let topology = &spec.topology;
    let leaving = ports_by_node(topology);
    let neighbours = |node: usize| leaving[node].iter().map(|port| topology.target(*port));
    let kind = |node: NodeId| topology.node_at(node).kind;
    let mut leaves: Option<Vec<NodeId>> = None;
    for (index, node) in topology.nodes().iter().enumerate() {
        if node.kind != NodeKind::Spine {
            continue;
        }
        let mut joined: Vec<NodeId> = neighbours(index).collect();
        joined.sort_unstable();
        let twice = joined.windows(2).any(|pair| pair[0] == pair[1]);
        let strange = joined.iter().any(|&node| kind(node) != NodeKind::Bridge);
        if twice || strange || leaves.as_ref().is_some_and(|leaves| *leaves != joined) {
            return Err(SpecError::Spine(NodeId(index as u32)));
        }
        leaves = Some(joined);
    }
    let leaves = leaves.unwrap_or_default();
    if leaves.len() > MOST_LEAVES {
        return Err(SpecError::TooMany(leaves.len(), "leaves", MOST_LEAVES));
    }
    let is_leaf = |node: NodeId| leaves.binary_search(&node).is_ok();
    if topology.links().iter().any(|link| is_leaf(link.first) && is_leaf(link.second)) {
        return Err(SpecError::Bridges("leaves joined by spines must not be linked to each other"));
    }
    Ok(())
}

/// Checks that a spec's input buffers can hold the frames that flow control lets in. Output-queued bridges
/// have no input buffers.
///
/// # Errors
/// Returns [`SpecError::InputTooSmall`] for the first link whose input buffer is too small, or
/// another error if a flow has no path to its destination.
pub fn check_input_room(spec: &Spec) -> Result<(), SpecError> {
    match spec.bridges {
        Bridges::OutputQueued | Bridges::SharedBuffer(_) => Ok(()),
        Bridges::Cioq(_) => check_room(spec, &link_budgets(spec)?),
    }
}

/// The input buffers on the paths of protected flows must hold the frames that flow control lets in.
pub(super) fn check_room(spec: &Spec, budgets: &[LinkBudget]) -> Result<(), SpecError> {
    let (Bridges::Cioq(cioq), Some(params)) = (spec.bridges, spec.flow_control.params()) else {
        return Ok(());
    };
    let room = cioq.whole_units(cioq.input_buffer);
    for budget in budgets {
        let above = match params.headroom {
            Headroom::Automatic => budget.needed.total(),
            Headroom::Fixed(bytes) => bytes,
        };
        let needed = Bytes::new(params.xoff.get().saturating_add(above.get()));
        if needed > room {
            return Err(SpecError::InputTooSmall { port: budget.port, needed, room });
        }
    }
    Ok(())
}
