#![doc = include_str!("../README.md")]
//!
//! # Structure
//!
//! One algorithm is one module. [`CongestionPoint`] and [`ReactionPoint`] are the enums that callers hold;
//! [`Algorithm`] names them and knows their parameters. [`Algorithm::None`] is an algorithm too, so that flow control
//! alone needs no special case.
#![no_std]

extern crate alloc;

pub mod af_qcn;
pub mod afd;
pub mod aimd;
mod algorithm;
pub mod arrivals;
mod audience;
pub mod bcn;
mod coin;
mod congestion_point;
mod counters;
pub mod culprit;
pub mod fqcn;
pub mod group;
mod jitter;
mod limit;
mod limiter;
mod linear_feedback;
mod misfit;
mod pace;
pub mod parameter;
pub mod qcn;
mod quantized_feedback;
mod react;
mod reaction_point;
mod role;
mod sampler;
mod signal;
pub mod smcc;
mod state;

pub use algorithm::{Algorithm, Params, parameters};
pub use audience::{Audience, EveryFlow};
pub use congestion_point::{CloneObserve, CongestionPoint, CongestionPointParams, CpCounters, Observe};
pub use counters::Counters;
pub use culprit::{CulpritArray, CulpritCounters, Marking};
pub use group::{GroupParams, GroupRule};
pub use limit::Limit;
pub use misfit::Misfit;
pub use pace::Pace;
pub use parameter::{Preset, PresetChange};
pub use quantized_feedback::QuantizedFeedback;
pub use react::{CloneReact, React};
pub use reaction_point::{ReactionPoint, ReactionPointParams};
pub use role::Role;
pub use signal::{
    Admission, Arrival, Backlog, Entropy, Feedback, FlowKey, Notification, Outbox, PointId, Signal, Tenant,
    Update,
};
pub use state::{Entry, Reading, Show};
