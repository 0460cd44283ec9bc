//! The linearisations of the CoNEXT paper: of its equations, and of the program that computed its figures.
//!
//! Source of the program: the authors' MATLAB files `fluidmodel/dcqcn/stability.m` and
//! `fluidmodel/timely/stability_fixed_final.m`, whose coefficients are derived here from the series behind them.

use super::closed::{Echo, Loop};
use super::linearise::{NoLoop, Point, linearise};
use super::polynomial::Polynomial;
use crate::gains::{DcqcnGains, MarkingGains};
use crate::{Bottleneck, ModelOptions, Scheme};

/// How the loops of the CoNEXT paper, DCQCN and patched TIMELY, are linearised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Linearisation {
    /// The exact derivatives of the printed equations at their fixed point, as in [`linearise`].
    Exact,
    /// The exact derivatives at the paper's approximation of the marking probability. The straight line of the marking
    /// continues beyond Kmax. The same as [`Linearisation::Exact`] for TIMELY.
    AtApproximation,
    /// The coefficients of the authors' program. The straight line of the marking continues beyond Kmax.
    PublishedCode,
}

/// Linearises a loop of the CoNEXT paper. Other schemes have only one linearisation.
///
/// In the program for DCQCN, the terms b + d and c + e of the equations are series in p of order one,
///
/// ```text
/// b + d ≈ A - (1 + A/2) p      c + e ≈ A - (1 + 2F + A/2) p      A = 1/B + 1/(T R)
/// ```
///
/// which needs p B ≪ 1. Moreover, α follows p (and not the probability of a mark within τ′) with the rate g R instead of
/// g/τ′; the recovery's derivatives with respect to the present and to the delayed rate are exchanged; and the term A R_AI
/// of the target appears twice, once without delay. In the program for TIMELY, the effect of the gradient is a quarter of
/// that in the equations, as if w were g/2 + 1/2.
///
/// # Errors
/// Returns an error that gives the reason if there is no such loop.
pub fn linearise_as(
    bottleneck: &Bottleneck,
    scheme: &Scheme,
    linearisation: Linearisation,
) -> Result<Loop, NoLoop> {
    let exact = || linearise(bottleneck, scheme, &ModelOptions::default());
    match (linearisation, scheme) {
        (Linearisation::AtApproximation | Linearisation::PublishedCode, Scheme::Dcqcn(params)) => {
            bottleneck.check()?;
            let (gains, point) = (DcqcnGains::new(params, bottleneck)?, Point::of(bottleneck)?);
            let at = gains.point_at(gains.approximate_probability(point.share).min(ALMOST_ONE), point.share);
            let MarkingGains::Red { kmin, kmax, largest } = gains.marking else { return exact() };
            if linearisation == Linearisation::AtApproximation {
                return Ok(point.dcqcn(&gains, &at));
            }
            Ok(point.dcqcn_as_published(&gains, at.probability, largest / (kmax - kmin)))
        }
        (Linearisation::PublishedCode, Scheme::Timely(_)) => exact().map(weaken_gradient),
        _ => exact(),
    }
}

/// The largest probability for which the terms have derivatives.
const ALMOST_ONE: f64 = 1.0 - 1e-9;

/// The gradient's gain in the program, relative to the equations.
const GRADIENT_GAIN: f64 = 0.25;

/// Reduces the gain of the gradient, which acts through the echo and, with the opposite sign, directly.
fn weaken_gradient(of: Loop) -> Loop {
    let Some(echo) = of.echo else { return of };
    let removed = echo.numerator.scaled(1.0 - GRADIENT_GAIN);
    let numerator = of.numerator.plus(&removed);
    let echo = Some(Echo { numerator: echo.numerator.scaled(GRADIENT_GAIN), ..echo });
    Loop { model: "patched TIMELY, as in the program of its authors", numerator, echo, ..of }
}

impl Point {
    /// DCQCN as in the program, for a marking probability p and a slope of the marking line:
    ///
    /// ```text
    /// z' = -g R z + g R p(t - τ)
    /// x' = -p R x + (p R + A R_AI) y + (A R_AI - p D - m R_AI p) y(t - τ) - R (D + m R_AI) p(t - τ)
    /// y' = (A D/2 - k p D - p R α/2) y - (p R α/2 + h) y(t - τ) + h x - p R²/2 z - (R²α/2 + k R D) p(t - τ)
    /// D = R_T - R_C     k = 1/2 + A/4     h = A R/2 - k p R     m = 1 + 2F + A/2     p(t) = N slope/s y(t)
    /// ```
    fn dcqcn_as_published(&self, gains: &DcqcnGains, p: f64, slope: f64) -> Loop {
        let (n, share) = (f64::from(self.sources), self.share);
        let at = gains.point_at(p, share);
        let cycles = 1.0 / gains.cycle + 1.0 / (gains.timer_s * share);
        let k = 0.5 + cycles / 4.0;
        let m = 1.0 + 2.0 * gains.stages + cycles / 2.0;
        let h = share * (cycles / 2.0 - k * p);
        let (step, gap) = (gains.active_increase, at.gap);
        let cuts = p * share * at.alpha / 2.0;
        let by_p = -n * slope * share * (share * at.alpha / 2.0 + k * gap);
        let undelayed = cycles * gap / 2.0 - k * p * gap - cuts;
        let target_by_p = -n * slope * share * (gap + m * step);
        let delayed_target = cycles * step - p * gap - m * step * p;
        let follow = gains.gain * share;
        let alpha_by_p = -n * slope * p * share * share / 2.0 * follow;
        let (s, slow_alpha, slow_target) =
            (Polynomial::s(), Polynomial::shifted(follow), Polynomial::shifted(p * share));
        let numerator = Polynomial::new([by_p, -cuts - h])
            .times(&slow_alpha)
            .times(&slow_target)
            .plus(&slow_target.scaled(alpha_by_p))
            .plus(&Polynomial::new([target_by_p, delayed_target]).times(&slow_alpha).scaled(h))
            .scaled(-1.0);
        let rates = Polynomial::shifted(-undelayed)
            .times(&slow_target)
            .plus(&Polynomial::new([-h * (p * share + cycles * step)]));
        Loop {
            model: "DCQCN, as in the program of its authors",
            sources: self.sources,
            delay_s: self.delay_s,
            queueing_s: 0.0,
            numerator,
            denominator: s.times(&slow_alpha).times(&rates),
            echo: None,
            corners: None,
        }
    }
}
