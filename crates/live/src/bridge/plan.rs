//! The configuration of a bridge.

use setpoint_control::{PointId, Tenant};
use setpoint_sim::{ControlSpec, FlowControl};
use setpoint_units::{Bytes, Rate};
use setpoint_wire::{MacAddress, Priority};

use crate::options::Options;

/// The configuration of a bridge.
#[derive(Clone, Debug)]
pub struct BridgePlan {
    /// Its ports.
    pub ports: Vec<PortPlan>,
    /// Congestion control.
    pub control: ControlSpec,
    /// Flow control towards the neighbours.
    pub flow_control: FlowControl,
    /// Buffer space for waiting frames per output port and priority, if there is no flow control.
    pub buffer: Bytes,
    /// Preamble and gap, added to every frame.
    pub overhead: Bytes,
    /// The seed of the congestion points' random numbers.
    pub seed: u64,
    /// The flows that have their own weight, bound or tenant.
    pub flows: Vec<FlowPlan>,
    /// Settings that are needed only for real frames.
    pub options: Options,
}

/// The configuration of a port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PortPlan {
    /// Its name.
    pub name: String,
    /// Its address, from which it sends notifications and pauses.
    pub address: MacAddress,
    /// The rate at which it sends.
    pub rate: Rate,
    /// The numbers of its congestion points, by priority.
    pub points: [PointId; 8],
    /// The maximum number of bytes of a lossless priority that the bridge buffers from this port.
    pub room: Bytes,
}

/// A configured flow. Frames are assigned to it by their ports and their priority; several flows between the same
/// ports are assigned in the order in which their identifiers appear.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlowPlan {
    /// The port at which it arrives.
    pub from: usize,
    /// The port through which it leaves.
    pub to: usize,
    /// Its priority.
    pub priority: Priority,
    /// The tenant to which it belongs.
    pub tenant: Tenant,
    /// Whether its source is notified.
    pub notified: Notified,
}

/// Whether the source of a flow is notified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notified {
    /// Its source is notified.
    Yes,
    /// Background traffic: its frames are sampled, but its source is not notified.
    No,
}
