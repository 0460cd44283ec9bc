//! What runs take of memory, counted by the allocator and compared with the estimate; deterministic.
#![expect(unsafe_code, reason = "a global allocator that counts cannot be written without")]

#[path = "../support/mod.rs"]
mod support;

mod counted;
mod growth;
mod shapes;
