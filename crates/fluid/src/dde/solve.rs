//! The entry point of the solver.

use super::DdeError;
use super::options::{Initial, Options, validate};
use super::run::Run;
use super::solution::Solution;
use super::system::System;

/// Solves a system from time zero on. See the [module](super) for the method and an example.
///
/// # Errors
/// Returns an error if the system, its initial state or the options are invalid, if a slope is
/// not finite, if the solution needs more steps than allowed or steps shorter than the resolution of the time
/// variable, or if a switching surface attracts from both sides: see [`DdeError`].
pub fn solve<S: System>(system: &S, initial: &Initial<'_>, options: &Options) -> Result<Solution, DdeError> {
    validate(system, initial, options)?;
    let mut run = Run::new(system, initial, options)?;
    while !run.is_over() {
        run.advance()?;
    }
    Ok(run.finish())
}
