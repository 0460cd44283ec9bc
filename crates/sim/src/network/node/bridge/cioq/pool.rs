//! Numbered places inside a bridge.
//!
//! Every bridge has its own places, so that their numbers do not depend on what happens in other bridges. The place that was
//! vacated last is reused first, while it is still in the cache.

use std::ops::{Index, IndexMut};

use crate::index::{Number, Table};

/// A value that can mark its place as vacant.
pub(super) trait Vacate: Copy {
    /// Makes its place vacant.
    fn vacate(&mut self);
    /// Whether its place is vacant.
    fn is_vacant(&self) -> bool;
}

/// The places of a bridge.
#[derive(Clone, Debug)]
pub(super) struct Pool<N, T> {
    places: Table<N, T>,
    vacant: Vec<N>,
}

impl<N: Number, T: Vacate> Pool<N, T> {
    pub(super) fn new() -> Self {
        Self { places: Table::default(), vacant: Vec::new() }
    }

    /// Stores a value and returns its number.
    #[inline]
    pub(super) fn take(&mut self, value: T) -> N {
        match self.vacant.pop() {
            Some(number) => {
                self.places[number] = value;
                number
            }
            None => {
                if self.places.len() == self.places.capacity() {
                    // Grows by a quarter instead of doubling as a vector would, because a large network has many pools.
                    self.places.reserve((self.places.len() / 4).max(16));
                }
                self.places.push(value)
            }
        }
    }

    /// Vacates a place.
    #[inline]
    pub(super) fn give_back(&mut self, number: N) {
        self.places[number].vacate();
        self.vacant.push(number);
    }

    /// The stored values.
    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        self.places.iter().filter(|value| !value.is_vacant())
    }

    /// The number of stored values.
    pub(super) fn len(&self) -> usize {
        self.places.len() - self.vacant.len()
    }

    /// Bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        self.places.capacity() * size_of::<T>() + self.vacant.capacity() * size_of::<N>()
    }
}

impl<N: Number, T> Index<N> for Pool<N, T> {
    type Output = T;

    #[inline]
    fn index(&self, number: N) -> &T {
        &self.places[number]
    }
}

impl<N: Number, T> IndexMut<N> for Pool<N, T> {
    #[inline]
    fn index_mut(&mut self, number: N) -> &mut T {
        &mut self.places[number]
    }
}
