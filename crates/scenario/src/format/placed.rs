//! Values together with the places of their keys.

use std::ops::Deref;

use super::Field;
use super::read::Readable;
use crate::diagnostics::{Place, Problems};
use crate::tree::Item;

/// The value of a key, and where it is written.
#[derive(Debug)]
pub(crate) struct Placed<T> {
    value: T,
    place: Place,
    given: bool,
    field: &'static Field,
}

impl<T> Placed<T> {
    /// The key's name.
    pub(crate) fn name(&self) -> &'static str {
        self.field.name
    }

    /// Where it is written, or where it would belong.
    pub(crate) fn place(&self) -> &Place {
        &self.place
    }

    /// Whether the key is written in the scenario.
    pub(crate) fn is_given(&self) -> bool {
        self.given
    }

    /// A value that is written for a key.
    pub(super) fn of(value: T, item: &Item, field: &'static Field) -> Self {
        Self { value, place: item.place.clone(), given: true, field }
    }

    /// The default, which applies if the key is not written.
    pub(super) fn absent(value: T, place: &Place, field: &'static Field) -> Self {
        Self { value, place: place.clone(), given: false, field }
    }

    /// Changes the value, such as the defaults of keys below it.
    pub(super) fn update(&mut self, change: impl FnOnce(&mut T)) {
        change(&mut self.value);
    }

    /// Replaces the default of a key that is not written.
    pub(super) fn default_to(&mut self, value: impl FnOnce(&'static Field, &Place) -> T) {
        if !self.given {
            self.value = value(self.field, &self.place);
        }
    }
}

impl<T: Readable> Placed<T> {
    /// Reads a value that is written.
    pub(super) fn read(field: &'static Field, item: &Item, problems: &mut Problems) -> Option<Self> {
        T::read(field, item, problems).map(|value| Self::of(value, item, field))
    }
}

impl<T> Deref for Placed<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

/// A key of any type.
pub(crate) trait AnyKey {
    fn field(&self) -> &'static Field;
    fn place(&self) -> &Place;
    fn is_given(&self) -> bool;
    /// The value as results show it: quantities in their usual unit. None for a default that
    /// depends on other keys.
    fn printed(&self) -> Option<String>;
    /// The default as results show it.
    fn printed_default(&self) -> Option<String>;
    /// The keys below it.
    fn keys(&self) -> Vec<&dyn AnyKey>;
}

impl<T: Readable> AnyKey for Placed<T> {
    fn field(&self) -> &'static Field {
        self.field
    }

    fn place(&self) -> &Place {
        &self.place
    }

    fn is_given(&self) -> bool {
        self.given
    }

    fn printed(&self) -> Option<String> {
        self.value.printed()
    }

    fn printed_default(&self) -> Option<String> {
        T::absent(self.field, &self.place)?.printed()
    }

    fn keys(&self) -> Vec<&dyn AnyKey> {
        self.value.keys()
    }
}
