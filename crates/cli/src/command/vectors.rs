//! `setpoint vectors`: golden vectors for an algorithm.

use std::path::PathBuf;

use clap::Args;
use setpoint_lab::store::write_file;
use setpoint_vectors::{DEFAULT_STEPS, Plan, golden};

use super::step::Options;
use crate::failure::Failure;
use crate::terminal;

/// Write golden vectors for an algorithm: inputs, and the state after each
///
/// The sequences cover queues that rise, hold and drain, bursts, extremes, flows and tenants; notifications,
/// recovery, silence and feedback of either sign; and every parameter at its extremes. The lines are JSON in the
/// format of `setpoint step`, so that `jq -c .input FILE | setpoint step ALGORITHM` reproduces the file.
/// docs/vectors.md describes every key.
#[derive(Debug, Args)]
pub(crate) struct Vectors {
    #[command(flatten)]
    options: Options,

    /// Maximum number of inputs in a sequence; at most an eighth of that if a parameter is at an extreme value
    #[arg(long, value_name = "N", default_value_t = DEFAULT_STEPS, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    steps: u32,

    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl Vectors {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        let plan = Plan { setup: self.options.setup()?, point: self.options.point(), steps: self.steps };
        let lines = golden(&plan).map_err(|problem| Failure::Usage(problem.to_string()))?;
        match self.out {
            None => Ok(terminal::print(&lines)?),
            Some(file) => Ok(write_file(&file, lines.as_bytes())?),
        }
    }
}
