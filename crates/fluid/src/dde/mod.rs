//! Delay-differential equations with constant delays, solved by Runge-Kutta steps of order four with a cubic
//! Hermite history.
//!
//! [`solve`] takes a [`System`], its [`Initial`] state and history, and [`Options`]; the [`Solution`] is dense: every
//! component at every time, with the [`Event`]s on the way.
//!
//! # Method
//! * *Method of steps.* No step is longer than the shortest delay, so that every delayed value is history when it is
//!   asked for. A delay much shorter than all other times of a system thus costs steps.
//! * *Steps* come in pairs of equal length, each a classical Runge-Kutta step of order four. The history is the cubic
//!   through the values and slopes at the ends of each step, on which later steps and [`Solution::at`] agree. There is
//!   no local extrapolation: the values kept are those that the slopes belong to.
//! * *Error control.* Each pair is compared with one step of its whole length (Richardson) and with Simpson's rule over
//!   its slopes; the cubics are compared with the value in the middle, since their error reaches the solution through
//!   delayed values. The worst component of the worst of these must be within the [`Tolerance`]; the step follows by
//!   the standard controller with exponents 1/5 and 1/4. What is controlled is the error of a step, not of the end.
//! * *Breakpoints.* A jump of the `k`-th derivative comes back a delay later as one of the next order. Jumps of the
//!   right-hand side, events and the start are followed through all delays up to the fourth derivative, and steps end
//!   exactly on them. There, the right-hand side is asked a few units in the last place before or after the time, so
//!   that it need not know which side is meant.
//! * *Bounds.* Where a component would pass a bound, the time is located and the value set to the bound; it is held
//!   there, its slope zero, for as long as its own slope points outwards, and the release is located likewise.
//! * *Switches* are located likewise. A right-hand side may branch on [`Moment::side`] or on the sign itself.
//! * *Location* is by false positions (Illinois) with bisection, on steps made anew from the same start, to 1e-13 of
//!   the step.
//!
//! # Invariants
//! The solution is continuous, its nodes rise strictly, and at a node the dense solution is the node's state bit for
//! bit. A held component is its bound exactly. The same arguments give the same bits. A step allocates nothing but the
//! room in which the history grows.
//!
//! # Limits
//! * A switching function that changes its sign twice within half a pair of steps is not seen; the
//!   [`longest_step`](Options::longest_step) helps. Bounds are seen within the cubics, too.
//! * Sliding along a surface that attracts from both sides is refused ([`DdeError::Sliding`]), not solved.
//! * The steps tried on the way to a bound look a little beyond it: right-hand sides should be smooth there. One that
//!   is not a finite number there is met by shorter steps.
//! * A held component is released once its slope would move it in the longest step by a thousandth of the error that
//!   is allowed, not at once: otherwise rounding could hold and release it without end. (With fixed steps: at once.)
//! * Stiff systems cost steps: the method is explicit.
//!
//! # Sources
//! E. Hairer, S. P. Nørsett, G. Wanner, *Solving Ordinary Differential Equations I*, sections II.1 (the method), II.4
//! (step control), II.6 (dense output, events) and II.17 (delays, breakpoints); L. F. Shampine, S. Thompson, *Solving
//! DDEs in MATLAB*, Applied Numerical Mathematics 37, 2001 (breakpoints by order, dense history). The control of the
//! cubics and of Simpson's rule, the bounds, and the release with slack are ours.

mod arrival;
mod breakpoints;
mod crossing;
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
