//! FQCN: its rule by hand, and properties.

#[path = "../qcn/entropy.rs"]
mod entropy;
mod properties;
mod rule;
