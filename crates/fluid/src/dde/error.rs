//! Errors of the solver.

use thiserror::Error;

/// The reason why a system could not be solved.
#[derive(Clone, Debug, Error, PartialEq)]
#[expect(missing_docs, reason = "the messages show the fields")]
pub enum DdeError {
    /// The initial state and the system have different numbers of components.
    #[error("the initial state has {given} components, the system has {expected}")]
    Dimension { given: usize, expected: usize },
    /// A delay is not positive and finite.
    #[error("delay {index} is {given} s; a delay must be positive and finite")]
    Delay { index: usize, given: f64 },
    /// Bounds are not numbers, or the minimum is not below the maximum.
    #[error("component {component} has bounds {least} and {most}; the lower bound must be below the upper")]
    Bounds { component: usize, least: f64, most: f64 },
    /// An initial value is not finite or lies outside the component's bounds.
    #[error("component {component} starts at {given}; it must be finite and between {least} and {most}")]
    Initial { component: usize, given: f64, least: f64, most: f64 },
    /// The time of a jump is not finite.
    #[error("jump {index} is at {given} s; a jump must be at a finite time")]
    Jump { index: usize, given: f64 },
    /// An option is not positive and finite.
    #[error("option {name} is {given}; it must be positive and finite")]
    Option { name: &'static str, given: f64 },
    /// The number of absolute tolerances is neither one nor the number of components.
    #[error("{given} absolute tolerances given; there must be 1 or {expected}")]
    Tolerances { given: usize, expected: usize },
    /// The fixed step is longer than the shortest delay.
    #[error("the fixed step is {given} s; it must not exceed the shortest delay, {shortest} s")]
    FixedStep { given: f64, shortest: f64 },
    /// A slope or switching function is not finite, however short the step.
    #[error("{what} {index} is {given} at {time} s; it must be finite")]
    NotFinite {
        /// `slope of component` or `switching function`.
        what: &'static str,
        index: usize,
        given: f64,
        time: f64,
    },
    /// The tolerance requires steps shorter than the resolution of the time variable.
    #[error("at {time} s the tolerance requires a step of {step} s, which is below the resolution of time")]
    StepTooShort { time: f64, step: f64 },
    /// The maximum number of steps was reached.
    #[error("{most} steps reached only {time} s of {until} s; allow more steps or a looser tolerance")]
    TooManySteps { most: usize, time: f64, until: f64 },
    /// A switching surface attracts from both sides.
    #[error(
        "switching function {switch} changes sign endlessly at {time} s: its surface attracts from both sides, \
         and the solver cannot slide along it"
    )]
    Sliding { switch: usize, time: f64 },
    /// A component reaches and leaves a bound endlessly.
    #[error("component {component} reaches and leaves its bound endlessly at {time} s")]
    Chattering { component: usize, time: f64 },
}
