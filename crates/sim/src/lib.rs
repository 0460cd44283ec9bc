//! A deterministic packet-level simulator of lossless Ethernet.
//!
//! A [`Spec`] says what to simulate; [`simulate`] runs it and returns an [`Outcome`], or the
//! [`SimError`] that stopped it. The same spec gives the same outcome on every machine.

mod error;
mod ids;
mod monitor;
mod outcome;
mod random;
mod spec;
pub mod topology;
pub mod traffic;

pub use error::{SimError, SpecError};
pub use ids::{FlowId, LinkId, NodeId, PortId, Priority, PrioritySet};
pub use monitor::{Monitor, Unwatched, Verdict};
pub use outcome::*;
pub use random::{Purpose, RandomStream};
pub use spec::*;
pub use topology::Topology;

/// Runs a spec to its end.
///
/// # Errors
/// If the spec makes no sense, if a frame is lost where none may be, if the books do not balance,
/// or if the monitor stops the run.
pub fn simulate(spec: &Spec, monitor: &mut dyn Monitor) -> Result<Outcome, SimError> {
    let _ = (spec, monitor);
    unimplemented!()
}

/// Checks a spec without running it.
///
/// # Errors
/// If the spec makes no sense.
pub fn validate(spec: &Spec) -> Result<(), SpecError> {
    let _ = spec;
    unimplemented!()
}

/// The room a paused link can still fill after the pause was decided.
#[must_use]
pub fn required_headroom(spec: &Spec, port: PortId) -> setpoint_units::Bytes {
    let _ = (spec, port);
    unimplemented!()
}
