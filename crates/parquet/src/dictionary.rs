//! Columns with few distinct values.

use std::collections::HashMap;
use std::hash::Hash;

/// A dictionary is not used if there are more distinct values than this.
const MOST: usize = 1 << 16;

/// The distinct values of a column in order of appearance, and the position of each value among them.
pub(crate) struct Dictionary<T> {
    pub(crate) distinct: Vec<T>,
    pub(crate) places: Vec<u32>,
}

impl<T: Copy + Eq + Hash> Dictionary<T> {
    /// Creates a dictionary of the given values; `None` if too many of them are distinct, or if there are no values.
    pub(crate) fn of(values: &[T]) -> Option<Self> {
        if values.is_empty() {
            return None;
        }
        let most = MOST.min(values.len() / 2);
        let mut known: HashMap<T, u32> = HashMap::new();
        let mut distinct = Vec::new();
        let mut places = Vec::with_capacity(values.len());
        for value in values {
            let place = *known.entry(*value).or_insert(distinct.len() as u32);
            if place as usize == distinct.len() {
                distinct.push(*value);
            }
            if distinct.len() > most {
                return None;
            }
            places.push(place);
        }
        Some(Self { distinct, places })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_distinct_values_have_a_dictionary() {
        let found = Dictionary::of(&["b", "a", "b", "b", "a"]).unwrap();
        assert_eq!((found.distinct, found.places), (vec!["b", "a"], vec![0, 1, 0, 0, 1]));
        assert!(Dictionary::of(&[1, 2, 3, 4]).is_none());
        assert!(Dictionary::of(&[1, 2, 1, 2]).is_some());
        assert!(Dictionary::<u64>::of(&[]).is_none());
    }
}
