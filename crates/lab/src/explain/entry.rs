//! Everything that can be explained, by name.

use setpoint_control::parameter::{Parameter, Range, Unit};
use setpoint_control::{Algorithm, Preset};
use setpoint_record::catalogue::{Better, Metric};
use setpoint_scenario::glossary::Term;
use setpoint_scenario::{Builtin, Check, Key, Scenario, Source, keys};

use super::{Explanation, first_sentence};

/// An item that can be explained.
#[derive(Clone, Debug)]
pub(super) enum Entry {
    Algorithm(Algorithm),
    Parameter(&'static Parameter),
    Preset(Preset),
    Scenario(&'static Builtin),
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
            Self::Parameter(parameter) => parameter.key.to_owned(),
            Self::Preset(preset) => preset.name().to_owned(),
            Self::Scenario(builtin) => builtin.name.to_owned(),
            Self::Key(key) => key.key.clone(),
            Self::Check(check) => check.code.to_owned(),
            Self::Term(term) => term.name.clone(),
            Self::Metric(metric) => metric.name.to_owned(),
        }
    }

    /// Its names: parameters are also keys of a scenario, and terms have aliases.
    pub(super) fn names(&self) -> impl Iterator<Item = String> {
        let others = match self {
            Self::Parameter(parameter) => in_scenarios(parameter),
            Self::Term(term) => term.aliases.clone(),
            _ => Vec::new(),
        };
        std::iter::once(self.name()).chain(others)
    }

    /// Its managed object in IEEE 802.1Q, if it has one.
    pub(super) fn managed_object(&self) -> Option<&'static str> {
        match self {
            Self::Parameter(parameter) => parameter.managed_object,
            _ => None,
        }
    }

    /// A description in one sentence.
    pub(super) fn title(&self) -> String {
        first_sentence(&self.description())
    }

    /// Its meaning, in a paragraph.
    pub(super) fn description(&self) -> String {
        match self {
            Self::Algorithm(algorithm) => algorithm.explanation().to_owned(),
            Self::Parameter(parameter) => parameter.description.to_owned(),
            Self::Preset(preset) => described(*preset).to_owned(),
            Self::Scenario(builtin) => format!("a built-in scenario: {}", builtin.title),
            Self::Key(key) => key.doc.clone(),
            Self::Check(check) => check.title.to_owned(),
            Self::Term(term) => term.meaning.clone(),
            Self::Metric(metric) => metric.meaning().to_owned(),
        }
    }

    /// The complete explanation.
    pub(super) fn explanation(&self) -> Explanation {
        let mut explanation = Explanation::new(self.name(), &self.description());
        match self {
            Self::Algorithm(algorithm) => explanation.parameters = algorithm.parameters().collect(),
            Self::Parameter(parameter) => parameter_facts(parameter, &mut explanation),
            Self::Preset(preset) => changes(*preset, &mut explanation),
            Self::Scenario(builtin) => scenario_facts(builtin, &mut explanation),
            Self::Key(key) => key_facts(key, &mut explanation),
            Self::Check(check) => explanation.text.push(check.explanation.to_owned()),
            Self::Term(term) => term_facts(term, &mut explanation),
            Self::Metric(metric) => metric_facts(metric, &mut explanation),
        }
        explanation
    }
}

/// The keys of a parameter in scenarios: one for each algorithm that uses it.
fn in_scenarios(parameter: &Parameter) -> Vec<String> {
    let path = parameter.key.split_once('.').map_or("", |(_, path)| path);
    let reads = |algorithm: &Algorithm| algorithm.parameters().any(|other| other.key == parameter.key);
    let readers = Algorithm::ALL.into_iter().filter(reads);
    readers.map(|algorithm| format!("control.{}.{path}", algorithm.name())).collect()
}

fn parameter_facts(parameter: &Parameter, explanation: &mut Explanation) {
    explanation.fact("in scenarios", in_scenarios(parameter).join(", "));
    explanation.fact("takes", parameter.unit.to_string());
    explanation.fact("default", parameter.default_value().to_string());
    if parameter.range != Range::Any {
        explanation.fact("range", parameter.range.to_string());
    }
    for preset in Preset::ALL {
        let change = preset.changes().find(|change| change.key == parameter.key);
        if let Some(change) = change {
            let value = format!("{} ({})", change.value, change.origin);
            explanation.fact(format!("preset {}", preset.name()), value);
        }
    }
    explanation.fact("origin", parameter.origin);
    explanation.fact("managed object", parameter.managed_object.unwrap_or("none"));
    if let Unit::Choice(choices) = parameter.unit {
        choices.iter().for_each(|choice| explanation.related(choice.name, choice.description));
    }
}

fn key_facts(key: &Key, explanation: &mut Explanation) {
    explanation.fact("takes", key.expected.clone());
    explanation.fact("default", key.default.as_deref().unwrap_or("none; the key is required"));
    explanation.fact("origin", key.origin.clone());
    below(&key.key).into_iter().for_each(|key| explanation.related(key.key, key.doc));
}

/// The keys directly below a key.
fn below(parent: &str) -> Vec<Key> {
    let prefix = format!("{parent}.");
    let is_child = |key: &Key| key.key.strip_prefix(&prefix).is_some_and(|rest| !rest.contains('.'));
    keys().into_iter().filter(is_child).collect()
}

fn described(preset: Preset) -> &'static str {
    let choice = Preset::CHOICES.iter().find(|choice| choice.name == preset.name());
    choice.map_or("", |choice| choice.description)
}

fn changes(preset: Preset, explanation: &mut Explanation) {
    explanation.fact("line rate", preset.line_rate().to_string());
    for change in preset.changes() {
        explanation.fact(change.key, format!("{} ({})", change.value, change.origin));
    }
}

fn scenario_facts(builtin: &Builtin, explanation: &mut Explanation) {
    let loaded = Source::builtin(builtin.name).and_then(|source| Scenario::load(&source, &[]));
    if let Ok(scenario) = loaded {
        explanation.fact("description", scenario.description());
    }
    explanation.fact("run it", format!("setpoint run {}", builtin.name));
    explanation.fact("copy it", format!("setpoint new {0} (writes {0}.toml)", builtin.name));
}

fn term_facts(term: &Term, explanation: &mut Explanation) {
    if !term.aliases.is_empty() {
        explanation.fact("also called", term.aliases.join(", "));
    }
    if let Some(document) = &term.document {
        explanation.fact("see", document);
    }
    let known = keys();
    let keys = term.keys.iter().filter_map(|wanted| known.iter().find(|key| key.key == *wanted));
    keys.for_each(|key| explanation.related(key.key.clone(), first_sentence(&key.doc)));
}

fn metric_facts(metric: &Metric, explanation: &mut Explanation) {
    explanation.fact("title", metric.title);
    if !metric.unit_text().is_empty() {
        explanation.fact("unit", metric.unit_text());
    }
    match metric.better {
        Better::Larger => explanation.fact("better", "higher"),
        Better::Smaller => explanation.fact("better", "lower"),
        Better::Neither => {}
    }
    explanation.fact("in", "sweep.json, sweep.csv, sweep.html");
    if metric.league.is_some() {
        explanation.fact("in the league", metric.header);
    }
    explanation.fact("see", "docs/results.md");
}
