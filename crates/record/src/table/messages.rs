//! The messages of runs.

use setpoint_units::quantity::Unit::{Bytes, Ratio, Seconds};

use super::entries::{self, Entries, Names};
use super::{Column, Table, Values};
use crate::results::{MessageRecord, MessageState, Summary};

/// The name of tables of messages.
pub const MESSAGES: &str = "messages";

/// The messages of a run.
pub(super) fn of_run(messages: &[MessageRecord], summary: &Summary) -> Table {
    let flows = Values::Names {
        names: summary.flows.iter().map(|flow| flow.name.clone()).collect(),
        rows: messages.iter().map(|message| message.flow as u32).collect(),
    };
    let entries = Entries::of(summary);
    let entries = entries.map(|entries| entries.column(messages.iter().map(|message| message.flow)));
    let mut columns = vec![flow(flows)];
    columns.extend(entries);
    columns.extend(figures(messages));
    Table { name: MESSAGES.to_owned(), columns, origin: Vec::new() }
}

/// The messages of several runs.
#[derive(Default)]
pub struct Messages {
    flows: Names,
    entries: Names,
    /// Whether any run has `[[flows]]` entries.
    has_entries: bool,
    messages: Vec<MessageRecord>,
}

impl Messages {
    /// Adds the messages of a run.
    pub fn add(&mut self, messages: Vec<MessageRecord>, summary: &Summary) {
        let entries = Entries::of(summary);
        self.has_entries |= entries.is_some();
        for message in &messages {
            self.flows.push(&summary.flows[message.flow].name);
            self.entries.push(entries.as_ref().map_or("", |entries| entries.name(message.flow)));
        }
        self.messages.extend(messages);
    }

    /// Their columns, with a row for each message.
    pub fn columns(self) -> Vec<Column> {
        let mut columns = vec![flow(self.flows.values())];
        if self.has_entries {
            columns.push(entries::column(self.entries.values()));
        }
        columns.extend(figures(&self.messages));
        columns
    }
}

fn flow(values: Values) -> Column {
    Column::new("flow", None, "Its flow.", values)
}

fn figures(messages: &[MessageRecord]) -> Vec<Column> {
    let seconds = |name: &str, meaning: &str, of: fn(&MessageRecord) -> Option<f64>| {
        let values = Values::Numbers(messages.iter().map(of).collect());
        Column::new(name, Some(Seconds), meaning, values)
    };
    let sizes = Values::Counts(messages.iter().map(|message| Some(message.size_bytes)).collect());
    let states = Values::Names {
        names: MessageState::ALL.map(|state| state.name().to_owned()).into(),
        rows: messages.iter().map(|message| message.state as u32).collect(),
    };
    vec![
        Column::new("size_bytes", Some(Bytes), "Its size.", sizes),
        seconds("offered_s", "The time at which it was offered.", |message| Some(message.offered_s)),
        seconds(
            "completed_s",
            "The time at which its last byte arrived; missing unless it was completed.",
            |message| message.completed_s,
        ),
        seconds(
            "ideal_s",
            "The time that it would have taken on an empty network at the flow's full rate.",
            |message| Some(message.ideal_s),
        ),
        seconds("fct_s", "Completion time; missing unless it was completed.", |message| message.fct_s),
        Column::new(
            "slowdown",
            Some(Ratio),
            "Completion time divided by the completion time on an empty network; missing unless it was completed.",
            Values::Numbers(messages.iter().map(MessageRecord::slowdown).collect()),
        ),
        seconds("waited_s", "The time that it waited for earlier messages of its flow.", |message| {
            Some(message.waited_s)
        }),
        Column::new("state", None, "Its state at the end: completed, unfinished or damaged.", states),
    ]
}
