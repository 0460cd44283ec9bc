//! Setpoint on real Ethernet frames, on Linux.
//!
//! [`bridge`] and [`station`] are a bridge with congestion points and an end station with reaction points, without I/O:
//! they take frames and times, and return frames. [`nic`] reads and sets the QCN parameters of a network card.
//!
//! The crate builds on every system. Elsewhere than on Linux, opening a card fails with an error that says so.

pub mod bridge;
pub mod egress;
pub mod neighbour;
pub mod nic;
pub mod options;
pub mod pauses;
pub mod plan;
pub mod station;
pub mod transmitter;
