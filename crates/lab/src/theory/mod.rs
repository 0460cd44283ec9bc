//! Theory beside the packets: fluid solutions, margins and phase planes of scenarios.
//!
//! A scenario has a fluid form where everything that matters happens at one queue. The records here are what
//! `setpoint fluid`, `stability` and `phase` store and what their pages are drawn from.

mod form;
pub mod oscillation;
mod record;

pub use form::{Form, NoFluidForm, form};
pub use record::{
    ClassCourse, FluidRecord, LoopRecord, MapAxis, MapPoint, MapRecord, Overlay, PacketClass, PhaseLine,
    PhaseRecord, SlidingSegment, StabilityRecord, Trajectory,
};
