//! Memory use of runs, counted by the allocator and compared with the estimate. The counts are deterministic.
#![expect(unsafe_code, reason = "a counting global allocator cannot be written without it")]

#[path = "../sim/support/mod.rs"]
mod support;

mod counted;
mod growth;
mod shapes;
