//! Why a line cannot be answered.

use thiserror::Error;

use super::setup::{Point, SetupError};

/// Why a line cannot be answered.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Problem {
    /// It is not JSON.
    #[error("not JSON: {0}; write one object per line")]
    NotJson(String),
    /// A value is of another kind than expected.
    #[error("{what} is {given}, and must be {expected}")]
    Kind {
        /// The key or the line.
        what: String,
        /// The value.
        given: String,
        /// What would be right.
        expected: &'static str,
    },
    /// The object holds no input, or several.
    #[error("there {found}; a line is one of {known}, and \"random\" if you like")]
    NotOneInput {
        /// How many there are.
        found: &'static str,
        /// The inputs there are.
        known: String,
    },
    /// A key that does not exist.
    #[error("unknown key {given:?} in {place}; {remedy}")]
    UnknownKey {
        /// What was written.
        given: String,
        /// Where.
        place: String,
        /// What to do instead.
        remedy: String,
    },
    /// A key that has no default.
    #[error("{input:?} has no {key:?}; it has no default")]
    Missing {
        /// The input.
        input: &'static str,
        /// The key.
        key: &'static str,
    },
    /// A number out of its range.
    #[error("{key:?} is {given}, and must be from {lowest} to {highest}")]
    Range {
        /// The key.
        key: &'static str,
        /// The number.
        given: String,
        /// The smallest that is allowed.
        lowest: i128,
        /// The largest that is allowed.
        highest: i128,
    },
    /// Time runs backwards.
    #[error(
        "\"time_ps\" is {given}, before the last input at {last}; give inputs in the order of time, or begin anew with {{\"start\": {{}}}}"
    )]
    Backwards {
        /// The time that was given.
        given: u64,
        /// That of the last input.
        last: u64,
    },
    /// The input is for the other point.
    #[error("{input:?} is for a {}, and this is a {}; --point chooses, and without it both are there", .there.title(), .here.title())]
    OtherPoint {
        /// The input.
        input: &'static str,
        /// The point it is for.
        there: Point,
        /// The point that is stepped.
        here: Point,
    },
    /// Fewer random numbers were given than are drawn.
    #[error(
        "\"random\" has {given}, and this input draws {drawn}; give more, or none to have them drawn here"
    )]
    TooFewRandom {
        /// How many were given.
        given: usize,
        /// How many are drawn.
        drawn: usize,
    },
    /// The points cannot be made.
    #[error(transparent)]
    Setup(#[from] SetupError),
}
