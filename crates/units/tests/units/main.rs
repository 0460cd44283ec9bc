//! Tests of quantities: their text and their dimensions.

mod dimensions;
mod text;
