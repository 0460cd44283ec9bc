//! Stored theoretical findings.
//!
//! A folder contains the record as JSON (`fluid.json`, `stability.json`, `phase.json` or `atlas.json`), its curves and
//! maps as CSV, those of an atlas also as Parquet, its page, `origin.json` with its origin, and the index `files.json`. As with results, a folder is either
//! complete or absent, and a folder with any other content is left untouched.

use std::path::Path;

use serde::{Deserialize, Serialize};
use setpoint_record::results::Build;
use setpoint_record::table::Table;
use setpoint_record::{VERSION, json};
use setpoint_scenario::Prepared;

use super::atlas::{self, AtlasRecord};
use super::record::{FluidRecord, PhaseRecord, StabilityRecord};
use super::tables;
use crate::build;
use crate::store::{Derived, Destination, Kind, PLOTS, StoreError, write_new};

/// The origin of a finding. This file identifies a folder as a theoretical finding.
pub const ORIGIN: &str = "origin.json";

/// The origin of a finding: enough to reproduce it byte for byte.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Origin {
    /// Version of Setpoint.
    pub version: String,
    /// The build that computed it.
    #[serde(default)]
    pub build: Build,
    /// Name of the scenario.
    pub scenario: String,
    /// The scenario text as read; for a file that extends others, the merged text.
    pub scenario_text: String,
    /// Command-line settings as `key = value`, in order.
    pub overrides: Vec<(String, String)>,
    /// The seed.
    pub seed: u64,
    /// The options of the command, in order.
    pub options: Vec<(String, String)>,
}

impl Origin {
    /// The origin of a finding about a scenario, by a command with these options.
    #[must_use]
    pub fn of(prepared: &Prepared, options: Vec<(String, String)>) -> Self {
        Self {
            version: VERSION.to_owned(),
            build: build::current(),
            scenario: prepared.name.clone(),
            scenario_text: prepared.text.clone(),
            overrides: prepared.overrides.clone(),
            seed: prepared.spec.seed,
            options,
        }
    }

    /// The origin of a finding that has no scenario of its own.
    #[must_use]
    pub fn without_scenario(seed: u64, options: Vec<(String, String)>) -> Self {
        Self {
            version: VERSION.to_owned(),
            build: build::current(),
            scenario: String::new(),
            scenario_text: String::new(),
            overrides: Vec::new(),
            seed,
            options,
        }
    }
}

/// A theoretical finding.
#[derive(Clone, Copy, Debug)]
pub enum Finding<'a> {
    /// A fluid solution.
    Fluid(&'a FluidRecord),
    /// A loop, and optionally a map.
    Stability(&'a StabilityRecord),
    /// A phase plane.
    Phase(&'a PhaseRecord),
    /// An atlas.
    Atlas(&'a AtlasRecord),
}

impl Finding<'_> {
    /// The base name of its files.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Fluid(_) => "fluid",
            Self::Stability(_) => "stability",
            Self::Phase(_) => "phase",
            Self::Atlas(_) => "atlas",
        }
    }

    /// The file of the record.
    #[must_use]
    pub fn json_file(&self) -> String {
        format!("{}.json", self.name())
    }

    /// The file of the page.
    #[must_use]
    pub fn page_file(&self) -> String {
        format!("{}.html", self.name())
    }

    /// The record as JSON.
    #[must_use]
    pub fn json(&self) -> String {
        match self {
            Self::Fluid(record) => json::text(record),
            Self::Stability(record) => json::text(record),
            Self::Phase(record) => json::text(record),
            Self::Atlas(record) => json::text(record),
        }
    }

    /// The tables, by file name.
    fn tables(&self) -> Vec<(String, Vec<u8>)> {
        if let Self::Atlas(record) = self {
            let files = |table: Table| {
                let name = |ending: &str| format!("{}.{ending}", table.name);
                [(name("csv"), table.csv().into_bytes()), (name("parquet"), table.parquet())]
            };
            return atlas::tables(record).into_iter().flat_map(files).collect();
        }
        self.curves().into_iter().map(|(name, table)| (name.to_owned(), table)).collect()
    }

    fn curves(&self) -> Vec<(&'static str, Vec<u8>)> {
        match self {
            Self::Atlas(_) => Vec::new(),
            Self::Fluid(record) => vec![("fluid.csv", tables::fluid(record))],
            Self::Stability(record) => {
                let map = record
                    .map
                    .iter()
                    .flat_map(|map| [("map.csv", tables::map(map)), ("packets.csv", tables::points(map))]);
                std::iter::once(("response.csv", tables::response(&record.here))).chain(map).collect()
            }
            Self::Phase(record) => vec![("phase.csv", tables::phase(record))],
        }
    }
}

/// Opens a destination for a finding: absent, an empty folder, or an older finding. Call this before a long
/// computation.
///
/// # Errors
/// If the folder holds other content, or is not writable.
pub fn open(folder: &Path) -> Result<Destination, StoreError> {
    Destination::open_for(Kind::Theory, folder)
}

/// Stores a finding and its derived files as a folder, replacing an older one.
///
/// # Errors
/// If the folder now holds other content, or a file cannot be written. The previous content is then unchanged.
pub fn write(
    finding: &Finding<'_>,
    origin: &Origin,
    page: Option<&str>,
    plots: &[Derived],
    place: Destination,
) -> Result<(), StoreError> {
    let put = |name: &str, content: &[u8]| write_new(&place.path().join(name), content);
    put(&finding.json_file(), finding.json().as_bytes())?;
    for (name, table) in finding.tables() {
        put(&name, &table)?;
    }
    if let Some(page) = page {
        put(&finding.page_file(), page.as_bytes())?;
    }
    plots.iter().try_for_each(|plot| plot.write(&place.path()))?;
    put(ORIGIN, json::text(origin).as_bytes())?;
    place.put_in_place(|name| name == finding.page_file() || name.starts_with(PLOTS))
}
