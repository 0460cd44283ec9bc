//! Theory beside packets: what pages of fluid solutions, stability and phase planes are made of.

mod overlay;

pub use overlay::{Compared, Course, differences, overlay};
