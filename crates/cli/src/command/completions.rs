//! `setpoint completions`: shell completion scripts.

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::Arguments;
use crate::failure::Failure;
use crate::terminal;

/// Print the completion script for a shell
///
/// For bash: `setpoint completions bash > ~/.local/share/bash-completion/completions/setpoint`
#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Arguments::command(), "setpoint", &mut script);
        Ok(terminal::print(&String::from_utf8_lossy(&script))?)
    }
}
