//! The format of scenarios: every table is a struct, declared once with the type, default and meaning of each key.
//!
//! [`declare`] contains the macros, [`read`] turns a tree into the structs, [`values`] holds the types that a key can
//! have. The check for unknown keys, the defaults, the suggestions, the JSON schema and the reference page all use the
//! [`Field`]s that are declared with the structs.

mod bridge;
mod buffer_presets;
mod capture;
mod control;
mod declare;
mod flow_files;
mod flows;
mod groups;
mod jobs;
mod no_keys;
mod parameters;
mod placed;
mod read;
mod refusals;
mod root;
mod scheduling;
pub(crate) mod suggest;
mod topology;
mod values;
mod wire;

pub(crate) use bridge::{Cells, Cioq, SharedBuffer};
pub(crate) use capture::Capture;
pub(crate) use control::{Control, FlowControl, MarkedSource, Notifications, Thresholds};
pub(crate) use flow_files::FlowFile;
pub(crate) use flows::{At, Flow, Pattern, Sizes, Traffic};
pub(crate) use groups::{Group, GroupDelivery};
pub(crate) use jobs::Job;
pub(crate) use parameters::setting;
pub(crate) use placed::{AnyKey, Placed};
pub(crate) use root::Root;
pub(crate) use scheduling::{Ets, Scheduling};
pub(crate) use topology::{
    Dumbbell, FatTree, Graph, LeafSpine, Link, Network, ParkingLot, RackFabric, Star, Topology,
};
pub(crate) use values::{Choice, List, Names, OrWord, SizePoints, printed_time, read_delay};
pub(crate) use wire::Wire;

use std::borrow::Cow;
use std::sync::LazyLock;

use setpoint_control::parameter::{Parameter, Percent};
use setpoint_units::PartsPerMillion;

use self::read::Readable;
use super::diagnostics::{Problem, Problems};
use super::tree::Item;

/// A key: its name, its possible values, and its documentation.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) name: &'static str,
    pub(crate) shape: Shape,
    pub(crate) fallback: Fallback,
    pub(crate) doc: &'static str,
    /// Source of the default, unless it is our own choice.
    pub(crate) origin: &'static str,
    /// Reports the problems with a value.
    check: fn(&'static Field, &Item, &mut Problems),
}

/// The possible values of a key.
#[derive(Clone, Debug)]
pub(crate) enum Shape {
    /// Any string.
    Text,
    /// `true` or `false`.
    Flag,
    /// A whole number between two bounds, both inclusive.
    Integer(u64, u64),
    /// A number above this bound.
    NumberAbove(f64),
    /// A span of time, or one of these words.
    Time(&'static [&'static str]),
    /// The delay of a link: a span of time, or the length of a cable.
    Delay,
    /// A rate, or one of these words.
    Rate(&'static [&'static str]),
    /// An amount of data, or one of these words.
    Size(&'static [&'static str]),
    /// A percentage of at least this value.
    Percent(u16),
    /// A deviation of at most this many parts per million.
    Deviation(PartsPerMillion),
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A string or a list of strings.
    Names,
    /// A list of values of one kind, with a minimum and a maximum length.
    List(Box<Shape>, usize, usize),
    /// Pairs of a size and a probability.
    Distribution,
    /// A table.
    Table(Vec<Field>),
    /// A table with exactly one key, the kind; the name of a kind is short for its table with only default values.
    OneOf(Vec<Field>),
    /// `[[name]]`, any number of tables.
    Entries(Vec<Field>),
    /// A parameter of an algorithm.
    Parameter(&'static Parameter),
    /// A parameter that several algorithms have; the scenario's algorithm decides which one is meant.
    ParameterOfAny(Vec<&'static Parameter>),
    /// Axes of a sweep.
    Axes,
}

/// The default of a key.
#[derive(Clone, Debug)]
pub(crate) enum Fallback {
    /// The key is required.
    Required,
    /// This value.
    Value(Cow<'static, str>),
    /// A value that depends on other keys, in words.
    Derived(&'static str),
}

impl Field {
    /// A key that is read as a `T`; its documentation is the doc comment of the Rust field.
    fn new<T: Readable>(name: &'static str, shape: Shape, fallback: Fallback, doc: &'static str) -> Self {
        let check =
            |field: &'static Self, item: &Item, problems: &mut Problems| drop(T::read(field, item, problems));
        Self { name, shape, fallback, doc: doc.trim_start(), origin: "", check }
    }

    /// A key for one of several kinds.
    fn kind<T: Readable<Limits = ()>>(name: &'static str, doc: &'static str) -> Self {
        Self::new::<T>(name, T::shape(()), Fallback::Derived(""), doc)
    }

    fn origin(mut self, origin: &'static str) -> Self {
        self.origin = origin;
        self
    }

    /// Reports everything that is wrong with a value of this key.
    pub(crate) fn check(&'static self, item: &Item, problems: &mut Problems) {
        (self.check)(self, item, problems);
    }

    /// The keys below it.
    pub(crate) fn fields(&self) -> &[Self] {
        match &self.shape {
            Shape::Table(fields) | Shape::OneOf(fields) | Shape::Entries(fields) => fields,
            _ => &[],
        }
    }

    /// The key below it with this name.
    pub(crate) fn find(&self, name: &str) -> Option<&Self> {
        self.fields().iter().find(|field| field.name == name)
    }
}

impl Shape {
    /// The possible values, in words for messages and for the reference.
    pub(crate) fn expected(&self) -> String {
        match self {
            Self::Text => String::from("a string"),
            Self::Flag => String::from("true or false"),
            Self::Integer(least, u64::MAX) => format!("a whole number of at least {least}"),
            Self::Integer(least, most) => format!("a whole number from {least} to {most}"),
            Self::NumberAbove(bound) => format!("a number above {bound}"),
            Self::Time(words) => with_words("a time such as \"15 ms\"", words),
            Self::Delay => {
                String::from("a time such as \"500 ns\" or the length of a cable such as \"100 m\"")
            }
            Self::Rate(words) => with_words("a rate such as \"10 Gb/s\"", words),
            Self::Size(words) => with_words("a size such as \"150 kB\"", words),
            Self::Percent(least) => {
                format!("a percentage such as \"160 %\", from {least} % to {}", Percent::MAX)
            }
            Self::Deviation(most) => format!("a deviation such as \"100 ppm\", at most {most}"),
            Self::Choice(words) => format!("one of {}", words.join(", ")),
            Self::Names => String::from("a name, a pattern or a list of these"),
            Self::List(shape, _, _) => format!("a list in which each entry is {}", shape.expected()),
            Self::Distribution => String::from("a list of pairs [size, probability]"),
            Self::Table(_) => String::from("a table"),
            Self::OneOf(kinds) => {
                let names: Vec<&str> = kinds.iter().map(|kind| kind.name).collect();
                format!("one of the tables {}", names.join(", "))
            }
            Self::Entries(_) => String::from("a list of tables"),
            Self::Parameter(parameter) => parameters::expected(parameter),
            Self::ParameterOfAny(parameters) => {
                let mut ways: Vec<String> = parameters.iter().map(|one| parameters::expected(one)).collect();
                ways.dedup();
                ways.join("; or ")
            }
            Self::Axes => String::from("a table of lists"),
        }
    }

    /// An example value for messages about a missing one.
    pub(crate) fn example(&self) -> Option<&'static str> {
        Some(match self {
            Self::Time(_) => "\"15 ms\"",
            Self::Delay => "\"500 ns\"",
            Self::Rate(_) => "\"10 Gb/s\"",
            Self::Size(_) => "\"150 kB\"",
            Self::Integer(..) => "4",
            Self::NumberAbove(_) => "1.5",
            Self::Names => "\"h1\"",
            _ => return None,
        })
    }

    /// The same quantity, or one of these words.
    fn or_words(self, words: &'static [&'static str]) -> Self {
        match self {
            Self::Time(_) => Self::Time(words),
            Self::Rate(_) => Self::Rate(words),
            Self::Size(_) => Self::Size(words),
            other => other,
        }
    }

    /// The words that are allowed instead of a quantity.
    pub(crate) fn words(&self) -> &'static [&'static str] {
        match self {
            Self::Time(words) | Self::Rate(words) | Self::Size(words) => words,
            _ => &[],
        }
    }
}

fn with_words(kind: &str, words: &[&str]) -> String {
    words.iter().fold(String::from(kind), |text, word| format!("{text} or {word:?}"))
}

/// The whole format.
pub(crate) fn root() -> &'static Field {
    static ROOT: LazyLock<Field> = LazyLock::new(|| {
        let doc = "A scenario: a network, its traffic, and changes during the run.";
        Field::new::<Root>("", Root::shape(()), Fallback::Derived(""), doc)
    });
    &ROOT
}

/// Finds a key by its path; the numbers of list entries are skipped.
pub(crate) fn find(path: &[&str]) -> Option<&'static Field> {
    path.iter().try_fold(root(), |field, name| match &field.shape {
        Shape::Entries(_) if name.parse::<usize>().is_ok() => Some(field),
        _ => field.find(name),
    })
}

/// One key of a scenario and its documentation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// The dotted key, such as `topology.dumbbell.senders`.
    pub key: String,
    /// Its possible values.
    pub expected: String,
    /// Its default; none for a required key.
    pub default: Option<String>,
    /// Its meaning.
    pub doc: String,
    /// Source of the default.
    pub origin: String,
    /// Whether it has keys below it.
    pub is_table: bool,
}

/// Every key that a scenario can have, in the order of the reference.
pub fn keys() -> Vec<Key> {
    let mut keys = Vec::new();
    collect(root(), "", &mut keys);
    keys
}

fn collect(field: &Field, prefix: &str, keys: &mut Vec<Key>) {
    for inner in field.fields() {
        let key = if prefix.is_empty() { inner.name.to_string() } else { format!("{prefix}.{}", inner.name) };
        let default = match &inner.fallback {
            Fallback::Required => None,
            Fallback::Value(text) => Some(text.to_string()),
            Fallback::Derived(words) => Some((*words).to_string()),
        };
        keys.push(Key {
            key: key.clone(),
            expected: inner.shape.expected(),
            default,
            doc: inner.doc.to_string(),
            origin: inner.origin.to_string(),
            is_table: !inner.fields().is_empty(),
        });
        collect(inner, &key, keys);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::diagnostics::Place;
    use super::super::source::Source;
    use super::super::tree::Value;
    use super::*;

    /// Every declared default is a valid value of its key.
    fn check_defaults(field: &'static Field, place: &Place) {
        if let Fallback::Value(text) = &field.fallback {
            let mut problems = Problems::default();
            field.check(&Item { place: place.clone(), value: Value::of_word(text) }, &mut problems);
            assert_eq!(problems.count(), 0, "{}: {text}", field.name);
        }
        field.fields().iter().for_each(|inner| check_defaults(inner, place));
    }

    #[test]
    fn every_default_is_valid() {
        check_defaults(root(), &Place::whole(&Arc::new(Source::new("default", ""))));
    }
}
