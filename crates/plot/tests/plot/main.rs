//! Every kind of figure, drawn and parsed as SVG.

mod field;
mod heat;
#[cfg(any(feature = "png", feature = "pdf"))]
mod pictures;
mod plane;
mod response;
