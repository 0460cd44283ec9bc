//! Places in source text.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use annotate_snippets::{Annotation, AnnotationKind, Snippet};

use super::source::Source;

/// A range of bytes in a source.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    source: Arc<Source>,
    span: Range<usize>,
}

impl Place {
    /// A range in a source, widened to whole characters.
    pub(crate) fn new(source: &Arc<Source>, span: Range<usize>) -> Self {
        let text = &source.text;
        let (mut start, mut end) = (span.start.min(text.len()), span.end.min(text.len()));
        while !text.is_char_boundary(start) {
            start -= 1;
        }
        while !text.is_char_boundary(end) {
            end += 1;
        }
        Self { source: source.clone(), span: start..end.max(start) }
    }

    /// The whole source, shown at its beginning.
    pub(crate) fn whole(source: &Arc<Source>) -> Self {
        Self::new(source, 0..0)
    }

    /// The name of the source.
    pub(crate) fn source_name(&self) -> &str {
        &self.source.name
    }

    /// The folder of the source, if it is a file.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.source.folder.as_deref()
    }

    /// The range of bytes.
    pub(crate) fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// The line and column, counted from 1.
    pub(crate) fn line_and_column(&self) -> (usize, usize) {
        self.position(self.span.start)
    }

    /// The line and column after its last character.
    pub(crate) fn end_line_and_column(&self) -> (usize, usize) {
        self.position(self.span.end)
    }

    fn position(&self, byte: usize) -> (usize, usize) {
        let before = &self.source.text[..byte];
        let column = before.rsplit('\n').next().map_or(0, |line| line.chars().count());
        (before.matches('\n').count() + 1, column + 1)
    }

    /// The position of the first byte.
    pub(crate) fn start(&self) -> usize {
        self.span.start
    }

    /// The lines around the place, with a label that points to it.
    pub(crate) fn snippet<'a>(&'a self, kind: AnnotationKind, label: &'a str) -> Snippet<'a, Annotation<'a>> {
        let label = (!label.is_empty()).then_some(label);
        Snippet::source(&self.source.text)
            .path(&self.source.name)
            .annotation(kind.span(self.span.clone()).label(label))
    }

    /// Whether another place is in the same source.
    pub(crate) fn same_source(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.source, &other.source)
    }
}

impl PartialEq for Place {
    fn eq(&self, other: &Self) -> bool {
        self.same_source(other) && self.span == other.span
    }
}
