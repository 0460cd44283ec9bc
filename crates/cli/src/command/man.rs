//! `setpoint man`: manual pages.

use std::path::{Path, PathBuf};

use clap::{Args, CommandFactory};

use crate::Arguments;
use crate::failure::Failure;
use crate::terminal;

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
