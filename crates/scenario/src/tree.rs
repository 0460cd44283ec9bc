//! TOML text as a tree of values with their places.
//!
//! The text is not deserialised with serde, for three reasons: all problems in a file are reported, not only the first;
//! values come from several sources (`extends`, `--set`, an axis of a sweep), and an error must show the right one; and
//! the keys of an algorithm come from its own parameter table.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use toml::Spanned;
use toml::de::{DeInteger, DeTable, DeValue};

use super::diagnostics::{Place, Problem, Problems};
use super::source::Source;

/// A value and its place.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    pub(crate) place: Place,
    pub(crate) value: Value,
}

/// A value.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Text(String),
    Integer(i128),
    Float(f64),
    Flag(bool),
    Date,
    List(Vec<Item>),
    Table(Table),
}

/// Keys and values in the order of the text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    pub(crate) entries: Vec<Entry>,
}

/// A key and its value.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) key: String,
    pub(crate) key_place: Place,
    pub(crate) item: Item,
}

impl Table {
    pub(crate) fn find(&self, key: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.key == key)
    }

    pub(crate) fn find_mut(&mut self, key: &str) -> Option<&mut Entry> {
        self.entries.iter_mut().find(|entry| entry.key == key)
    }

    pub(crate) fn remove(&mut self, key: &str) -> Option<Entry> {
        let index = self.entries.iter().position(|entry| entry.key == key)?;
        Some(self.entries.remove(index))
    }
}

impl Value {
    /// The value of a word written without quotes: a number, a flag or a string.
    pub(crate) fn of_word(text: &str) -> Self {
        match (text.parse(), text.parse(), text.parse()) {
            (Ok(number), ..) => Self::Integer(number),
            (_, Ok(number), _) => Self::Float(number),
            (.., Ok(flag)) => Self::Flag(flag),
            _ => Self::Text(text.to_string()),
        }
    }

    /// A whole number or a float.
    pub(crate) fn number(&self) -> Option<f64> {
        match self {
            Self::Integer(number) => Some(*number as f64),
            Self::Float(number) => Some(*number),
            _ => None,
        }
    }

    /// The kind of value, for messages.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Text(_) => "a string",
            Self::Integer(_) | Self::Float(_) => "a number",
            Self::Flag(_) => "true or false",
            Self::Date => "a date",
            Self::List(_) => "a list",
            Self::Table(_) => "a table",
        }
    }
}

/// Shows a value as it would be written in a scenario.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            Self::Integer(number) => write!(f, "{number}"),
            Self::Float(number) => write!(f, "{number}"),
            Self::Flag(flag) => write!(f, "{flag}"),
            Self::Date => f.write_str("a date"),
            Self::List(items) => {
                let items: Vec<String> = items.iter().map(|item| item.value.to_string()).collect();
                write!(f, "[{}]", items.join(", "))
            }
            Self::Table(table) => {
                let show = |entry: &Entry| format!("{} = {}", entry.key, entry.item.value);
                let entries: Vec<String> = table.entries.iter().map(show).collect();
                write!(f, "{{ {} }}", entries.join(", "))
            }
        }
    }
}

/// Reads a whole source; syntax errors are added to `problems`.
pub(crate) fn read(source: &Arc<Source>, problems: &mut Problems) -> Item {
    let (table, errors) = DeTable::parse_recoverable(&source.text);
    // One error can confuse the parser for the rest of the text, so only the first few are shown.
    for error in errors.iter().take(3) {
        let place = Place::new(source, error.span().unwrap_or(0..0));
        problems.push(Problem::at(&place, format!("this is not TOML: {}", error.message()), ""));
    }
    let table = Converter { source, offset: 0, problems }.table(table.get_ref());
    Item { place: Place::whole(source), value: Value::Table(table) }
}

impl Item {
    /// Reads a value from part of an option. Anything that is not TOML is treated as a string, so
    /// quotes can be omitted.
    pub(crate) fn of_option(source: &Arc<Source>, span: Range<usize>, problems: &mut Problems) -> Self {
        let text = &source.text[span.clone()];
        let offset = span.start + text.len() - text.trim_start().len();
        match DeValue::parse(text.trim()) {
            Ok(value) => Converter { source, offset, problems }.item(&value),
            Err(_) => Self { place: Place::new(source, span), value: Value::Text(text.trim().to_string()) },
        }
    }
}

/// Converts the parser's output into a tree, with places shifted by `offset`.
struct Converter<'a> {
    source: &'a Arc<Source>,
    offset: usize,
    problems: &'a mut Problems,
}

impl Converter<'_> {
    fn place(&self, span: Range<usize>) -> Place {
        Place::new(self.source, span.start + self.offset..span.end + self.offset)
    }

    fn table(&mut self, table: &DeTable<'_>) -> Table {
        let mut entries: Vec<Entry> = Vec::with_capacity(table.len());
        for (key, value) in table {
            let key_place = self.place(key.span());
            entries.push(Entry { key: key.get_ref().to_string(), key_place, item: self.item(value) });
        }
        // The parser sorts keys by name; the tree keeps the order of the text.
        entries.sort_by_key(|entry| entry.key_place.start());
        Table { entries }
    }

    fn item(&mut self, value: &Spanned<DeValue<'_>>) -> Item {
        let place = self.place(value.span());
        let value = match value.get_ref() {
            DeValue::String(text) => Value::Text(text.to_string()),
            DeValue::Boolean(flag) => Value::Flag(*flag),
            DeValue::Datetime(_) => Value::Date,
            DeValue::Array(items) => Value::List(items.iter().map(|item| self.item(item)).collect()),
            DeValue::Table(table) => Value::Table(self.table(table)),
            DeValue::Float(number) => Value::Float(number.as_str().parse().unwrap_or(f64::NAN)),
            DeValue::Integer(number) => self.integer(number, &place),
        };
        Item { place, value }
    }

    fn integer(&mut self, number: &DeInteger<'_>, place: &Place) -> Value {
        let read = i128::from_str_radix(number.as_str(), number.radix());
        if read.is_err() {
            self.problems.push(Problem::at(place, "this number is too large", "longer than 38 digits"));
        }
        Value::Integer(read.unwrap_or_default())
    }
}
