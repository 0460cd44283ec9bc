//! Problems in the file of a lecture.

use std::fmt;
use std::ops::Range;

/// All problems in the file of a lecture, one per line, with their places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LectureError(Vec<String>);

impl LectureError {
    /// A problem with the whole file.
    pub(super) fn of_file(name: &str, message: &str) -> Self {
        Self(vec![format!("{name}: {message}")])
    }
}

impl fmt::Display for LectureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("\n"))
    }
}

impl std::error::Error for LectureError {}

/// Collects problems as they are found.
pub(super) struct Problems {
    name: String,
    text: String,
    /// Lines and messages.
    found: Vec<(usize, String)>,
}

impl Problems {
    pub(super) fn new(name: &str, text: &str) -> Self {
        Self { name: name.to_owned(), text: text.to_owned(), found: Vec::new() }
    }

    /// Adds a problem at a place in the text.
    pub(super) fn add(&mut self, span: Range<usize>, message: &str) {
        let before = self.text.get(..span.start).unwrap_or_default();
        let line = 1 + before.matches('\n').count();
        self.found.push((line, format!("{}:{line}: {message}", self.name)));
    }

    /// Returns the value if there are no problems.
    pub(super) fn or<T>(self, value: T) -> Result<T, LectureError> {
        if self.found.is_empty() { Ok(value) } else { Err(self.into_error()) }
    }

    /// All problems, in the order of the text.
    pub(super) fn into_error(mut self) -> LectureError {
        self.found.sort_by_key(|(line, _)| *line);
        LectureError(self.found.into_iter().map(|(_, message)| message).collect())
    }
}
