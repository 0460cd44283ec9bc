//! `setpoint vectors`: golden vectors of an algorithm.

use std::path::PathBuf;

use clap::Args;
use setpoint_vectors::{DEFAULT_STEPS, Plan, golden};

use super::step::Options;
use crate::failure::Failure;
use crate::terminal;

/// Write golden vectors of an algorithm: inputs, and the state after each
///
/// Sequences of a queue that rises, holds and drains, of bursts, extremes, flows and tenants; of notifications, recovery,
/// silence and feedback of either sign; and one with each parameter at its ends. The lines are JSON, exactly as `setpoint step`
/// answers, so that `jq -c .input FILE | setpoint step ALGORITHM` gives the same file. docs/vectors.md has every key.
#[derive(Debug, Args)]
pub(crate) struct Vectors {
    #[command(flatten)]
    options: Options,

    /// The most inputs in a sequence; those with a parameter at its end have an eighth of it
    #[arg(long, value_name = "N", default_value_t = DEFAULT_STEPS, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    steps: u32,

    /// The file to write, in place of standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl Vectors {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        let plan = Plan { setup: self.options.setup()?, point: self.options.point(), steps: self.steps };
        let lines = golden(&plan).map_err(|problem| Failure::Usage(problem.to_string()))?;
        match self.out {
            None => Ok(terminal::print(&lines)?),
            Some(file) => std::fs::write(&file, lines)
                .map_err(|error| Failure::Run(format!("cannot write {}: {error}", file.display()))),
        }
    }
}
