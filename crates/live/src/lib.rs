//! Setpoint on real Ethernet frames, on Linux.
//!
//! [`bridge`] and [`station`] are a bridge with congestion points and an end station with reaction points, without I/O: they
//! take frames and times, and return frames. `sys` exchanges frames with the kernel, `drive` connects the two, and `testbed`
//! runs a whole network in namespaces on one machine. [`nic`] reads and sets the QCN parameters of a network card.
//!
//! The crate builds on every system. On systems other than Linux, opening a card fails with an error that says so, and
//! `sys`, `drive` and `testbed` are absent.

pub mod bridge;
#[cfg(target_os = "linux")]
pub mod drive;
mod flow_name;
mod marking;
mod missing;
pub mod neighbour;
pub mod nic;
pub mod node;
pub mod options;
pub mod pauses;
pub mod plan;
mod record;
pub mod station;
#[cfg(target_os = "linux")]
pub mod sys;
#[cfg(target_os = "linux")]
pub mod testbed;
pub mod transmitter;
