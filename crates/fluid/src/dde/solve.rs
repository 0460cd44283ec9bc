//! Solving.

use super::DdeError;
use super::options::{Initial, Options, validate};
use super::run::Run;
use super::solution::Solution;
use super::system::System;

/// Solves a system from time zero on.
///
/// # Errors
/// If the system, its initial state or the options are not allowed, if a slope is no finite number, if more steps are
/// needed than allowed or shorter ones than the resolution of time, and if a switching surface attracts from both
/// sides: see [`DdeError`].
pub fn solve<S: System>(system: &S, initial: &Initial<'_>, options: &Options) -> Result<Solution, DdeError> {
    validate(system, initial, options)?;
    let mut run = Run::new(system, initial, options)?;
    while !run.is_over() {
        run.advance()?;
    }
    Ok(run.finish())
}
