//! Theorem 2: whether QCN slides along Fb = 0 from a point on that line.
//!
//! At (x0, -pC x0/w), y' = 0 during a decrease, so F' = y: the decrease leads to the line if x0 > 0, whatever
//! the gain (22). Recovery leads to it, F' = y + (w/pC) y' >= 0 with y' of (18), if (23)
//!
//! ```text
//! (2T - w/(pC)) x0 <= (w/(pC))^2 (N R(0) - A)                              (24)
//! ```
//!
//! so the two together are necessary and sufficient. The second part of the theorem is about how the motion
//! reaches the line: the linearised decrease y' = -k F is a spiral, which always reaches the line, if
//!
//! ```text
//! k (w/pC)^2 / 4 < 1      k = Gd C in the paper: Gd w^2 / (4 C p^2) < 1
//! ```
//!
//! and a node otherwise. The paper prints the square root of Gd w/(4 C p), which does not follow from its
//! (20); like our condition, it "always holds" in practice.

use super::dynamics::Dynamics;
use super::plane::Plane;
use super::qcn::Qcn;

/// The three parts of theorem 2 at a point on the switching line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Theorem2 {
    /// Part 1, the left side of (24), in byte seconds.
    pub left: f64,
    /// Part 1, the right side of (24), in byte seconds.
    pub right: f64,
    /// Part 2: the quantity that must be below one for the decrease to be a spiral.
    pub damping: f64,
    /// Part 3: x0, which must be positive.
    pub offset: f64,
}

impl Theorem2 {
    /// Part 1: inequality (24).
    pub fn inequality_24(&self) -> bool {
        self.left <= self.right
    }

    /// Part 2: the decrease is a spiral.
    pub fn spirals(&self) -> bool {
        self.damping < 1.0
    }

    /// Part 3: the queue is above its set point.
    pub fn above_set_point(&self) -> bool {
        self.offset > 0.0
    }

    /// Whether all three parts hold.
    pub fn holds(&self) -> bool {
        self.inequality_24() && self.spirals() && self.above_set_point()
    }
}

impl Plane {
    /// Theorem 2 at the point of the line with the given offset, for a target N R(0) - A; `None` for
    /// algorithms other than QCN.
    pub fn theorem2(&self, offset: f64, target: f64) -> Option<Theorem2> {
        let law = self.qcn()?;
        Some(Theorem2 {
            left: (2.0 * law.cycle - law.lead) * offset,
            right: law.lead * law.lead * target,
            damping: law.stiffness() * law.lead * law.lead / 4.0,
            offset,
        })
    }

    /// The range of positive offsets for which (24) holds with a target N R(0) - A; the upper end may be
    /// infinite. `None` if there is no such offset, or for algorithms other than QCN.
    pub fn sliding_offsets(&self, target: f64) -> Option<(f64, f64)> {
        let law = self.qcn()?;
        let (slack, pull) = (2.0 * law.cycle - law.lead, law.lead * law.lead * target);
        if slack > 0.0 {
            return (pull > 0.0).then_some((0.0, pull / slack));
        }
        let least = if pull >= 0.0 { 0.0 } else { pull / slack };
        least.is_finite().then_some((least, f64::INFINITY))
    }

    /// The largest T for which (24) holds at a positive offset, with a target N R(0) - A: zero or less if
    /// none does. `None` for algorithms other than QCN.
    pub fn longest_cycle(&self, offset: f64, target: f64) -> Option<f64> {
        let law = self.qcn()?;
        Some(law.lead / 2.0 * (1.0 + law.lead * target / offset))
    }

    /// T, in seconds; `None` for algorithms other than QCN.
    pub fn cycle(&self) -> Option<f64> {
        Some(self.qcn()?.cycle)
    }

    fn qcn(&self) -> Option<&Qcn> {
        match &self.law {
            Dynamics::Qcn(law) => Some(law),
            Dynamics::Smcc(_) | Dynamics::Feedback(_) => None,
        }
    }
}
