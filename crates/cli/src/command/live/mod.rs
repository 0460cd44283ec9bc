//! `setpoint live`: bridges, stations and whole networks on real frames.

mod bridge;
mod demo;
mod offload;
mod options;
mod reload;
mod session;
mod station;
mod table;

use clap::{Args, Subcommand};

use crate::failure::Failure;

/// Run a bridge, a station or a whole network on real Ethernet frames (Linux)
///
/// The algorithms are those of the simulator, and so are the scenarios: one file describes a network, `setpoint run`
/// simulates it, and `setpoint live` runs its bridge and its stations on network interfaces. docs/live.md describes
/// set-ups, privileges and limits.
#[derive(Debug, Args)]
pub(crate) struct Live {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Demo(demo::Demo),
    Bridge(bridge::Bridge),
    Station(station::Station),
}

impl Live {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        match self.action {
            Action::Demo(demo) => demo.execute(),
            Action::Bridge(bridge) => bridge.execute(),
            Action::Station(station) => station.execute(),
        }
    }
}
