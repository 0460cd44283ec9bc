//! The commands, one file each.

mod run;
mod sweep;

use clap::Subcommand;

use crate::failure::Failure;

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Run(run::Run),
    Sweep(sweep::Sweep),
}

impl Command {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        match self {
            Self::Run(run) => run.execute(),
            Self::Sweep(sweep) => sweep.execute(),
        }
    }
}
