//! Options that apply only to real frames.

use clap::{Args, ValueEnum};
use setpoint_live::neighbour::Defence;
use setpoint_live::options::Options;
use setpoint_scenario::Prepared;
use setpoint_units::TimeDelta;
use setpoint_wire::Priority;

/// Options that apply only to real frames.
#[derive(Clone, Debug, Args)]
pub(crate) struct LiveOptions {
    /// How ports treat the priorities under congestion notification
    #[arg(long, value_enum, default_value = "auto", value_name = "MODE")]
    defence: Mode,

    /// Priority of frames that arrive at an edge with a priority under congestion notification
    #[arg(long, default_value_t = 0, value_name = "N", value_parser = clap::value_parser!(u8).range(0..8))]
    alternate_priority: u8,

    /// Time between two LLDP announcements
    #[arg(long, default_value = "30 s", value_name = "TIME")]
    announce_every: TimeDelta,

    /// End a pause after this time, and ignore further pauses for the same time (watchdog against PFC storms)
    #[arg(long, default_value = "1 s", value_name = "TIME")]
    pause_patience: TimeDelta,
}

/// A defence mode.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Mode {
    /// Follow the neighbour's LLDP announcements
    Auto,
    /// The neighbour takes no part: replace the priority of arriving frames, and remove CN-TAGs from departing ones
    Edge,
    /// The neighbour takes part, but does not understand CN-TAGs: remove them from departing frames
    Interior,
    /// The neighbour takes part: keep priorities and CN-TAGs
    InteriorReady,
}

impl LiveOptions {
    /// The options, with the format of notifications that the scenario specifies.
    pub(crate) fn of(&self, prepared: &Prepared) -> Options {
        Options {
            defence: match self.defence {
                Mode::Auto => Defence::Automatic,
                Mode::Edge => Defence::Edge,
                Mode::Interior => Defence::Interior,
                Mode::InteriorReady => Defence::InteriorReady,
            },
            alternate_priority: Priority::ALL[usize::from(self.alternate_priority)],
            announce_every: self.announce_every,
            pause_patience: self.pause_patience,
            conventions: prepared.conventions,
        }
    }
}
