//! Reads values from a tree that was checked against the format, with the format's defaults.

use std::str::FromStr;

use setpoint_control::parameter::Percent;
use setpoint_units::{Bytes, PartsPerMillion, Rate, TimeDelta};

use super::diagnostics::Place;
use super::format::{Fallback, Field, Shape};
use super::tree::{Item, Value};

/// A key of the format and what was written there, if anything was.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    field: &'static Field,
    item: Option<&'a Item>,
    /// Where to point when nothing was written.
    around: &'a Place,
}

impl<'a> View<'a> {
    /// The whole scenario.
    pub(crate) fn new(field: &'static Field, item: &'a Item) -> Self {
        Self { field, item: Some(item), around: &item.place }
    }

    /// The key's name.
    pub(crate) fn name(&self) -> &'static str {
        self.field.name
    }

    /// The key in the format.
    pub(crate) fn field(&self) -> &'static Field {
        self.field
    }

    /// Where it is written, or else where it would belong.
    pub(crate) fn place(&self) -> &'a Place {
        self.item.map_or(self.around, |item| &item.place)
    }

    /// What was written.
    pub(crate) fn item(&self) -> Option<&'a Item> {
        self.item
    }

    /// Whether something was written.
    pub(crate) fn is_given(&self) -> bool {
        self.item.is_some()
    }

    /// A key inside this table.
    ///
    /// # Panics
    /// If the format has no such key, which is a slip in the caller and not in a scenario.
    pub(crate) fn key(&self, name: &str) -> View<'a> {
        let field = self.field.find(name).expect("a key of the format");
        let item = match self.item.map(|item| &item.value) {
            Some(Value::Table(table)) => table.find(name).map(|entry| &entry.item),
            _ => None,
        };
        View { field, item, around: self.place() }
    }

    /// Every key inside this table that was written.
    pub(crate) fn given(&self) -> impl Iterator<Item = View<'a>> + use<'a> {
        let view = *self;
        self.field.fields().iter().map(move |field| view.key(field.name)).filter(View::is_given)
    }

    /// The kind that was chosen, or that holds by default.
    pub(crate) fn kind(&self) -> Option<View<'a>> {
        match (self.given().next(), &self.field.fallback) {
            (Some(kind), _) => Some(kind),
            (None, Fallback::Value(name)) => Some(self.key(name)),
            _ => None,
        }
    }

    /// The tables of a list of tables.
    pub(crate) fn entries(&self) -> Vec<View<'a>> {
        self.items()
            .iter()
            .map(|item| View { field: self.field, item: Some(item), around: &item.place })
            .collect()
    }

    /// The items of a list; a single one for a value that is no list.
    pub(crate) fn items(&self) -> &'a [Item] {
        match self.item {
            Some(Item { value: Value::List(items), .. }) => items,
            Some(item) => std::slice::from_ref(item),
            None => &[],
        }
    }

    /// The text, or the default.
    pub(crate) fn text(&self) -> Option<&'a str> {
        match (self.item.map(|item| &item.value), &self.field.fallback) {
            (Some(Value::Text(text)), _) => Some(text),
            (None, Fallback::Value(text)) => Some(text),
            _ => None,
        }
    }

    fn parsed<Q: FromStr>(&self) -> Option<Q> {
        self.text()?.parse().ok()
    }

    /// The time, or the default.
    pub(crate) fn time(&self) -> Option<TimeDelta> {
        self.parsed()
    }

    /// The rate, or the default.
    pub(crate) fn rate(&self) -> Option<Rate> {
        self.parsed()
    }

    /// The size, or the default.
    pub(crate) fn size(&self) -> Option<Bytes> {
        self.parsed()
    }

    /// The deviation, or the default.
    pub(crate) fn deviation(&self) -> Option<PartsPerMillion> {
        self.parsed()
    }

    /// The percentage, or the default.
    pub(crate) fn percent(&self) -> Option<Percent> {
        self.parsed()
    }

    /// The whole number, or the default.
    pub(crate) fn integer(&self) -> Option<u64> {
        match self.item.map(|item| &item.value) {
            Some(Value::Integer(number)) => u64::try_from(*number).ok(),
            Some(_) => None,
            None => self.parsed(),
        }
    }

    /// The number.
    pub(crate) fn number(&self) -> Option<f64> {
        number(self.item?)
    }

    /// The flag, or the default.
    pub(crate) fn flag(&self) -> Option<bool> {
        match self.item.map(|item| &item.value) {
            Some(Value::Flag(flag)) => Some(*flag),
            Some(_) => None,
            None => self.parsed(),
        }
    }

    /// What holds where nothing is written, as [`View::printed`] shows it.
    pub(crate) fn printed_default(&self) -> Option<String> {
        View { item: None, ..*self }.printed()
    }

    /// The value as it is written in results: quantities in their usual unit, then defaults.
    pub(crate) fn printed(&self) -> Option<String> {
        let shown = match &self.field.shape {
            Shape::Time => self.time().map(printed_time),
            Shape::Rate(_) => self.rate().map(|rate| rate.to_string()),
            Shape::Size(_) => self.size().map(|size| size.to_string()),
            Shape::Deviation(_) => self.deviation().map(|deviation| deviation.to_string()),
            Shape::Percent(_) => self.percent().map(|percent| percent.to_string()),
            _ => None,
        };
        let written = || self.item.map(|item| item.value.to_string());
        shown.or_else(written).or_else(|| self.text().map(str::to_string))
    }
}

/// A time in its usual unit; nothing is nothing in seconds.
pub(crate) fn printed_time(time: TimeDelta) -> String {
    if time == TimeDelta::ZERO { String::from("0 s") } else { time.to_string() }
}

/// A number of either kind.
pub(crate) fn number(item: &Item) -> Option<f64> {
    match item.value {
        Value::Integer(number) => Some(number as f64),
        Value::Float(number) => Some(number),
        _ => None,
    }
}
