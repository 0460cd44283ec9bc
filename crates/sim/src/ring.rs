//! A first-in first-out ring that grows to what is needed and then never allocates again.

/// A growable ring of plain values.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ring<T> {
    /// Its length is zero or a power of two, so that positions wrap by a mask.
    slots: Vec<T>,
    head: usize,
    len: usize,
}

impl<T: Copy + Default> Ring<T> {
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.len == 0
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub(crate) fn push_back(&mut self, value: T) {
        if self.len == self.slots.len() {
            self.grow();
        }
        let mask = self.slots.len() - 1;
        self.slots[(self.head + self.len) & mask] = value;
        self.len += 1;
    }

    pub(crate) fn push_front(&mut self, value: T) {
        if self.len == self.slots.len() {
            self.grow();
        }
        self.head = self.head.wrapping_sub(1) & (self.slots.len() - 1);
        self.slots[self.head] = value;
        self.len += 1;
    }

    #[inline]
    pub(crate) fn pop_front(&mut self) -> Option<T> {
        if self.len == 0 {
            return None;
        }
        let value = self.slots[self.head];
        self.head = (self.head + 1) & (self.slots.len() - 1);
        self.len -= 1;
        Some(value)
    }

    #[inline]
    pub(crate) fn front(&self) -> Option<&T> {
        if self.len == 0 { None } else { self.slots.get(self.head) }
    }

    /// Keeps the first `len` values.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        let mask = self.slots.len().wrapping_sub(1);
        (0..self.len).map(move |offset| &self.slots[(self.head + offset) & mask])
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        self.slots.rotate_left(self.head);
        self.head = 0;
        self.slots.resize((self.slots.len() * 2).max(4), T::default());
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use proptest::prelude::*;

    use super::Ring;

    proptest! {
        /// Any sequence of pushes and pops gives what the standard library's queue gives.
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
    }
}
