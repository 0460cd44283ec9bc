//! Congestion and reaction points defined outside the simulator, which replace those of a spec.

use std::fmt;
use std::sync::Arc;

use setpoint_control::{CongestionPointParams, Observe, React, ReactionPointParams};
use setpoint_units::Rate;

use crate::error::SpecError;
use crate::spec::{Change, Destination, Spec};

/// Makes a congestion point for a port with this rate.
pub type MakeCongestionPoint = Arc<dyn Fn(Rate) -> Box<dyn Observe> + Send + Sync>;
/// Makes a reaction point for a station with this line rate.
pub type MakeReactionPoint = Arc<dyn Fn(Rate) -> Box<dyn React> + Send + Sync>;

/// Points defined outside the simulator. A [`Spec`] is plain data that determines a result. These points are code, so a
/// monitor provides them ([`crate::Monitor::controllers`]).
///
/// The spec determines where the points are, and everything around them: the notifications' size and priority, the number of
/// limiters, and the delays. A run with controllers uses one thread, so points may share state freely.
#[derive(Clone, Default)]
pub struct Controllers {
    /// Replaces every congestion point.
    pub congestion_point: Option<MakeCongestionPoint>,
    /// Replaces every reaction point.
    pub reaction_point: Option<MakeReactionPoint>,
    /// The names of the points, recorded with the result.
    pub names: ControllerNames,
}

/// The names of points defined outside the simulator.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ControllerNames {
    /// The name of the congestion point, if there is one.
    pub congestion_point: Option<String>,
    /// The name of the reaction point, if there is one.
    pub reaction_point: Option<String>,
}

impl Controllers {
    /// Whether no point is replaced.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.congestion_point.is_none() && self.reaction_point.is_none()
    }

    /// Checks that the spec has the points that these replace, and requires nothing that they do not support.
    pub(crate) fn check(&self, spec: &Spec) -> Result<(), SpecError> {
        let control = &spec.control;
        if !self.is_empty()
            && (control.congestion_point == CongestionPointParams::None
                || control.reaction_point == ReactionPointParams::None)
        {
            return Err(SpecError::Controllers("its control sends no notifications; set control to qcn"));
        }
        if self.reaction_point.is_none() {
            return Ok(());
        }
        if spec.changes.iter().any(|timed| matches!(timed.change, Change::ReactionPoint(_))) {
            return Err(SpecError::Controllers("it changes parameters of reaction points during the run"));
        }
        if spec.flows.iter().any(|flow| !matches!(flow.destination, Destination::Station(_))) {
            return Err(SpecError::Controllers("it has flows to a group"));
        }
        Ok(())
    }
}

impl fmt::Debug for Controllers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Controllers").field("names", &self.names).finish_non_exhaustive()
    }
}
