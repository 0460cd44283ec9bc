//! The state of a point as a list of named values, for golden vectors and debugging.

use setpoint_units::{Bytes, Rate, Time};

/// One value of a point's state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name, without a unit: `old_queue`.
    pub name: &'static str,
    /// The tenant, flow or point that it belongs to, if the state has a separate value for each.
    pub of: Option<u32>,
    /// The value.
    pub reading: Reading,
}

/// A value with its unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// A number without a unit.
    Number(i64),
    /// An amount of data; negative if a counter has run past its end.
    Bytes(i64),
    /// A rate.
    Rate(Rate),
    /// An instant.
    Time(Time),
    /// A state, by name.
    Word(&'static str),
    /// No value at present.
    Absent,
}

impl Reading {
    /// An amount of data.
    pub const fn bytes(amount: Bytes) -> Self {
        Self::Bytes(amount.get() as i64)
    }

    /// An instant, if there is one.
    pub fn time(instant: Option<Time>) -> Self {
        instant.map_or(Self::Absent, Self::Time)
    }
}

/// Receives the values of a state one by one, always in the same order.
pub trait Show {
    /// Receives a value that belongs to the point itself.
    fn show(&mut self, name: &'static str, reading: Reading) {
        self.entry(Entry { name, of: None, reading });
    }

    /// Receives any value.
    fn entry(&mut self, entry: Entry);
}

impl Show for alloc::vec::Vec<Entry> {
    fn entry(&mut self, entry: Entry) {
        self.push(entry);
    }
}
