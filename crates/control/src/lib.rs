//! Congestion points and reaction points of lossless Ethernet.
//!
//! An algorithm is a pair of state machines. The **congestion point** ([`Observe`]) sits at a queue, watches
//! frames being enqueued and now and then sends a [`Notification`] to the source of the frame
//! it sampled. The **reaction point** ([`React`]) sits at the source, in front of one rate limiter, and turns
//! notifications, bytes sent and its own timer into a rate.
//!
//! Nothing here has a clock, a random generator or a socket, or allocates for a frame: time and randomness
//! ([`Entropy`]) are arguments, arithmetic is on integers, so the same code runs in the simulator
//! and on real frames and gives the same numbers.
//!
//! One algorithm is one folder. [`CongestionPoint`] and [`ReactionPoint`] are the closed sets the
//! callers hold; [`Algorithm`] names them and knows their parameters. `None` is an algorithm too, so that
//! flow control alone is a case and not an option everywhere.
#![no_std]

extern crate alloc;

pub mod af_qcn;
pub mod afd;
pub mod aimd;
mod algorithm;
pub mod arrivals;
pub mod bcn;
mod congestion_point;
pub mod culprit;
pub mod fqcn;
pub mod group;
mod jitter;
mod limiter;
mod linear_feedback;
mod misfit;
pub mod parameter;
pub mod qcn;
mod react;
mod reaction_point;
mod sampler;
mod signal;
pub mod smcc;
mod state;

pub use algorithm::{Algorithm, Params, PartOf, parameters};
pub use congestion_point::{CongestionPoint, CongestionPointParams, CpCounters, Observe};
pub use culprit::{CulpritArray, CulpritCounters, Marking};
pub use group::{GroupParams, GroupRule};
pub use misfit::Misfit;
pub use parameter::{Preset, PresetChange};
pub use react::React;
pub use reaction_point::{ReactionPoint, ReactionPointParams, RpCounters};
pub use signal::{
    Admission, Arrival, Backlog, Entropy, FlowKey, Notification, Outbox, PointId, QuantizedFeedback, Tenant,
    Update,
};
pub use state::{Entry, Reading, Show};
