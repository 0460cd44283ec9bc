//! Delay-differential equations with constant delays, solved by Runge-Kutta steps of order four with a cubic
//! Hermite history.

mod breakpoints;
mod crossing;
mod error;
mod field;
mod history;
mod options;
mod pair;
mod run;
mod solution;
mod solve;
mod system;
mod watch;

pub use error::DdeError;
pub use options::{Initial, Options, Tolerance};
pub use solution::{Bound, Event, EventKind, Samples, Solution};
pub use solve::solve;
pub use system::{Bounds, Moment, Past, Side, System};
