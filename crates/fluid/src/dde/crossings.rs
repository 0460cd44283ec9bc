//! The events within a step and the latest crossings, as stored during a run.

use super::watch::Found;

/// This many crossings within this fraction of the total time count as endless: at that pace,
/// reaching the end would take more than 1e10 steps.
const ENDLESS: usize = 64;
pub(super) const INSTANT: f64 = 1e-9;

/// Scratch space for locating events.
pub(super) struct Crossings {
    /// The event functions at both ends of the bracket, and which of them have changed sign by
    /// the later end.
    pub(super) before: Vec<f64>,
    pub(super) after: Vec<f64>,
    pub(super) hits: Vec<bool>,
    pub(super) latest: Latest,
}

impl Crossings {
    pub(super) fn new(channels: usize) -> Self {
        Self {
            before: vec![0.0; channels],
            after: vec![0.0; channels],
            hits: vec![false; channels],
            latest: Latest::default(),
        }
    }

    /// The point at which the first of the changed functions would cross zero if all were linear; the midpoint if
    /// this is unknown.
    pub(super) fn guess(&self, bracket: &Bracket) -> f64 {
        let shares = self.hits.iter().enumerate().filter(|(_, hit)| **hit).map(|(channel, _)| {
            let (before, after) = (self.before[channel], self.after[channel]);
            if before > 0.0 && after < 0.0 { before / (before - after) } else { 0.5 }
        });
        bracket.before + shares.fold(1.0, f64::min) * bracket.width()
    }
}

/// Step lengths that enclose the first event; no event has occurred by the end of the shorter one.
#[derive(Clone, Copy)]
pub(super) struct Bracket {
    pub(super) before: f64,
    pub(super) after: f64,
    /// The result at the end of the bracket that moved last.
    pub(super) last: Option<Found>,
}

impl Bracket {
    pub(super) fn width(self) -> f64 {
        self.after - self.before
    }
}

/// The latest crossings.
pub(super) struct Latest {
    pub(super) times: [f64; ENDLESS],
    pub(super) count: usize,
    /// Number of the latest short steps that hovered over a surface.
    pub(super) hovering: usize,
}

impl Default for Latest {
    fn default() -> Self {
        Self { times: [f64::NEG_INFINITY; ENDLESS], count: 0, hovering: 0 }
    }
}

impl Latest {
    pub(super) fn replace_oldest(&mut self, time: f64) -> f64 {
        let oldest = &mut self.times[self.count % ENDLESS];
        self.count += 1;
        std::mem::replace(oldest, time)
    }
}
