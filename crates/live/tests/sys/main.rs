//! Frames on virtual links of the running kernel.
//!
//! Each test runs in a network namespace of its own. Where the system does not permit namespaces, the tests print why they
//! were skipped, and pass.
#![cfg(target_os = "linux")]

mod link;
mod namespace;
mod offload;
mod packet;
mod poller;
mod refusals;
mod silence;
mod tap;
