//! Names of the runs' folders, and the files of the sweep.

use std::collections::BTreeSet;
use std::path::Path;

use setpoint_record::json;

use super::summary::SweepSummary;
use crate::shard::Shard;
use crate::store::{self, Collection, Kind, MANIFEST, SWEEP, SWEEP_PAGE, StoreError, Workplace};

/// The metrics of all variants as a table.
const TABLE: &str = "sweep.csv";
/// Maximum length of the part of a folder name that comes from values, so that the name is valid on
/// every file system.
const LONGEST: usize = 120;

/// The name of a run's folder: the variant's number and values, then the seed. `digits` is the number
/// of digits in the largest variant number, so that names sort by variant number.
pub(super) fn name(index: usize, digits: usize, assignments: &[(String, String)], seed: u64) -> String {
    if assignments.is_empty() {
        return format!("seed={seed}");
    }
    let values: Vec<String> = assignments.iter().map(|(key, value)| format!("{key}={value}")).collect();
    format!("{index:0digits$}_{}_seed={seed}", plain(&values.join("_")))
}

/// Text that is a valid name on every file system and in every shell.
fn plain(text: &str) -> String {
    let keep = |c: char| c.is_ascii_alphanumeric() || "._=+-".contains(c);
    let unspaced = text.chars().filter(|c| !c.is_whitespace() && *c != '"');
    unspaced.map(|c| if keep(c) { c } else { '-' }).take(LONGEST).collect()
}

/// Opens a folder for a sweep. Folders of runs are checked when they are written.
pub(super) fn open(folder: &Path) -> Result<Collection, StoreError> {
    check_no_run(folder)?;
    Collection::open(folder, Kind::Sweep, &[SWEEP, TABLE, SWEEP_PAGE])
}

/// Claims a part of a folder for a sweep.
pub(super) fn join(folder: &Path, shard: Shard) -> Result<Workplace, StoreError> {
    check_no_run(folder)?;
    Workplace::join(folder, Kind::Sweep, shard)
}

fn check_no_run(folder: &Path) -> Result<(), StoreError> {
    if folder.join(MANIFEST).exists() {
        let problem = "holds the result of a single run, which a sweep does not replace".to_owned();
        return Err(StoreError::Foreign { path: folder.to_owned(), problem });
    }
    Ok(())
}

/// Sorted names of folders that lie next to the folders of a sweep's runs but hold results for other seeds or
/// values. They are kept, and users should not mistake them for results of this sweep.
///
/// # Errors
/// If the folder cannot be listed.
pub fn other_results(folder: &Path, summary: &SweepSummary) -> Result<Vec<String>, StoreError> {
    let runs = summary.variants.iter().flat_map(|variant| &variant.runs);
    let ours: BTreeSet<&str> = runs.map(|run| run.folder.as_str()).collect();
    let mut others = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(StoreError::io("list", folder))? {
        let name = entry.map_err(StoreError::io("list", folder))?.file_name();
        let name = name.to_string_lossy().into_owned();
        // Hidden folders are temporary.
        let hidden = name.starts_with('.');
        if !hidden && !ours.contains(name.as_str()) && folder.join(&name).join(MANIFEST).is_file() {
            others.push(name);
        }
    }
    others.sort_unstable();
    Ok(others)
}

/// Reads the figures of a stored sweep.
///
/// # Errors
/// If the folder holds no sweep, or its figures are unreadable or were edited.
pub fn read(folder: &Path) -> Result<SweepSummary, StoreError> {
    store::read_unchanged(folder, SWEEP)
}

/// Like [`read`], but also checks that the stored runs are undamaged and are those that the figures come from. Runs
/// whose folders were removed are not checked.
///
/// # Errors
/// As [`read`], and if a run is damaged or was replaced by another one.
pub fn read_verified(folder: &Path) -> Result<SweepSummary, StoreError> {
    let summary = read(folder)?;
    let runs = summary.variants.iter().flat_map(|variant| &variant.runs).filter(|run| run.digest.is_some());
    for run in runs {
        let path = folder.join(&run.folder);
        if path.exists() && run.digest != Some(store::verify(&path)?.digest) {
            return Err(StoreError::Damaged { path, problem: "is not the run that sweep.json describes" });
        }
    }
    Ok(summary)
}

/// Writes the files of the sweep, each completely or not at all.
pub(super) fn write(folder: &Collection, summary: &SweepSummary) -> Result<(), StoreError> {
    folder.put(SWEEP, json::text(summary).as_bytes())?;
    folder.put(TABLE, summary.to_csv().as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_contain_the_values() {
        let assignments = |list: &[(&str, &str)]| -> Vec<(String, String)> {
            list.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
        };
        assert_eq!(name(0, 1, &[], 7), "seed=7");
        let two = assignments(&[("topology.dumbbell.senders", "10"), ("cp.set_point", "\"26 kB\"")]);
        assert_eq!(name(3, 2, &two, 1), "03_topology.dumbbell.senders=10_cp.set_point=26kB_seed=1");
        assert_eq!(name(0, 1, &assignments(&[("rate", "\"10 Gb/s\"")]), 1), "0_rate=10Gb-s_seed=1");
        let hostile = assignments(&[("a", "../../etc:*?µ"), ("b", &"x".repeat(500))]);
        let hostile = name(12, 2, &hostile, u64::MAX);
        assert!(hostile.starts_with("12_a=..-..-etc---") && hostile.len() < 180, "{hostile}");
    }
}
