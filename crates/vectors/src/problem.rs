//! The reason why a line cannot be answered.

use thiserror::Error;

use super::setup::{Point, SetupError};

/// The reason why a line cannot be answered.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[expect(missing_docs, reason = "the messages show the fields")]
pub enum Problem {
    /// The line is not JSON.
    #[error("not JSON: {0}; write one object per line")]
    NotJson(String),
    /// A value is of the wrong kind.
    #[error("{what} is {given}; it must be {expected}")]
    Kind { what: String, given: String, expected: &'static str },
    /// The object contains no input, or several.
    #[error("there {found}; a line must have exactly one of {known}, and optionally \"random\"")]
    NotOneInput { found: &'static str, known: String },
    /// An unknown key.
    #[error("unknown key {given:?} in {place}; {remedy}")]
    UnknownKey { given: String, place: String, remedy: String },
    /// A required key is missing.
    #[error("{input:?} has no {key:?}, which is required")]
    Missing { input: &'static str, key: &'static str },
    /// A number out of range.
    #[error("{key:?} is {given}; it must be from {lowest} to {highest}")]
    Range { key: &'static str, given: String, lowest: i128, highest: i128 },
    /// Time runs backwards.
    #[error(
        "\"time_ps\" is {given}, before the last input at {last}; give inputs in order of time, or reset with {{\"start\": {{}}}}"
    )]
    Backwards { given: u64, last: u64 },
    /// The input is for another point.
    #[error("{input:?} is for a {}, but this session has only a {}; choose with --point, or omit it to have all", .there.title(), .here.title())]
    OtherPoint { input: &'static str, there: Point, here: Point },
    /// The session has no notification point.
    #[error("{input:?} is for a notification point, but the receivers of this algorithm do not reply")]
    NoReceiver { input: &'static str },
    /// The congestion point does not look at departing frames.
    #[error(
        "{input:?} is for a congestion point that marks frames when they leave the queue; with these parameters it does not"
    )]
    NoDepartures { input: &'static str },
    /// The algorithm has no notification point.
    #[error(
        "{algorithm} has no notification point, because its receivers do not reply; choose \"cp\" or \"rp\""
    )]
    NoNotificationPoint { algorithm: &'static str },
    /// Fewer random numbers were given than are drawn.
    #[error(
        "\"random\" has {given} values, but this input draws {drawn}; give more, or omit \"random\" to use the built-in generator"
    )]
    TooFewRandom { given: usize, drawn: usize },
    /// The points cannot be created.
    #[error(transparent)]
    Setup(#[from] SetupError),
}
