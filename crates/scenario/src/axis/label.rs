//! Names of the values of an axis in folders, in tables and on pages.

use setpoint_units::spelling;

use super::Item;
use crate::diagnostics::{Place, Problem};
use crate::tree::{Entry, Table, Value};

/// A value of an axis and the label that the file gives it, as `{ label = "…", value = … }`.
pub(super) fn split(item: &Item) -> Result<(Option<(String, Place)>, Item), Problem> {
    let Value::Table(table) = &item.value else { return Ok((None, item.clone())) };
    let Some(label) = table.find("label") else { return Ok((None, item.clone())) };
    let (Value::Text(text), Some(value)) = (&label.item.value, table.find("value")) else {
        return Err(form(&item.place));
    };
    if table.entries.len() > 2 || text.trim().is_empty() {
        return Err(form(&item.place));
    }
    Ok((Some((text.trim().to_owned(), label.item.place.clone())), value.item.clone()))
}

fn form(place: &Place) -> Problem {
    Problem::at(place, "a value with a label has a `label`, which is text, and a `value`", "")
        .help("write it as in `{ label = \"fast\", value = { qcn = { preset = \"40G\" } } }`")
}

/// The first label that is used twice.
pub(super) fn repeated(labels: &[Option<(String, Place)>]) -> Option<Problem> {
    let given: Vec<&(String, Place)> = labels.iter().flatten().collect();
    let again = |index: &usize| given[..*index].iter().any(|(text, _)| *text == given[*index].0);
    let (text, place) = given[(1..given.len()).find(again)?];
    Some(Problem::at(place, format!("two values have the label {text:?}"), "the second"))
}

/// A short label for a value: for a table, the kind and its keys, as in `qcn, preset 40G`.
pub(super) fn short(value: &Value) -> String {
    let Value::Table(table) = value else { return value.to_string() };
    let parts = match &table.entries[..] {
        [Entry { key, item, .. }] if matches!(&item.value, Value::Table(_)) => {
            let mut parts = vec![key.clone()];
            leaves(&item.value, "", &mut parts);
            parts
        }
        _ => all(table),
    };
    parts.join(", ")
}

fn all(table: &Table) -> Vec<String> {
    let mut parts = Vec::new();
    table.entries.iter().for_each(|entry| leaves(&entry.item.value, &entry.key, &mut parts));
    parts
}

/// Adds, for every value that is not a table, the key in words and the value.
fn leaves(value: &Value, key: &str, parts: &mut Vec<String>) {
    let Value::Table(table) = value else {
        let value = spelling::value(&value.to_string()).replace('\u{a0}', " ");
        parts.push(format!("{} {value}", key.replace(['.', '_'], " ")));
        return;
    };
    for entry in &table.entries {
        let inner = if key.is_empty() { entry.key.clone() } else { format!("{key}.{}", entry.key) };
        leaves(&entry.item.value, &inner, parts);
    }
}
