//! Every kind of figure, drawn and parsed as SVG.

mod field;
mod heat;
mod pictures;
mod plane;
mod response;
