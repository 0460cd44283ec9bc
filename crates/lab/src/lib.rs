//! Scenario files, sweeps, metrics and stored results.

pub mod build;
pub mod capture;
pub mod catalogue;
pub mod compare;
pub mod confidence;
pub mod explain;
pub mod files;
pub mod json;
pub mod league;
pub mod memory;
pub mod metrics;
pub mod results;
pub mod run;
pub mod shard;
pub mod statistics;
pub mod store;
pub mod sweep;
pub mod table;
pub mod theory;
pub mod trial;
pub mod tune;

/// The version of this program, which is recorded in results.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
