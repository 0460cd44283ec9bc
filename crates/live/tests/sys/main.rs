//! Frames on virtual links of the running kernel.
//!
//! Each test runs in its own network namespace. Where the system does not permit namespaces, the tests are
//! skipped.
#![cfg(target_os = "linux")]

mod link;
mod namespace;
mod offload;
mod packet;
mod poller;
mod refusals;
mod silence;
#[path = "../support/skip.rs"]
mod skip;
mod tap;
