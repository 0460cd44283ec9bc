//! The configuration of an end station.

use setpoint_sim::{ControlSpec, PrioritySet, Reaction};
use setpoint_units::{Bytes, Rate};
use setpoint_wire::{MacAddress, Priority};

use crate::options::Options;

/// A configured flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnFlow {
    /// Its number in the network, on which its random numbers depend.
    pub number: u32,
    /// Its share of the port among waiting flows.
    pub weight: u32,
    /// Whether it is under congestion control.
    pub reaction: Reaction,
}

/// The configuration of an end station.
#[derive(Clone, Debug)]
pub struct StationPlan {
    /// The name of its port.
    pub name: String,
    /// Its address: that of the TAP interface.
    pub address: MacAddress,
    /// The rate of its port.
    pub rate: Rate,
    /// Preamble and gap, added to every frame.
    pub overhead: Bytes,
    /// Congestion control.
    pub control: ControlSpec,
    /// The priorities whose frames are paused rather than dropped.
    pub lossless: PrioritySet,
    /// The priority of frames that have none of their own.
    pub priority: Priority,
    /// The seed of the reaction points' random numbers.
    pub seed: u64,
    /// Its flows, in the order in which they appear.
    pub flows: Vec<OwnFlow>,
    /// Settings that are needed only for real frames.
    pub options: Options,
}
