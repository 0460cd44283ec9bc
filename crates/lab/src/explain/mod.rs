//! Explanations of everything that has a name: algorithms, parameters, presets, keys, checks, terms, metrics.

mod entry;
mod find;

use setpoint_control::parameter::Parameter;

use self::entry::Entry;
use self::find::{Found, entries, find};

/// Explains a name, or suggests another one.
pub fn explain(name: &str) -> Result<Explanation, String> {
    match find(name) {
        Found::One(entry) => Ok(entry.explanation()),
        Found::Several(entries) => Ok(several(name, &entries)),
        Found::None(remedy) => Err(format!("unknown name {name:?}; {remedy}")),
    }
}

/// The number of names that can be explained.
pub fn count() -> usize {
    entries().len()
}

/// An explanation, in parts that a terminal and a notebook lay out in their own ways.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The full name of the explained item.
    pub name: String,
    /// Paragraphs of prose; the first one defines the name.
    pub text: Vec<String>,
    /// Facts, each with a name and a value.
    pub facts: Vec<(String, String)>,
    /// Related names and their meanings: the choices of a parameter, the keys below a key, the keys of a term.
    pub related: Vec<(String, String)>,
    /// The parameters of an algorithm.
    pub parameters: Vec<&'static Parameter>,
}

impl Explanation {
    fn new(name: String, text: &str) -> Self {
        Self {
            name,
            text: vec![text.to_owned()],
            facts: Vec::new(),
            related: Vec::new(),
            parameters: Vec::new(),
        }
    }

    fn with(mut self, other: Self) -> Self {
        self.text.extend(other.text);
        self.facts.extend(other.facts);
        self.related.extend(other.related);
        self.parameters.extend(other.parameters);
        self
    }

    fn fact(&mut self, name: impl Into<String>, value: impl Into<String>) {
        self.facts.push((name.into(), value.into()));
    }

    fn related(&mut self, name: impl Into<String>, meaning: impl Into<String>) {
        self.related.push((name.into(), meaning.into()));
    }
}

/// The meanings of a name. Entries with the same full name cannot be selected individually, so all are explained.
fn several(name: &str, entries: &[Entry]) -> Explanation {
    if entries.iter().all(|entry| entry.name() == entries[0].name()) {
        let all = entries.iter().map(Entry::explanation);
        return all.reduce(Explanation::with).expect("there are several");
    }
    let text = format!("{name:?} has {} meanings; give the full name of one:", entries.len());
    let mut explanation = Explanation::new(name.to_owned(), &text);
    entries.iter().for_each(|entry| explanation.related(entry.name(), entry.title()));
    explanation
}

/// The first sentence of the given text. A full stop within brackets, as in `(Pan et al. 2003)`, does not end it.
pub fn first_sentence(text: &str) -> String {
    let mut depth = 0_u32;
    for (at, character) in text.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            '.' if depth == 0 && text[at + 1..].starts_with(' ') => return text[..=at].to_owned(),
            _ => {}
        }
    }
    text.to_owned()
}

#[cfg(test)]
mod tests {
    use super::first_sentence;

    #[test]
    fn a_sentence_ends_with_a_full_stop() {
        assert_eq!(first_sentence("One (Two et al. 2003). Three."), "One (Two et al. 2003).");
        assert_eq!(first_sentence("One. Two."), "One.");
        assert_eq!(first_sentence("10.5 Gb/s"), "10.5 Gb/s");
    }
}
