#![doc = include_str!("../README.md")]
//!
//! # Structure
//!
//! Each algorithm is a module. [`CongestionPoint`], [`NotificationPoint`] and [`ReactionPoint`] are the enums that
//! callers hold; [`Algorithm`] selects them by name and lists their parameters. [`Algorithm::None`] is an algorithm
//! too, so that flow control alone needs no special case.
#![no_std]

extern crate alloc;

pub mod acknowledging;
pub mod af_qcn;
pub mod afd;
pub mod aimd;
mod algorithm;
mod answer;
pub mod arrivals;
pub mod bcn;
mod coin;
mod counters;
pub mod culprit;
pub mod dcqcn;
pub mod fqcn;
pub mod hpcc;
mod jitter;
mod limit;
mod limiter;
mod linear_feedback;
mod misfit;
mod observe;
mod pace;
pub mod parameter;
mod path;
pub mod powertcp;
pub mod qcn;
mod quantized_feedback;
mod react;
mod role;
mod sampler;
mod scheme;
mod signal;
pub mod smcc;
mod state;
pub mod swift;
pub mod telemetry;
pub mod timely;
mod window;

pub use algorithm::{
    Algorithm, Audience, CongestionPoint, CongestionPointParams, EveryFlow, GroupParams, GroupRule,
    NotificationPoint, NotificationPointParams, Params, ReactionPoint, ReactionPointParams, group,
    parameters,
};
pub use answer::{Answer, Answers, CloneAnswer, Delivery, Replies, Reply};
pub use counters::Counters;
pub use culprit::{CulpritArray, CulpritCounters, Marking};
pub use limit::Limit;
pub use misfit::Misfit;
pub use observe::{CloneObserve, CpCounters, Observe};
pub use pace::Pace;
pub use parameter::{Preset, PresetChange};
pub use path::{BaseRtt, Path};
pub use quantized_feedback::QuantizedFeedback;
pub use react::{CloneReact, React};
pub use role::Role;
pub use scheme::{BridgeNeeds, SourceNeeds, Start};
pub use signal::{
    Acknowledgement, Admission, Arrival, Backlog, Departure, Entropy, Feedback, FlowKey, HopReport, Mark,
    Notification, Outbox, PointId, Signal, Tenant, Update,
};
pub use state::{Entry, Reading, Show};
pub use window::Window;
