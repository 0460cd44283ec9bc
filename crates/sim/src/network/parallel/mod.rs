//! Parallel execution: the [plan] of the partitions, and the [windows] in which threads process them independently.

pub(in crate::network) mod barrier;
pub(in crate::network) mod execution;
pub(in crate::network) mod plan;
pub(in crate::network) mod rendezvous;
pub(in crate::network) mod stage;
pub(in crate::network) mod thread_policy;
pub(in crate::network) mod threads;
pub(in crate::network) mod windows;
pub(in crate::network) mod workers;
