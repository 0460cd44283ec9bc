//! `setpoint list`: lists everything built in.

use clap::{Args, ValueEnum};
use setpoint_control::{Preset, parameters};
use setpoint_lab::explain;
use setpoint_record::catalogue;
use setpoint_scenario::{Purpose, builtin, glossary, keys};

use crate::failure::Failure;
use crate::terminal::{self, Facts, Screen};

/// List built-in scenarios, algorithms, presets, topologies, bridges and traffic
#[derive(Debug, Args)]
pub(crate) struct List {
    /// List only one kind
    #[arg(value_name = "WHAT")]
    what: Option<What>,
}

/// A kind of entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum What {
    /// Built-in scenarios, for `run`, `check`, `sweep`, `new --from` and `extends`
    Scenarios,
    /// Congestion control algorithms, `[control.…]`
    Algorithms,
    /// Link-level flow control, `[flow_control.…]`
    FlowControl,
    /// Parameter sets, `preset = "…"` in `[control.…]`
    Presets,
    /// Networks, `[topology.…]`
    Topologies,
    /// Bridge architectures, `[bridge.…]`
    Bridges,
    /// Traffic sources, `traffic` in `[[flows]]`
    Traffic,
    /// Message size distributions, `sizes` for `poisson` traffic
    Sizes,
    /// Parameters of the algorithms
    Parameters,
    /// Metrics, for `tune --objective` and the tables of sweeps
    Metrics,
    /// All keys of a scenario file
    Keys,
    /// Technical terms, as in docs/glossary.md
    Words,
}

impl What {
    /// The kinds listed by default: all except those with long lists.
    const USUAL: [Self; 8] = [
        Self::Scenarios,
        Self::Algorithms,
        Self::FlowControl,
        Self::Presets,
        Self::Topologies,
        Self::Bridges,
        Self::Traffic,
        Self::Sizes,
    ];

    fn title(self) -> &'static str {
        match self {
            Self::Scenarios => "scenarios",
            Self::Algorithms => "algorithms",
            Self::FlowControl => "flow control",
            Self::Presets => "presets",
            Self::Topologies => "topologies",
            Self::Bridges => "bridges",
            Self::Traffic => "traffic",
            Self::Sizes => "message sizes",
            Self::Parameters => "parameters",
            Self::Metrics => "metrics",
            Self::Keys => "keys",
            Self::Words => "words",
        }
    }

    /// Names and descriptions.
    fn entries(self) -> Vec<(String, String)> {
        match self {
            Self::Scenarios => scenarios(Purpose::Experiments),
            Self::Algorithms => kinds("control"),
            Self::FlowControl => kinds("flow_control"),
            Self::Presets => pairs(Preset::CHOICES.iter().map(|choice| (choice.name, choice.description))),
            Self::Topologies => kinds("topology"),
            Self::Bridges => kinds("bridge"),
            Self::Traffic => kinds("flows.traffic"),
            Self::Sizes => kinds("flows.traffic.poisson.sizes"),
            Self::Parameters => pairs(parameters().map(|parameter| (parameter.key, parameter.description))),
            Self::Metrics => {
                catalogue::all().map(|metric| (metric.name.to_owned(), described(metric))).collect()
            }
            Self::Keys => keys().into_iter().map(|key| (key.key, key.doc)).collect(),
            Self::Words => pairs(glossary::terms().map(|term| (term.name.as_str(), term.meaning.as_str()))),
        }
    }
}

impl List {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        let screen = Screen::of_stdout();
        let text = match self.what {
            Some(what) => section(what, screen),
            None => {
                let sections: Vec<String> = What::USUAL.map(|what| titled(what, screen)).into();
                format!("{}\n{}", sections.join("\n"), more(screen))
            }
        };
        Ok(terminal::print(&text)?)
    }
}

fn titled(what: What, screen: Screen) -> String {
    format!("{}\n{}", screen.paint.faint(what.title()), section(what, screen))
}

fn section(what: What, screen: Screen) -> String {
    let text = names(what.entries(), screen);
    if what != What::Scenarios {
        return text;
    }
    let others = [
        (Purpose::League, "scenarios of the league"),
        (Purpose::Live, "scenarios for live"),
        (Purpose::Bench, "scenarios for bench"),
    ];
    let part = |(purpose, title): (Purpose, &str)| {
        format!("\n{}\n{}", screen.paint.faint(title), names(scenarios(purpose), screen))
    };
    others.into_iter().map(part).fold(text, |text, part| text + &part)
}

fn names(entries: Vec<(String, String)>, screen: Screen) -> String {
    let mut facts = Facts::of_names();
    for (name, meaning) in entries {
        // `explain` shows the rest.
        facts.add_text(name, explain::first_sentence(&meaning));
    }
    facts.render(screen)
}

fn scenarios(purpose: Purpose) -> Vec<(String, String)> {
    let fitting = builtin().iter().filter(|builtin| builtin.purpose() == purpose);
    pairs(fitting.map(|builtin| (builtin.name, builtin.title)))
}

/// Unit and direction of a metric, then its meaning.
fn described(metric: &catalogue::Metric) -> String {
    let better = match metric.better.text() {
        "" => String::new(),
        better => format!("{better} is better"),
    };
    let brackets: Vec<&str> =
        [metric.unit_text(), &better].into_iter().filter(|part| !part.is_empty()).collect();
    let brackets = if brackets.is_empty() { String::new() } else { format!("({}) ", brackets.join(", ")) };
    format!("{brackets}{}", metric.meaning())
}

fn more(screen: Screen) -> String {
    let hint = "`setpoint list parameters`, `metrics`, `keys` and `words` list the rest; `setpoint explain NAME` explains any name";
    terminal::indented(&screen.paint.faint(hint), 0, screen.width)
}

/// The variants of a key: the tables directly below it.
fn kinds(parent: &str) -> Vec<(String, String)> {
    let below = |key: &str| {
        key.strip_prefix(parent)?.strip_prefix('.').filter(|rest| !rest.contains('.')).map(str::to_owned)
    };
    keys().into_iter().filter_map(|key| Some((below(&key.key)?, key.doc))).collect()
}

fn pairs<'a>(entries: impl Iterator<Item = (&'a str, &'a str)>) -> Vec<(String, String)> {
    entries.map(|(name, meaning)| (name.to_owned(), meaning.to_owned())).collect()
}
