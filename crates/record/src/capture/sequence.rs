//! Sequence numbers of frames.
//!
//! The simulator does not number frames, so every port counts those that pass it. The frames of a flow pass the ports of
//! a path in the same order, so the ports agree, unless a frame was lost or independent messages of the flow take
//! different paths: then a port numbers the frames that it transmits.

use std::collections::HashMap;

use setpoint_sim::{FlowId, PortId};

/// The frames of each flow that have passed each port. Data and acknowledgements of a flow pass different ports.
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
