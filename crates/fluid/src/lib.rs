//! Fluid models of the algorithms in `control`: queues and rates as continuous quantities.
//!
//! * [`dde`] solves delay-differential equations with bounds, switches and jumps;
//! * [`model`] contains the right-hand sides: a [`Bottleneck`] shared by classes of sources,
//!   under a [`Scheme`];
//! * [`linear`] contains their linearisations, with transfer functions and exact delay margins;
//! * [`dcqcn`] and [`timely`] contain the parameters of models that differ from those of `control`;
//! * [`fixed_point`] contains the fixed points of these models;
//! * [`phase`] contains the planar systems of the SMCC paper: switching lines, sliding, theorems
//!   2 and 3.
//!
//! Everything is a pure function of its arguments. Transcendental functions go through `libm`, so that the same
//! arguments give the same bits on every machine.
//!
//! ```
#![doc = include_str!("../examples/qcn_loop.rs")]
//! ```

mod bisection;
mod bottleneck;
mod correlation;
pub mod dcqcn;
pub mod dde;
pub mod fixed_point;
mod gains;
pub mod linear;
pub mod model;
pub mod phase;
mod pi;
mod refused;
mod scheme;
mod share;
pub mod timely;

pub use bottleneck::{Bottleneck, BottleneckError, Class, Sending};
pub use correlation::autocorrelation;
pub use pi::Pi;
pub use refused::Refused;
pub use scheme::{Feedback, Increase, ModelOptions, Sampling, Scheme, TargetUpdate};
