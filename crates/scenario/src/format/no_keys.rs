//! A table without keys, for a kind that has only a name.

use super::declare::tables;

tables! {
    /// A table without keys.
    pub(crate) struct NoKeys {}
}
