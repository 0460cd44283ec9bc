//! `setpoint export`: writes the curves of a stored result as complete tables.

use std::path::PathBuf;

use clap::Args;
use setpoint_lab::store;

use crate::failure::Failure;
use crate::terminal::{self, Facts, Screen};

/// Write the curves of a stored result as tables for spreadsheets
///
/// A result stores a line only where a curve changes. This command writes complete tables: one file per quantity
/// (flows.rate_bps.csv, queues.length_bytes.csv, ports.paused_share.csv and so on) with a line per sample and a column per
/// flow, queue or port.
#[derive(Debug, Args)]
pub(crate) struct Export {
    /// A folder that holds a result
    #[arg(value_name = "DIR")]
    result: PathBuf,

    /// Folder for the tables; it must be new or empty [default: DIR-tables]
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Print only errors
    #[arg(long, short)]
    quiet: bool,
}

impl Export {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        let record = store::read(&self.result)?;
        let folder = self.out.clone().unwrap_or_else(|| self.beside());
        store::export(&record.series, &folder)?;
        if self.quiet {
            return Ok(());
        }
        let screen = Screen::of_stdout();
        let mut facts = Facts::new();
        facts.add_text("tables", screen.paint.link(&folder.display().to_string()));
        terminal::print(&facts.render(screen))?;
        Ok(())
    }

    /// Result folders must not contain other files, so the tables go beside them.
    fn beside(&self) -> PathBuf {
        let mut name = self.result.components().as_path().as_os_str().to_owned();
        name.push("-tables");
        PathBuf::from(name)
    }
}
