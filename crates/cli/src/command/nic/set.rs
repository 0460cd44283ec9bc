//! `setpoint nic set`: new values for some parameters.

use clap::Args;
use setpoint_live::nic::{self, Change, Kernel, Outcome, Parameter, Setting};
use setpoint_wire::PrioritySet;

use super::{enumerated, read_priorities, table};
use crate::failure::{Failure, print_warning};
use crate::terminal::{self, Screen, plain};

/// Set QCN parameters of a network card
///
/// Reads all parameters, changes the named ones for the given priorities, writes them, and reads them again to show
/// their new values. A warning names each value that the card rounded or ignored. The command needs the capability
/// CAP_NET_ADMIN.
#[derive(Debug, Args)]
#[command(after_long_help = PARAMETERS)]
pub(crate) struct Set {
    /// Network interface, such as eth0
    interface: String,

    /// New values, such as `time_reset=15ms`; quantities need their unit
    #[arg(value_name = "KEY=VALUE", required = true)]
    values: Vec<String>,

    /// Priorities to change, such as 3,4, or `all`
    #[arg(long, short, value_name = "LIST", value_parser = read_priorities)]
    priority: PrioritySet,
}

const PARAMETERS: &str = "\
Parameters, also known by the name of their managed object:
  enable=on                     rpgEnable     on or off
  max_reaction_points=1         rpppMaxRps    at most this many reaction points
  time_reset=15ms               rpgTimeReset  in whole microseconds
  byte_reset=150kB              rpgByteReset
  threshold=5                   rpgThreshold
  max_rate=10Gb/s               rpgMaxRate    in whole Mb/s, like the next two
  active_increase=5Mb/s         rpgAiRate
  hyper_increase=50Mb/s         rpgHaiRate
  gain=1/128                    rpgGd         a power of two; also 2^-7
  min_decrease_factor=50%       rpgMinDecFac  in whole percent
  min_rate=10                   rpgMinRate    the card's raw value: its unit is
                                              uncertain (docs/nic.md)
  defence_state=interior-ready  -             or reset, edge, interior

`setpoint explain rpgTimeReset` explains a parameter.";

impl Set {
    pub(super) fn execute(self) -> Result<(), Failure> {
        // The values are checked first, so that a mistake is reported even without the card.
        let change = self.change()?;
        let mut nic = nic::open(&self.interface)?;
        let (text, warnings) = self.apply(&change, &mut nic, Screen::of_stdout())?;
        terminal::print(&text)?;
        warnings.iter().for_each(|warning| print_warning(warning));
        Ok(())
    }

    /// The table after the change, and warnings.
    fn apply<K: Kernel>(
        &self,
        change: &Change,
        nic: &mut nic::Nic<K>,
        screen: Screen,
    ) -> Result<(String, Vec<String>), Failure> {
        let Outcome { state, deviations } = nic.change(change)?;
        let title = format!("{}: {} after the change\n", plain(&self.interface), enumerated(self.priority));
        let text = format!("{title}\n{}", table::render(&state, self.priority, screen));
        Ok((text, deviations.iter().map(ToString::to_string).collect()))
    }

    fn change(&self) -> Result<Change, Failure> {
        let mut settings: Vec<Setting> = Vec::new();
        for text in &self.values {
            let setting = read_setting(text).map_err(Failure::Usage)?;
            if settings.iter().any(|other| other.parameter() == setting.parameter()) {
                let name = setting.parameter().name();
                return Err(Failure::Usage(format!("{name} has two values; give it one")));
            }
            settings.push(setting);
        }
        Ok(Change { priorities: self.priority, settings })
    }
}

/// Reads "KEY=VALUE".
fn read_setting(text: &str) -> Result<Setting, String> {
    let (key, value) = text
        .split_once('=')
        .ok_or_else(|| format!("{text:?} has no `=`; write a key and its value, as in time_reset=15ms"))?;
    let parameter = Parameter::find(key.trim()).map_err(|error| error.to_string())?;
    Setting::read(parameter, value).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::Paint;
    use setpoint_live::nic::{Behaviour, Nic, ScriptedCard};
    use setpoint_scenario::Colour;

    fn set(values: &[&str]) -> Set {
        let values = values.iter().map(|value| (*value).to_owned()).collect();
        Set { interface: "eth0".to_owned(), values, priority: PrioritySet(0b1000) }
    }

    fn applied(behaviour: Behaviour, values: &[&str]) -> Result<(String, Vec<String>), Failure> {
        let mut nic = Nic::new(ScriptedCard { behaviour, ..ScriptedCard::default() }, "eth0").unwrap();
        let screen = Screen { width: 80, paint: Paint::new(Colour::Off) };
        let set = set(values);
        set.apply(&set.change()?, &mut nic, screen)
    }

    #[test]
    fn the_card_is_shown_after_the_change() {
        let values = ["enable=on", "rpgTimeReset=15 ms", "rpg_max_rate=10Gb/s", "defence_state=edge"];
        let (text, warnings) = applied(Behaviour::Obedient, &values).unwrap();
        insta::assert_snapshot!("changed", text);
        assert!(warnings.is_empty());
    }

    #[test]
    fn a_rounded_value_gives_a_warning() {
        let values = ["active_increase=13Mb/s", "max_rate=1Gb/s"];
        let (text, warnings) = applied(Behaviour::RoundsRates(8), &values).unwrap();
        assert!(text.contains("1 Gb/s") && text.contains("8 Mb/s"), "{text}");
        assert_eq!(warnings, ["priority 3: the card set active_increase to 8 Mb/s instead of 13 Mb/s"]);
    }

    #[test]
    fn failures_keep_their_exit_code() {
        let failure = applied(Behaviour::NotPermitted, &["gain=1/128"]).unwrap_err();
        assert!(matches!(failure, Failure::Run(message) if message.contains("setcap cap_net_admin+ep")));
        let failure = applied(Behaviour::Obedient, &["gain=1/128", "rpgGd=1/64"]).unwrap_err();
        assert!(matches!(failure, Failure::Usage(message) if message == "gain has two values; give it one"));
    }

    #[test]
    fn the_help_shows_a_valid_value_for_every_parameter() {
        let lines =
            PARAMETERS.lines().filter_map(|line| line.strip_prefix("  ")).filter(|line| line.contains('='));
        let listed: Vec<(&str, &str)> = lines
            .filter_map(|line| {
                let mut words = line.split_whitespace();
                Some((words.next()?, words.next()?))
            })
            .collect();
        assert_eq!(listed.len(), Parameter::ALL.len());
        for ((example, object), parameter) in listed.into_iter().zip(Parameter::ALL) {
            assert_eq!(read_setting(example).unwrap().parameter(), parameter);
            assert_eq!(object, parameter.managed_object().unwrap_or("-"));
        }
    }
}
