//! Answers to requests of the laboratory page: checks of scenarios, runs that the page watches, and theory.
//!
//! The page sends its requests to an engine, such as `setpoint serve` over HTTP, and every engine gives the same answers.
//! This crate computes them as JSON. It opens no connections and starts no threads.
//!
//! * [`check`]: problems in a scenario while it is typed, its parameters, and how long it will take;
//! * [`run`]: the messages of a run, and its pauses, steps and speed;
//! * [`theory`]: fluid models, phase planes and stability.

mod applicable;
pub mod check;
mod command;
mod limits;
mod network;
mod refusal;
pub mod run;
pub mod scenario;
pub mod theory;

pub use limits::{Limits, Place};
pub use refusal::{Reason, Refusal};
