//! Priorities of frames.

use core::fmt;

use crate::WireError;

/// A priority, from 0 to 7.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Priority(u8);

impl Priority {
    /// All priorities.
    pub const ALL: [Self; 8] = [Self(0), Self(1), Self(2), Self(3), Self(4), Self(5), Self(6), Self(7)];

    /// The priority with the given number.
    ///
    /// # Errors
    /// If the number is larger than 7.
    pub const fn new(number: u8) -> Result<Self, WireError> {
        match number {
            0..=7 => Ok(Self(number)),
            _ => Err(WireError::Invalid { field: "priority", value: number as u64, expected: "0 to 7" }),
        }
    }

    /// Its number.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The priority in the upper three bits of an octet.
    pub(crate) const fn from_upper_bits(octet: u8) -> Self {
        Self(octet >> 5)
    }
}

impl fmt::Display for Priority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A set of priorities, as an octet in which bit n represents priority n.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PrioritySet(pub u8);

impl PrioritySet {
    /// Whether the set contains a priority.
    pub const fn contains(self, priority: Priority) -> bool {
        self.0 >> priority.number() & 1 == 1
    }

    /// The priorities of the set, in ascending order.
    pub fn iter(self) -> impl Iterator<Item = Priority> {
        Priority::ALL.into_iter().filter(move |priority| self.contains(*priority))
    }
}

impl FromIterator<Priority> for PrioritySet {
    fn from_iter<I: IntoIterator<Item = Priority>>(priorities: I) -> Self {
        Self(priorities.into_iter().fold(0, |set, priority| set | 1 << priority.number()))
    }
}
