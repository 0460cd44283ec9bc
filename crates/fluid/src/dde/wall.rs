//! A bound of a component, as the solver handles it.

use super::field::Point;
use super::options::Options;
use super::solution::Bound;
use super::system::System;

/// A held component is released by a slope that would move it, in the longest step, by this fraction of the
/// allowed error. Below that, rounding could hold and release it endlessly.
const SLACK: f64 = 1e-3;

/// A finite bound of a component, as seen from inside the bounds: distances and slopes are positive away from it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wall {
    pub(super) component: usize,
    pub(super) bound: Bound,
    pub(super) limit: f64,
    /// The largest inward slope at which a held component stays.
    slack: f64,
}

impl Wall {
    /// All walls of a system.
    pub(super) fn all<S: System>(system: &S, options: &Options, longest: f64) -> Vec<Self> {
        let limits = (0..system.dimension()).flat_map(|component| {
            let bounds = system.bounds(component);
            [(component, Bound::Least, bounds.least), (component, Bound::Most, bounds.most)]
        });
        let finite = limits.filter(|(_, _, limit)| limit.is_finite());
        finite
            .map(|(component, bound, limit)| {
                let slack = match options.fixed_step {
                    Some(_) => 0.0,
                    None => SLACK * options.tolerance.allowed(component, limit) / longest,
                };
                Self { component, bound, limit, slack }
            })
            .collect()
    }

    /// How far a point is from an event at this wall: its distance, or the slope still needed for its
    /// release. Negative once the event has happened.
    pub(super) fn distance(&self, holds: &[Option<Bound>], point: &Point) -> f64 {
        match holds[self.component] {
            None => self.height(point),
            Some(held) if held == self.bound => self.slack - self.inwards(point.raw[self.component]),
            Some(_) => f64::INFINITY,
        }
    }

    /// Whether the component is held at this wall.
    pub(super) fn holds(&self, holds: &[Option<Bound>]) -> bool {
        holds[self.component] == Some(self.bound)
    }

    /// Whether a component that is held at this wall, or lies exactly on it, stays there.
    pub(super) fn keeps(&self, holds: &[Option<Bound>], point: &Point) -> bool {
        let slope = self.inwards(point.raw[self.component]);
        match holds[self.component] {
            None => self.height(point) <= 0.0 && slope <= 0.0,
            // Half of the slack at which releases are located, so that a release that was just located counts as a
            // release.
            Some(held) => held == self.bound && slope <= 0.5 * self.slack,
        }
    }

    /// Whether a free component crosses the wall between two points and returns.
    pub(super) fn is_passed(&self, holds: &[Option<Bound>], from: &Point, to: &Point) -> bool {
        if holds[self.component].is_some() {
            return false;
        }
        let slopes = [from, to].map(|point| self.inwards(point.slope[self.component]));
        if !(slopes[0] < 0.0 && slopes[1] > 0.0) {
            return false;
        }
        let length = to.time - from.time;
        least_between([self.height(from), self.height(to)], slopes.map(|slope| length * slope)) < 0.0
    }

    fn height(&self, point: &Point) -> f64 {
        self.inwards(point.state[self.component] - self.limit)
    }

    fn inwards(&self, value: f64) -> f64 {
        match self.bound {
            Bound::Least => value,
            Bound::Most => -value,
        }
    }
}

/// The minimum of a cubic over the unit interval, from the values and slopes at its ends; the first slope is
/// negative and the second positive.
fn least_between(values: [f64; 2], slopes: [f64; 2]) -> f64 {
    let rise = values[1] - values[0];
    // The slope at s is slopes[0] + linear s + square s^2: its rising root, without cancellation.
    let square = 3.0 * (slopes[0] + slopes[1]) - 6.0 * rise;
    let linear = 6.0 * rise - 4.0 * slopes[0] - 2.0 * slopes[1];
    let root = (linear * linear - 4.0 * square * slopes[0]).max(0.0).sqrt();
    let at =
        if linear >= 0.0 { -2.0 * slopes[0] / (linear + root) } else { (root - linear) / (2.0 * square) };
    let rest = 1.0 - at;
    values[0] + at * at * (3.0 - 2.0 * at) * rise + at * rest * (rest * slopes[0] - at * slopes[1])
}
