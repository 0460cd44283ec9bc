//! Tests that cannot run on this machine. Also used by the tests of the command line.
//!
//! A skipped test passes, so `./check` prints its name at the end. With `CI=true` it fails, unless its reason is in
//! [`ALLOWED_IN_CI`].

#![expect(unreachable_pub, reason = "a module shared by several test programs")]
#![allow(dead_code, clippy::allow_attributes, reason = "each test program has its own reasons")]

use std::fmt::Display;
use std::fs::OpenOptions;
use std::io::Write;
use std::{env, thread};

/// The reason why a test cannot run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The system permits no network namespaces, virtual links or raw sockets.
    NotPermitted,
    /// Slurm does not start.
    NoSlurm,
    /// The machine stalled, so its timing proves nothing.
    Stalled,
}

/// Reasons that justify skipping a test on any machine: they are transient failures, not properties of the machine.
const ALLOWED_IN_CI: [Reason; 1] = [Reason::Stalled];

/// Records that the current test is skipped.
///
/// # Panics
/// With `CI=true`, if the reason is not in [`ALLOWED_IN_CI`].
#[track_caller]
pub fn skip(reason: Reason, detail: impl Display) {
    let test = thread::current().name().unwrap_or("unnamed test").to_owned();
    let line = format!("{test}: {reason:?}: {}", detail.to_string().trim().replace('\n', " "));
    println!("skipped: {line}");
    // `./check` sets the name of this file, and prints the file at the end.
    if let Some(list) = env::var_os("SETPOINT_SKIPPED_TESTS") {
        let file = OpenOptions::new().create(true).append(true).open(list);
        file.and_then(|mut file| writeln!(file, "{line}")).expect("the list of skipped tests can be written");
    }
    let fails = env::var("CI").is_ok_and(|value| value == "true") && !ALLOWED_IN_CI.contains(&reason);
    assert!(!fails, "with CI=true every test must run, but {line}");
}
