//! Files and campaigns: scenario files, stored results, sweeps, leagues, tunings, comparisons and theory.

pub mod build;
pub mod compare;
pub mod explain;
pub mod files;
pub mod league;
pub mod memory;
pub mod run;
pub mod session;
pub mod shard;
pub mod store;
pub mod sweep;
pub mod table;
pub mod theory;
pub mod trial;
pub mod tune;
