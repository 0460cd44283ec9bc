//! A first-in first-out ring that grows as needed and never shrinks.

/// A growable ring of plain values.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ring<T> {
    /// The length is zero or a power of two, so that a mask wraps positions.
    slots: Box<[T]>,
    head: u32,
    len: u32,
}

impl<T: Copy + Default> Ring<T> {
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.len == 0
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len as usize
    }

    #[inline]
    pub(crate) fn push_back(&mut self, value: T) {
        if self.len as usize == self.slots.len() {
            self.grow();
        }
        let place = self.place(self.len);
        self.slots[place] = value;
        self.len += 1;
    }

    /// Inserts a value after the last value that may precede it.
    #[inline]
    pub(crate) fn insert_back(&mut self, value: T, may_be_before: impl Fn(&T) -> bool) {
        self.push_back(value);
        let mut last = self.len - 1;
        while last > 0 && !may_be_before(&self.slots[self.place(last - 1)]) {
            let (before, own) = (self.place(last - 1), self.place(last));
            self.slots.swap(before, own);
            last -= 1;
        }
    }

    pub(crate) fn push_front(&mut self, value: T) {
        if self.len as usize == self.slots.len() {
            self.grow();
        }
        self.head = self.place(u32::MAX) as u32;
        self.slots[self.head as usize] = value;
        self.len += 1;
    }

    #[inline]
    pub(crate) fn pop_front(&mut self) -> Option<T> {
        if self.len == 0 {
            return None;
        }
        let value = self.slots[self.head as usize];
        self.len -= 1;
        // An empty ring restarts at slot zero, so that a mostly empty ring stays in one cache line.
        self.head = if self.len == 0 { 0 } else { self.place(1) as u32 };
        Some(value)
    }

    #[inline]
    pub(crate) fn front(&self) -> Option<&T> {
        if self.len == 0 { None } else { self.slots.get(self.head as usize) }
    }

    /// The value that has the given number of values behind it.
    #[inline]
    pub(crate) fn before_last(&mut self, behind: usize) -> Option<&mut T> {
        let offset = (self.len as usize).checked_sub(behind + 1)?;
        let place = self.place(offset as u32);
        self.slots.get_mut(place)
    }

    pub(crate) fn front_mut(&mut self) -> Option<&mut T> {
        if self.len == 0 { None } else { self.slots.get_mut(self.head as usize) }
    }

    /// Keeps the first `len` values.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.len = self.len.min(u32::try_from(len).unwrap_or(u32::MAX));
    }

    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        size_of_val(&*self.slots)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        (0..self.len).map(|offset| &self.slots[self.place(offset)])
    }

    /// Changes every value.
    pub(crate) fn update(&mut self, mut change: impl FnMut(&mut T)) {
        for offset in 0..self.len {
            let place = self.place(offset);
            change(&mut self.slots[place]);
        }
    }

    /// The slot `offset` places after the head, wrapping around.
    #[inline]
    fn place(&self, offset: u32) -> usize {
        self.head.wrapping_add(offset) as usize & (self.slots.len().wrapping_sub(1))
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        let mut slots = std::mem::take(&mut self.slots).into_vec();
        slots.rotate_left(self.head as usize);
        self.head = 0;
        slots.resize((slots.len() * 2).max(2), T::default());
        self.slots = slots.into_boxed_slice();
    }
}

/// A first-in first-out ring that stores its first `N` values inline, for rings that are rarely longer.
#[derive(Clone, Debug)]
#[repr(C)]
pub(crate) struct ShortRing<T, const N: usize> {
    len: u32,
    head: u8,
    /// The values after the first `N`.
    rest: Option<Box<Ring<T>>>,
    first: [T; N],
}

impl<T: Copy + Default, const N: usize> Default for ShortRing<T, N> {
    fn default() -> Self {
        Self { first: [T::default(); N], rest: None, head: 0, len: 0 }
    }
}

impl<T: Copy + Default, const N: usize> ShortRing<T, N> {
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.len == 0
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len as usize
    }

    #[inline]
    pub(crate) fn front(&self) -> Option<&T> {
        if self.len == 0 { None } else { self.first.get(self.head as usize) }
    }

    #[inline]
    pub(crate) fn push_back(&mut self, value: T) {
        if self.len() < N {
            let place = self.head as usize + self.len();
            self.first[if place < N { place } else { place - N }] = value;
        } else {
            self.push_to_rest(value);
        }
        self.len += 1;
    }

    #[inline]
    pub(crate) fn pop_front(&mut self) -> Option<T> {
        let value = *self.front()?;
        if self.len() > N {
            // The first value's slot is reused for the new last inline value.
            self.first[self.head as usize] = self.pop_from_rest();
        }
        self.len -= 1;
        // An empty ring restarts at its first slot, so that a mostly empty ring stays in one cache line.
        self.head = if self.len == 0 || self.head as usize + 1 == N { 0 } else { self.head + 1 };
        Some(value)
    }

    #[cold]
    fn push_to_rest(&mut self, value: T) {
        self.rest.get_or_insert_default().push_back(value);
    }

    #[cold]
    fn pop_from_rest(&mut self) -> T {
        self.rest.as_mut().and_then(|rest| rest.pop_front()).expect("the rest has the stated length")
    }

    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.rest.as_ref().map_or(0, |rest| size_of::<Ring<T>>() + rest.heap_bytes())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use proptest::prelude::*;

    use super::{Ring, ShortRing};

    proptest! {
        /// Any sequence of pushes and pops produces the same results as the standard library's queue.
        #[test]
        fn behaves_like_a_queue(operations in proptest::collection::vec(proptest::option::of(any::<(u16, bool)>()), 0..200)) {
            let (mut ring, mut model) = (Ring::default(), VecDeque::new());
            for operation in operations {
                match operation {
                    Some((value, true)) => {
                        ring.push_front(value);
                        model.push_front(value);
                    }
                    Some((value, false)) => {
                        ring.push_back(value);
                        model.push_back(value);
                    }
                    None => prop_assert_eq!(ring.pop_front(), model.pop_front()),
                }
                prop_assert_eq!(ring.len(), model.len());
                prop_assert_eq!(ring.front(), model.front());
                prop_assert!(ring.iter().eq(model.iter()));
            }
        }

        /// A short ring also behaves like the standard library's queue, whatever its length.
        #[test]
        fn a_short_ring_behaves_like_a_queue(operations in proptest::collection::vec(proptest::option::of(any::<u16>()), 0..200)) {
            let (mut ring, mut model) = (ShortRing::<u16, 3>::default(), VecDeque::new());
            for operation in operations {
                match operation {
                    Some(value) => {
                        ring.push_back(value);
                        model.push_back(value);
                    }
                    None => prop_assert_eq!(ring.pop_front(), model.pop_front()),
                }
                prop_assert_eq!((ring.len(), ring.is_empty()), (model.len(), model.is_empty()));
                prop_assert_eq!(ring.front(), model.front());
            }
        }

        /// Values inserted in order of their keys are sorted, and equal keys keep the order of insertion.
        #[test]
        fn insertion_sorts(values in proptest::collection::vec(0u8..10, 0..40)) {
            let mut ring = Ring::default();
            for (place, &key) in values.iter().enumerate() {
                ring.insert_back((key, place), |before| before.0 <= key);
            }
            let mut sorted: Vec<(u8, usize)> = values.iter().copied().zip(0..).collect();
            sorted.sort();
            prop_assert!(ring.iter().copied().eq(sorted));
        }
    }
}
