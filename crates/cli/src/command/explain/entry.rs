//! Everything that can be explained, by name.

use setpoint_control::parameter::{Range, Tunable, Unit};
use setpoint_control::{Algorithm, Preset};
use setpoint_lab::bench::Shape;
use setpoint_lab::catalogue::{Better, Metric};
use setpoint_lab::glossary::Term;
use setpoint_lab::scenario::{Builtin, Check, Key, Scenario, Source};

use super::algorithm;
use crate::terminal::{Column, Facts, Screen, Table, first_sentence, indented};

/// Maximum length of lines of prose.
const PROSE: usize = 100;

/// Something that can be explained.
#[derive(Clone, Debug)]
pub(super) enum Entry {
    Algorithm(Algorithm),
    Parameter(&'static dyn Tunable),
    Preset(Preset),
    Scenario(&'static Builtin),
    Shape(&'static Shape),
    Key(Key),
    Check(&'static Check),
    Term(&'static Term),
    Metric(&'static Metric),
}

impl Entry {
    /// Its full name.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Algorithm(algorithm) => algorithm.name().to_owned(),
            Self::Parameter(parameter) => parameter.key().to_owned(),
            Self::Preset(preset) => preset.name().to_owned(),
            Self::Scenario(builtin) => builtin.name.to_owned(),
            Self::Shape(shape) => shape.name.to_owned(),
            Self::Key(key) => key.key.clone(),
            Self::Check(check) => check.code.to_owned(),
            Self::Term(term) => term.name.to_owned(),
            Self::Metric(metric) => metric.name.to_owned(),
        }
    }

    /// Its names: parameters are also keys of a scenario, and terms have aliases.
    pub(super) fn names(&self) -> impl Iterator<Item = String> {
        let others = match self {
            Self::Parameter(parameter) => in_scenarios(*parameter),
            Self::Term(term) => term.aliases.iter().map(|alias| (*alias).to_owned()).collect(),
            _ => Vec::new(),
        };
        std::iter::once(self.name()).chain(others)
    }

    /// Its managed object in IEEE 802.1Q, if it has one.
    pub(super) fn managed_object(&self) -> Option<&'static str> {
        match self {
            Self::Parameter(parameter) => parameter.managed_object(),
            _ => None,
        }
    }

    /// A description in one sentence.
    pub(super) fn title(&self) -> String {
        let text = match self {
            Self::Algorithm(algorithm) => algorithm::text(*algorithm).to_owned(),
            Self::Parameter(parameter) => parameter.description().to_owned(),
            Self::Preset(preset) => described(*preset).to_owned(),
            Self::Scenario(builtin) => format!("a built-in scenario: {}", builtin.title),
            Self::Shape(shape) => format!("a shape for bench: {}", shape.title),
            Self::Key(key) => key.doc.clone(),
            Self::Check(check) => check.title.to_owned(),
            Self::Term(term) => term.meaning.to_owned(),
            Self::Metric(metric) => metric.meaning().to_owned(),
        };
        first_sentence(&text)
    }

    /// The complete explanation.
    pub(super) fn render(&self, screen: Screen) -> String {
        let introduction = self.introduction(screen);
        let rest = match self {
            Self::Algorithm(algorithm) => parameters(*algorithm, screen),
            Self::Parameter(parameter) => parameter_facts(*parameter, screen),
            Self::Preset(preset) => changes(*preset, screen),
            Self::Scenario(builtin) => scenario_facts(builtin, screen),
            Self::Shape(shape) => shape_facts(shape, screen),
            Self::Key(key) => key_facts(key, screen),
            Self::Check(check) => indented(check.explanation, 0, screen.width.min(PROSE)),
            Self::Term(term) => term_facts(term, screen),
            Self::Metric(metric) => metric_facts(metric, screen),
        };
        let gap = if rest.is_empty() { "" } else { "\n" };
        format!("{introduction}{gap}{rest}")
    }

    /// Its name and description.
    pub(super) fn introduction(&self, screen: Screen) -> String {
        let text = match self {
            Self::Algorithm(algorithm) => algorithm::text(*algorithm).to_owned(),
            Self::Parameter(parameter) => parameter.description().to_owned(),
            Self::Key(key) => key.doc.clone(),
            Self::Term(term) => term.meaning.to_owned(),
            Self::Metric(metric) => metric.meaning().to_owned(),
            other => other.title(),
        };
        format!("{}\n{}", screen.paint.strong(&self.name()), indented(&text, 0, screen.width.min(PROSE)))
    }
}

/// The keys of a parameter in scenarios: one for each algorithm that uses it.
fn in_scenarios(parameter: &dyn Tunable) -> Vec<String> {
    let path = parameter.key().split_once('.').map_or("", |(_, path)| path);
    let reads =
        |algorithm: &Algorithm| algorithm.parameters().iter().any(|other| other.key() == parameter.key());
    let readers = Algorithm::ALL.into_iter().filter(reads);
    readers.map(|algorithm| format!("control.{}.{path}", algorithm.name())).collect()
}

fn parameter_facts(parameter: &dyn Tunable, screen: Screen) -> String {
    let mut facts = Facts::new();
    facts.add_text("in scenarios", in_scenarios(parameter).join(", "));
    facts.add_text("takes", parameter.unit().to_string());
    facts.add_text("default", parameter.default_value().to_string());
    if parameter.range() != Range::Any {
        facts.add_text("range", parameter.range().to_string());
    }
    for preset in Preset::ALL {
        let change = preset.changes().find(|change| change.key == parameter.key());
        if let Some(change) = change {
            facts.add_text(
                format!("preset {}", preset.name()),
                format!("{} ({})", change.value, change.origin),
            );
        }
    }
    facts.add_text("origin", parameter.origin());
    facts.add_text("managed object", parameter.managed_object().unwrap_or("none"));
    let mut text = facts.render(screen);
    if let Unit::Choice(choices) = parameter.unit() {
        let mut facts = Facts::of_names();
        choices.iter().for_each(|choice| facts.add_text(choice.name, choice.description));
        text += &format!("\n{}", facts.render(screen));
    }
    text
}

fn key_facts(key: &Key, screen: Screen) -> String {
    let mut facts = Facts::new();
    facts.add_text("takes", key.expected.clone());
    match key.default.as_deref() {
        None => facts.add_text("default", "none; the key is required"),
        Some(default) => facts.add_text("default", default),
    }
    facts.add_text("origin", key.origin.clone());
    let below = below(&key.key);
    let mut text = facts.render(screen);
    if !below.is_empty() {
        let mut keys = Facts::of_names();
        below.into_iter().for_each(|key| keys.add_text(key.key, key.doc));
        text += &format!("\n{}", keys.render(screen));
    }
    text
}

/// The keys directly below a key.
fn below(parent: &str) -> Vec<Key> {
    let prefix = format!("{parent}.");
    let is_child = |key: &Key| key.key.strip_prefix(&prefix).is_some_and(|rest| !rest.contains('.'));
    setpoint_lab::scenario::keys().into_iter().filter(is_child).collect()
}

fn described(preset: Preset) -> &'static str {
    let choice = Preset::CHOICES.iter().find(|choice| choice.name == preset.name());
    choice.map_or("", |choice| choice.description)
}

fn changes(preset: Preset, screen: Screen) -> String {
    let mut facts = Facts::new();
    facts.add_text("line rate", preset.line_rate().to_string());
    for change in preset.changes() {
        facts.add_text(change.key, format!("{} ({})", change.value, change.origin));
    }
    facts.render(screen)
}

fn scenario_facts(builtin: &Builtin, screen: Screen) -> String {
    let loaded = Source::builtin(builtin.name).and_then(|source| Scenario::load(&source, &[]));
    let mut facts = Facts::new();
    if let Ok(scenario) = loaded {
        facts.add_text("description", scenario.description());
    }
    facts.add_text("run it", format!("setpoint run {}", builtin.name));
    facts.add_text("copy it", format!("setpoint new {0} (writes {0}.toml)", builtin.name));
    facts.render(screen)
}

fn term_facts(term: &Term, screen: Screen) -> String {
    let mut facts = Facts::new();
    if !term.aliases.is_empty() {
        facts.add_text("also called", term.aliases.join(", "));
    }
    if let Some(document) = term.document {
        facts.add_text("see", document);
    }
    let mut text = facts.render(screen);
    let known = setpoint_lab::scenario::keys();
    let keys = term.keys.iter().filter_map(|wanted| known.iter().find(|key| key.key == *wanted));
    let mut related = Facts::of_names();
    keys.clone().for_each(|key| related.add_text(key.key.clone(), first_sentence(&key.doc)));
    if keys.count() > 0 {
        let gap = if text.is_empty() { "" } else { "\n" };
        text += &format!("{gap}{}", related.render(screen));
    }
    text
}

fn metric_facts(metric: &Metric, screen: Screen) -> String {
    let mut facts = Facts::new();
    facts.add_text("title", metric.title);
    if !metric.unit_text().is_empty() {
        facts.add_text("unit", metric.unit_text());
    }
    match metric.better {
        Better::Larger => facts.add_text("better", "higher"),
        Better::Smaller => facts.add_text("better", "lower"),
        Better::Neither => {}
    }
    facts.add_text("in", "sweep.json, sweep.csv, sweep.html");
    if metric.league.is_some() {
        facts.add_text("in the league", metric.header);
    }
    facts.add_text("see", "docs/results.md");
    facts.render(screen)
}

fn shape_facts(shape: &Shape, screen: Screen) -> String {
    let mut facts = Facts::new();
    facts.add_text("simulated", shape.simulated.to_string());
    facts.add_text("measure it", format!("setpoint bench {}", shape.name));
    facts.render(screen)
}

fn parameters(algorithm: Algorithm, screen: Screen) -> String {
    let mut table = Table::new(vec![
        Column::words("parameter", 0),
        Column::figures("default", 0),
        Column::words("managed object", 1),
        Column::words("range", 2),
    ]);
    let parameters = algorithm.parameters();
    if parameters.is_empty() {
        return String::new();
    }
    for parameter in parameters {
        let range =
            if parameter.range() == Range::Any { String::new() } else { parameter.range().to_string() };
        let object = parameter.managed_object().unwrap_or_default().to_owned();
        table.row([parameter.key().to_owned(), parameter.default_value().to_string(), object, range]);
    }
    table.render(screen).0
}
