//! SMCC, equations (26) and (27): two formulas, depending on whether the queue moves away from its set point.
//!
//! ```text
//! y' = -a1 x - a2 y    state A: x and y have the same sign      (26)
//! y' = -b1 x - b2 y    state B: they differ                     (27)
//! ```
//!
//! With two stages (section 4.4), a1 is the large one if |dQ| > T1, that is, if |x'| > T1 pC, and otherwise
//! the small one.

use super::line::{Line, Measure, Place, Region};
use super::theorem3::Coefficients;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Smcc {
    pub(super) coefficients: Coefficients,
    pub(super) stages: Option<Stages>,
}

/// The second stage of a.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stages {
    /// T1 pC: the slope of the queue above which a1 is the large one.
    pub(super) threshold: f64,
    /// The small a1.
    pub(super) small_a1: f64,
}

const OFFSET: usize = 0;
const EXCESS: usize = 1;
const FAST_UP: usize = 2;
const FAST_DOWN: usize = 3;

impl Smcc {
    pub(super) fn lines(&self) -> Vec<Line> {
        let line = |name, offset_part, excess_part, level, measure| Line {
            name,
            offset_part,
            excess_part,
            level,
            measure,
        };
        let mut lines = vec![
            line("x = 0", 1.0, 0.0, 0.0, Measure::Excess),
            line("y = 0", 0.0, 1.0, 0.0, Measure::Excess),
        ];
        if let Some(stages) = self.stages {
            lines.push(line("dQ = T1", 0.0, 1.0, stages.threshold, Measure::Growth));
            lines.push(line("dQ = -T1", 0.0, -1.0, stages.threshold, Measure::Growth));
        }
        lines
    }

    pub(super) fn slope(&self, region: Region, place: &Place) -> f64 {
        let Coefficients { a1, a2, b1, b2 } = self.coefficients;
        if region.is_above(OFFSET) != region.is_above(EXCESS) {
            return -b1 * place.x - b2 * place.growth;
        }
        let fast = region.is_above(FAST_UP) || region.is_above(FAST_DOWN);
        let a1 = self.stages.filter(|_| !fast).map_or(a1, |stages| stages.small_a1);
        -a1 * place.x - a2 * place.growth
    }
}
