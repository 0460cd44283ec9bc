//! The three subsystems of QCN, equations (15) to (19).
//!
//! ```text
//! decrease          y' = -G F p (A + y)^2 / N               F > 0     (17), see `Notifications`
//! fast recovery     y' = (N R(0) - A - y) / (2T)            F < 0     (18)
//! active increase   y' = (N R(0) + N R_AI t / c - A - y) / (2c)       (15), after five cycles, t since then
//! F = x + w x' / (pC)                                                 minus (14)
//! ```
//!
//! * G is the fraction of the rate removed per byte of feedback: the largest cut divided by the largest
//!   feedback, (2w + 1) q0. The paper's Gd is per quantiser step.
//! * T is a time, but a cycle is a number of bytes: T is the time that a source needs to send them at its
//!   share A/N.
//! * c, the cycle of active increase, is T/2, which makes the third line equal to (15); depending on the
//!   parameters it can be T.

use super::line::{Line, Measure, Place, Region};
use super::memory::{Change, Clock, Memory};
use super::options::{Decrease, Notifications, PlaneOptions, RecoveryTarget};

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Qcn {
    /// w / (pC), in seconds: the weight times the sampling interval, which turns a slope into a difference.
    pub(super) lead: f64,
    /// A, in bytes per second.
    pub(super) available: f64,
    /// N.
    pub(super) sources: f64,
    /// pC.
    pub(super) samples_per_s: f64,
    /// pA: samples per second that hit a controlled frame.
    pub(super) controlled_samples_per_s: f64,
    /// G, per byte.
    pub(super) gain: f64,
    /// (2w + 1) q0.
    pub(super) largest_feedback: f64,
    /// T.
    pub(super) cycle: f64,
    /// c.
    pub(super) active_cycle: f64,
    /// The duration of fast recovery: five cycles.
    pub(super) recovery: f64,
    /// N R_AI.
    pub(super) active_increase: f64,
    /// N R - A for the largest possible R.
    pub(super) highest_target: f64,
    pub(super) options: PlaneOptions,
}

/// The only line.
const FEEDBACK: usize = 0;

impl Qcn {
    pub(super) fn line(&self) -> Line {
        Line {
            name: "Fb = 0",
            offset_part: 1.0,
            excess_part: self.lead,
            level: 0.0,
            measure: Measure::Growth,
        }
    }

    pub(super) fn slope(&self, region: Region, place: &Place, memory: &Memory, clock: Clock) -> f64 {
        if region.is_above(FEEDBACK) {
            return self.decrease(place);
        }
        let active_from = self.active_from(memory);
        if clock.begun < active_from {
            return (memory.target - place.y) / (2.0 * self.cycle);
        }
        let active = clock.now - active_from;
        let target = memory.target + self.active_increase * active / self.active_cycle;
        (target.min(self.highest_target) - place.y) / (2.0 * self.active_cycle)
    }

    fn decrease(&self, place: &Place) -> f64 {
        let feedback = place.x + self.lead * place.growth;
        match self.options.decrease {
            Decrease::Linearised => -self.stiffness() * feedback,
            Decrease::Nonlinear => {
                let feedback = feedback.clamp(-self.largest_feedback, self.largest_feedback);
                let rates = self.available + place.y;
                -self.stiffness() * feedback * self.share(rates / self.available)
            }
        }
    }

    /// How the decrease depends on the rates, relative to the decrease at the available bandwidth.
    fn share(&self, part: f64) -> f64 {
        match self.options.notifications {
            Notifications::PerSource => part * part,
            Notifications::EverySample => part,
        }
    }

    /// k in the linearised y' = -k F, per second squared: `Gd C` of (19) with a unit of time.
    pub(super) fn stiffness(&self) -> f64 {
        let cut_per_message = self.gain * self.available;
        match self.options.notifications {
            Notifications::PerSource => cut_per_message * self.controlled_samples_per_s / self.sources,
            Notifications::EverySample => cut_per_message * self.samples_per_s,
        }
    }

    pub(super) fn changed(&self, memory: Memory, change: &Change<'_>) -> Memory {
        let begins_descent = change.to.is_above(FEEDBACK);
        let completed_a_cycle = change.now - memory.since >= self.cycle;
        match (self.options.target, begins_descent) {
            (RecoveryTarget::DescentBegan, true) if completed_a_cycle => {
                Memory { target: change.excess, ..memory }
            }
            (_, true) => memory,
            (RecoveryTarget::DescentBegan, false) => Memory { since: change.now, ..memory },
            (RecoveryTarget::LatestMessage, false) => {
                let target = (change.past)(change.now - self.message_interval());
                Memory { target, since: change.now }
            }
        }
    }

    /// The time between two messages to the same source.
    fn message_interval(&self) -> f64 {
        match self.options.notifications {
            Notifications::PerSource => self.sources / self.controlled_samples_per_s,
            Notifications::EverySample => 1.0 / self.samples_per_s,
        }
    }

    pub(super) fn active_from(&self, memory: &Memory) -> f64 {
        memory.since + self.recovery
    }

    pub(super) fn shortest_time(&self) -> f64 {
        let natural = 1.0 / libm::sqrt(self.stiffness());
        let damping = 1.0 / (self.stiffness() * self.lead);
        [self.lead, self.cycle, self.active_cycle, natural, damping].into_iter().fold(f64::INFINITY, f64::min)
    }
}
