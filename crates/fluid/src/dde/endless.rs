//! Detection of crossings that would repeat endlessly, however many steps are taken.

use super::DdeError;
use super::crossings::INSTANT;
use super::run::Run;
use super::system::{Side, System};

/// Steps below this fraction of the total time are checked for hovering; this many hovering
/// steps count as sliding.
const SHORT: f64 = 1e-8;
const HOVERING: usize = 256;

impl<S: System> Run<'_, S> {
    /// Returns an error on endless crossings.
    pub(super) fn guard(&mut self) -> Result<(), DdeError> {
        let oldest = self.crossings.latest.replace_oldest(self.start.time);
        if self.start.time - oldest < INSTANT * self.options.until {
            return Err(self.endless());
        }
        Ok(())
    }

    /// Detects sliding that produces no events: if the right-hand side branches on the sign of the current
    /// state, the stages of a short step can cross the surface and return while its ends stay on one side. In
    /// such a step, a straight line along the initial slope crosses the surface, but the step does not.
    pub(super) fn notice_hovering(&mut self) -> Result<(), DdeError> {
        // The end of this pair is now the start of the next, and the two have been swapped.
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

    /// Whether there was a crossing within the last instant.
    pub(super) fn is_stuck_after_crossing(&self) -> bool {
        let latest = &self.crossings.latest.times;
        let latest = latest.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        self.start.time - latest < INSTANT * self.options.until
    }

    /// The error for the function or bound that is crossed endlessly.
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
