//! Crossings without end, which no number of steps would get past.

use super::DdeError;
use super::run::Run;
use super::system::{Side, System};

/// So many crossings within this share of the whole time are taken for endless: at that pace, more than 1e10 steps
/// would lead to the end.
const ENDLESS: usize = 64;
const INSTANT: f64 = 1e-9;

/// Steps below this share of the whole time are looked at for hovering; so many of them that hover are sliding.
const SHORT: f64 = 1e-8;
const HOVERING: usize = 256;

/// The crossings of late.
pub(super) struct Latest {
    times: [f64; ENDLESS],
    count: usize,
    /// How many of the latest short steps hovered over a surface.
    hovering: usize,
}

impl Default for Latest {
    fn default() -> Self {
        Self { times: [f64::NEG_INFINITY; ENDLESS], count: 0, hovering: 0 }
    }
}

impl Latest {
    fn replace_oldest(&mut self, time: f64) -> f64 {
        let oldest = &mut self.times[self.count % ENDLESS];
        self.count += 1;
        std::mem::replace(oldest, time)
    }
}

impl<S: System> Run<'_, S> {
    /// Refuses crossings without end.
    pub(super) fn guard(&mut self) -> Result<(), DdeError> {
        let oldest = self.crossings.latest.replace_oldest(self.start.time);
        if self.start.time - oldest < INSTANT * self.options.until {
            return Err(self.endless());
        }
        Ok(())
    }

    /// Notices sliding that makes no events: where the right-hand side branches on the sign of the state of now, the
    /// stages of a short step can hop over the surface and back while its ends stay on one side. A straight line along
    /// the slope at the start of such a step crosses the surface, the step does not.
    pub(super) fn notice_hovering(&mut self) -> Result<(), DdeError> {
        // The end of the pair has become the start of the next, and the start of the pair is in its place.
        let (time, begun) = (self.start.time, &mut self.pair.end);
        if self.field.sides.is_empty() || time - begun.time > SHORT * self.options.until {
            self.crossings.latest.hovering = 0;
            return Ok(());
        }
        begun.drift(time);
        for (switch, &side) in self.field.sides.iter().enumerate() {
            if Side::of(self.field.switch(switch, &self.pair.end)?) != side {
                self.crossings.latest.hovering += 1;
                if self.crossings.latest.hovering > HOVERING {
                    return Err(DdeError::Sliding { switch, time });
                }
            }
        }
        Ok(())
    }

    /// Whether something was crossed just now.
    pub(super) fn is_stuck_after_crossing(&self) -> bool {
        let latest = &self.crossings.latest.times;
        let latest = latest.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        self.start.time - latest < INSTANT * self.options.until
    }

    /// What is crossed without end.
    pub(super) fn endless(&self) -> DdeError {
        let time = self.start.time;
        let (walls, switches) = self.crossings.hits.split_at(self.watch.walls.len());
        let wall = walls.iter().position(|&hit| hit);
        match (switches.iter().position(|&hit| hit), wall) {
            (None, Some(wall)) => DdeError::Chattering { component: self.watch.walls[wall].component, time },
            (switch, _) => DdeError::Sliding { switch: switch.unwrap_or(0), time },
        }
    }
}
