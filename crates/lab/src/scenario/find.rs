//! Finds a scenario by the name that a user gives.

use std::path::Path;

use setpoint_suggest::did_you_mean;

use super::diagnostics::Diagnostics;
use super::source::{Source, builtin};

/// The `name` in the built-in scenario `default`, after which its results are named.
const DEFAULT_NAME: &str = "qcn-dumbbell";

/// Why there is no scenario with a given name.
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

impl Source {
    /// A scenario file or, if there is none, the built-in scenario of that name.
    ///
    /// # Errors
    /// If there is neither, or if the file cannot be read.
    pub fn find(name: &Path) -> Result<Self, NotFound> {
        let text = name.to_string_lossy();
        let known = if text == DEFAULT_NAME {
            builtin().first()
        } else {
            builtin().iter().find(|builtin| builtin.name == text)
        };
        // A folder of the same name, perhaps of results, does not hide a built-in scenario.
        if let Some(builtin) = known.filter(|_| !name.exists() || name.is_dir()) {
            return Ok(Self::builtin(builtin.name)?);
        }
        let looks_like_a_file = name.extension().is_some() || name.components().count() > 1;
        if name.exists() || looks_like_a_file { Ok(Self::read(name)?) } else { Err(unknown(&text)) }
    }
}

fn unknown(name: &str) -> NotFound {
    let close = did_you_mean(name, builtin().iter().map(|builtin| builtin.name));
    let remedy = close.unwrap_or_else(|| "`setpoint list` shows the built-in ones".to_owned());
    NotFound::Unknown { name: name.to_owned(), remedy }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::Scenario;

    #[test]
    fn the_default_is_known_by_both_names() {
        let source = Source::find(Path::new(DEFAULT_NAME)).expect("built in");
        assert_eq!(source, Source::find(Path::new(builtin()[0].name)).expect("built in"));
        assert_eq!(Scenario::load(&source, &[]).expect("valid").name(), DEFAULT_NAME);
    }
}
