//! Numbers that identify the components of a network, and tables indexed by them.

use std::marker::PhantomData;

use crate::ids::{FlowId, PortId};

/// A number that can index a [`Table`].
pub(crate) trait Number: Copy {
    /// The number as an index into a table.
    fn place(self) -> usize;
    /// The number that corresponds to an index into a table.
    fn of_place(place: usize) -> Self;
}

macro_rules! number {
    ($(#[$meta:meta])* $name:ident) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
        pub(crate) struct $name(pub(crate) u32);

        implement!($name);
    };
}

macro_rules! implement {
    ($name:ident) => {
        impl Number for $name {
            #[inline]
            fn place(self) -> usize {
                self.0 as usize
            }

            #[inline]
            fn of_place(place: usize) -> Self {
                Self(place as u32)
            }
        }
    };
}

implement!(FlowId);
implement!(PortId);
number!(
    /// A station.
    StationNo
);
number!(
    /// A port of a bridge, in both directions: the transmitter of a link, and the input at which the same link arrives.
    PortNo
);
number!(
    /// A queue of a bridge.
    QueueNo
);
number!(
    /// A lane of a station.
    LaneNo
);
number!(
    /// A flow at its station, or an independent message. Its home lane has the same number.
    SenderNo
);
number!(
    /// Frames that stay in order and share a limiter: a flow, or one of its messages if they are independent.
    Conversation
);
number!(
    /// A flow at its destination.
    ReceiverNo
);
number!(
    /// A report that travels with a frame.
    ReportNo
);
number!(
    /// A hop in the table of routes.
    HopNo
);
number!(
    /// An input, an output and a class of a bridge: identifies the virtual output queue at the input, and the frames that
    /// the output expects from it.
    VoqNo
);
number!(
    /// A bridge or a spine.
    BridgeNo
);
number!(
    /// A slot of a bridge for a frame at one of its inputs.
    SlotNo
);
number!(
    /// A bridge's record of a frame that one of its outputs expects or stores.
    RecordNo
);

impl QueueNo {
    /// Represents the first queue of a port that has no queues. Larger than any real queue number, even after the offset of
    /// a class is added.
    pub(crate) const NONE: Self = Self(1 << 31);
}

/// A partition of a network.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct PartNo(pub(crate) u16);

impl Number for PartNo {
    #[inline]
    fn place(self) -> usize {
        self.0 as usize
    }

    #[inline]
    fn of_place(place: usize) -> Self {
        Self(place as u16)
    }
}

/// A vector that is indexed by the numbers of its elements.
#[derive(Clone, Debug)]
pub(crate) struct Table<N, T> {
    entries: Vec<T>,
    numbers: PhantomData<N>,
}

impl<N, T> Default for Table<N, T> {
    fn default() -> Self {
        Self { entries: Vec::new(), numbers: PhantomData }
    }
}

impl<N: Number, T> Table<N, T> {
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// An empty table with capacity for the given number of entries.
    pub(crate) fn with_capacity(capacity: usize) -> Self {
        Self { entries: Vec::with_capacity(capacity), numbers: PhantomData }
    }

    /// The number of entries that fit without reallocation.
    pub(crate) fn capacity(&self) -> usize {
        self.entries.capacity()
    }

    /// Reserves capacity for exactly this many more entries.
    pub(crate) fn reserve(&mut self, more: usize) {
        self.entries.reserve_exact(more);
    }

    /// Adds an entry and returns its number.
    pub(crate) fn push(&mut self, entry: T) -> N {
        self.entries.push(entry);
        N::of_place(self.entries.len() - 1)
    }

    pub(crate) fn as_slice(&self) -> &[T] {
        &self.entries
    }

    /// The entry for a number, if there is one.
    pub(crate) fn get(&self, number: N) -> Option<&T> {
        self.entries.get(number.place())
    }

    /// All numbers, in ascending order.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = N> + use<N, T> {
        (0..self.entries.len()).map(N::of_place)
    }

    /// All entries with their numbers, in ascending order.
    pub(crate) fn numbered(&self) -> impl Iterator<Item = (N, &T)> {
        self.entries.iter().enumerate().map(|(place, entry)| (N::of_place(place), entry))
    }

    pub(crate) fn iter(&self) -> std::slice::Iter<'_, T> {
        self.entries.iter()
    }

    pub(crate) fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.entries.iter_mut()
    }
}

impl<N, T> IntoIterator for Table<N, T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.into_iter()
    }
}

impl<N, T> FromIterator<T> for Table<N, T> {
    fn from_iter<I: IntoIterator<Item = T>>(entries: I) -> Self {
        Self { entries: entries.into_iter().collect(), numbers: PhantomData }
    }
}

impl<N: Number, T> std::ops::Index<N> for Table<N, T> {
    type Output = T;

    #[inline]
    fn index(&self, number: N) -> &T {
        &self.entries[number.place()]
    }
}

impl<N: Number, T> std::ops::IndexMut<N> for Table<N, T> {
    #[inline]
    fn index_mut(&mut self, number: N) -> &mut T {
        &mut self.entries[number.place()]
    }
}

/// The entries for a range of numbers.
#[derive(Clone, Debug)]
pub(crate) struct Stretch<N, T> {
    first: u32,
    entries: Vec<T>,
    numbers: PhantomData<N>,
}

impl<N, T> Default for Stretch<N, T> {
    fn default() -> Self {
        Self { first: 0, entries: Vec::new(), numbers: PhantomData }
    }
}

impl<N: Number, T> Stretch<N, T> {
    /// Entries for consecutive numbers, beginning with `first`.
    pub(crate) fn new(first: N, entries: impl Iterator<Item = T>) -> Self {
        Self { first: first.place() as u32, entries: entries.collect(), numbers: PhantomData }
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is an entry for a number.
    #[inline]
    pub(crate) fn includes(&self, number: N) -> bool {
        self.place(number) < self.entries.len()
    }

    /// All numbers, in ascending order.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = N> + use<N, T> {
        let first = self.first as usize;
        (first..first + self.entries.len()).map(N::of_place)
    }

    /// All entries with their numbers, in ascending order.
    pub(crate) fn numbered(&self) -> impl Iterator<Item = (N, &T)> {
        self.numbers().zip(&self.entries)
    }

    pub(crate) fn iter(&self) -> std::slice::Iter<'_, T> {
        self.entries.iter()
    }

    pub(crate) fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.entries.iter_mut()
    }

    /// The index of a number; beyond the end if the number is not in the range.
    #[inline]
    fn place(&self, number: N) -> usize {
        number.place().wrapping_sub(self.first as usize)
    }
}

impl<N: Number, T> std::ops::Index<N> for Stretch<N, T> {
    type Output = T;

    #[inline]
    fn index(&self, number: N) -> &T {
        &self.entries[self.place(number)]
    }
}

impl<N: Number, T> std::ops::IndexMut<N> for Stretch<N, T> {
    #[inline]
    fn index_mut(&mut self, number: N) -> &mut T {
        let place = self.place(number);
        &mut self.entries[place]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stretch_has_its_own_numbers() {
        let mut stretch: Stretch<PortNo, u32> = Stretch::new(PortNo(5), (5..9).map(|number| number * 10));
        assert_eq!((stretch.len(), stretch[PortNo(5)], stretch[PortNo(8)]), (4, 50, 80));
        stretch[PortNo(6)] += 1;
        let numbered: Vec<(PortNo, u32)> =
            stretch.numbered().map(|(number, entry)| (number, *entry)).collect();
        assert_eq!(numbered, [(PortNo(5), 50), (PortNo(6), 61), (PortNo(7), 70), (PortNo(8), 80)]);
        assert!(!stretch.includes(PortNo(4)) && stretch.includes(PortNo(5)) && !stretch.includes(PortNo(9)));
    }
}
