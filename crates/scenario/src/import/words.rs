//! Texts as words separated by white space, each with its place.

use std::sync::Arc;

use crate::decimal::Decimal;
use crate::diagnostics::{Place, Problem};
use crate::source::Source;

/// The words of a text.
#[derive(Clone)]
pub(super) struct Words<'a> {
    source: &'a Arc<Source>,
    begin: usize,
    at: usize,
    end: usize,
}

/// A word and its position.
#[derive(Clone, Copy)]
pub(super) struct Word<'a> {
    pub(super) text: &'a str,
    source: &'a Arc<Source>,
    at: usize,
}

impl<'a> Words<'a> {
    /// All words of a text.
    pub(super) fn of(source: &'a Arc<Source>) -> Self {
        Self::within(source, 0, source.text.len())
    }

    /// The words of a part of a text.
    fn within(source: &'a Arc<Source>, begin: usize, end: usize) -> Self {
        Self { source, begin, at: begin, end }
    }

    /// The lines that contain words, each as its words.
    pub(super) fn lines(source: &'a Arc<Source>) -> impl Iterator<Item = Self> {
        let mut at = 0;
        let lines = source.text.split_inclusive('\n').map(move |line| {
            at += line.len();
            Self::within(source, at - line.len(), at)
        });
        lines.filter(|line| line.clone().next().is_some())
    }

    /// The next word, or a problem if the text has ended; `what` describes the word that is expected.
    pub(super) fn expect(&mut self, what: &str) -> Result<Word<'a>, Problem> {
        self.next().ok_or_else(|| {
            let end = self.source.text[..self.end].trim_end().len();
            let is_whole = self.begin == 0 && self.end == self.source.text.len();
            let owner = if is_whole { "the file" } else { "this line" };
            let begin = self.source.text[..end].rfind(char::is_whitespace).map_or(0, |space| space + 1);
            let message = format!("{owner} ends, but {what} is expected");
            let problem = Problem::at(&Place::new(self.source, begin..end), message, "the last word");
            problem.help_if((!is_whole).then_some("complete the line"))
        })
    }

    /// The next word as a whole number of at most `most`.
    pub(super) fn number(&mut self, what: &str, most: u64) -> Result<u64, Problem> {
        self.expect(what)?.number(what, most)
    }

    /// All words that remain.
    pub(super) fn place(&self) -> Place {
        let text = &self.source.text[self.at..self.end];
        let begin = self.at + text.len() - text.trim_start().len();
        Place::new(self.source, begin..self.at + text.trim_end().len().max(begin - self.at))
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = Word<'a>;

    fn next(&mut self) -> Option<Word<'a>> {
        let rest = &self.source.text[self.at..self.end];
        let begin = self.at + rest.len() - rest.trim_start().len();
        let text = self.source.text[begin..self.end].split_whitespace().next()?;
        self.at = begin + text.len();
        Some(Word { text, source: self.source, at: begin })
    }
}

impl Word<'_> {
    pub(super) fn place(&self) -> Place {
        Place::new(self.source, self.at..self.at + self.text.len())
    }

    /// A problem with this word.
    pub(super) fn problem(&self, message: impl Into<String>, label: &str) -> Problem {
        Problem::at(&self.place(), message, label)
    }

    /// A whole number of at most `most`.
    pub(super) fn number(&self, what: &str, most: u64) -> Result<u64, Problem> {
        // C++ reads "12." and "12.0" as 12, and generators write such numbers.
        let number = Decimal::read(self.text).and_then(|number| number.whole(0));
        number.filter(|number| *number <= most).ok_or_else(|| {
            let message = format!("{:?} is not {what}", self.text);
            self.problem(message, "").help(format!("write a whole number from 0 to {most}"))
        })
    }

    /// A part of the word, with its place.
    pub(super) fn part(&self, from: usize, to: usize) -> Self {
        Self { text: &self.text[from..to], source: self.source, at: self.at + from }
    }
}
