//! Congestion and reaction points defined outside the simulator, which replace those of a spec.

use std::fmt;
use std::sync::Arc;

use setpoint_control::{
    Answer, Answers, BridgeNeeds, CongestionPointParams, Observe, Path, React, ReactionPointParams,
    SourceNeeds,
};
use setpoint_units::Rate;

use crate::error::SpecError;
use crate::spec::{Bridges, Change, Destination, Spec};

/// Makes a congestion point for a port with this rate.
pub type MakeCongestionPoint = Arc<dyn Fn(Rate) -> Box<dyn Observe> + Send + Sync>;
/// Makes a notification point for a flow.
pub type MakeNotificationPoint = Arc<dyn Fn() -> Box<dyn Answer> + Send + Sync>;
/// Makes a reaction point for a flow with this path.
pub type MakeReactionPoint = Arc<dyn Fn(&Path) -> Box<dyn React> + Send + Sync>;

/// Points defined outside the simulator. A [`Spec`] is plain data that determines a result. These points are code, so a
/// monitor provides them ([`crate::Monitor::controllers`]).
///
/// The spec determines where the points are, and everything around them: the notifications' size and priority, the number of
/// limiters, and the delays. A run with controllers uses one thread, so points may share state freely.
#[derive(Clone, Default)]
pub struct Controllers {
    /// Replaces every congestion point.
    pub congestion_point: Option<MakeCongestionPoint>,
    /// Replaces every notification point.
    pub notification_point: Option<MakeNotificationPoint>,
    /// Replaces every reaction point.
    pub reaction_point: Option<MakeReactionPoint>,
    /// The services that these points need from the network.
    pub needs: ControllerNeeds,
    /// The names of the points, recorded with the result.
    pub names: ControllerNames,
}

/// The services that points defined outside the simulator need from the network. Entries for points that are not
/// replaced are ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ControllerNeeds {
    /// The services that the congestion points need.
    pub bridge: BridgeNeeds,
    /// The deliveries that the notification points observe.
    pub answers: Answers,
    /// The services that the reaction points need.
    pub source: SourceNeeds,
}

impl Default for ControllerNeeds {
    /// The services that QCN needs.
    fn default() -> Self {
        Self { bridge: BridgeNeeds::NONE, answers: Answers::Never, source: SourceNeeds::NONE }
    }
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
    pub fn is_empty(&self) -> bool {
        self.congestion_point.is_none() && self.notification_point.is_none() && self.reaction_point.is_none()
    }

    /// Checks that the spec has the points to be replaced, and requires nothing that their replacements do not
    /// support.
    pub(crate) fn check(&self, spec: &Spec) -> Result<(), SpecError> {
        let control = &spec.control;
        if !self.is_empty()
            && (control.congestion_point == CongestionPointParams::None
                || control.reaction_point == ReactionPointParams::None)
        {
            return Err(SpecError::Controllers("its control sends no notifications; set control to qcn"));
        }
        if self.notification_point.is_some() {
            check_replies(spec, self.needs.answers).map_err(SpecError::Controllers)?;
            if spec.flow_control.protected().contains(control.notification_priority) {
                return Err(SpecError::Controllers(
                    "receivers reply in a protected priority; set another notification_priority",
                ));
            }
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

/// Checks that the network can carry the replies of receivers.
pub(crate) fn check_replies(spec: &Spec, answers: Answers) -> Result<(), &'static str> {
    if answers == Answers::Never {
        Ok(())
    } else if matches!(spec.bridges, Bridges::Cioq(_)) {
        Err("receivers reply, and bridges with input buffers do not forward replies")
    } else if spec.flows.iter().any(|flow| matches!(flow.destination, Destination::Group(_))) {
        Err("receivers reply, which the receivers of a group cannot do")
    } else {
        Ok(())
    }
}

impl fmt::Debug for Controllers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Controllers").field("names", &self.names).finish_non_exhaustive()
    }
}
