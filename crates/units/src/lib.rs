//! Quantities with a unit, as integers.
//!
//! [`Time`] is an instant and [`TimeDelta`] a span, both in picoseconds; [`Rate`] is in bits per
//! second and is never zero; [`Bytes`] is an amount of data, [`PartsPerMillion`] a small deviation. Everything a simulation computes is
//! built from these, so results do not depend on a machine's floating point.
//!
//! * Operators exist only where the dimensions make sense: `Rate * TimeDelta` is [`Bytes`],
//!   `Bytes / Rate` is [`TimeDelta`], and a [`Time`] cannot be added to a [`Time`].
//! * Rounding is stated where it happens: a transmission time rounds **up** (a frame is never
//!   early), an amount of data rounds **down** (nothing is sent that was not earned).
//! * A subtraction whose result would be negative panics, as an overflow does: it is a bug in the
//!   caller, and a wrapped instant would corrupt a run silently.
//! * Text is read and printed exactly: `"2.4 us"` is 2 400 000 ps and prints as `2.4 us`; a text
//!   that is not a whole number of base units is refused.
//!
//! ```
//! use setpoint_units::{Bytes, Rate, TimeDelta};
//!
//! let line: Rate = "10 Gb/s".parse()?;
//! let frame: Bytes = "1522 B".parse()?;
//! assert_eq!(frame / line, TimeDelta::from_picos(1_217_600));
//! assert_eq!((frame / line).to_string(), "1217.6 ns");
//! # Ok::<(), setpoint_units::ParseQuantityError>(())
//! ```
#![no_std]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod additive;
mod bytes;
mod parts;
#[cfg(feature = "std")]
pub mod quantity;
mod rate;
mod text;
mod time;

pub use bytes::Bytes;
pub use parts::PartsPerMillion;
pub use rate::Rate;
pub use text::ParseQuantityError;
pub use time::{Time, TimeDelta};
