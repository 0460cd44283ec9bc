//! Theory of scenarios: fluid solutions, stability margins and phase planes.
//!
//! A scenario has a fluid form if everything relevant happens at one queue. The records in this module are stored
//! by `setpoint fluid`, `stability` and `phase`, and their pages are drawn from them.

mod applicable;
pub mod atlas;
mod error;
mod fluid;
mod form;
mod grid;
mod map;
pub mod oscillation;
mod packets;
mod phase;
mod record;
mod stability;
mod store;
mod tables;

pub use error::TheoryError;
pub use fluid::{FluidOptions, Packets, fluid};
pub use form::{DcqcnReading, Form, NoFluidForm, form};
pub use map::{
    MOST_CELLS, Points, StabilityOptions, collect_points, forget_points, join, points_of_shard, run_points,
    stability,
};
pub use phase::{PhaseOptions, phase};
pub use record::{
    ClassCourse, EquilibriumRecord, FluidRecord, LoopRecord, MapAxis, MapPoint, MapRecord, Overlay,
    PacketClass, PhaseLine, PhaseRecord, SlidingSegment, StabilityRecord, Trajectory,
};
pub use stability::closed_loop;
pub use store::{Finding, ORIGIN, Origin, open, write};
