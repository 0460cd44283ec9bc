//! Theorem 3: a switching line that every motion reaches; and Remark 1: where the motion settles on it.
//!
//! # From packets to a1 and b2
//!
//! A message changes one source's rate, by a x in state A and by b dQ in state B, and controlled sources
//! receive pA messages per second. With dQ = y/(pC):
//!
//! ```text
//! a1 = a p A       b2 = b A / C       a = R_a / reference, b = R_b / reference, in 1/s
//! ```
//!
//! The paper prints a = a1/N and b = pC b2/N, without a unit of time. In units of q0, q0 pC and 1/(pC) the
//! plane is dimensionless, and without background traffic it has two parameters: a' = a1/(pC)^2 = a/(pC) and
//! b' = b2/(pC) = b/(pC) ([`Coefficients::scaled`]). The paper's figures 7 and 8 show the cases a' >= 1 and a' < 1.
//!
//! # The line y = 0
//!
//! In state A the motion follows an ellipse a1 x^2 + y^2 = const, in state B a straight line of slope -b2. By
//! (30), y = 0 is a sliding regime if a1 > 0 and b1 <= 0, and every motion reaches it. This does not imply
//! that the motion reaches the origin: along y = 0 the equations give x' = y = 0, and in state B y' = -b2 y
//! reaches y = 0 only in the limit. **Without a delay, the motion stays forever at the first
//! point of y = 0 that it reaches.** Only the trespass of section 2.3 leads on to the origin: with a
//! switching delay d, the motion follows the ellipse from (x1, 0) into state B for a time d; the straight
//! line from there meets y = 0 at x2:
//!
//! ```text
//! (x, y) = x1 (cos ωd, -ω sin ωd),  ω = sqrt(a1)       x2 = x + y / b2 = x1 (cos ωd - (ω/b2) sin ωd)
//! ```
//!
//! * x2/x1 > 0, that is, tan ωd < b2/ω: the motion settles at x2, on the side from which it came. This is the
//!   **deal-breaker**. For short delays the condition is a1 d < b2. Since a line of state B is never crossed
//!   but only approached, there is no second trespass.
//! * x2/x1 <= 0: the motion passes the set point and continues in state A on the other side.
//!
//! With d = 1/(pC), the time after which the difference between samples reveals a turn, a1 d < b2 is
//! equivalent to a < b.
//!
//! A start (0, y0) reaches y = 0 at x1 = y0/ω, so for short delays the motion settles at x2 = (y0/ω)(1 - a1
//! d/b2). Both a smaller a and a larger b move this point away from the set point, as stated in Remark 1, and a
//! has the larger effect: with ρ = a1 d/b2, d ln x2 = -(1/2 + ρ/(1-ρ)) d ln a + ρ/(1-ρ) d ln b.

/// The coefficients of (26) and (27). None is negative, except b1 in Remark 2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coefficients {
    /// Coefficient of the offset in state A, per second squared.
    pub a1: f64,
    /// Coefficient of the excess in state A, per second; zero in SMCC.
    pub a2: f64,
    /// Coefficient of the offset in state B, per second squared; zero in SMCC.
    pub b1: f64,
    /// Coefficient of the excess in state B, per second.
    pub b2: f64,
}

/// How a motion that turned at (x1, 0) continues.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Settling {
    /// It settles off the set point, at this fraction of x1: the deal-breaker.
    OffSetPoint(f64),
    /// It passes the set point.
    Passes,
}

impl Coefficients {
    /// Inequality (30): whether y = 0 is a sliding regime. By theorem 3, it is then reached from everywhere.
    pub fn inequality_30(&self) -> bool {
        self.a1 > 0.0 && self.b1 <= 0.0
    }

    /// a' and b': the coefficients in units of q0, q0 pC and 1/(pC).
    pub fn scaled(&self, samples_per_s: f64) -> (f64, f64) {
        (self.a1 / (samples_per_s * samples_per_s), self.b2 / samples_per_s)
    }

    /// x2/x1: where the line of state B that is entered one delay after a turn at (x1, 0) meets y = 0.
    /// Assumes SMCC, with a2 = b1 = 0.
    pub fn landing(&self, delay_s: f64) -> f64 {
        let omega = libm::sqrt(self.a1);
        libm::cos(omega * delay_s) - omega / self.b2 * libm::sin(omega * delay_s)
    }

    /// Whether the deal-breaker appears at a switching delay, by [`Coefficients::landing`]. With a delay of a
    /// quarter turn of the ellipse or more, the motion has left state B before it switches and always passes
    /// the set point.
    pub fn settling(&self, delay_s: f64) -> Settling {
        if delay_s < self.border_delay() {
            Settling::OffSetPoint(self.landing(delay_s))
        } else {
            Settling::Passes
        }
    }

    /// The delay at which the deal-breaker disappears: atan(b2/ω)/ω, about b2/a1.
    pub fn border_delay(&self) -> f64 {
        let omega = libm::sqrt(self.a1);
        libm::atan2(self.b2, omega) / omega
    }

    /// The b2 above which the deal-breaker appears: ω tan ωd, about a1 d; `None` if it appears for no b2.
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
