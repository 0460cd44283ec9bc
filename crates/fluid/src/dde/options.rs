//! Initial state, end time and accuracy.

use std::cmp::Ordering;

use super::DdeError;
use super::system::{Bounds, System};

/// The state at time zero and earlier.
#[derive(Clone)]
pub struct Initial<'a> {
    /// The state at time zero.
    pub state: Vec<f64>,
    /// The value of a component at a negative time, which must be a smooth function of time; if
    /// absent, the history is constant.
    pub before: Option<&'a dyn Fn(f64, usize) -> f64>,
}

impl<'a> Initial<'a> {
    /// A constant history with this state.
    pub fn constant(state: Vec<f64>) -> Self {
        Self { state, before: None }
    }

    /// A state with a given history; the two need not agree at time zero.
    pub fn with_history(state: Vec<f64>, before: &'a dyn Fn(f64, usize) -> f64) -> Self {
        Self { state, before: Some(before) }
    }
}

/// End time and accuracy.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// The end time in seconds.
    pub until: f64,
    /// The error allowed per step.
    pub tolerance: Tolerance,
    /// The first step to try, in seconds; if absent, chosen from the slope at time zero.
    pub first_step: Option<f64>,
    /// The longest step, in seconds; the shortest delay also limits it.
    pub longest_step: Option<f64>,
    /// A fixed step without error control, in seconds; shortened only to land on a breakpoint.
    pub fixed_step: Option<f64>,
    /// Maximum number of pairs of steps to try.
    pub most_steps: usize,
}

impl Options {
    /// Options for up to ten million steps with error control.
    pub fn new(until: f64, tolerance: Tolerance) -> Self {
        Self {
            until,
            tolerance,
            first_step: None,
            longest_step: None,
            fixed_step: None,
            most_steps: 10_000_000,
        }
    }

    /// Options for steps of fixed length, for example to measure the order of convergence.
    pub fn fixed(until: f64, step: f64) -> Self {
        Self { fixed_step: Some(step), ..Self::new(until, Tolerance::new(1.0, 1.0)) }
    }
}

/// The error allowed per step: for each component, `absolute + relative * |value|`.
#[derive(Clone, Debug, PartialEq)]
pub struct Tolerance {
    /// The allowed fraction of a component's value.
    pub relative: f64,
    /// The part that matters near zero: one value for all components, or one for each.
    pub absolute: Vec<f64>,
}

impl Tolerance {
    /// The same tolerance for all components.
    pub fn new(relative: f64, absolute: f64) -> Self {
        Self { relative, absolute: vec![absolute] }
    }

    /// A tolerance relative to the larger of each component's value and its scale (up to a factor of two).
    pub fn scaled(relative: f64, scales: &[f64]) -> Self {
        Self { relative, absolute: scales.iter().map(|scale| relative * scale).collect() }
    }

    pub(super) fn allowed(&self, component: usize, value: f64) -> f64 {
        let absolute = if self.absolute.len() == 1 { self.absolute[0] } else { self.absolute[component] };
        absolute + self.relative * value.abs()
    }
}

/// Rejects invalid systems, initial states and options.
pub(super) fn validate<S: System>(
    system: &S,
    initial: &Initial<'_>,
    options: &Options,
) -> Result<(), DdeError> {
    validate_options(system, options)?;
    for (index, &given) in system.delays().iter().enumerate() {
        if !(given > 0.0 && given.is_finite()) {
            return Err(DdeError::Delay { index, given });
        }
    }
    for (index, &given) in system.jumps().iter().enumerate() {
        if !given.is_finite() {
            return Err(DdeError::Jump { index, given });
        }
    }
    if initial.state.len() != system.dimension() {
        return Err(DdeError::Dimension { given: initial.state.len(), expected: system.dimension() });
    }
    for (component, &given) in initial.state.iter().enumerate() {
        validate_component(component, given, system.bounds(component))?;
    }
    validate_fixed_step(system, options)
}

fn validate_options<S: System>(system: &S, options: &Options) -> Result<(), DdeError> {
    let absolute = &options.tolerance.absolute;
    if absolute.len() != 1 && absolute.len() != system.dimension() {
        return Err(DdeError::Tolerances { given: absolute.len(), expected: system.dimension() });
    }
    let named = [
        ("until", Some(options.until)),
        ("tolerance.relative", Some(options.tolerance.relative)),
        ("first_step", options.first_step),
        ("longest_step", options.longest_step),
        ("fixed_step", options.fixed_step),
    ];
    let named = named.into_iter().filter_map(|(name, value)| Some((name, value?)));
    let each = absolute.iter().map(|&value| ("tolerance.absolute", value));
    match named.chain(each).find(|(_, value)| !(*value > 0.0 && value.is_finite())) {
        Some((name, given)) => Err(DdeError::Option { name, given }),
        None => Ok(()),
    }
}

fn validate_component(component: usize, given: f64, bounds: Bounds) -> Result<(), DdeError> {
    let Bounds { least, most } = bounds;
    if least.partial_cmp(&most) != Some(Ordering::Less) {
        return Err(DdeError::Bounds { component, least, most });
    }
    if !(given.is_finite() && least <= given && given <= most) {
        return Err(DdeError::Initial { component, given, least, most });
    }
    Ok(())
}

fn validate_fixed_step<S: System>(system: &S, options: &Options) -> Result<(), DdeError> {
    let shortest = shortest(system.delays());
    match options.fixed_step {
        Some(given) if given > shortest => Err(DdeError::FixedStep { given, shortest }),
        _ => Ok(()),
    }
}

/// The shortest delay; infinity if there is none.
pub(super) fn shortest(delays: &[f64]) -> f64 {
    delays.iter().copied().fold(f64::INFINITY, f64::min)
}
