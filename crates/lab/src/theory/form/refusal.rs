//! Why a scenario has no fluid form.

use setpoint_fluid::BottleneckError;
use setpoint_units::{Bytes, Rate, Time};

/// Why a scenario has no fluid form. [`NoFluidForm::remedy`] says what would give it one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoFluidForm {
    /// There is no congestion control.
    #[error("there is no congestion control, and so no loop")]
    NoControl,
    /// Nobody has written down equations for the algorithm.
    #[error("there is no fluid model of `{0}`")]
    NoModel(&'static str),
    /// Congestion points are at inputs.
    #[error(
        "congestion points are at inputs, where each input has a queue of its own; a fluid model has one queue"
    )]
    PointsAtInputs,
    /// Bridges have input buffers.
    #[error("the bridges have input buffers; a fluid model has one queue, at an output")]
    InputBuffers,
    /// A flow goes to a group.
    #[error("flow `{flow}` goes to a group; a fluid model has one queue and no copies")]
    Groups {
        /// The flow.
        flow: String,
    },
    /// A flow has no way to its destination.
    #[error("{0}")]
    Unreachable(String),
    /// No port carries a controlled flow.
    #[error("no flow is under congestion control")]
    NothingControlled,
    /// No port can be overloaded.
    #[error(
        "no port can be overloaded: the nearest is {port}, to which {offered} can come and which sends {rate}"
    )]
    NoOverload {
        /// The port that comes nearest.
        port: String,
        /// The most that can come to it.
        offered: Rate,
        /// What it sends.
        rate: Rate,
    },
    /// Several ports can be overloaded.
    #[error("{} ports can be overloaded by controlled flows: {}; a fluid model has one queue", .0.len(), listed(.0))]
    SeveralBottlenecks(Vec<String>),
    /// A flow sends something that is not a rate.
    #[error(
        "flow `{flow}` sends {traffic}; a fluid has a rate, of a backlog or of frames at a constant pace"
    )]
    Traffic {
        /// The flow.
        flow: String,
        /// What it sends.
        traffic: &'static str,
    },
    /// Frames differ in length.
    #[error(
        "frames of `{}` have {}, and those of `{}` have {}; the models have one length of a frame",
        flows[0], frames[0], flows[1], frames[1]
    )]
    Frames {
        /// Two flows.
        flows: [String; 2],
        /// The lengths of their frames.
        frames: [Bytes; 2],
    },
    /// Priorities share the port.
    #[error("flows of the priorities {} and {} share {port}; the models have one queue", priorities[0], priorities[1])]
    Priorities {
        /// The port.
        port: String,
        /// Two of the priorities.
        priorities: [u8; 2],
    },
    /// Flows share rate limiters.
    #[error(
        "{station} has fewer rate limiters ({limiters}) than flows ({flows}); in the models every source has its own"
    )]
    SharedLimiters {
        /// The station.
        station: String,
        /// Its controlled flows.
        flows: usize,
        /// Its limiters.
        limiters: u32,
    },
    /// Nobody obeys notifications.
    #[error("no notification is obeyed: `{0}`")]
    NotObeyed(&'static str),
    /// A flow is on and off again.
    #[error("flow `{flow}` is on {spans} times; the models have sources that start once")]
    SeveralSpans {
        /// The flow.
        flow: String,
        /// How often.
        spans: usize,
    },
    /// Something changes that does not in the models.
    #[error(
        "{what} changes at {at}; of changes, the models have the rate of the congested port, and starts and stops of flows"
    )]
    Change {
        /// When.
        at: Time,
        /// What.
        what: String,
    },
    /// A parameter has a value that the model does not follow.
    #[error("`control.{model}.{key}` is {value}, which the model does not follow")]
    Parameter {
        /// The key below the algorithm.
        key: &'static str,
        /// Its value.
        value: String,
        /// The algorithm.
        model: &'static str,
        /// What it would have to be.
        instead: &'static str,
    },
    /// An account that AF-QCN's model does not have.
    #[error(
        "flow `{flow}` {what}; in the model of AF-QCN every source has an account of its own, without a bound"
    )]
    Account {
        /// The flow.
        flow: String,
        /// What it has.
        what: &'static str,
    },
    /// The queue or its sources make no sense.
    #[error(transparent)]
    Bottleneck(#[from] BottleneckError),
}

impl NoFluidForm {
    /// What would give the scenario a fluid form.
    #[must_use]
    pub fn remedy(&self) -> String {
        match self {
            Self::NoControl | Self::NoModel(_) => {
                "set `control` to qcn, af-qcn, smcc, bcn or aimd".to_owned()
            }
            Self::PointsAtInputs => {
                "set `placement = \"outputs\"` and `bridge = \"output-queued\"`".to_owned()
            }
            Self::InputBuffers => "set `bridge = \"output-queued\"`".to_owned(),
            Self::Groups { .. } => {
                "set `network.delivery = \"multiple-unicast\"`, if one link is congested".to_owned()
            }
            Self::Unreachable(_) => "connect source and destination".to_owned(),
            Self::NothingControlled => {
                "let a flow be controlled, and its priority be in `priorities`".to_owned()
            }
            Self::NoOverload { port, .. } => {
                format!("add senders, make their links faster, or {port} slower")
            }
            Self::SeveralBottlenecks(_) => {
                "leave out flows, or make all but one of these links faster".to_owned()
            }
            Self::Traffic { .. } => {
                "set its `traffic` to \"backlogged\" or `traffic.constant.rate`".to_owned()
            }
            Self::Frames { .. } => "give all flows that share the queue the same `frame`".to_owned(),
            Self::Priorities { .. } => "give all flows that share the port the same `priority`".to_owned(),
            Self::SharedLimiters { flows, .. } => format!("set `limiters_per_station` to {flows} or more"),
            Self::NotObeyed(_) => "let reaction points react".to_owned(),
            Self::SeveralSpans { .. } => {
                "let it start and stop once, or make a flow for each time".to_owned()
            }
            Self::Change { .. } => {
                "leave that change out; for maps and margins, `--set at=[]` leaves out all of them".to_owned()
            }
            Self::Parameter { key, model, instead, .. } => {
                format!("set `control.{model}.{key}` to {instead}")
            }
            Self::Account { .. } => "leave out `max` and `tenant`".to_owned(),
            Self::Bottleneck(_) => "let a flow under control pass the congested port".to_owned(),
        }
    }
}

fn listed(names: &[String]) -> String {
    const SHOWN: usize = 5;
    let mut text = names.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(", ");
    if names.len() > SHOWN {
        text += &format!(" and {} more", names.len() - SHOWN);
    }
    text
}
