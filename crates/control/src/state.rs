//! The state of a point as a list of named values, for golden vectors and for looking inside.

use setpoint_units::{Bytes, Rate, Time};

/// One value of a point's state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What it is called, without a unit: `old_queue`.
    pub name: &'static str,
    /// Whose it is, where the point keeps one for each of several (tenants, flows).
    pub of: Option<u32>,
    /// The value.
    pub reading: Reading,
}

/// A value, with its unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// A number without unit.
    Number(i64),
    /// An amount of data; negative where a counter has run past its end.
    Bytes(i64),
    /// A rate.
    Rate(Rate),
    /// An instant.
    Time(Time),
    /// A state by its name.
    Word(&'static str),
    /// There is none at present.
    Absent,
}

impl Reading {
    /// An amount of data.
    #[must_use]
    pub const fn bytes(amount: Bytes) -> Self {
        Self::Bytes(amount.get() as i64)
    }

    /// An instant, if there is one.
    #[must_use]
    pub fn time(instant: Option<Time>) -> Self {
        instant.map_or(Self::Absent, Self::Time)
    }
}

/// Takes the values of a state, one after the other, always in the same order.
pub trait Show {
    /// A value that there is one of.
    fn show(&mut self, name: &'static str, reading: Reading) {
        self.entry(Entry { name, of: None, reading });
    }

    /// Any value.
    fn entry(&mut self, entry: Entry);
}

impl Show for alloc::vec::Vec<Entry> {
    fn entry(&mut self, entry: Entry) {
        self.push(entry);
    }
}
