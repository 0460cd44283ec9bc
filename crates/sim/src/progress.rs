//! The state of a run that its caller advances.

/// The state of a [`Simulation`](crate::Simulation).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// It has reached the end of a sample interval.
    Sampled,
    /// It has reached the end of the run.
    Ended,
}
