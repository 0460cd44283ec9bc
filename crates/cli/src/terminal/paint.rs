//! Colours: few, and with a meaning.

use setpoint_lab::scenario::Colour;

/// Puts colours on text, or leaves it as it is.
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

    /// Labels and what can be passed over.
    pub(crate) fn faint(self, text: &str) -> String {
        self.wrap("2", text)
    }

    /// What is as it should be.
    pub(crate) fn good(self, text: &str) -> String {
        self.wrap("32", text)
    }

    /// What should be looked at.
    pub(crate) fn bad(self, text: &str) -> String {
        self.wrap("1;31", text)
    }

    /// What can be typed or opened.
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
