//! The `[[flows]]` entry of every flow.

use std::collections::HashMap;

use super::{Column, Values};
use crate::results::Summary;

/// The name of the column.
const ENTRY: &str = "entry";

/// The `[[flows]]` entries of a run, and the entry of each of its flows.
pub(super) struct Entries {
    names: Vec<String>,
    /// The position of each flow's entry in `names`.
    of_flows: Vec<u32>,
}

impl Entries {
    /// None if the scenario has no entries, as for the default flows of a dumbbell. Flows are in the order of their
    /// entries.
    pub(super) fn of(summary: &Summary) -> Option<Self> {
        let entries = &summary.entries;
        let of_flows: Vec<u32> =
            (0..).zip(entries).flat_map(|(number, entry)| std::iter::repeat_n(number, entry.flows)).collect();
        let names = entries.iter().map(|entry| entry.name.clone()).collect();
        (!entries.is_empty() && of_flows.len() == summary.flows.len()).then_some(Self { names, of_flows })
    }

    /// The column for rows of the given flows.
    pub(super) fn column(&self, flows: impl Iterator<Item = usize>) -> Column {
        let rows = flows.map(|flow| self.of_flows[flow]).collect();
        column(Values::Names { names: self.names.clone(), rows })
    }

    /// The name of a flow's entry.
    pub(super) fn name(&self, flow: usize) -> &str {
        &self.names[self.of_flows[flow] as usize]
    }
}

/// The column with the entry of each row.
pub(super) fn column(values: Values) -> Column {
    let meaning =
        "The `[[flows]]` entry of its flow: its name, or its key in the scenario, such as `flows.1`.";
    Column::new(ENTRY, None, meaning, values)
}

/// Names in order of their first appearance, for a column in which they are repeated.
#[derive(Default)]
pub(super) struct Names {
    places: HashMap<String, u32>,
    names: Vec<String>,
    rows: Vec<u32>,
}

impl Names {
    /// Adds a row.
    pub(super) fn push(&mut self, name: &str) {
        let place = self.places.get(name).copied().unwrap_or_else(|| {
            let place = self.names.len() as u32;
            self.names.push(name.to_owned());
            self.places.insert(name.to_owned(), place);
            place
        });
        self.rows.push(place);
    }

    /// The values of the column.
    pub(super) fn values(self) -> Values {
        Values::Names { names: self.names, rows: self.rows }
    }
}
