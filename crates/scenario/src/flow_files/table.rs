//! A table of messages.

use std::ops::Range;
use std::sync::Arc;

use setpoint_sim::Priority;
use setpoint_units::{Bytes, TimeDelta};

use super::order::Orders;
use crate::diagnostics::{Place, Problem};
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
    /// The order of the messages, if they can wait for each other.
    pub(crate) orders: Option<Orders>,
}

/// One message, or a computation in a table of messages that can wait for each other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    /// The time at which it is offered; zero if it waits for others.
    pub(crate) start: TimeDelta,
    /// Zero for a computation.
    pub(crate) size: Bytes,
    /// The sender, as an index into the stations.
    pub(crate) source: usize,
    /// The receiver; the sender itself for a computation.
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

impl Row {
    pub(crate) fn is_computation(&self) -> bool {
        self.size.is_zero()
    }
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

impl Row {
    /// The message of a line that begins at a position.
    pub(super) fn new(draft: &Draft<'_>, at: usize) -> Self {
        let Draft { start, size, source, destination, class, priority, .. } = *draft;
        let destination = destination.unwrap_or(source);
        Self { start: start.unwrap_or_default(), size, source, destination, class, priority, at }
    }
}

/// A message while its line is read.
#[derive(Debug, Default)]
pub(super) struct Draft<'a> {
    pub(super) start: Option<TimeDelta>,
    pub(super) size: Bytes,
    pub(super) source: usize,
    pub(super) destination: Option<usize>,
    pub(super) class: Option<usize>,
    pub(super) priority: Option<Priority>,
    pub(super) id: Option<Cell<'a>>,
    /// The ids of the messages that it waits for.
    pub(super) after: Option<Cell<'a>>,
    pub(super) gap: TimeDelta,
}

/// A value and its position.
#[derive(Clone, Debug)]
pub(super) struct Cell<'a> {
    pub(super) text: &'a str,
    pub(super) span: Range<usize>,
}

impl Cell<'_> {
    pub(super) fn place(&self, source: &Arc<Source>) -> Place {
        Place::new(source, self.span.clone())
    }

    pub(super) fn problem(&self, source: &Arc<Source>, message: impl Into<String>, label: &str) -> Problem {
        Problem::at(&self.place(source), message, label)
    }
}
