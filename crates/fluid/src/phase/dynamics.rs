//! The slope y' of an algorithm at a point of the plane.

use super::line::{Line, Place, Region};
use super::linear_feedback::LinearFeedback;
use super::memory::{Change, Clock, Memory};
use super::qcn::Qcn;
use super::smcc::Smcc;

/// The formulas of an algorithm.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Dynamics {
    Qcn(Qcn),
    Smcc(Smcc),
    Feedback(LinearFeedback),
}

impl Dynamics {
    pub(super) fn lines(&self) -> Vec<Line> {
        match self {
            Self::Qcn(law) => vec![law.line()],
            Self::Smcc(law) => law.lines(),
            Self::Feedback(law) => vec![law.line()],
        }
    }

    /// y' in a region, whether or not the place lies in it.
    pub(super) fn slope(&self, region: Region, place: &Place, memory: &Memory, clock: Clock) -> f64 {
        match self {
            Self::Qcn(law) => law.slope(region, place, memory, clock),
            Self::Smcc(law) => law.slope(region, place),
            Self::Feedback(law) => law.slope(region, place),
        }
    }

    /// The state after a change of subsystem.
    pub(super) fn changed(&self, memory: Memory, change: &Change<'_>) -> Memory {
        match self {
            Self::Qcn(law) => law.changed(memory, change),
            Self::Smcc(_) | Self::Feedback(_) => memory,
        }
    }

    /// The next time at which y' jumps without a line crossing.
    pub(super) fn next_jump(&self, memory: &Memory) -> f64 {
        match self {
            Self::Qcn(law) => law.active_from(memory),
            Self::Smcc(_) | Self::Feedback(_) => f64::INFINITY,
        }
    }

    /// The shortest characteristic time, in seconds.
    pub(super) fn shortest_time(&self) -> f64 {
        match self {
            Self::Qcn(law) => law.shortest_time(),
            Self::Smcc(law) => law.coefficients.shortest_time(),
            Self::Feedback(law) => law.shortest_time(),
        }
    }
}
