//! Scenario files, sweeps, metrics and stored results.

pub mod metrics;
pub mod results;
pub mod store;
