//! Colours with a meaning.

use setpoint_scenario::Colour;

/// Colours text, or leaves it unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Paint(Colour);

impl Paint {
    pub(crate) fn new(colour: Colour) -> Self {
        Self(colour)
    }

    /// Titles and names.
    pub(crate) fn strong(self, text: &str) -> String {
        self.wrap("1", text)
    }

    /// Labels and minor details.
    pub(crate) fn faint(self, text: &str) -> String {
        self.wrap("2", text)
    }

    /// Good values.
    pub(crate) fn good(self, text: &str) -> String {
        self.wrap("32", text)
    }

    /// Values that need attention.
    pub(crate) fn bad(self, text: &str) -> String {
        self.wrap("1;31", text)
    }

    /// Commands and paths.
    pub(crate) fn link(self, text: &str) -> String {
        self.wrap("36", text)
    }

    fn wrap(self, code: &str, text: &str) -> String {
        match self.0 {
            Colour::On if !text.is_empty() => format!("\u{1b}[{code}m{text}\u{1b}[0m"),
            _ => text.to_owned(),
        }
    }
}
