//! The parameters of all algorithms, as seen from the table of one algorithm.

use core::any::{Any, TypeId};

/// A collection of parameters, in which the parameters of each algorithm have a type of their own.
///
/// A [`Parameter`](super::Parameter) reads and writes its value here, so that the tables of algorithms do not depend on the list of
/// all algorithms.
pub trait Parts {
    /// The parameters of the given type.
    fn part(&self, of: TypeId) -> Option<&dyn Any>;

    /// The parameters of the given type.
    fn part_mut(&mut self, of: TypeId) -> Option<&mut dyn Any>;
}

impl dyn Parts + '_ {
    /// The parameters of an algorithm in the list.
    pub(crate) fn of<T: Any>(&self) -> &T {
        self.part(TypeId::of::<T>()).and_then(<dyn Any>::downcast_ref).expect(LISTED)
    }

    /// The parameters of an algorithm in the list.
    pub(crate) fn of_mut<T: Any>(&mut self) -> &mut T {
        self.part_mut(TypeId::of::<T>()).and_then(<dyn Any>::downcast_mut).expect(LISTED)
    }
}

const LISTED: &str = "every algorithm with parameters is in the list";
