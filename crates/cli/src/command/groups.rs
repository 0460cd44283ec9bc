//! The list of commands in `setpoint --help`, under headings.

use std::fmt::Write;

use clap::Command;

use crate::terminal::{Facts, Screen};

/// Headings and their commands.
const GROUPS: &[(&str, &[&str])] = &[
    ("Simulate", &["run", "check", "new", "import", "serve"]),
    ("Compare and tune", &["sweep", "league", "tune"]),
    ("Papers and theory", &["reproduce", "fluid", "stability", "phase", "atlas", "step", "vectors"]),
    ("Results", &["report", "compare", "export"]),
    ("Real frames", &["live", "nic", "dissector"]),
    ("Information", &["list", "explain", "site", "bench", "schema", "completions", "man", "help"]),
];
/// Maximum width of the help, as for the help of a command.
pub(crate) const WIDEST: usize = 100;
/// The description of the `help` command, which clap adds.
const HELP: &str = "Print this message or the help of the given subcommand(s)";

/// The command line with its commands listed under headings.
pub(crate) fn grouped(command: Command) -> Command {
    let screen = Screen::of_stdout();
    let list = list(&command, Screen { width: screen.width.min(WIDEST), paint: screen.paint });
    command.help_template(format!(
        "{{before-help}}{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{list}\
         {}\n{{options}}{{after-help}}",
        screen.paint.strong("Options:")
    ))
}

fn list(command: &Command, screen: Screen) -> String {
    let longest = GROUPS.iter().flat_map(|(_, names)| *names).map(|name| name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for (title, names) in GROUPS {
        // Names are padded to the longest, so that descriptions begin in the same column under all headings.
        let mut facts = Facts::of_names();
        for name in *names {
            let found = command.find_subcommand(name).and_then(Command::get_about);
            let about = found.map(ToString::to_string).or_else(|| (*name == "help").then(|| HELP.to_owned()));
            // Some commands do not exist on every system.
            facts.add_text(format!("  {name:longest$}"), about.unwrap_or_default());
        }
        let _ = write!(text, "{}\n{}\n", screen.paint.strong(&format!("{title}:")), facts.render(screen));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Arguments;
    use crate::terminal::Paint;
    use clap::CommandFactory;

    #[test]
    fn every_command_is_in_one_group() {
        let command = Arguments::command();
        for subcommand in command.get_subcommands() {
            let name = subcommand.get_name();
            let times = GROUPS.iter().flat_map(|(_, names)| *names).filter(|listed| **listed == name).count();
            assert_eq!(times, 1, "{name}");
        }
        let plain = Screen { width: 80, paint: Paint::new(setpoint_scenario::Colour::Off) };
        let text = list(&command, plain);
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    }
}
