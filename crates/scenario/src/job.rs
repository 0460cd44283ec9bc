//! Jobs for results.

use std::ops::Range;
use std::sync::Arc;

use setpoint_sim::{MessageId, NodeId};
use setpoint_units::Time;

/// A `[[jobs]]` entry of a scenario, or a file of messages that wait for each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// Its name.
    pub name: String,
    /// The kind of operation, as in the scenario; `messages` for a file.
    pub kind: &'static str,
    /// The station of each rank.
    pub ranks: Vec<NodeId>,
    /// The time at which it starts.
    pub start: Time,
    /// Its flows, as indices into the flows of the spec.
    pub flows: Range<usize>,
    /// Its messages and computations, in an order in which none precedes one that it waits for.
    pub messages: Arc<[JobMessage]>,
    /// The id of each of them in the file; empty for those without, and no list for a `[[jobs]]` entry.
    pub ids: Arc<[Box<str>]>,
    /// The number of steps of one iteration.
    pub steps_per_iteration: u32,
}

/// A message of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JobMessage {
    /// The message.
    pub id: MessageId,
    /// Its step, counted over all iterations from zero.
    pub step: u32,
}
