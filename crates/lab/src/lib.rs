//! Scenario files, sweeps, metrics and stored results.

pub mod results;
pub mod scenario;
