//! Congestion and reaction points taken step by step, for those who build them in hardware.
//!
//! A [`Stepper`] holds the two points of an algorithm and takes one [`Input`] after another: a frame
//! enqueued, a notification heard, bytes sent, a timer that is due. Each gives an [`Answer`]: what came out,
//! the random numbers that were drawn, the counters and the whole state afterwards. Inputs and answers are
//! lines of JSON, so that a test bench can follow over a pipe (`setpoint step`).
//!
//! [`golden`] writes sequences of answers that visit what a point can do (`setpoint vectors`). Since an
//! answer repeats its input in full, the inputs of such a file, taken one after another, give the same file
//! again. `docs/vectors.md` describes every key.
//!
//! Nothing here knows a particular algorithm: whatever is in [`Algorithm::ALL`](setpoint_control::Algorithm::ALL)
//! can be stepped.
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

pub use answer::{Answer, Outcome, Reaction, Snapshot};
pub use golden::{DEFAULT_STEPS, Plan, golden};
pub use input::{Event, ReceivedNotification, Input, Start};
pub use problem::Problem;
pub use setup::{Point, Setup, SetupError};
pub use stepper::{CONGESTION_POINT, Stepper};
