//! The right-hand side as the solver evaluates it: with access to the past, with components held at bounds,
//! and with each switch on a fixed side.

use super::DdeError;
use super::record::Record;
use super::solution::Bound;
use super::system::{Moment, Side, System};

/// The right-hand side between two breakpoints.
pub(super) struct Field<'a, S> {
    pub(super) system: &'a S,
    pub(super) delays: &'a [f64],
    pub(super) record: Record<'a>,
    /// For each component, the bound at which it is held.
    pub(super) holds: Vec<Option<Bound>>,
    /// For each switching function, its current side.
    pub(super) sides: Vec<Side>,
}

impl<S: System> Field<'_, S> {
    /// Writes the slopes; zero for held components.
    pub(super) fn slope(&self, time: f64, state: &[f64], slope: &mut [f64]) {
        self.system.slope(&self.moment(time, state), slope);
        self.hold(slope);
    }

    /// Computes the slopes at a point from its state.
    pub(super) fn evaluate(&self, point: &mut Point) -> Result<(), DdeError> {
        self.evaluate_raw(point)?;
        point.slope.copy_from_slice(&point.raw);
        self.hold(&mut point.slope);
        Ok(())
    }

    /// Computes only a point's slopes without regard to bounds.
    pub(super) fn evaluate_raw(&self, point: &mut Point) -> Result<(), DdeError> {
        self.system.slope(&self.moment(point.seen, &point.state), &mut point.raw);
        if let Some(index) = point.raw.iter().position(|slope| !slope.is_finite()) {
            let (given, time) = (point.raw[index], point.time);
            return Err(DdeError::NotFinite { what: "slope of component", index, given, time });
        }
        Ok(())
    }

    /// The value of a switching function at a point.
    pub(super) fn switch(&self, index: usize, point: &Point) -> Result<f64, DdeError> {
        let given = self.system.switch(index, &self.moment(point.seen, &point.state));
        if given.is_finite() {
            return Ok(given);
        }
        Err(DdeError::NotFinite { what: "switching function", index, given, time: point.time })
    }

    pub(super) fn hold(&self, slope: &mut [f64]) {
        for (slope, hold) in slope.iter_mut().zip(&self.holds) {
            if hold.is_some() {
                *slope = 0.0;
            }
        }
    }

    fn moment<'b>(&'b self, time: f64, state: &'b [f64]) -> Moment<'b> {
        Moment { time, state, past: &self.record, delays: self.delays, sides: &self.sides }
    }
}

/// A time with the state and slopes at that time.
#[derive(Clone, Debug)]
pub(super) struct Point {
    pub(super) time: f64,
    /// The time at which the right-hand side is evaluated: at a breakpoint, shifted slightly to the intended
    /// side.
    pub(super) seen: f64,
    pub(super) state: Vec<f64>,
    /// The slopes; zero for held components.
    pub(super) slope: Vec<f64>,
    /// The slopes without regard to bounds.
    pub(super) raw: Vec<f64>,
}

impl Point {
    pub(super) fn new(time: f64, state: Vec<f64>) -> Self {
        let zeros = vec![0.0; state.len()];
        Self { time, seen: time, state, slope: zeros.clone(), raw: zeros }
    }

    pub(super) fn copy_from(&mut self, other: &Self) {
        (self.time, self.seen) = (other.time, other.seen);
        self.state.copy_from_slice(&other.state);
        self.slope.copy_from_slice(&other.slope);
        self.raw.copy_from_slice(&other.raw);
    }

    /// Advances along the slope for a time so short that higher-order terms are negligible.
    pub(super) fn drift(&mut self, time: f64) {
        let gap = time - self.time;
        for (value, slope) in self.state.iter_mut().zip(&self.slope) {
            *value += gap * slope;
        }
        (self.time, self.seen) = (time, time);
    }
}

/// A few units in the last place: enough for `time - delay` to fall on the same side of a breakpoint as
/// `time`.
fn hair(time: f64) -> f64 {
    4.0 * f64::EPSILON * time.abs()
}

/// A time that counts as earlier in every comparison with a breakpoint, and as equal for every other purpose.
pub(super) fn just_before(time: f64) -> f64 {
    time - hair(time)
}

/// A time that counts as later in every comparison with a breakpoint, and as equal for every other purpose.
pub(super) fn just_after(time: f64) -> f64 {
    time + hair(time)
}
