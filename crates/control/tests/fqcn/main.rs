//! FQCN: its rule worked out by hand, and properties.

#[path = "../qcn/entropy.rs"]
mod entropy;
mod properties;
mod rule;
