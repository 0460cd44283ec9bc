//! Sequence numbers of frames.
//!
//! The simulator does not number frames, so every port counts those that pass through it. The frames of a flow pass
//! through the ports of a path in the same order, so all ports give a frame the same number. If a frame was lost, or if
//! independent messages of the flow take different paths, the number counts only the frames that the port transmitted.

use std::collections::HashMap;

use setpoint_sim::{FlowId, PortId};

/// The number of frames of each flow that have passed through each port. Data and acknowledgements of a flow pass
/// through different ports.
#[derive(Debug, Default)]
pub(super) struct Sequence {
    passed: HashMap<(PortId, FlowId), u64>,
}

impl Sequence {
    /// The number of a frame among those of its flow at a port, from 0.
    pub(super) fn number(&mut self, port: PortId, flow: FlowId) -> u64 {
        let passed = self.passed.entry((port, flow)).or_default();
        *passed += 1;
        *passed - 1
    }
}
