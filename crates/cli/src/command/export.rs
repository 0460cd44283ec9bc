//! `setpoint export`: writes a stored result as complete tables.

use std::path::PathBuf;

use clap::Args;
use setpoint_lab::store::{self, Kind};
use setpoint_lab::table::of_sweep;
use setpoint_record::table::of_run;

use super::tables::Format;
use crate::failure::Failure;
use crate::folder::beside;
use crate::terminal::{self, Facts, Screen};

/// Write a stored run or sweep as tables for spreadsheets and other programs
///
/// A stored run has a line only where a curve changes. As CSV, this command writes its curves as complete tables: one
/// file per quantity (flows.rate_bps.csv, queues.length_bytes.csv, ports.paused_share.csv and so on) with a line per
/// sample and a column per flow, queue or port. As Parquet, it writes its figures, curves and messages with a row per
/// sample and flow, queue or port. For a sweep, it writes every run (runs) and the mean of each variant (variants).
#[derive(Debug, Args)]
pub(crate) struct Export {
    /// A folder that holds a run or a sweep
    #[arg(value_name = "DIR")]
    result: PathBuf,

    /// File format
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "csv")]
    format: Format,

    /// Folder for the tables; it must be new or empty [default: DIR-tables]
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Print only errors
    #[arg(long, short)]
    quiet: bool,
}

impl Export {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        // Result folders must not contain other files.
        let folder = self.out.clone().unwrap_or_else(|| beside(&self.result, "-tables"));
        if store::kind_of(&self.result) == Some(Kind::Sweep) {
            let summary = setpoint_lab::sweep::read_verified(&self.result)?;
            store::export_tables(&of_sweep(&summary), self.format.into(), &folder)?;
        } else {
            let record = store::read(&self.result)?;
            match self.format {
                Format::Csv => store::export(&record.series, &folder)?,
                Format::Parquet => store::export_tables(&of_run(&record), self.format.into(), &folder)?,
            }
        }
        if self.quiet {
            return Ok(());
        }
        let screen = Screen::of_stdout();
        let mut facts = Facts::new();
        facts.add_text("tables", screen.paint.link(&folder.display().to_string()));
        terminal::print(&facts.render(screen))?;
        Ok(())
    }
}
