//! `--set key=value`.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use super::diagnostics::{Diagnostics, Place, Problem, Problems};
use super::format::{self, suggest};
use super::merge::{self, Assignment};
use super::source::Source;
use super::tree::{Item, Value};

/// A value that replaces the value of a key in the file.
///
/// The value is read as TOML. A value that is not valid TOML is treated as a string, so quotes can
/// be omitted:
/// `topology.dumbbell.rtt=50us`.
#[derive(Clone, Debug)]
pub struct Override {
    key: String,
    item: Item,
    key_place: Place,
    /// Its label, if it is a value of an axis.
    label: Option<String>,
}

impl Override {
    /// The dotted key.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// The value as text.
    pub fn value(&self) -> String {
        self.item.value.to_string()
    }

    /// A short name of the value, for folders, tables and pages.
    pub fn label(&self) -> String {
        self.label.clone().unwrap_or_else(|| self.value())
    }

    /// A value on the axis of a sweep.
    pub(crate) fn of_axis(key: &str, item: &Item, label: String) -> Self {
        Self { key: key.to_string(), item: item.clone(), key_place: item.place.clone(), label: Some(label) }
    }

    /// The place of the value.
    pub(crate) fn place(&self) -> &Place {
        &self.item.place
    }

    /// The texts of all keys called `name` in the values that it sets below a key of the top level.
    pub(crate) fn texts_of(&self, top: &str, name: &str) -> Vec<(&str, &Place)> {
        let mut found = Vec::new();
        let last = self.key.rsplit('.').next().unwrap_or_default();
        if self.key.split('.').next() == Some(top) {
            collect_texts(&self.item, last == name, name, &mut found);
        }
        found
    }

    /// Sets the value in a tree.
    pub(crate) fn apply(&self, tree: &mut Item) -> Result<(), Problem> {
        let path: Vec<&str> = self.key.split('.').collect();
        if path[0] == "extends" {
            return Err(Problem::at(&self.key_place, "`extends` cannot be set", "")
                .help("run the other file instead"));
        }
        if format::find(&path).is_none() {
            let problem =
                Problem::at(&self.key_place, format!("there is no key `{}`", self.key), "unknown key");
            let problem = suggest::unknown_path(&self.key, Some(&*tree), problem);
            let is_list = suggest::parts(&self.item).len() > 1;
            return Err(if is_list { problem.help(suggest::SWEEP) } else { problem });
        }
        merge::set(tree, Assignment { path: &path, key_place: &self.key_place, item: self.item.clone() })
    }
}

fn collect_texts<'a>(item: &'a Item, is_named: bool, name: &str, found: &mut Vec<(&'a str, &'a Place)>) {
    match &item.value {
        Value::Text(text) if is_named => found.push((text, &item.place)),
        Value::List(items) => items.iter().for_each(|item| collect_texts(item, false, name, found)),
        Value::Table(table) => {
            for entry in &table.entries {
                collect_texts(&entry.item, entry.key == name, name, found);
            }
        }
        _ => {}
    }
}

/// Applies settings to a tree, or reports every setting that does not fit. Longer keys are set
/// after shorter ones, so that the order in which `control` and `control.qcn.cp.set_point` are given
/// does not matter; if a key is set several times, the last value applies.
pub(crate) fn apply<'a>(
    tree: &mut Item,
    settings: impl IntoIterator<Item = &'a Override>,
) -> Result<(), Diagnostics> {
    let mut problems = Problems::default();
    let mut settings: Vec<&Override> = settings.into_iter().collect();
    settings.sort_by_key(|setting| setting.key().split('.').count());
    for setting in settings {
        problems.take(setting.apply(tree));
    }
    problems.check()
}

impl FromStr for Override {
    type Err = Diagnostics;

    fn from_str(text: &str) -> Result<Self, Diagnostics> {
        let source = Arc::new(Source::new("--set", text));
        let Some((key, _)) = text.split_once('=') else {
            let problem =
                Problem::at(&Place::new(&source, 0..text.len()), "there is no `=`", "expected key=value");
            return Err(problem
                .help("write a dotted key and its value, as in `network.buffer=200kB`")
                .into());
        };
        let key_place = Place::new(&source, 0..key.len());
        let start = key.len() + 1;
        let mut problems = Problems::default();
        let item = Item::of_option(&source, start..text.len(), &mut problems);
        problems.or_else(Self { key: key.trim().to_string(), item, key_place, label: None })
    }
}

impl fmt::Display for Override {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.key, self.item.value)
    }
}
