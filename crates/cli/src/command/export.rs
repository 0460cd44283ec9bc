//! `setpoint export`: writes a stored result as complete tables.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use setpoint_lab::store::{self, Kind};
use setpoint_lab::table::of_sweep;
use setpoint_record::hpcc;
use setpoint_record::results::RunRecord;
use setpoint_record::table::of_run;
use setpoint_units::quantity::Unit;

use super::tables::Format as Table;
use crate::failure::Failure;
use crate::folder::beside;
use crate::terminal::{self, Facts, Screen};

/// A file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Comma-separated values
    Csv,
    /// Apache Parquet, for pandas, polars, DuckDB and others
    Parquet,
    /// The files of the HPCC simulator: fct.txt and pfc.txt
    Hpcc,
}

/// Write a stored run or sweep as tables for spreadsheets and other programs
///
/// A stored run has a line only where a curve changes. As CSV, this command writes its curves as complete tables: one
/// file per quantity (flows.rate_bps.csv, queues.length_bytes.csv, ports.paused_share.csv and so on) with a line per
/// sample and a column per flow, queue or port. As Parquet, it writes its figures, curves and messages with a row per
/// sample and flow, queue or port. For a sweep, it writes every run (runs) and the mean of each variant (variants).
///
/// `--format hpcc` writes the completion times (fct.txt) and pauses (pfc.txt) of a run as the HPCC simulator does, for scripts
/// that read these files, and a list of the numbers of nodes (nodes.txt). Pauses are exact if
/// the scenario sets `record_pauses = true`, and otherwise taken from samples. docs/import.md describes the differences from HPCC.
#[derive(Debug, Args)]
pub(crate) struct Export {
    /// A folder that holds a run or a sweep
    #[arg(value_name = "DIR")]
    result: PathBuf,

    /// File format
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "csv")]
    format: Format,

    /// Folder for the tables; it must be new or empty [default: DIR-tables, or DIR-hpcc]
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Print only errors
    #[arg(long, short)]
    quiet: bool,
}

impl Export {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        // Result folders must not contain other files.
        let folder = |suffix| self.out.clone().unwrap_or_else(|| beside(&self.result, suffix));
        let (folder, note) = match self.format {
            Format::Csv => (folder("-tables"), self.tables(Table::Csv, &folder("-tables"))?),
            Format::Parquet => (folder("-tables"), self.tables(Table::Parquet, &folder("-tables"))?),
            Format::Hpcc => (folder("-hpcc"), self.hpcc(&folder("-hpcc"))?),
        };
        if self.quiet {
            return Ok(());
        }
        let screen = Screen::of_stdout();
        let mut facts = Facts::new();
        facts.add_text("tables", screen.paint.link(&folder.display().to_string()));
        facts.add_text("note", note);
        terminal::print(&facts.render(screen))?;
        Ok(())
    }

    /// Writes tables; there is nothing to note about them.
    fn tables(&self, format: Table, folder: &Path) -> Result<String, Failure> {
        if self.is_sweep() {
            let summary = setpoint_lab::sweep::read_verified(&self.result)?;
            store::export_tables(&of_sweep(&summary), format.into(), folder)?;
        } else {
            let record = store::read(&self.result)?;
            match format {
                Table::Csv => store::export(&record.series, folder)?,
                Table::Parquet => store::export_tables(&of_run(&record), format.into(), folder)?,
            }
        }
        Ok(String::new())
    }

    /// Writes the files of HPCC, and returns a note about the pauses.
    fn hpcc(&self, folder: &Path) -> Result<String, Failure> {
        if self.is_sweep() {
            let message =
                "HPCC's files describe one run, and this is a sweep; export one of the folders in it";
            return Err(Failure::Usage(message.to_owned()));
        }
        let record = store::read(&self.result)?;
        let hpcc::Files { fct, pfc, nodes } =
            hpcc::files(&record).map_err(|error| Failure::Usage(error.to_string()))?;
        let files =
            [("fct.txt", fct.as_bytes()), ("pfc.txt", pfc.as_bytes()), ("nodes.txt", nodes.as_bytes())];
        store::export_files(&files, folder)?;
        Ok(pauses(&record, pfc.lines().count() / 2))
    }

    fn is_sweep(&self) -> bool {
        store::kind_of(&self.result) == Some(Kind::Sweep)
    }
}

/// Pauses within a sample interval cannot be told apart, unless they are recorded. With several priorities, a recorded pause ends
/// when the last of them ends.
fn pauses(record: &RunRecord, shown: usize) -> String {
    let pauses = record.summary.pauses();
    if pauses == shown as u64 || record.pauses.is_some() {
        return String::new();
    }
    let interval = Unit::Seconds.text(record.sample_interval());
    format!(
        "the run has {pauses} pauses, which appear in pfc.txt as {shown}, because they are taken from samples every {interval}; \
         run the scenario with `--set record_pauses=true` for exact pauses"
    )
}
