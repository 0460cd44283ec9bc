//! From the outcome of a simulation to figures: one run, its metrics, results, tables and captures.
//!
//! Nothing here opens files or reads clocks: a caller passes in the scenario and the build, and stores the record.

pub mod capture;
pub mod catalogue;
pub mod confidence;
pub mod hpcc;
pub mod json;
pub mod metrics;
pub mod results;
pub mod run;
pub mod statistics;
pub mod table;

/// The version of this program, which is recorded in results.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
