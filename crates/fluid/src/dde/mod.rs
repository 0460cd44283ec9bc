//! Delay-differential equations with constant delays, solved by Runge-Kutta steps of order four with a cubic
//! Hermite history.

mod system;

pub use system::{Bounds, Moment, Past, System};
