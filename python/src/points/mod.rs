//! The algorithms, step by step: the same points that the simulator uses, driven one input at a time.
//!
//! Inputs and answers have the keys of `setpoint step`, which `docs/vectors.md` describes.

mod congestion;
mod notification;
mod reaction;
mod stepped;

use pyo3::prelude::*;
use setpoint_control::Algorithm;

pub(crate) use congestion::CongestionPoint;
pub(crate) use notification::Notification;
pub(crate) use reaction::ReactionPoint;

/// The algorithms, by their names in scenarios.
#[pyfunction]
pub(crate) fn algorithms() -> Vec<&'static str> {
    Algorithm::ALL.map(Algorithm::name).to_vec()
}
