//! Lanes that may send later, in chronological order.
//!
//! A heap with four children per node: with hundreds of lanes per station and hundreds of stations, its entries are rarely in a
//! cache, and the children of a node share a cache line. A lane that has sent usually becomes pending again at once, so the
//! root of the heap stays vacant after the first entry has been removed, and the next entry to be added sinks from there.

use setpoint_units::Time;

use crate::index::LaneNo;
use crate::prefetch::prefetch;

/// A lane, preceded by the time at which it is due.
pub(super) type Due = (Time, LaneNo);

/// A heap of entries: the first is the smallest, by time and then by lane.
#[derive(Clone, Debug)]
pub(super) struct Pending {
    first: Due,
    /// The children of the entry at each position: the first entry is at position 0, and its children are at positions 1 to
    /// 4.
    children: Vec<Children>,
    /// The number of entries, including a vacant root.
    len: usize,
    /// Whether the root is vacant.
    open: bool,
}

/// The number of children per node.
const CHILDREN: usize = 4;

/// The children of an entry; occupies one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Children([Due; CHILDREN]);

/// No entry.
const NONE: Due = (Time::MAX, LaneNo(u32::MAX));

impl Children {
    const NONE: Self = Self([NONE; CHILDREN]);

    /// The smallest child and its index; [`NONE`] if there are no children.
    #[inline]
    fn smallest(&self) -> (usize, Due) {
        let earlier = |a: usize, b: usize| if self.0[b] < self.0[a] { b } else { a };
        let place = earlier(earlier(0, 1), earlier(2, 3));
        (place, self.0[place])
    }
}

impl Pending {
    /// An empty heap with capacity for the given number of entries.
    pub(super) fn with_room_for(entries: usize) -> Self {
        let children = Vec::with_capacity(entries.saturating_sub(1).div_ceil(CHILDREN));
        Self { first: NONE, children, len: 0, open: false }
    }

    /// The first entry.
    #[inline]
    pub(super) fn first(&self) -> Option<Due> {
        let first = if self.open {
            self.children.first().map_or(NONE, |children| children.smallest().1)
        } else {
            self.first
        };
        (first != NONE).then_some(first)
    }

    /// Prefetches the entries that may be first.
    #[inline]
    pub(super) fn look_at(&self) {
        if let Some(children) = self.children.first() {
            prefetch(children);
        }
    }

    /// Removes the first entry.
    #[inline]
    pub(super) fn remove_first(&mut self) {
        self.close();
        self.open = self.len > 0;
    }

    /// Adds an entry.
    #[inline]
    pub(super) fn push(&mut self, entry: Due) {
        if std::mem::take(&mut self.open) {
            self.sink(entry);
        } else {
            self.rise(entry);
        }
    }

    /// Moves the last entry to the root if the root is vacant.
    #[inline]
    fn close(&mut self) {
        if std::mem::take(&mut self.open) {
            self.len -= 1;
            let last = std::mem::replace(self.at(self.len), NONE);
            if self.len > 0 {
                self.sink(last);
            }
        }
    }

    /// The entry at a position.
    #[inline]
    fn at(&mut self, place: usize) -> &mut Due {
        match place.checked_sub(1) {
            None => &mut self.first,
            Some(place) => &mut self.children[place / CHILDREN].0[place % CHILDREN],
        }
    }

    /// Adds an entry at the root and moves it down to its place.
    fn sink(&mut self, entry: Due) {
        let mut place = 0;
        while let Some(children) = self.children.get(place) {
            let (child, least) = children.smallest();
            if least >= entry {
                break;
            }
            *self.at(place) = least;
            place = place * CHILDREN + 1 + child;
        }
        *self.at(place) = entry;
    }

    /// Adds an entry after the last one and moves it up to its place.
    fn rise(&mut self, entry: Due) {
        let mut place = self.len;
        self.len += 1;
        if place.saturating_sub(1) / CHILDREN >= self.children.len() && place > 0 {
            self.children.push(Children::NONE);
        }
        while place > 0 {
            let parent = (place - 1) / CHILDREN;
            let above = *self.at(parent);
            if above <= entry {
                break;
            }
            *self.at(place) = above;
            place = parent;
        }
        *self.at(place) = entry;
    }

    /// Bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        self.children.capacity() * size_of::<Children>()
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;
    use std::collections::BinaryHeap;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn children_share_a_cache_line() {
        assert_eq!(size_of::<Children>(), 64);
    }

    proptest! {
        /// Any sequence of additions and removals produces the same order as the standard library's heap.
        #[test]
        fn behaves_like_a_heap(operations in proptest::collection::vec(proptest::option::of((0u64..50, 0u32..9)), 0..400)) {
            let (mut pending, mut model) = (Pending::with_room_for(3), BinaryHeap::new());
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
