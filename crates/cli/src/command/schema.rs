//! `setpoint schema`: the JSON schema of scenario files.

use clap::Args;

use crate::failure::Failure;
use crate::terminal;

/// Print the JSON schema of scenario files, for editors
///
/// Save it as `setpoint.schema.json` and begin a scenario with the line `#:schema setpoint.schema.json`: editors
/// with TOML support (Even Better TOML, taplo) then complete keys, show their descriptions and flag errors.
#[derive(Debug, Args)]
pub(crate) struct Schema {}

impl Schema {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        let Self {} = self;
        Ok(terminal::print(&format!("{:#}\n", setpoint_scenario::schema()))?)
    }
}
