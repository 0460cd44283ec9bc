//! `setpoint nic show`: the current parameters.

use clap::Args;
use setpoint_live::nic::{self, Kernel, State};
use setpoint_wire::PrioritySet;

use super::{enumerated, json, table};
use crate::failure::Failure;
use crate::terminal::{self, Screen, plain};

/// Show the QCN parameters and statistics of a network card
///
/// Shows the priorities that have QCN enabled.
#[derive(Debug, Args)]
pub(crate) struct Show {
    /// Network interface, such as eth0
    interface: String,

    /// Show all priorities, including those with QCN off
    #[arg(long)]
    all: bool,

    /// Print JSON, with the unit in the name of each key
    #[arg(long)]
    json: bool,
}

impl Show {
    pub(super) fn execute(self) -> Result<(), Failure> {
        let mut nic = nic::open(&self.interface)?;
        Ok(terminal::print(&self.describe(&mut nic, Screen::of_stdout())?)?)
    }

    fn describe<K: Kernel>(&self, nic: &mut nic::Nic<K>, screen: Screen) -> Result<String, Failure> {
        let state = nic.read()?;
        let enabled = state.qcn.enabled();
        let shown = if self.all { PrioritySet(u8::MAX) } else { enabled };
        if self.json {
            return Ok(json::document(&self.interface, &state, shown));
        }
        let summary = match enabled.0 {
            0 => "QCN is off for all priorities".to_owned(),
            _ => format!("QCN is on for {}", enumerated(enabled)),
        };
        Ok(format!("{}: {summary}\n{}", plain(&self.interface), self.body(&state, shown, screen)))
    }

    fn body(&self, state: &State, shown: PrioritySet, screen: Screen) -> String {
        if shown == PrioritySet::default() {
            let hint = format!("`setpoint nic show {} --all` shows the parameters", plain(&self.interface));
            return screen.paint.faint(&hint) + "\n";
        }
        format!("\n{}", table::render(state, shown, screen))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::Paint;
    use setpoint_live::nic::{Nic, Parameter, ScriptedCard, Setting, Statistics};
    use setpoint_scenario::Colour;
    use setpoint_wire::Priority;

    /// A 40 Gb/s card with QCN enabled for the given priorities.
    fn card(enabled: PrioritySet) -> ScriptedCard {
        let mut card = ScriptedCard::default();
        let values = [0, 1_000, 1_464, 150_000, 5, 40_000, 10, 50, 8, 2, 10, 0];
        for priority in Priority::ALL {
            for (parameter, raw) in Parameter::ALL.into_iter().zip(values) {
                card.qcn.set(priority, Setting::new(parameter, raw));
            }
            card.qcn.set(priority, Setting::new(Parameter::Enable, enabled.contains(priority).into()));
        }
        card
    }

    /// The output of `setpoint nic show eth0` with the given options.
    fn shown(card: ScriptedCard, options: &[&str]) -> String {
        let has = |option| options.contains(&option);
        let show = Show { interface: "eth0".to_owned(), all: has("--all"), json: has("--json") };
        let screen = Screen { width: 80, paint: Paint::new(Colour::Off) };
        show.describe(&mut Nic::new(card, "eth0").unwrap(), screen).unwrap()
    }

    #[test]
    fn enabled_priorities_are_shown() {
        let mut with_statistics = card(PrioritySet(0b0001_1000));
        with_statistics.statistics = Some(Statistics {
            reaction_point_centiseconds: [0, 0, 0, 12_345, u64::MAX, 0, 0, 0],
            created_reaction_points: [0, 0, 0, 17, 2, 0, 0, 0],
        });
        insta::assert_snapshot!("two_priorities", shown(with_statistics.clone(), &[]));
        insta::assert_snapshot!("json", shown(with_statistics, &["--json"]));
    }

    #[test]
    fn a_card_with_qcn_off() {
        insta::assert_snapshot!("off", shown(card(PrioritySet(0)), &[]));
        insta::assert_snapshot!("all", shown(card(PrioritySet(0)), &["--all"]));
    }
}
