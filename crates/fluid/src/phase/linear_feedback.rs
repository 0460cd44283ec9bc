//! BCN and AIMD, equation (2): proportional feedback of both signs.
//!
//! ```text
//! y' = -G F p (A + y)^2 / N    F > 0       F = x + w x' / (pC)
//! y' = -I F p (A + y)          F < 0       I = Gi Ru, the rate added to one source per byte of feedback
//! ```
//!
//! Each message reaches one source, and all sources together receive p (A + y) messages per second. Both
//! slopes are zero on the line F = 0, so the motion crosses it smoothly and never slides. AIMD with additive
//! decrease uses the second formula for both signs.

use super::line::{Line, Measure, Place, Region};

#[derive(Clone, Debug, PartialEq)]
pub(super) struct LinearFeedback {
    /// w / (pC).
    pub(super) lead: f64,
    pub(super) available: f64,
    pub(super) sources: f64,
    /// pA.
    pub(super) controlled_samples_per_s: f64,
    /// I.
    pub(super) increase: f64,
    /// G; `None` if the decrease is additive.
    pub(super) decrease: Option<f64>,
    pub(super) largest_feedback: f64,
}

impl LinearFeedback {
    pub(super) fn line(&self) -> Line {
        Line {
            name: "Fb = 0",
            offset_part: 1.0,
            excess_part: self.lead,
            level: 0.0,
            measure: Measure::Growth,
        }
    }

    pub(super) fn slope(&self, region: Region, place: &Place) -> f64 {
        let feedback = place.x + self.lead * place.growth;
        let held = feedback.clamp(-self.largest_feedback, self.largest_feedback);
        let part = (self.available + place.y) / self.available;
        match self.decrease.filter(|_| region.is_above(0)) {
            Some(gain) => {
                -gain * held * self.controlled_samples_per_s * self.available / self.sources * part * part
            }
            None => -self.increase * held * self.controlled_samples_per_s * part,
        }
    }

    pub(super) fn shortest_time(&self) -> f64 {
        let falling = self.decrease.map_or(0.0, |gain| gain * self.available / self.sources);
        let stiffness = self.controlled_samples_per_s * falling.max(self.increase);
        [self.lead, 1.0 / libm::sqrt(stiffness), 1.0 / (stiffness * self.lead)]
            .into_iter()
            .fold(f64::INFINITY, f64::min)
    }
}
