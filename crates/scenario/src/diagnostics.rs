//! Problems in a scenario, shown where they occur.

use std::fmt;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Title};

pub(crate) use super::place::Place;

/// Maximum number of problems that are shown; the rest are only counted.
const SHOWN: usize = 20;

/// A problem with its place and its remedies.
///
/// Boxed to keep results small, because nearly every function here can return a problem.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem(Box<Parts>);

#[derive(Clone, Debug, PartialEq)]
struct Parts {
    message: String,
    place: Option<(Place, String)>,
    context: Vec<(Place, String)>,
    file: Option<String>,
    help: Vec<String>,
}

impl Problem {
    /// A problem at a place, with a label of a few words.
    pub(crate) fn at(place: &Place, message: impl Into<String>, label: impl Into<String>) -> Self {
        let place = Some((place.clone(), label.into()));
        let message = message.into();
        Self(Box::new(Parts { message, place, context: Vec::new(), file: None, help: Vec::new() }))
    }

    /// A problem that concerns a whole file, so no text is shown.
    pub fn of_file(file: impl Into<String>, message: impl Into<String>) -> Self {
        let (file, message) = (Some(file.into()), message.into());
        Self(Box::new(Parts { message, place: None, context: Vec::new(), file, help: Vec::new() }))
    }

    /// Adds a remedy.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.0.help.push(help.into());
        self
    }

    /// Adds a remedy, if there is one.
    #[must_use]
    pub(crate) fn help_if(self, help: Option<impl Into<String>>) -> Self {
        match help {
            Some(help) => self.help(help),
            None => self,
        }
    }

    /// Adds another relevant place.
    #[must_use]
    pub(crate) fn context(mut self, place: &Place, label: impl Into<String>) -> Self {
        if self.0.place.as_ref().is_none_or(|(own, _)| own != place) {
            self.0.context.push((place.clone(), label.into()));
        }
        self
    }

    /// The same problem with its message and remedies reworded or rewrapped.
    pub(crate) fn reworded(&self, words: impl Fn(&str) -> String) -> Self {
        let mut parts = self.0.clone();
        parts.message = words(&parts.message);
        parts.help.iter_mut().for_each(|help| *help = words(help));
        Self(parts)
    }

    /// A description of the problem, in one line.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The file or command-line option that contains it.
    pub fn file(&self) -> Option<&str> {
        self.0.place.as_ref().map(|(place, _)| place.source_name()).or(self.0.file.as_deref())
    }

    /// The line and column, counted from 1, if the problem has a place.
    pub fn line_and_column(&self) -> Option<(usize, usize)> {
        self.0.place.as_ref().map(|(place, _)| place.line_and_column())
    }

    /// The line and column after its last character.
    pub fn end_line_and_column(&self) -> Option<(usize, usize)> {
        self.0.place.as_ref().map(|(place, _)| place.end_line_and_column())
    }

    /// The remedies.
    pub fn remedies(&self) -> &[String] {
        &self.0.help
    }

    /// Names that may replace the marked text: those suggested by a remedy such as "did you mean `rate`?".
    pub fn replacements(&self) -> Vec<&str> {
        let asks = |help: &&String| {
            help.starts_with("did you mean ") && (help.ends_with("`?") || help.ends_with("\"?"))
        };
        let names = |help| str::split(help, ['`', '"']).skip(1).step_by(2);
        // A full key does not belong at the marked place.
        self.0
            .help
            .iter()
            .filter(asks)
            .flat_map(|help| names(help))
            .filter(|name| !name.contains('.'))
            .collect()
    }

    fn group(&self) -> Group<'_> {
        self.group_under(Level::ERROR.primary_title(&self.0.message))
    }

    /// The places and remedies under a title.
    pub(crate) fn group_under<'a>(&'a self, title: Title<'a>) -> Group<'a> {
        let mut group = Group::with_title(title);
        if let Some((place, label)) = &self.0.place {
            let mut snippet = place.snippet(AnnotationKind::Primary, label);
            for (other, label) in self.0.context.iter().filter(|(other, _)| other.same_source(place)) {
                snippet = snippet.annotation(AnnotationKind::Context.span(other.span()).label(label));
            }
            group = group.element(snippet);
            for (other, label) in self.0.context.iter().filter(|(other, _)| !other.same_source(place)) {
                group = group.element(other.snippet(AnnotationKind::Context, label));
            }
        } else if let Some(file) = &self.0.file {
            group = group.element(Origin::path(file));
        }
        group.elements(self.0.help.iter().map(|help| Level::HELP.message(help)))
    }
}

/// Whether terminal output is coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// Plain text.
    Off,
    /// With escape sequences for colours.
    On,
}

/// All problems found in a scenario: at least one [`Problem`].
///
/// [`fmt::Display`] prints the same as [`Diagnostics::render`] without colours.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostics {
    problems: Vec<Problem>,
}

impl Diagnostics {
    /// The problems, in the order in which they were found.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// The same problems, each with the values of the variant in which it was found.
    pub(crate) fn in_variant(mut self, values: &[(Place, String)]) -> Self {
        for problem in &mut self.problems {
            for (place, label) in values {
                if problem.0.context.iter().all(|(own, _)| own != place) {
                    *problem = problem.clone().context(place, label);
                }
            }
        }
        self
    }

    /// All problems as text, each with the affected lines.
    pub fn render(&self, colour: Colour) -> String {
        let renderer = match colour {
            Colour::Off => Renderer::plain(),
            Colour::On => Renderer::styled(),
        };
        let shown = self.problems.iter().take(SHOWN);
        let mut texts: Vec<String> = shown.map(|problem| renderer.render(&[problem.group()])).collect();
        if let Some(more) = self.problems.len().checked_sub(SHOWN).filter(|&more| more > 0) {
            texts.push(format!("… and {more} more problem{}", if more == 1 { "" } else { "s" }));
        }
        texts.join("\n\n")
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(Colour::Off))
    }
}

impl std::error::Error for Diagnostics {}

impl From<Problem> for Diagnostics {
    fn from(problem: Problem) -> Self {
        Self { problems: vec![problem] }
    }
}

/// Collects problems as they are found.
#[derive(Debug, Default)]
pub(crate) struct Problems(Vec<Problem>);

impl Problems {
    /// Maximum number of problems that are kept: more than anyone will read. Further problems are discarded.
    pub(crate) const KEPT: usize = 100;

    /// Adds a problem unless it is already in the list.
    pub(crate) fn push(&mut self, problem: Problem) {
        if !self.is_full() && !self.0.contains(&problem) {
            self.0.push(problem);
        }
    }

    /// Returns the value, or records the problem.
    pub(crate) fn take<T>(&mut self, result: Result<T, Problem>) -> Option<T> {
        result.map_err(|problem| self.push(problem)).ok()
    }

    /// Adds all problems from another list.
    pub(crate) fn extend(&mut self, others: Diagnostics) {
        for problem in others.problems {
            self.push(problem);
        }
    }

    /// Whether enough problems have been found to stop looking.
    pub(crate) fn is_full(&self) -> bool {
        self.0.len() >= Self::KEPT
    }

    /// The number of problems.
    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }

    /// Returns the value if there are no problems.
    pub(crate) fn or_else<T>(self, value: T) -> Result<T, Diagnostics> {
        if self.0.is_empty() { Ok(value) } else { Err(Diagnostics { problems: self.0 }) }
    }

    /// Returns the problems or, if there are none, a general one at the given place.
    pub(crate) fn into_diagnostics(mut self, place: &Place) -> Diagnostics {
        if self.0.is_empty() {
            self.push(Problem::at(place, "this scenario cannot be read", ""));
        }
        Diagnostics { problems: self.0 }
    }

    /// All problems.
    pub(crate) fn into_iter(self) -> impl Iterator<Item = Problem> {
        self.0.into_iter()
    }

    /// Fails if there are problems.
    pub(crate) fn check(&mut self) -> Result<(), Diagnostics> {
        std::mem::take(self).or_else(())
    }
}
