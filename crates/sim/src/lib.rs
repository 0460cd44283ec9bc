//! A deterministic packet-level simulator of lossless Ethernet.
//!
//! A [`Spec`] describes an experiment: a [`Topology`], flows with [`traffic`], congestion control and flow
//! control. [`simulate`] runs it and returns an [`Outcome`], or the [`SimError`] that stopped it. The same spec
//! produces the same outcome on every machine.
//!
//! A spec has no defaults, so that nothing in an experiment is implicit. This is a complete one:
//!
//! ```
#![doc = include_str!("../examples/two_senders.rs")]
//! ```

mod clock;
mod controllers;
mod curves;
mod dwell;
mod error;
mod events;
mod frame;
mod idle;
mod ids;
mod index;
mod load;
mod lossless;
mod memory;
mod monitor;
mod network;
mod outcome;
mod passing;
mod prefetch;
mod progress;
mod ring;
mod routing;
mod sample;
mod simulation;
mod spec;
mod stopwatch;
pub mod thin;
pub mod topology;
pub mod traffic;
mod validate;

pub use clock::{Clock, MAX_CLOCK_TOLERANCE, port_rate};
pub use controllers::{
    ControllerNames, ControllerNeeds, Controllers, MakeCongestionPoint, MakeNotificationPoint,
    MakeReactionPoint,
};
pub use curves::{FlowCurves, PortCurves, QueueCurves, SourceCurves};
pub use dwell::Dwell;
pub use error::{SimError, SpecError};
pub use idle::idle_paths;
pub use ids::{FlowId, GroupId, LinkId, MessageId, NodeId, PortId, Priority, PrioritySet};
pub use load::{Overload, overloads};
pub use lossless::{
    BufferCycle, HeadroomParts, LinkBudget, RateRange, Renewal, SharedBudget, buffer_cycle,
    check_shared_buffers, largest_interface_delay, link_budgets, shared_budgets,
};
pub use memory::{Memory, MemoryPart};
pub use monitor::{Decision, Monitor, Threads, Unwatched};
pub use network::{memory_of, point_id};
pub use outcome::*;
pub use passing::{PassingContent, PassingFrame, PointPlace};
pub use progress::Progress;
pub use routing::{cut_off, paths};
pub use sample::{FlowSample, PortSample, QueueSample, Sample, SourceSample};
pub use setpoint_random::{Purpose, RandomStream};
pub use simulation::Simulation;
pub use spec::*;
pub use topology::{Topology, port_ends};
pub use validate::{check_input_room, validate};

/// Runs a spec to its end.
///
/// If the monitor allows several threads, the network is divided into partitions, which run in windows whose length is
/// the shortest delay between them. A network runs on one thread if it has only one bridge, if it has groups, if there
/// is no delay between partitions (on a link, or for messages inside a distributed bridge), or if too little happens
/// within a window.
///
/// # Errors
/// Returns an error if the spec is invalid, if a lossless frame is lost, if the books do not
/// balance, if the run uses more memory than the monitor allows, or if the monitor stops it.
pub fn simulate(spec: &Spec, monitor: &mut dyn Monitor) -> Result<Outcome, SimError> {
    let mut simulation = Simulation::begin(spec, &*monitor)?;
    while simulation.advance(monitor)? == Progress::Sampled {}
    Ok(simulation.finish(monitor))
}
