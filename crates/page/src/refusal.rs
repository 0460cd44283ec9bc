//! Questions that are not answered.

/// The reason why a question was not answered, in a sentence for the user of the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The kind of reason.
    pub reason: Reason,
    /// The sentence.
    pub message: String,
}

/// The kinds of reasons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The question makes no sense.
    Malformed,
    /// The scenario is too long, or its run needs too much memory.
    TooLarge,
    /// There is no answer for this scenario.
    Inapplicable,
}

impl Refusal {
    pub(crate) fn new(reason: Reason, message: impl Into<String>) -> Self {
        Self { reason, message: message.into() }
    }
}
