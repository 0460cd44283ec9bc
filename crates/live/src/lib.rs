//! Setpoint on real network cards, on Linux.
//!
//! [`nic`] reads and sets the QCN parameters of a network card.
//!
//! The crate builds on every system. Elsewhere than on Linux, opening a card fails with an error that says so; messages
//! and values work everywhere.

pub mod nic;
