//! Single-stepping of congestion, notification and reaction points, for hardware designers.
//!
//! A [`Stepper`] holds the points of an algorithm and applies one [`Input`] at a time: a frame enqueued or delivered, a
//! notification or an acknowledgement received, bytes sent, a timer expired. Each input yields an [`Answer`]: the outcome, the random
//! numbers drawn, the counters and the complete state afterwards. Inputs and answers are lines of JSON, so that a
//! test bench can use a pipe (`setpoint step`).
//!
//! [`golden`] generates sequences of answers that exercise all functions of a point (`setpoint vectors`). Since an
//! answer includes its complete input, replaying the inputs of such a file reproduces the file. `docs/vectors.md`
//! describes every key.
//!
//! The crate is independent of particular algorithms: every algorithm in
//! [`Algorithm::ALL`](setpoint_control::Algorithm::ALL) can be stepped.
//!
//! ```
//! use setpoint_control::Algorithm;
//! use setpoint_vectors::{Setup, Stepper};
//!
//! let mut stepper = Stepper::new(Setup::new(Algorithm::Qcn), None)?;
//! let answer = stepper.step(r#"{"notification": {"feedback": 63}}"#)?;
//! assert!(answer.to_string().contains(r#""rate_bps":5078125000"#));
//! # Ok::<(), setpoint_vectors::Problem>(())
//! ```

mod answer;
mod draws;
mod golden;
mod input;
mod line;
mod object;
mod problem;
mod read;
mod setup;
mod stepper;

pub use answer::{Answer, Outcome, Reaction, SentReply, Snapshot};
pub use golden::{DEFAULT_STEPS, Plan, golden};
pub use input::{
    CONGESTION_POINT, DeliveredFrame, Event, Input, ReceivedAcknowledgement, ReceivedNotification, Start,
};
pub use problem::Problem;
pub use setup::{Setup, SetupError};
pub use stepper::Stepper;
