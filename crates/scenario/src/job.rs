//! Jobs for results.

use std::ops::Range;
use std::sync::Arc;

use setpoint_sim::traffic::collective::Collective;
use setpoint_sim::{MessageId, NodeId};
use setpoint_units::Time;

/// One `[[jobs]]` entry of a scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// Its name.
    pub name: String,
    /// The kind of operation, as in the scenario.
    pub kind: &'static str,
    /// The operation.
    pub operation: Collective,
    /// The station of each rank.
    pub ranks: Vec<NodeId>,
    /// The time at which it starts.
    pub start: Time,
    /// Its flows, as indices into the flows of the spec.
    pub flows: Range<usize>,
    /// Its messages and computations, in an order in which none precedes one that it waits for.
    pub messages: Arc<[JobMessage]>,
}

/// A message of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JobMessage {
    /// The message.
    pub id: MessageId,
    /// Its step, counted over all iterations from zero.
    pub step: u32,
}

impl Job {
    /// The number of steps of all iterations.
    #[must_use]
    pub fn steps(&self) -> u32 {
        self.steps_per_iteration() * self.operation.iterations
    }

    /// The number of steps of one iteration.
    #[must_use]
    pub fn steps_per_iteration(&self) -> u32 {
        self.operation.pattern.steps(self.operation.ranks, self.operation.parts)
    }
}
