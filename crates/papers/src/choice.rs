//! Points that a paper leaves open, and the ways to read them.

/// A point on which a paper is silent or ambiguous, and the ways to read it. The first option leads: it has the best
/// support in the text, whatever its results.
#[derive(Debug, PartialEq, Eq)]
pub struct Choice {
    /// Short name of lower-case letters, digits and hyphens, unique within the paper.
    pub name: &'static str,
    /// The open question.
    pub question: &'static str,
    /// The paper's text about it, with its location in the paper.
    pub text: &'static str,
    /// The reason why the first option leads.
    pub why: &'static str,
    /// The options; the first one leads.
    pub options: &'static [Reading],
}

/// One way to read a paper.
#[derive(Debug, PartialEq, Eq)]
pub struct Reading {
    /// Short name of lower-case letters, digits and hyphens, unique within the choice.
    pub name: &'static str,
    /// The reading in a few words, as in "with feedback in frames".
    pub words: &'static str,
    /// Its settings, as `key=value`; empty if it changes only what is measured. An algorithm's key applies only to
    /// cases that use the algorithm.
    pub settings: &'static [&'static str],
}

/// A reading with its settings.
pub(crate) const fn reading(
    name: &'static str,
    words: &'static str,
    settings: &'static [&'static str],
) -> Reading {
    Reading { name, words, settings }
}

/// A reading that changes only what is measured.
pub(crate) const fn measure(name: &'static str, words: &'static str) -> Reading {
    reading(name, words, &[])
}

impl Choice {
    /// The leading option.
    pub fn leading(&self) -> &'static Reading {
        &self.options[0]
    }
}
