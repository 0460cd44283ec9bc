//! Reasons why a scenario has no fluid form.

use setpoint_fluid::BottleneckError;
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

/// The reason why a scenario has no fluid form. [`NoFluidForm::remedy`] suggests a change.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoFluidForm {
    /// There is no congestion control.
    #[error("there is no congestion control and therefore no loop")]
    NoControl,
    /// The algorithm has no fluid model.
    #[error("there is no fluid model of `{0}`")]
    NoModel(&'static str),
    /// Congestion points are at inputs.
    #[error("congestion points are at inputs, each with its own queue; a fluid model has a single queue")]
    PointsAtInputs,
    /// Bridges have input buffers.
    #[error("the bridges have input buffers; a fluid model has a single queue, at an output")]
    InputBuffers,
    /// Bridges have a shared buffer.
    #[error("the ports of a bridge share a buffer; a fluid model has a single queue of fixed size")]
    SharedBuffer,
    /// A flow is sent to a group.
    #[error("flow `{flow}` is sent to a group; a fluid model has a single queue and no copies")]
    Groups {
        /// The flow.
        flow: String,
    },
    /// A flow has no path to its destination.
    #[error("{0}")]
    Unreachable(String),
    /// No port carries a controlled flow.
    #[error("no flow is under congestion control")]
    NothingControlled,
    /// No port can be overloaded.
    #[error(
        "no port can be overloaded: the closest is {port}, which receives at most {offered} and sends {rate}"
    )]
    NoOverload {
        /// The port that is closest to overload.
        port: String,
        /// Its maximum load.
        offered: Rate,
        /// Its rate.
        rate: Rate,
    },
    /// Several ports can be overloaded.
    #[error("controlled flows can overload {} ports: {}; a fluid model has a single queue", .0.len(), listed(.0))]
    SeveralBottlenecks(Vec<String>),
    /// A flow does not send at a definite rate.
    #[error("flow `{flow}` sends {traffic}; a fluid model needs a backlog or a constant rate")]
    Traffic {
        /// The flow.
        flow: String,
        /// Its traffic.
        traffic: &'static str,
    },
    /// Frame lengths differ.
    #[error(
        "frames of `{}` are {} long and those of `{}` are {} long; the models have a single frame length",
        flows[0], frames[0], flows[1], frames[1]
    )]
    Frames {
        /// Two flows.
        flows: [String; 2],
        /// Their frame lengths.
        frames: [Bytes; 2],
    },
    /// Several priorities share the port.
    #[error("flows with priorities {} and {} share {port}; the models have a single queue", priorities[0], priorities[1])]
    Priorities {
        /// The port.
        port: String,
        /// Two of the priorities.
        priorities: [u8; 2],
    },
    /// The idle paths of the flows take different times, which sources measure.
    #[error("the idle paths of `{}` and `{}` have different round-trip times ({} and {}), which are part of the delay", flows[0], flows[1], times[0], times[1])]
    RoundTrips {
        /// Two flows.
        flows: [String; 2],
        /// Their round-trip times.
        times: [TimeDelta; 2],
    },
    /// Flows share rate limiters.
    #[error(
        "{station} has fewer rate limiters ({limiters}) than flows ({flows}); in the models every source has its own limiter"
    )]
    SharedLimiters {
        /// The station.
        station: String,
        /// Its controlled flows.
        flows: usize,
        /// Its limiters.
        limiters: u32,
    },
    /// Reaction points ignore notifications.
    #[error("notifications have no effect: `{0}`")]
    NotificationsIgnored(&'static str),
    /// A flow starts more than once.
    #[error("flow `{flow}` starts {spans} times; in the models every source starts once")]
    SeveralSpans {
        /// The flow.
        flow: String,
        /// Number of starts.
        spans: usize,
    },
    /// A change that the models do not support.
    #[error(
        "{what} changes at {at}; the model supports only rate changes at the bottleneck and flow starts and stops"
    )]
    Change {
        /// The time of the change.
        at: Time,
        /// The quantity that changes.
        what: String,
    },
    /// A parameter has a value that the model does not support.
    #[error("`control.{model}.{key}` is {value}, which the model does not support")]
    Parameter {
        /// The key below the algorithm.
        key: &'static str,
        /// Its value.
        value: String,
        /// The algorithm.
        model: &'static str,
        /// A supported value.
        instead: &'static str,
    },
    /// An account that the AF-QCN model does not support.
    #[error(
        "flow `{flow}` {what}; in the AF-QCN model every source has its own account, and no account has a bound"
    )]
    Account {
        /// The flow.
        flow: String,
        /// The unsupported property.
        what: &'static str,
    },
    /// The queue or its sources are invalid.
    #[error(transparent)]
    Bottleneck(#[from] BottleneckError),
}

impl NoFluidForm {
    /// A change that would give the scenario a fluid form.
    #[must_use]
    pub fn remedy(&self) -> String {
        match self {
            Self::NoControl | Self::NoModel(_) => {
                "set `control` to qcn, af-qcn, smcc, bcn, aimd, dcqcn or timely".to_owned()
            }
            Self::PointsAtInputs => {
                "set `placement = \"outputs\"` and `bridge = \"output-queued\"`".to_owned()
            }
            Self::InputBuffers | Self::SharedBuffer => "set `bridge = \"output-queued\"`".to_owned(),
            Self::Groups { .. } => {
                "set `network.delivery = \"multiple-unicast\"`, if one link is congested".to_owned()
            }
            Self::Unreachable(_) => "connect source and destination".to_owned(),
            Self::NothingControlled => {
                "put a flow under control, with its priority in `priorities`".to_owned()
            }
            Self::NoOverload { port, .. } => {
                format!("add senders, or make their links faster or {port} slower")
            }
            Self::SeveralBottlenecks(_) => {
                "remove flows, or make all but one of these links faster".to_owned()
            }
            Self::Traffic { .. } => {
                "set its `traffic` to \"backlogged\" or `traffic.constant.rate`".to_owned()
            }
            Self::Frames { .. } => "give all flows that share the queue the same `frame`".to_owned(),
            Self::Priorities { .. } => "give all flows that share the port the same `priority`".to_owned(),
            Self::SharedLimiters { flows, .. } => format!("set `limiters_per_station` to {flows} or more"),
            Self::RoundTrips { .. } => {
                "give them paths of the same length, or set `control.timely.rp.delay` to \"queueing\""
                    .to_owned()
            }
            Self::NotificationsIgnored(_) => {
                "enable reaction points, with at least one limiter per station".to_owned()
            }
            Self::SeveralSpans { .. } => {
                "let it start and stop once, or define one flow per start".to_owned()
            }
            Self::Change { .. } => {
                "remove that change; for maps and margins, `--set at=[]` removes all of them".to_owned()
            }
            Self::Parameter { key, model, instead, .. } => {
                format!("set `control.{model}.{key}` to {instead}")
            }
            Self::Account { .. } => "remove `max` and `tenant`".to_owned(),
            Self::Bottleneck(_) => "let a controlled flow pass through the congested port".to_owned(),
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
