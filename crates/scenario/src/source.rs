//! Texts of scenarios, and access to the files that they extend or name.

use std::path::{Path, PathBuf};

/// The text of a scenario, and its name.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Source {
    /// The path, or a name that messages use in its place.
    pub name: String,
    /// The text.
    pub text: String,
    /// The folder in which `extends` looks for files; none for text that was not read from a file, which can only
    /// extend built-in scenarios.
    pub(crate) folder: Option<PathBuf>,
}

/// Access to the files that scenarios extend or name.
pub trait Files {
    /// Reads the file at a path relative to a folder.
    ///
    /// # Errors
    /// The reason why it cannot be read.
    fn open(&self, folder: &Path, target: &str) -> Result<Source, String>;

    /// Reads a table at a path relative to a folder. It may be much longer than a scenario.
    ///
    /// # Errors
    /// As [`Files::open`].
    fn open_table(&self, folder: &Path, target: &str) -> Result<Source, String> {
        self.open(folder, target)
    }

    /// The path that identifies a file, however its path is written.
    fn canonical(&self, path: PathBuf) -> PathBuf;
}

/// No files: only built-in scenarios can be extended.
#[derive(Clone, Copy, Debug)]
pub struct NoFiles;

impl Files for NoFiles {
    fn open(&self, _folder: &Path, target: &str) -> Result<Source, String> {
        no_file(target)
    }

    fn canonical(&self, path: PathBuf) -> PathBuf {
        path
    }
}

pub(crate) fn no_file(target: &str) -> Result<Source, String> {
    Err(format!("there is no built-in scenario {target:?}, and only files can extend files"))
}

impl Source {
    /// Text that does not come from a file.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: name.into(), text: text.into(), folder: None }
    }

    /// Text from a file, which can extend files relative to the given folder.
    pub fn of_file(name: impl Into<String>, text: impl Into<String>, folder: PathBuf) -> Self {
        Self { folder: Some(folder), ..Self::new(name, text) }
    }

    /// Identifies this source when looking for cycles.
    pub(crate) fn identity(&self, files: &dyn Files) -> PathBuf {
        let path = PathBuf::from(&self.name);
        if self.folder.is_some() { files.canonical(path) } else { path }
    }

    /// A name for a scenario whose text does not contain one.
    pub(crate) fn stem(&self) -> String {
        let stem = Path::new(&self.name).file_stem().map(|stem| stem.to_string_lossy().into_owned());
        stem.filter(|stem| !stem.is_empty()).unwrap_or_else(|| String::from("scenario"))
    }
}
