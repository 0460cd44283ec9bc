//! `setpoint explain`: explains a name.

use clap::Args;
use setpoint_control::parameter::{Parameter, Range};
use setpoint_lab::explain::{self, Explanation, explain};

use crate::failure::Failure;
use crate::terminal::{self, Column, Facts, Screen, Table, indented};

/// Maximum length of lines of prose.
const PROSE: usize = 100;

/// Explain an algorithm, a parameter, a scenario key, a technical term or any other name
///
/// Names can be given in full (`qcn.cp.set_point`), by their ending (`set_point`) or, for parameters, as the
/// managed object of IEEE 802.1Q (`cpQSp`), in upper or lower case. Technical terms can be given as papers write
/// them: Qeq, Fb, CNM, ECMP. Without a name, the command explains QCN and lists everything else that can be explained.
#[derive(Debug, Args)]
pub(crate) struct Explain {
    /// The name to explain
    name: Option<String>,
}

impl Explain {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        let screen = Screen::of_stdout();
        let explanation = explain(self.name.as_deref().unwrap_or("qcn")).map_err(Failure::Usage)?;
        let text = match self.name {
            Some(_) => rendered(&explanation, screen),
            None => overview(&explanation, screen),
        };
        Ok(terminal::print(&text)?)
    }
}

/// QCN, and a list of everything else that can be explained.
fn overview(qcn: &Explanation, screen: Screen) -> String {
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
        explain::count()
    );
    let closing = indented(&closing, 0, screen.width);
    format!("{}\n{}\n{}", introduction(qcn, screen), facts.render(screen), screen.paint.faint(&closing))
}

fn rendered(explanation: &Explanation, screen: Screen) -> String {
    let mut parts = vec![introduction(explanation, screen)];
    parts.push(pairs(Facts::new(), &explanation.facts, screen));
    parts.push(pairs(Facts::of_names(), &explanation.related, screen));
    parts.push(parameters(&explanation.parameters, screen));
    parts.retain(|part| !part.is_empty());
    parts.join("\n")
}

/// The name and the prose.
fn introduction(explanation: &Explanation, screen: Screen) -> String {
    let paragraph = |text: &String| indented(text, 0, screen.width.min(PROSE));
    let text: Vec<String> = explanation.text.iter().map(paragraph).collect();
    format!("{}\n{}", screen.paint.strong(&explanation.name), text.join("\n"))
}

fn pairs(mut facts: Facts, pairs: &[(String, String)], screen: Screen) -> String {
    if pairs.is_empty() {
        return String::new();
    }
    pairs.iter().for_each(|(name, text)| facts.add_text(name.clone(), text.clone()));
    facts.render(screen)
}

fn parameters(parameters: &[&Parameter], screen: Screen) -> String {
    if parameters.is_empty() {
        return String::new();
    }
    let mut table = Table::new(vec![
        Column::words("parameter", 0),
        Column::figures("default", 0),
        Column::words("managed object", 1),
        Column::words("range", 2),
    ]);
    for parameter in parameters {
        let range = if parameter.range == Range::Any { String::new() } else { parameter.range.to_string() };
        let object = parameter.managed_object.unwrap_or_default().to_owned();
        table.row([parameter.key.to_owned(), parameter.default_value().to_string(), object, range]);
    }
    table.render(screen).0
}
