//! Why a line cannot be answered.

use thiserror::Error;

use super::setup::{Point, SetupError};

/// Why a line cannot be answered.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Problem {
    /// The line is not JSON.
    #[error("not JSON: {0}; write one object per line")]
    NotJson(String),
    /// A value is of the wrong kind.
    #[error("{what} is {given}; it must be {expected}")]
    Kind {
        /// The key or the line.
        what: String,
        /// The value.
        given: String,
        /// The expected kind.
        expected: &'static str,
    },
    /// The object contains no input, or several.
    #[error("there {found}; a line must have exactly one of {known}, and optionally \"random\"")]
    NotOneInput {
        /// The number of inputs found.
        found: &'static str,
        /// The known inputs.
        known: String,
    },
    /// An unknown key.
    #[error("unknown key {given:?} in {place}; {remedy}")]
    UnknownKey {
        /// The key.
        given: String,
        /// The object that contains it.
        place: String,
        /// A suggestion.
        remedy: String,
    },
    /// A required key is missing.
    #[error("{input:?} has no {key:?}, which is required")]
    Missing {
        /// The input.
        input: &'static str,
        /// The key.
        key: &'static str,
    },
    /// A number out of range.
    #[error("{key:?} is {given}; it must be from {lowest} to {highest}")]
    Range {
        /// The key.
        key: &'static str,
        /// The number.
        given: String,
        /// The smallest allowed value.
        lowest: i128,
        /// The largest allowed value.
        highest: i128,
    },
    /// Time runs backwards.
    #[error(
        "\"time_ps\" is {given}, before the last input at {last}; give inputs in order of time, or reset with {{\"start\": {{}}}}"
    )]
    Backwards {
        /// The given time.
        given: u64,
        /// The time of the last input.
        last: u64,
    },
    /// The input is for the other point.
    #[error("{input:?} is for a {}, but this session has only a {}; choose with --point, or omit it to have both", .there.title(), .here.title())]
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
        "\"random\" has {given} values, but this input draws {drawn}; give more, or omit \"random\" to use the built-in generator"
    )]
    TooFewRandom {
        /// Number of values given.
        given: usize,
        /// Number of values drawn.
        drawn: usize,
    },
    /// The points cannot be created.
    #[error(transparent)]
    Setup(#[from] SetupError),
}
