//! Settings shared by all bridges and flows.

use setpoint_sim::{Priority, PrioritySet};
use setpoint_units::Bytes;

use crate::diagnostics::{Problem, Problems};
use crate::format::{List, Network, Placed};
use crate::limits::MAX_FRAME;

/// Checks the settings shared by all bridges and flows.
pub(super) fn check(network: &Network, problems: &mut Problems) {
    problems.take(frame(&network.frame, *network.frame, *network.buffer));
    let overhead = &network.overhead;
    if **overhead > MAX_FRAME {
        let message = format!("`overhead` is {}, but must be at most {MAX_FRAME}", **overhead);
        problems.push(Problem::at(overhead.place(), message, "out of range"));
    }
}

/// Returns a frame length if it is valid and fits into the buffer.
pub(super) fn frame<T>(key: &Placed<T>, frame: Bytes, buffer: Bytes) -> Result<Bytes, Problem> {
    if frame.is_zero() || frame > MAX_FRAME {
        let message = format!("`{}` is {frame}; a frame must be 1 B to {MAX_FRAME} long", key.name());
        return Err(Problem::at(key.place(), message, "out of range"));
    }
    if frame > buffer {
        let message = format!("a frame of {frame} does not fit into a buffer of {buffer}");
        return Err(Problem::at(key.place(), message, "every frame would be dropped")
            .help("make `network.buffer` larger"));
    }
    Ok(frame)
}

/// The priorities in a list or, without a list, the default priority of the network.
pub(super) fn priorities(list: &Option<List<Priority>>, network: &Network) -> PrioritySet {
    if list.is_some() { chosen(list) } else { PrioritySet::only(*network.priority) }
}

/// The priorities in a list or, without a list, all of them.
pub(super) fn chosen(list: &Option<List<Priority>>) -> PrioritySet {
    let Some(list) = list else { return PrioritySet::ALL };
    list.iter().map(|priority| **priority).fold(PrioritySet::NONE, PrioritySet::with)
}
