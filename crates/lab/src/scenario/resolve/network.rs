//! What all bridges and flows of a scenario share.

use setpoint_sim::{Priority, PrioritySet};
use setpoint_units::{Bytes, PartsPerMillion};

use crate::scenario::diagnostics::{Problem, Problems};
use crate::scenario::tree::Value;
use crate::scenario::view::View;

/// What all bridges and flows share.
#[derive(Clone, Copy, Debug)]
pub(super) struct Network {
    pub(super) buffer: Bytes,
    pub(super) overhead: Bytes,
    pub(super) clock_tolerance: PartsPerMillion,
    pub(super) priority: Priority,
    pub(super) delivery: GroupDelivery,
}

/// How the frames of a flow to a group reach its members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GroupDelivery {
    /// Sent once, and copied by bridges where paths part.
    Multicast,
    /// Sent once for each member, as flows of their own.
    MultipleUnicast,
}

/// Frames are at most this long, as the length field of a simulated frame.
pub(super) const MAX_FRAME: Bytes = Bytes::new(65_535);

pub(super) fn network(root: &View<'_>, problems: &mut Problems) -> Option<Network> {
    let network = root.key("network");
    let buffer = network.key("buffer").size()?;
    problems.take(frame(&network.key("frame"), buffer));
    let overhead = network.key("overhead").size()?;
    if overhead > MAX_FRAME {
        let message = format!("`overhead` is {overhead}, and must be at most {MAX_FRAME}");
        problems.push(Problem::at(network.key("overhead").place(), message, "out of range"));
    }
    let delivery = match network.key("delivery").text()? {
        "multiple-unicast" => GroupDelivery::MultipleUnicast,
        _ => GroupDelivery::Multicast,
    };
    let clock_tolerance = network.key("clock_tolerance").deviation()?;
    let priority = priority(&network.key("priority"))?;
    Some(Network { buffer, overhead, clock_tolerance, priority, delivery })
}

/// A length of a frame that fits into the buffer.
pub(super) fn frame(key: &View<'_>, buffer: Bytes) -> Result<Bytes, Problem> {
    let frame = key.size().unwrap_or_default();
    if frame.is_zero() || frame > MAX_FRAME {
        let message = format!("`{}` is {frame}; a frame has from 1 B to {MAX_FRAME}", key.name());
        return Err(Problem::at(key.place(), message, "out of range"));
    }
    if frame > buffer {
        let message = format!("a frame of {frame} does not fit into a buffer of {buffer}");
        return Err(Problem::at(key.place(), message, "every frame would be dropped")
            .help("make `network.buffer` larger"));
    }
    Ok(frame)
}

/// A priority.
pub(super) fn priority(key: &View<'_>) -> Option<Priority> {
    key.integer().and_then(|value| Priority::new(u8::try_from(value).ok()?))
}

/// The priorities that a list names; without one, the usual.
pub(super) fn priorities(key: &View<'_>, usual: Priority) -> PrioritySet {
    let given = key.items().iter().filter_map(|item| match item.value {
        Value::Integer(value) => Priority::new(u8::try_from(value).ok()?),
        _ => None,
    });
    if key.is_given() { given.fold(PrioritySet::NONE, PrioritySet::with) } else { PrioritySet::only(usual) }
}
