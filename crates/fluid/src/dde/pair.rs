//! Two Runge-Kutta steps of half the length, and their error.

use super::DdeError;
use super::field::{Field, Point};
use super::options::Tolerance;
use super::system::System;

/// Two consecutive classical Runge-Kutta steps of order four, which become two pieces of the history.
///
/// All stages look back by at least one delay, so the whole pair must not exceed the shortest delay.
pub(super) struct Pair {
    pub(super) middle: Point,
    pub(super) end: Point,
    whole: Vec<f64>,
    stages: Stages,
}

/// The end of a pair.
#[derive(Clone, Copy, Debug)]
pub(super) struct StepEnd {
    pub(super) time: f64,
    /// The time at which the right-hand side is evaluated for the end.
    pub(super) seen: f64,
}

/// The errors of a pair, relative to the allowed error.
#[derive(Clone, Copy, Debug)]
pub(super) struct Estimate {
    /// The error at the end, of order five in the step.
    pub(super) end: f64,
    /// The error of the cubics in between, of order four in the step.
    pub(super) between: f64,
}

impl Pair {
    pub(super) fn new(start: &Point) -> Self {
        let (middle, end) = (start.clone(), start.clone());
        Self { middle, end, whole: start.state.clone(), stages: Stages::new(start.state.len()) }
    }

    /// Computes both steps.
    pub(super) fn attempt<S: System>(
        &mut self,
        field: &Field<'_, S>,
        start: &Point,
        target: StepEnd,
    ) -> Result<(), DdeError> {
        let half = start.time + 0.5 * (target.time - start.time);
        (self.middle.time, self.middle.seen) = (half, half);
        let to_middle = StepEnd { time: half, seen: half };
        self.stages.step(field, start, to_middle, &mut self.middle.state);
        field.evaluate(&mut self.middle)?;
        (self.end.time, self.end.seen) = (target.time, target.seen);
        self.stages.step(field, &self.middle, target, &mut self.end.state);
        field.evaluate(&mut self.end)
    }

    /// Estimates the error of the last pair.
    ///
    /// The end is compared with that of one step of the whole length, whose error is 16 times as large
    /// (Richardson). It is also compared with Simpson's rule over the slopes found along the way:
    /// stages that jump over a surface on which the right-hand side is discontinuous can agree with
    /// each other by chance, but not with these slopes. The error of the two half-length cubics
    /// is estimated from the cubic over the whole length, whose error at its midpoint is 16 times
    /// theirs at their midpoints. Delayed values come from the cubics, so the error of the cubics counts like any
    /// other.
    pub(super) fn estimate<S: System>(
        &mut self,
        field: &Field<'_, S>,
        start: &Point,
        tolerance: &Tolerance,
    ) -> Estimate {
        let target = StepEnd { time: self.end.time, seen: self.end.seen };
        self.stages.step(field, start, target, &mut self.whole);
        let length = self.end.time - start.time;
        let mut worst = Estimate { end: 0.0, between: 0.0 };
        for component in 0..self.whole.len() {
            let (from, to) = (start.state[component], self.end.state[component]);
            let allowed = tolerance.allowed(component, from.abs().max(to.abs()));
            let bend = start.slope[component] - self.end.slope[component];
            let cubic = from + 0.5 * (to - from) + 0.125 * length * bend;
            let (outer, inner) =
                (start.slope[component] + self.end.slope[component], self.middle.slope[component]);
            let simpson = from + length / 6.0 * (outer + 4.0 * inner);
            let end = (self.whole[component] - to).abs().max((simpson - to).abs()) / 15.0 / allowed;
            let between = (cubic - self.middle.state[component]).abs() / 16.0 / allowed;
            // `max` would drop a NaN, which must count as the worst error.
            worst.end = if end <= worst.end { worst.end } else { end };
            worst.between = if between <= worst.between { worst.between } else { between };
        }
        worst
    }
}

/// Scratch space for the stages of a step.
struct Stages {
    state: Vec<f64>,
    second: Vec<f64>,
    third: Vec<f64>,
    fourth: Vec<f64>,
}

impl Stages {
    fn new(dimension: usize) -> Self {
        let zeros = vec![0.0; dimension];
        Self { state: zeros.clone(), second: zeros.clone(), third: zeros.clone(), fourth: zeros }
    }

    /// One classical Runge-Kutta step; its first stage is the slope at the start.
    fn step<S: System>(&mut self, field: &Field<'_, S>, start: &Point, target: StepEnd, end: &mut [f64]) {
        let length = target.time - start.time;
        let half = start.time + 0.5 * length;
        along(&mut self.state, &start.state, 0.5 * length, &start.slope);
        field.slope(half, &self.state, &mut self.second);
        along(&mut self.state, &start.state, 0.5 * length, &self.second);
        field.slope(half, &self.state, &mut self.third);
        along(&mut self.state, &start.state, length, &self.third);
        field.slope(target.seen, &self.state, &mut self.fourth);
        let sixth = length / 6.0;
        for (component, value) in end.iter_mut().enumerate() {
            let inner = self.second[component] + self.third[component];
            let outer = start.slope[component] + self.fourth[component];
            *value = start.state[component] + sixth * (outer + 2.0 * inner);
        }
    }
}

fn along(to: &mut [f64], from: &[f64], length: f64, slope: &[f64]) {
    for ((to, from), slope) in to.iter_mut().zip(from).zip(slope) {
        *to = from + length * slope;
    }
}
