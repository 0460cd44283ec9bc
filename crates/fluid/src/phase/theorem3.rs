//! Theorem 3: a switching line that is reached from everywhere; and Remark 1: where the motion comes to rest on it.
//!
//! # From packets to a1 and b2
//!
//! A message changes one source's rate, by a x in state A and by b dQ in state B, and pA messages a second reach a
//! controlled source. With dQ = y/(pC):
//!
//! ```text
//! a1 = a p A       b2 = b A / C       a = R_a / reference, b = R_b / reference, in 1/s
//! ```
//!
//! The paper prints a = a1/N and b = pC b2/N, without a unit of time. In units of q0, of q0 pC and of
//! 1/(pC) the plane has no dimensions left, and without background two numbers: a' = a1/(pC)^2 = a/(pC) and
//! b' = b2/(pC) = b/(pC) ([`Coefficients::scaled`]). The paper's figures 7 and 8 are a' >= 1 and a' < 1.
//!
//! # The line y = 0
//!
//! In state A the motion is on an ellipse a1 x^2 + y^2 = const, in state B on a straight line of slope -b2. By (30),
//! y = 0 is a sliding regime where a1 > 0 and b1 <= 0, and every motion comes to it. It does not follow that it comes
//! to the origin: along y = 0 the equations say x' = y = 0, and in state B y' = -b2 y ends at y = 0 only in the
//! limit. **Without a delay, the motion stays for ever at the first point of y = 0 that it reaches.** What leads on to the
//! origin is the trespass of section 2.3: with a delay d of switching, the ellipse from (x1, 0) is followed into state B
//! for d, and from there the straight line meets y = 0 at x2:
//!
//! ```text
//! (x, y) = x1 (cos ωd, -ω sin ωd),  ω = sqrt(a1)       x2 = x + y / b2 = x1 (cos ωd - (ω/b2) sin ωd)
//! ```
//!
//! * x2/x1 > 0, that is tan ωd < b2/ω: the motion is at rest at x2, on the side that it came from. This is the
//!   **deal-breaker**. For short delays the condition is a1 d < b2. Since a line of state B is never crossed but only
//!   approached, there is no second trespass.
//! * x2/x1 <= 0: the set point is passed, and the motion goes on in state A on its other side.
//!
//! With d = 1/(pC), the time after which a difference of samples tells of a turn, a1 d < b2 is a < b.
//!
//! A start (0, y0) reaches y = 0 at x1 = y0/ω, so that the rest is at x2 = (y0/ω)(1 - a1 d/b2) for short delays. Both a
//! smaller a and a larger b move it away from the set point, as Remark 1 says, and a by more: with ρ = a1 d/b2,
//! d ln x2 = -(1/2 + ρ/(1-ρ)) d ln a + ρ/(1-ρ) d ln b.

use super::dynamics::Dynamics;
use super::plane::Plane;

/// The coefficients of (26) and (27), none of them negative but b1 in Remark 2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coefficients {
    /// Of the offset in state A, per second squared.
    pub a1: f64,
    /// Of the excess in state A, per second; zero in SMCC.
    pub a2: f64,
    /// Of the offset in state B, per second squared; zero in SMCC.
    pub b1: f64,
    /// Of the excess in state B, per second.
    pub b2: f64,
}

/// What becomes of a motion that has turned at (x1, 0).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Settling {
    /// It comes to rest off the set point, at this part of x1: the deal-breaker.
    OffSetPoint(f64),
    /// It passes the set point.
    Passes,
}

impl Coefficients {
    /// Inequality (30): whether y = 0 is a sliding regime, which theorem 3 says is then reached from everywhere.
    #[must_use]
    pub fn inequality_30(&self) -> bool {
        self.a1 > 0.0 && self.b1 <= 0.0
    }

    /// a' and b': the coefficients in units of q0, q0 pC and 1/(pC).
    #[must_use]
    pub fn scaled(&self, samples_per_s: f64) -> (f64, f64) {
        (self.a1 / (samples_per_s * samples_per_s), self.b2 / samples_per_s)
    }

    /// x2/x1: where the line of state B that is entered a delay after a turn at (x1, 0) meets y = 0. It is that of SMCC,
    /// with a2 = b1 = 0.
    #[must_use]
    pub fn landing(&self, delay_s: f64) -> f64 {
        let omega = libm::sqrt(self.a1);
        libm::cos(omega * delay_s) - omega / self.b2 * libm::sin(omega * delay_s)
    }

    /// Whether the deal-breaker appears with a delay of switching, by [`Coefficients::landing`]. Delays of a quarter of
    /// a turn of the ellipse and more, with which state B is passed before it is entered, always pass the set point.
    #[must_use]
    pub fn settling(&self, delay_s: f64) -> Settling {
        if delay_s < self.border_delay() {
            Settling::OffSetPoint(self.landing(delay_s))
        } else {
            Settling::Passes
        }
    }

    /// The delay at which the deal-breaker disappears: atan(b2/ω)/ω, about b2/a1.
    #[must_use]
    pub fn border_delay(&self) -> f64 {
        let omega = libm::sqrt(self.a1);
        libm::atan2(self.b2, omega) / omega
    }

    /// The b2 above which the deal-breaker appears: ω tan ωd, about a1 d; none where no b2 does.
    #[must_use]
    pub fn border_b2(&self, delay_s: f64) -> Option<f64> {
        let omega = libm::sqrt(self.a1);
        let angle = omega * delay_s;
        (angle < core::f64::consts::FRAC_PI_2).then(|| omega * libm::tan(angle))
    }

    pub(super) fn shortest_time(&self) -> f64 {
        let times =
            [1.0 / libm::sqrt(self.a1), 1.0 / self.a2, 1.0 / libm::sqrt(self.b1.abs()), 1.0 / self.b2];
        times.into_iter().fold(f64::INFINITY, f64::min)
    }
}

impl Plane {
    /// The coefficients of (26) and (27), with the large a where there are two stages; none but SMCC has them.
    #[must_use]
    pub fn coefficients(&self) -> Option<Coefficients> {
        match &self.law {
            Dynamics::Smcc(law) => Some(law.coefficients),
            Dynamics::Qcn(_) | Dynamics::Feedback(_) => None,
        }
    }
}
