//! QCN: published vectors, traces worked out by hand, transcriptions of the sources, and properties.

mod congestion_point;
mod models;
mod properties;
mod reaction_point;
