//! FQCN: its rule worked out by hand, and properties.

mod properties;
mod rule;
