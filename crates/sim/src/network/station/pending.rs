//! Lanes that may send later, in order of time.
//!
//! A heap with four children per node: with hundreds of lanes per station and hundreds of stations, its entries are rarely in a
//! cache, and four of them share a cache line. A lane that has sent usually becomes pending again at once, so the place of the
//! first entry stays open after it has been removed, and the next entry sinks from there.

use setpoint_units::Time;

use crate::index::LaneNo;

/// A lane and when it is due.
pub(super) type Due = (Time, LaneNo);

/// Entries in a heap: the first is the smallest, by time and then by lane.
#[derive(Clone, Debug, Default)]
pub(super) struct Pending {
    entries: Vec<Due>,
    /// Whether the first place is open.
    open: bool,
}

/// Children of a node.
const CHILDREN: usize = 4;

impl Pending {
    /// The first entry.
    #[inline]
    pub(super) fn first(&self) -> Option<Due> {
        if self.open {
            return self.entries.iter().skip(1).take(CHILDREN).min().copied();
        }
        self.entries.first().copied()
    }

    /// Removes the first entry.
    #[inline]
    pub(super) fn remove_first(&mut self) {
        self.close();
        self.open = !self.entries.is_empty();
    }

    /// Adds an entry.
    #[inline]
    pub(super) fn push(&mut self, entry: Due) {
        if std::mem::take(&mut self.open) {
            self.sink(entry);
        } else {
            self.entries.push(entry);
            self.rise(entry);
        }
    }

    /// Moves the last entry to the first place if that is open.
    #[inline]
    fn close(&mut self) {
        if std::mem::take(&mut self.open)
            && let Some(last) = self.entries.pop()
            && !self.entries.is_empty()
        {
            self.sink(last);
        }
    }

    /// Puts an entry into the place of the first one, and moves it down to where it belongs.
    fn sink(&mut self, entry: Due) {
        let entries = &mut self.entries[..];
        let mut place = 0;
        loop {
            let first = place * CHILDREN + 1;
            let Some(children) = entries.get(first..entries.len().min(first + CHILDREN)) else { break };
            let smallest = children.iter().enumerate().min_by_key(|(_, child)| **child);
            let Some((child, &least)) = smallest.filter(|(_, child)| **child < entry) else { break };
            entries[place] = least;
            place = first + child;
        }
        entries[place] = entry;
    }

    /// Moves the last entry up to where it belongs.
    fn rise(&mut self, entry: Due) {
        let mut place = self.entries.len() - 1;
        while place > 0 {
            let parent = (place - 1) / CHILDREN;
            if self.entries[parent] <= entry {
                break;
            }
            self.entries[place] = self.entries[parent];
            place = parent;
        }
        self.entries[place] = entry;
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;
    use std::collections::BinaryHeap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Any sequence of additions and removals gives the same order as the standard library's heap.
        #[test]
        fn behaves_like_a_heap(operations in proptest::collection::vec(proptest::option::of((0u64..50, 0u32..9)), 0..400)) {
            let (mut pending, mut model) = (Pending::default(), BinaryHeap::new());
            for operation in operations {
                match operation {
                    Some((time, lane)) => {
                        let entry = (Time::from_picos(time), LaneNo(lane));
                        pending.push(entry);
                        model.push(Reverse(entry));
                    }
                    None => {
                        prop_assert_eq!(pending.first(), model.pop().map(|entry| entry.0));
                        pending.remove_first();
                    }
                }
                prop_assert_eq!(pending.first(), model.peek().map(|entry| entry.0));
            }
        }
    }
}
