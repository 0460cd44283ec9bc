//! Theory pages: fluid solutions, stability and phase planes.
//!
//! [`fluid()`], [`stability()`], [`phase()`] and [`atlas()`] render a page from a record alone. Optional parts of a record, such
//! as a packet run or a map, are optional on the page. [`overlay`](fn@overlay) and [`differences`] serve other
//! pages.

mod agreement;
mod atlas;
mod fluid;
mod map;
mod overlay;
mod phase;
mod portrait;
mod rates;
mod stability;
mod wording;

pub use atlas::atlas;
pub use fluid::fluid;
pub use overlay::{Compared, Course, differences, overlay};
pub use phase::phase;
pub use stability::stability;

use crate::document::{Block, Card, Section};

fn card(label: &str, value: impl Into<String>, note: impl Into<String>) -> Card {
    Card { label: label.to_owned(), value: value.into(), note: note.into() }
}

/// The section on the simplifications of a model; `None` if it has none.
fn left_out(sentences: &[String]) -> Option<Section> {
    (!sentences.is_empty()).then(|| {
        Section::new("left-out", "Simplifications of the model").with(Block::Points(sentences.to_vec()))
    })
}
