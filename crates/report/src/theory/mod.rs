//! Theory beside packets: the pages of fluid solutions, of stability and of phase planes.
//!
//! [`fluid()`], [`stability()`] and [`phase()`] make a page from a record and from nothing else. What a record lacks, be it a packet
//! run, a map or a single number, its page lacks too. [`overlay`](fn@overlay) and [`differences`] are for pages of one's own.

mod agreement;
mod fluid;
mod map;
mod overlay;
mod phase;
mod portrait;
mod rates;
mod stability;
mod words;

pub use fluid::fluid;
pub use overlay::{Compared, Course, differences, overlay};
pub use phase::phase;
pub use stability::stability;

use crate::document::{Block, Card, Section};

fn card(label: &str, value: impl Into<String>, note: impl Into<String>) -> Card {
    Card { label: label.to_owned(), value: value.into(), note: note.into() }
}

/// What a model leaves out of a scenario; nothing where it leaves out nothing.
fn left_out(sentences: &[String]) -> Option<Section> {
    (!sentences.is_empty()).then(|| {
        Section::new("left-out", "What the model leaves out").with(Block::Points(sentences.to_vec()))
    })
}
