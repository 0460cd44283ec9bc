//! Linearised loops: transfer functions, exact delay margins, sufficient bounds, characteristic roots.
//!
//! [`linearise`] turns a bottleneck and a scheme into a [`Loop`]: the open loop around the equilibrium at
//! which all controlled sources share the link equally. Only its delay remains a free parameter, since the
//! margin is a delay. All models here have the form
//!
//! ```text
//! L(s) = e^(-s τ) (P(s) + E(s) e^(-s T)) / Q(s)
//! 1 + L(s) = 0  ⇔  Q(s) + e^(-s τ) (P(s) + E(s) e^(-s T)) = 0
//! ```
//!
//! with polynomials P, E and Q, where the degree of Q is the highest. E is zero unless feedback acts a second
//! time: with the Averaging Principle, 3/4 of it acts at once and -1/4 after an interval T.
//! A closed loop is stable if all roots of the right-hand equation have negative real parts. The number of
//! other roots is computed exactly, for any delay, from the change in that function's argument
//! along the imaginary axis ([`Loop::unstable_roots`]). The margin is the smallest delay at which a
//! root reaches the axis ([`Loop::margin`]).
//!
//! Sources: for QCN, equations (9) to (13) of Alizadeh et al., "Data center transport mechanisms"
//! (Allerton 2008), linearised as in "Stability analysis of QCN: the averaging principle" (SIGMETRICS 2011);
//! we derived them independently, see `docs/algorithms/fluid-models.md`.

mod closed;
mod complex;
mod conext;
mod dcqcn;
mod equilibrium;
mod linearise;
mod map;
mod polynomial;
#[cfg(test)]
mod properties;
mod response;
mod roots;
mod state_space;
mod timely;
mod vendor;

pub use closed::{Bound, Loop, Margin, PhaseMargin};
pub use complex::Complex;
pub use conext::{Linearisation, linearise_as};
pub use equilibrium::{Equilibrium, equilibrium};
pub(crate) use linearise::Point;
pub use linearise::{NoLoop, linearise};
pub use map::{Stability, stability_map};
pub use polynomial::Polynomial;
pub use roots::Root;
