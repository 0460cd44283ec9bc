//! `setpoint explain`: explains a name.

mod algorithm;
mod entry;
mod find;

use clap::Args;
use setpoint_control::Algorithm;

use self::entry::Entry;
use self::find::Found;
use crate::failure::Failure;
use crate::terminal::{self, Facts, Screen};

/// Explain an algorithm, a parameter, a scenario key, a technical term or any other name
///
/// Names can be given in full (`qcn.cp.set_point`), by their ending (`set_point`) or, for parameters, as the
/// managed object of IEEE 802.1Q (`cpQSp`), in upper or lower case. Technical terms can be given as papers write
/// them: Qeq, Fb, CNM, ECMP. Without a name, the command explains QCN and lists what else can be explained.
#[derive(Debug, Args)]
pub(crate) struct Explain {
    /// The name to explain
    name: Option<String>,
}

impl Explain {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        let screen = Screen::of_stdout();
        let Some(name) = self.name else { return Ok(terminal::print(&overview(screen))?) };
        match find::find(&name) {
            Found::One(entry) => Ok(terminal::print(&entry.render(screen))?),
            Found::Several(entries) => Ok(terminal::print(&several(&name, &entries, screen))?),
            Found::None(remedy) => Err(Failure::Usage(format!("unknown name {name:?}; {remedy}"))),
        }
    }
}

fn overview(screen: Screen) -> String {
    let entries = find::entries();
    let mut facts = Facts::of_names();
    let examples = [
        ("qcn", "an algorithm: how it works, and its parameters"),
        ("set_point", "a parameter: meaning, unit, default, range, origin"),
        ("cpQSp", "the same, by the name of its managed object in IEEE 802.1Q"),
        ("topology.dumbbell", "a key of a scenario file"),
        ("incast-pfc", "a built-in scenario"),
        ("40G", "a preset"),
        ("Qeq", "a technical term, by any of its names"),
        ("fct_p99_s", "a metric of sweeps and of the league"),
    ];
    for (name, meaning) in examples {
        facts.add_text(format!("setpoint explain {name}"), meaning);
    }
    let closing = format!(
        "{} names can be explained: those listed by `setpoint list`, `setpoint list parameters`, `setpoint list keys` \
         and `setpoint list words`",
        entries.len()
    );
    let closing = terminal::indented(&closing, 0, screen.width);
    let algorithm = Entry::Algorithm(Algorithm::Qcn).introduction(screen);
    format!("{algorithm}\n{}\n{}", facts.render(screen), screen.paint.faint(&closing))
}

fn several(name: &str, entries: &[Entry], screen: Screen) -> String {
    // Entries with the same name cannot be selected individually, so all are shown.
    if entries.iter().all(|entry| entry.name() == entries[0].name()) {
        let texts: Vec<String> = entries.iter().map(|entry| entry.render(screen)).collect();
        return texts.join("\n");
    }
    let mut facts = Facts::of_names();
    for entry in entries {
        facts.add_text(entry.name(), entry.title());
    }
    let intro = format!("{name:?} has {} meanings; give the full name of one:\n\n", entries.len());
    format!("{intro}{}", facts.render(screen))
}
