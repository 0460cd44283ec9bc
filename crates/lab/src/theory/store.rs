//! What theory found, on disk.
//!
//! A folder with the record as JSON (`fluid.json`, `stability.json` or `phase.json`), its curves and maps as CSV, the page
//! made from it, and `origin.json`, which says where it comes from. As with results, a folder is complete or not there, and
//! one that holds anything else is left alone.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::record::{FluidRecord, PhaseRecord, StabilityRecord};
use super::tables;
use crate::run::VERSION;
use crate::scenario::Prepared;
use crate::store::{Derived, Partial, StoreError, is_plots, json_text, write_file};

/// Where it comes from. This file makes a folder one of theory.
pub const ORIGIN: &str = "origin.json";

/// Enough to repeat it to the byte.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Origin {
    /// Version of Setpoint.
    pub version: String,
    /// Name of the scenario.
    pub scenario: String,
    /// The scenario text: as it was read or, of a file that extends others, what they say together.
    pub scenario_text: String,
    /// What was set on the command line, as `key = value`, in order.
    pub overrides: Vec<(String, String)>,
    /// The seed.
    pub seed: u64,
    /// The options of the command, in order.
    pub options: Vec<(String, String)>,
}

impl Origin {
    /// Where something about a scenario comes from, by a command with these options.
    #[must_use]
    pub fn of(prepared: &Prepared, options: Vec<(String, String)>) -> Self {
        Self {
            version: VERSION.to_owned(),
            scenario: prepared.name.clone(),
            scenario_text: prepared.text.clone(),
            overrides: prepared.overrides.clone(),
            seed: prepared.spec.seed,
            options,
        }
    }
}

/// What theory found.
#[derive(Clone, Copy, Debug)]
pub enum Finding<'a> {
    /// A fluid solution.
    Fluid(&'a FluidRecord),
    /// A loop, and a map perhaps.
    Stability(&'a StabilityRecord),
    /// A phase plane.
    Phase(&'a PhaseRecord),
}

impl Finding<'_> {
    /// What its files are called by.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Fluid(_) => "fluid",
            Self::Stability(_) => "stability",
            Self::Phase(_) => "phase",
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
            Self::Fluid(record) => json_text(record),
            Self::Stability(record) => json_text(record),
            Self::Phase(record) => json_text(record),
        }
    }

    /// The tables, by name of their file.
    fn tables(&self) -> Vec<(&'static str, Vec<u8>)> {
        match self {
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

/// Every file that such a folder may hold.
const FILES: [&str; 12] = [
    ORIGIN,
    "fluid.json",
    "fluid.csv",
    "fluid.html",
    "stability.json",
    "stability.html",
    "response.csv",
    "map.csv",
    "packets.csv",
    "phase.json",
    "phase.csv",
    "phase.html",
];

/// Checks that a finding may be stored in a place: that nothing is there, or an empty folder, or an older finding. Worth
/// asking before long work.
///
/// # Errors
/// If something else is there, or it cannot be looked at.
pub fn check_replaceable(folder: &Path) -> Result<(), StoreError> {
    let foreign = |problem: String| Err(StoreError::Foreign { path: folder.to_owned(), problem });
    if !folder.exists() {
        return Ok(());
    }
    if !folder.is_dir() {
        return foreign("is a file".to_owned());
    }
    let entries = fs::read_dir(folder).map_err(StoreError::io("list", folder))?;
    let mut names = Vec::new();
    for entry in entries {
        names.push(entry.map_err(StoreError::io("list", folder))?.file_name());
    }
    names.sort_unstable();
    if !names.is_empty() && !names.iter().any(|name| name == ORIGIN) {
        return foreign(format!("holds something else (there is no {ORIGIN})"));
    }
    let belongs = |name: &OsString| FILES.iter().any(|file| name == *file) || is_plots(&folder.join(name));
    match names.iter().find(|name| !belongs(name)) {
        Some(stranger) => foreign(format!("holds {} too", stranger.display())),
        None => Ok(()),
    }
}

/// Stores a finding as a folder with the files made from it, in the place of an older one if there is one.
///
/// # Errors
/// If the folder exists and holds something else, or if a file cannot be written. What was there before is then still
/// there.
pub fn write(
    finding: &Finding<'_>,
    origin: &Origin,
    page: Option<&str>,
    derived: &[Derived],
    folder: &Path,
) -> Result<(), StoreError> {
    check_replaceable(folder)?;
    let partial = Partial::beside(folder)?;
    let put = |name: &str, content: &[u8]| write_file(&partial.path().join(name), content);
    put(&finding.json_file(), finding.json().as_bytes())?;
    for (name, table) in finding.tables() {
        put(name, &table)?;
    }
    if let Some(page) = page {
        put(&finding.page_file(), page.as_bytes())?;
    }
    derived.iter().try_for_each(|derived| derived.write(partial.path()))?;
    put(ORIGIN, json_text(origin).as_bytes())?;
    partial.put_in_place()
}
