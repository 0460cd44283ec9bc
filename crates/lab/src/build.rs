//! The build of this program: its sources, and how they were compiled.

use std::sync::OnceLock;

use setpoint_record::results::Build;

/// Digest of the sources that determine results, 16 hexadecimal digits. Builds with the same digest compute the same results,
/// whatever their commit, profile and target.
pub const SOURCES: &str = env!("SETPOINT_SOURCES");

/// The commit of the program, once it is known.
static COMMIT: OnceLock<Option<&'static str>> = OnceLock::new();

/// The build of this program.
pub fn current() -> Build {
    Build {
        sources: SOURCES.to_owned(),
        commit: COMMIT.get().copied().flatten().map(str::to_owned),
        profile: env!("SETPOINT_PROFILE").to_owned(),
        target: env!("SETPOINT_TARGET").to_owned(),
        rustc: env!("SETPOINT_RUSTC").to_owned(),
    }
}

/// Records the commit of the program at startup. Only the program contains it: if this crate contained it, all others
/// would be recompiled after every commit.
pub fn set_commit(commit: Option<&'static str>) {
    // A second call in the same process passes the same commit.
    let _ = COMMIT.set(commit);
}
