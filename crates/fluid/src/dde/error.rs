//! Why a system was not solved.

use thiserror::Error;

/// Why a system was not solved.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum DdeError {
    /// The initial state has another number of components than the system.
    #[error("the initial state has {given} components, the system has {expected}")]
    Dimension {
        /// Components of the initial state.
        given: usize,
        /// Components of the system.
        expected: usize,
    },
    /// A delay that is not a positive length of time.
    #[error("delay {index} is {given} s, a delay is positive and finite")]
    Delay {
        /// Which of the system's delays.
        index: usize,
        /// The delay in seconds.
        given: f64,
    },
    /// Bounds that leave no room, or that are not numbers.
    #[error(
        "component {component} is bounded by {least} and {most}, the least value must lie below the largest"
    )]
    Bounds {
        /// The component.
        component: usize,
        /// Its least value.
        least: f64,
        /// Its largest value.
        most: f64,
    },
    /// An initial value that is no finite number or lies outside the component's bounds.
    #[error("component {component} starts at {given}, allowed are finite values from {least} to {most}")]
    Initial {
        /// The component.
        component: usize,
        /// Its initial value.
        given: f64,
        /// Its least value.
        least: f64,
        /// Its largest value.
        most: f64,
    },
    /// A jump at a time that is not finite.
    #[error("jump {index} is at {given} s, a jump is at a finite time")]
    Jump {
        /// Which of the system's jumps.
        index: usize,
        /// The time in seconds.
        given: f64,
    },
    /// An option that is not positive and finite.
    #[error("the option {name} is {given}, it must be positive and finite")]
    Option {
        /// The option.
        name: &'static str,
        /// Its value.
        given: f64,
    },
    /// Absolute tolerances that fit neither all components at once nor each of them.
    #[error("{given} absolute tolerances are given, allowed are one or {expected}")]
    Tolerances {
        /// How many are given.
        given: usize,
        /// The number of components.
        expected: usize,
    },
    /// A fixed step longer than the shortest delay.
    #[error("the fixed step is {given} s, at most the shortest delay of {shortest} s is allowed")]
    FixedStep {
        /// The step in seconds.
        given: f64,
        /// The shortest delay in seconds.
        shortest: f64,
    },
    /// A slope or a switching function that is no finite number, however short the step.
    #[error("the {what} {index} is {given} at {time} s, it must be finite")]
    NotFinite {
        /// `slope of component` or `switching function`.
        what: &'static str,
        /// Which component or switching function.
        index: usize,
        /// What it is.
        given: f64,
        /// The time in seconds.
        time: f64,
    },
    /// The tolerance asks for steps below the resolution of time.
    #[error("at {time} s the tolerance asks for a step of {step} s, which is below the resolution of time")]
    StepTooShort {
        /// The time in seconds.
        time: f64,
        /// The step in seconds.
        step: f64,
    },
    /// The number of steps is used up.
    #[error(
        "{most} steps lead to {time} s only, {until} s was asked for: allow more steps or a looser tolerance"
    )]
    TooManySteps {
        /// The largest number of steps.
        most: usize,
        /// The time reached in seconds.
        time: f64,
        /// The time to be reached in seconds.
        until: f64,
    },
    /// A switching surface that attracts from both sides.
    #[error(
        "switching function {switch} changes its sign without end at {time} s: its surface attracts from both \
         sides, and sliding along it is not solved here"
    )]
    Sliding {
        /// The switching function.
        switch: usize,
        /// The time in seconds.
        time: f64,
    },
    /// A component that reaches and leaves a bound without end.
    #[error("component {component} reaches and leaves its bound without end at {time} s")]
    Chattering {
        /// The component.
        component: usize,
        /// The time in seconds.
        time: f64,
    },
}
