//! Setpoint on real network cards, on Linux.
//!
//! [`nic`] reads and sets the QCN parameters of a network card. `sys` exchanges frames with the kernel.
//!
//! The crate builds on every system. Elsewhere than on Linux, opening a card fails with an error that says so; messages
//! and values work everywhere, and `sys` is absent.

mod missing;
pub mod nic;
#[cfg(target_os = "linux")]
pub mod sys;
