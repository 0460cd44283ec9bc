//! QCN: published vectors, traces worked out by hand, the sources transcribed, and properties.

mod congestion_point;
mod entropy;
mod models;
mod properties;
mod reaction_point;
