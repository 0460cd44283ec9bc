//! State in addition to the point in the plane, and the moments at which it matters.

use super::line::Region;

/// State in addition to the point in the plane; only QCN has such state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Memory {
    /// N R(0) - A: the target of fast recovery.
    pub(super) target: f64,
    /// The time at which recovery began.
    pub(super) since: f64,
}

/// The time of a slope evaluation, and the beginning of its step: the formulas do not jump between the two.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Clock {
    pub(super) begun: f64,
    pub(super) now: f64,
}

impl Clock {
    pub(super) fn at(now: f64) -> Self {
        Self { begun: now, now }
    }
}

/// The context of a change of subsystem.
#[derive(Clone, Copy)]
pub(super) struct Change<'a> {
    pub(super) now: f64,
    pub(super) to: Region,
    pub(super) excess: f64,
    /// The excess at earlier times.
    pub(super) past: &'a dyn Fn(f64) -> f64,
}
