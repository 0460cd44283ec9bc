//! Tables for other programs: `--format`, in commands that store results, and `setpoint export`.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use setpoint_lab::store::{self, Collection, Derived, TABLES};
use setpoint_lab::sweep::SweepSummary;
use setpoint_lab::table::of_sweep;
use setpoint_record::results::RunRecord;
use setpoint_record::table::of_run;

use crate::failure::Failure;

/// A file format for tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// Comma-separated values
    #[default]
    Csv,
    /// Apache Parquet, for pandas, polars, DuckDB and others
    Parquet,
}

/// The format of the tables of a result.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(super) struct Tables {
    /// File format of the tables: `csv` (always written), or `parquet` to also write Parquet files into the folder `tables`
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "csv", hide_possible_values = true)]
    format: Format,
}

impl From<Format> for store::Format {
    fn from(format: Format) -> Self {
        match format {
            Format::Csv => Self::Csv,
            Format::Parquet => Self::Parquet,
        }
    }
}

impl Tables {
    /// Whether files are requested in addition to those that belong to every result.
    pub(super) fn wanted(self) -> bool {
        self.format == Format::Parquet
    }

    /// The options as given.
    pub(super) fn arguments(self) -> impl Iterator<Item = String> {
        self.wanted().then(|| "--format=parquet".to_owned()).into_iter()
    }

    /// The folder of the tables of a result, if they are requested.
    pub(super) fn folder(self, result: &Path) -> Option<PathBuf> {
        self.wanted().then(|| result.join(TABLES))
    }

    /// The requested tables of a run.
    pub(super) fn of_run(self, record: &RunRecord) -> Vec<Derived> {
        if self.wanted() { of_run(record).iter().map(Derived::parquet).collect() } else { Vec::new() }
    }

    /// Writes the requested tables of a sweep into its folder and removes older ones, which would be outdated.
    pub(super) fn put(self, folder: &Collection, summary: &SweepSummary) -> Result<(), Failure> {
        folder.clear(&format!("{TABLES}/"))?;
        let tables = if self.wanted() { of_sweep(summary) } else { Vec::new() };
        let put = |file: Derived| folder.put(file.name(), file.content());
        Ok(tables.iter().map(Derived::parquet).try_for_each(put)?)
    }
}
