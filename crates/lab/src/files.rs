//! Scenario files.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use setpoint_scenario::{Diagnostics, Files, Override, Problem, Scenario, Source, builtin};
use setpoint_suggest::did_you_mean;

/// Maximum size of a scenario file, in bytes.
pub const MAX_BYTES: u64 = 1_000_000;

/// Maximum size of a table of flows, in bytes.
const MAX_TABLE_BYTES: u64 = 1_000_000_000;

/// The `name` that the built-in scenario `default` sets; its results are named after it.
const DEFAULT_NAME: &str = "qcn-dumbbell";

/// The reason why there is no scenario with a given name.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NotFound {
    /// No file and no built-in scenario has the name.
    #[error("no file and no built-in scenario is called {name:?}; {remedy}")]
    Unknown {
        /// The given name.
        name: String,
        /// The most similar name, or how to list all names.
        remedy: String,
    },
    /// The file cannot be read.
    #[error(transparent)]
    Unreadable(#[from] Diagnostics),
}

/// Loads a scenario, which can extend and name files if it was read from a file.
///
/// # Errors
/// As [`Scenario::load`].
pub fn load(source: &Source, overrides: &[Override]) -> Result<Scenario, Diagnostics> {
    Scenario::load_with(source, overrides, &Disk)
}

/// A scenario file or, if there is none, the built-in scenario of that name.
///
/// # Errors
/// If there is neither, or if the file cannot be read.
pub fn find(name: &Path) -> Result<Source, NotFound> {
    let text = name.to_string_lossy();
    let known = if text == DEFAULT_NAME {
        builtin().first()
    } else {
        builtin().iter().find(|builtin| builtin.name == text)
    };
    // A folder of the same name, perhaps of results, does not hide a built-in scenario.
    if let Some(builtin) = known.filter(|_| !name.exists() || name.is_dir()) {
        return Ok(Source::builtin(builtin.name)?);
    }
    let looks_like_a_file = name.extension().is_some() || name.components().count() > 1;
    if name.exists() || looks_like_a_file { Ok(read(name)?) } else { Err(unknown(&text)) }
}

/// Reads a file of at most [`MAX_BYTES`].
///
/// # Errors
/// If the file cannot be read, is too long or is not UTF-8.
pub fn read(path: impl AsRef<Path>) -> Result<Source, Diagnostics> {
    let path = path.as_ref();
    let name = path.display().to_string();
    let bytes = read_bounded(path).map_err(|error| Problem::of_file(&name, error.to_string()))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(too_long(path, name).into());
    }
    let text = String::from_utf8(bytes).map_err(|error| not_utf8(&name, &error))?;
    let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
    Ok(Source::of_file(name, text, folder))
}

/// Reads a file of another program, such as a trace, of at most a gigabyte.
///
/// # Errors
/// If the file cannot be read, is too long or is not UTF-8.
pub fn read_foreign(path: impl AsRef<Path>) -> Result<Source, Diagnostics> {
    let path = path.as_ref();
    let name = path.display().to_string();
    let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
    match table_text(path) {
        Ok(text) => Ok(Source::of_file(name, text, folder)),
        Err(reason) => Err(Problem::of_file(name, format!("cannot read the file: {reason}")).into()),
    }
}

/// The text of a file of at most [`MAX_TABLE_BYTES`].
fn table_text(path: &Path) -> Result<String, String> {
    check_file(path)?;
    fs::read_to_string(path).map_err(|error| match error.kind() {
        io::ErrorKind::InvalidData => "it is not UTF-8".to_owned(),
        _ => plain(&error),
    })
}

/// The files on the disk.
struct Disk;

impl Files for Disk {
    fn open(&self, folder: &Path, target: &str) -> Result<Source, String> {
        let path = folder.join(target);
        check_file(&path)?;
        read(&path).map_err(|error| error.problems()[0].message().to_string())
    }

    fn open_table(&self, folder: &Path, target: &str) -> Result<Source, String> {
        let path = folder.join(target);
        Ok(Source::of_file(path.display().to_string(), table_text(&path)?, folder.to_owned()))
    }

    fn canonical(&self, path: PathBuf) -> PathBuf {
        path.canonicalize().unwrap_or(path)
    }
}

/// Checks that a path leads to a file of at most [`MAX_TABLE_BYTES`].
fn check_file(path: &Path) -> Result<(), String> {
    match fs::metadata(path) {
        Ok(found) if found.is_file() && found.len() > MAX_TABLE_BYTES => {
            Err(format!("it has {} bytes, but can have at most {MAX_TABLE_BYTES}", found.len()))
        }
        Ok(found) if found.is_file() => Ok(()),
        Ok(_) => Err(format!("{} is not a file", path.display())),
        Err(error) => Err(plain(&error)),
    }
}

/// Reads one byte more than allowed, to detect files that are too long without reading them completely.
fn read_bounded(path: &Path) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes))
        .map_err(|error| format!("cannot read the scenario: {}", plain(&error)))?;
    Ok(bytes)
}

/// The message of a system error, without its error number.
fn plain(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => String::from("there is no such file"),
        io::ErrorKind::PermissionDenied => String::from("permission denied"),
        io::ErrorKind::IsADirectory => String::from("it is a folder"),
        _ => error.to_string(),
    }
}

fn too_long(path: &Path, name: String) -> Problem {
    let length = fs::metadata(path).map(|found| found.len()).ok().filter(|&length| length > MAX_BYTES);
    let length =
        length.map_or_else(|| String::from("over the limit"), |length| format!("{length} bytes long"));
    Problem::of_file(name, format!("the file is {length}; a scenario can have at most {MAX_BYTES} bytes"))
        .help("a scenario is a short text; is this file a result or a trace?")
}

fn not_utf8(name: &str, error: &std::string::FromUtf8Error) -> Problem {
    let good = error.utf8_error().valid_up_to();
    let line = error.as_bytes()[..good].iter().filter(|&&byte| byte == b'\n').count() + 1;
    let byte = error.as_bytes()[good];
    Problem::of_file(
        name,
        format!(
            "the file is not UTF-8: byte 0x{byte:02x} at offset {good} (line {line}) is not part of a character"
        ),
    )
    .help("save the file as UTF-8")
}

fn unknown(name: &str) -> NotFound {
    let close = did_you_mean(name, builtin().iter().map(|builtin| builtin.name));
    let remedy = close.unwrap_or_else(|| "`setpoint list` shows the built-in ones".to_owned());
    NotFound::Unknown { name: name.to_owned(), remedy }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_is_known_by_both_names() {
        let source = find(Path::new(DEFAULT_NAME)).expect("built in");
        assert_eq!(source, find(Path::new(builtin()[0].name)).expect("built in"));
        assert_eq!(Scenario::load(&source, &[]).expect("valid").name(), DEFAULT_NAME);
    }
}
