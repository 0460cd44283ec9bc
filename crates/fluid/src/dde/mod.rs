//! Delay-differential equations with constant or state-dependent delays, solved by Runge-Kutta steps of order four with a cubic
//! Hermite history.
//!
//! [`solve`] takes a [`System`], its [`Initial`] state and history, and [`Options`]. The [`Solution`] is
//! dense: it provides every component at every time, and the [`Event`]s along the way.
//!
//! ```
//! use setpoint_fluid::dde::{Initial, Moment, Options, System, Tolerance, solve};
//!
//! /// y'(t) = -y(t - 1), with y = 1 up to time zero.
//! struct Delayed;
//!
//! impl System for Delayed {
//!     fn dimension(&self) -> usize {
//!         1
//!     }
//!
//!     fn delays(&self) -> &[f64] {
//!         &[1.0]
//!     }
//!
//!     fn slope(&self, moment: &Moment<'_>, slope: &mut [f64]) {
//!         slope[0] = -moment.delayed(0, 0);
//!     }
//! }
//!
//! let options = Options::new(2.0, Tolerance::new(1e-9, 1e-9));
//! let solution = solve(&Delayed, &Initial::constant(vec![1.0]), &options)?;
//! // The method of steps by hand: 1 - t up to t = 1, then 1 - t + (t - 1)²/2.
//! assert!((solution.at(0.5, 0) - 0.5).abs() < 1e-8);
//! assert!((solution.at(2.0, 0) + 0.5).abs() < 1e-8);
//! # Ok::<(), setpoint_fluid::dde::DdeError>(())
//! ```
//!
//! # Method
//! * *Method of steps.* No step is longer than the shortest delay, so that every delayed value is already
//!   part of the history when it is needed. A delay much shorter than a system's other time scales therefore
//!   costs extra steps.
//! * *Steps* come in pairs of equal length, each a classical Runge-Kutta step of order four. The history is
//!   the cubic through the values and slopes at the ends of each step; later steps and [`Solution::at`] use
//!   the same cubic. There is no local extrapolation: the stored values are those to which the slopes belong.
//! * *Error control.* Each pair is compared with one step of its whole length (Richardson) and with Simpson's
//!   rule over its slopes. The cubics are compared with the value in the middle, since their error enters the
//!   solution through delayed values. The worst component in the worst of these comparisons
//!   must be within the [`Tolerance`]. The step length follows the standard controller with
//!   exponents 1/5 and 1/4. This controls the error per step, not the error at the end.
//! * *Breakpoints.* A jump in the `k`-th derivative recurs one delay later in the next derivative. Jumps in
//!   the right-hand side, events and the start are tracked through all delays up to the fourth derivative,
//!   and steps end exactly on them. At a breakpoint, the right-hand side is evaluated a few units in the last
//!   place before or after the time, so that it need not distinguish the two sides itself.
//! * *Bounds.* If a component would cross a bound, the solver locates the time and sets the value to the
//!   bound. The component is held there, with slope zero, while its own slope points outwards; the release is
//!   located in the same way.
//! * *Switches* are located in the same way. A right-hand side may branch on [`Moment::side`] or on the sign
//!   itself.
//! * *Location* uses false position (Illinois) with bisection, on steps recomputed from the same start, to
//!   1e-13 of the step.
//!
//! # Invariants
//! The solution is continuous, the times of its nodes are strictly increasing, and at a node the dense
//! solution equals the node's state bit for bit. A held component equals its bound exactly. The same
//! arguments give bit-identical results. A step allocates memory only for the growing history.
//!
//! # Limits
//! * For delays that depend on the state ([`Moment::ago`]), only a lower bound is available to the solver and
//!   limits its steps. It does not propagate breakpoints through them.
//! * A switching function that changes sign twice within half a pair of steps goes undetected; limiting the
//!   [`longest_step`](Options::longest_step) helps. Crossings of bounds within the cubics are detected.
//! * Sliding along a surface that attracts from both sides is not solved but reported as an error
//!   ([`DdeError::Sliding`]).
//! * Trial steps towards a bound may go slightly beyond it, so right-hand sides should be smooth there. If
//!   the value there is not finite, the solver tries shorter steps.
//! * A held component is not released at once, but when its slope would move it, in the longest step, by a
//!   thousandth of the allowed error. Otherwise rounding could hold and release it endlessly. (With fixed
//!   steps it is released at once.)
//! * Stiff systems need many steps, since the method is explicit.
//!
//! # Sources
//! E. Hairer, S. P. Nørsett, G. Wanner, *Solving Ordinary Differential Equations I*, sections II.1 (the
//! method), II.4 (step control), II.6 (dense output, events) and II.17 (delays, breakpoints); L. F. Shampine,
//! S. Thompson, *Solving DDEs in MATLAB*, Applied Numerical Mathematics 37, 2001 (breakpoints by order, dense
//! history). The error control based on the cubics and on Simpson's rule, the bounds, and the
//! release with slack are our own.

mod arrival;
mod breakpoints;
mod crossing;
mod crossings;
mod endless;
mod error;
mod field;
mod options;
mod pair;
mod record;
mod run;
mod solution;
mod solve;
mod system;
mod track;
mod wall;
mod watch;

pub use error::DdeError;
pub use options::{Initial, Options, Tolerance};
pub use solution::{Bound, Event, EventKind, Solution};
pub use solve::solve;
pub use system::{Bounds, Moment, Past, Side, System};
