//! A table of messages.

use std::ops::Range;
use std::sync::Arc;

use setpoint_sim::Priority;
use setpoint_units::{Bytes, TimeDelta};

use crate::diagnostics::Place;
use crate::source::Source;

/// The messages in a CSV file, in the order of its lines.
#[derive(Debug)]
pub(crate) struct FlowTable {
    pub(crate) source: Arc<Source>,
    pub(crate) rows: Vec<Row>,
    /// The stations, in order of their first appearance.
    pub(crate) stations: Vec<Word>,
    /// The classes, in order of their first appearance.
    pub(crate) classes: Vec<Word>,
}

/// One message.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    /// The time at which it is offered.
    pub(crate) start: TimeDelta,
    pub(crate) size: Bytes,
    /// The sender, as an index into the stations.
    pub(crate) source: usize,
    /// The receiver.
    pub(crate) destination: usize,
    /// An index into the classes, if the line has a class.
    pub(crate) class: Option<usize>,
    pub(crate) priority: Option<Priority>,
    /// The position of the line in the text.
    at: usize,
}

/// A name, and where it first appears.
#[derive(Clone, Debug)]
pub(crate) struct Word {
    pub(crate) text: String,
    pub(super) span: Range<usize>,
}

impl FlowTable {
    /// The line of a message.
    pub(crate) fn place_of(&self, row: &Row) -> Place {
        let length = self.source.text[row.at..].lines().next().map_or(0, str::len);
        Place::new(&self.source, row.at..row.at + length)
    }

    /// The first appearance of a name.
    pub(crate) fn place_of_word(&self, word: &Word) -> Place {
        Place::new(&self.source, word.span.clone())
    }
}

/// A message while its line is read.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) start: TimeDelta,
    pub(super) size: Bytes,
    pub(super) source: usize,
    pub(super) destination: usize,
    pub(super) class: Option<usize>,
    pub(super) priority: Option<Priority>,
}

impl Draft {
    /// The message of the line that begins at a position.
    pub(super) fn row(self, at: usize) -> Row {
        let Self { start, size, source, destination, class, priority } = self;
        Row { start, size, source, destination, class, priority, at }
    }
}
