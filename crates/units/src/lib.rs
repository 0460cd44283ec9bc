//! Quantities with units, stored as integers.
//!
//! [`Time`] is an instant and [`TimeDelta`] a span, both in picoseconds; [`Rate`] is in bits per second and never zero;
//! [`Bytes`] is an amount of data, [`Length`] is the length of a cable, and [`PartsPerMillion`] is a small deviation.
//! Simulations compute with these types alone, so their results do not depend on a machine's floating-point arithmetic.
//!
//! * Operators exist only where the dimensions make sense: `Rate * TimeDelta` is [`Bytes`],
//!   `Bytes / Rate` is [`TimeDelta`], and a [`Time`] cannot be added to a [`Time`].
//! * Every operation documents its rounding: a transmission time is rounded **up** (a frame is never early), an
//!   amount of data **down** (a limiter never sends more than its rate allows).
//! * Negative differences and overflows panic: they are bugs in the caller, and a wrapped instant would silently
//!   corrupt a run.
//! * Text is read and printed exactly: `"2.4 us"` is 2 400 000 ps and prints as `2.4 µs`; text that does not
//!   denote a whole number of base units is rejected.
//! * The crate is `no_std` and needs `alloc`. The `serde` feature serialises every quantity as text.
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
mod length;
mod parts;
#[cfg(feature = "std")]
pub mod quantity;
mod rate;
#[cfg(feature = "std")]
pub mod spelling;
mod text;
mod time;

pub use bytes::Bytes;
pub use length::Length;
pub use parts::PartsPerMillion;
pub use rate::Rate;
pub use text::ParseQuantityError;
pub use time::{Time, TimeDelta};
