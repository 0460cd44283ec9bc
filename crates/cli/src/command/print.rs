//! Commands that only print a text: `setpoint schema`, `completions`, `dissector` and `man`.

use std::path::{Path, PathBuf};

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::Arguments;
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

const INSTALLATION: &str = "\
Installation:
  mkdir -p ~/.local/lib/wireshark/plugins
  setpoint dissector > ~/.local/lib/wireshark/plugins/setpoint.lua";

/// Print a Wireshark plug-in that decodes congestion notifications and CN-TAGs
///
/// Wireshark decodes PAUSE, PFC and LLDP by itself, but not the frames of IEEE 802.1Qau. With the plug-in, filters such as
/// `cnm.feedback > 20` and `cntag.flow == 1` work in Wireshark and tshark; docs/captures.md lists all fields.
#[derive(Debug, Args)]
#[command(after_long_help = INSTALLATION)]
pub(crate) struct Dissector {}

impl Dissector {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        let Self {} = self;
        Ok(terminal::print(setpoint_wire::DISSECTOR)?)
    }
}

/// Print the manual page, or write one per command
#[derive(Debug, Args)]
pub(crate) struct Man {
    /// Write setpoint.1, setpoint-run.1 and so on into this folder, which is created if missing
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl Man {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        match &self.out {
            Some(folder) => write_all(folder)
                .map_err(|error| Failure::Run(format!("cannot write into {}: {error}", folder.display()))),
            None => {
                let mut page = Vec::new();
                clap_mangen::Man::new(Arguments::command()).render(&mut page)?;
                Ok(terminal::print(&String::from_utf8_lossy(&page))?)
            }
        }
    }
}

fn write_all(folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    clap_mangen::generate_to(Arguments::command(), folder)
}
