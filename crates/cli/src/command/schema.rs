//! `setpoint schema`: the JSON schema of scenario files.

use clap::Args;

use crate::failure::Failure;
use crate::terminal;

/// Print the JSON schema of scenario files, for editors
///
/// Store it as `setpoint.schema.json` and begin a scenario with the line `#:schema setpoint.schema.json`: editors with
/// support for TOML (Even Better TOML, taplo) then complete keys, show what they mean and mark mistakes.
#[derive(Debug, Args)]
pub(crate) struct Schema {}

impl Schema {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        let Self {} = self;
        Ok(terminal::print(&format!("{:#}\n", setpoint_lab::scenario::schema()))?)
    }
}
