//! Checks a tree against the format: unknown and missing keys, kinds, units and ranges.
//!
//! After this check every value that is there can be read as what the format says it is. What values mean
//! together is checked when they are resolved.

use super::diagnostics::{Place, Problem, Problems};
use super::format::{Fallback, Field, Shape};
use super::scalar::{Subject, example, scalar, wrong_kind};
use super::several;
use super::tree::{Entry, Item, Table, Value};
use super::unknown;

/// Checks a table of the format and all that is in it.
pub(crate) fn check(item: &Item, field: &'static Field, problems: &mut Problems) {
    check_item(&Site { name: field.name, field }, item, problems);
}

/// A value to be checked: what it is called in messages, and what it may be.
struct Site {
    name: &'static str,
    field: &'static Field,
}

fn check_item(site: &Site, item: &Item, problems: &mut Problems) {
    match (&site.field.shape, &item.value) {
        (Shape::Table(fields), Value::Table(table)) => check_table(site, fields, item, table, problems),
        (Shape::OneOf(kinds), Value::Table(table)) => check_kinds(site, kinds, item, table, problems),
        (Shape::Entries(fields), Value::List(items)) => {
            for entry in items {
                if problems.is_full() {
                    return;
                }
                match &entry.value {
                    Value::Table(table) => check_table(site, fields, entry, table, problems),
                    other => problems.push(wrong_kind(site.name, &entry.place, other, "a table")),
                }
            }
        }
        (Shape::Entries(_), Value::Table(_)) => problems.push(
            wrong_kind(site.name, &item.place, &item.value, "a list of tables")
                .help(format!("write `[[{0}]]` with two brackets: there can be several", site.name)),
        ),
        (Shape::OneOf(kinds), value) => {
            let names: Vec<&str> = kinds.iter().map(|kind| kind.name).collect();
            problems.push(match value {
                Value::Text(kind) => {
                    let problem = unknown::kind(site.name, kinds, kind, &item.place);
                    let is_kind = |part: &Item| matches!(&part.value, Value::Text(part) if names.contains(&part.as_str()));
                    several::hint(problem, item, is_kind)
                }
                _ => wrong_kind(site.name, &item.place, value, "a table named by its kind")
                    .help(format!("one of {}", names.join(", "))),
            });
        }
        // Axes are keys of their own and are checked where variants are made.
        (Shape::Axes, _) => {}
        (shape, _) => {
            let subject = Subject { name: site.name, unit: usual_unit(site.field) };
            let is_right = |part: &Item| scalar(&subject, shape, part).is_ok();
            let checked = scalar(&subject, shape, item);
            problems.take(checked.map_err(|problem| several::hint(problem, item, is_right)));
        }
    }
}

fn check_table(site: &Site, fields: &'static [Field], item: &Item, table: &Table, problems: &mut Problems) {
    for entry in &table.entries {
        if problems.is_full() {
            return;
        }
        match fields.iter().find(|field| field.name == entry.key) {
            Some(field) => check_item(&Site { name: field.name, field }, &entry.item, problems),
            None => problems.push(unknown::key(site.field, fields, entry)),
        }
    }
    let required = fields.iter().filter(|field| matches!(field.fallback, Fallback::Required));
    for field in required.filter(|field| table.find(field.name).is_none()) {
        problems.push(missing(site, field, &item.place));
    }
}

fn check_kinds(site: &Site, kinds: &'static [Field], item: &Item, table: &Table, problems: &mut Problems) {
    let known: Vec<(&Entry, &'static Field)> = table
        .entries
        .iter()
        .filter_map(|entry| Some((entry, kinds.iter().find(|kind| kind.name == entry.key)?)))
        .collect();
    for entry in table.entries.iter().filter(|entry| kinds.iter().all(|kind| kind.name != entry.key)) {
        if problems.is_full() {
            return;
        }
        problems.push(unknown::kind(site.name, kinds, &entry.key, &entry.key_place));
    }
    for (entry, kind) in &known {
        check_item(&Site { name: kind.name, field: kind }, &entry.item, problems);
    }
    if let [(first, _), (second, _), ..] = known[..] {
        problems.push(
            Problem::at(
                &second.key_place,
                format!("two kinds of {} at once: `{}` and `{}`", site.name, first.key, second.key),
                "a second kind",
            )
            .context(&first.key_place, "the first")
            .help("keep one of them"),
        );
    }
    if table.entries.is_empty() {
        problems.push(missing_kind(site.name, kinds, &item.place));
    }
}

fn missing(site: &Site, field: &'static Field, place: &Place) -> Problem {
    if let Shape::OneOf(kinds) = &field.shape {
        return missing_kind(field.name, kinds, place);
    }
    let owner = if site.name.is_empty() { String::from("the scenario") } else { format!("`{}`", site.name) };
    let problem = Problem::at(
        place,
        format!("{owner} has no `{}`", field.name),
        format!("`{}` is missing", field.name),
    );
    match example(&field.shape) {
        Some(value) => problem.help(format!("add it, as in `{} = {value}`", field.name)),
        None => problem.help(format!("it is {}", field.shape.expected())),
    }
}

fn missing_kind(name: &str, kinds: &[Field], place: &Place) -> Problem {
    let tables: Vec<String> = kinds.iter().map(|kind| format!("[{name}.{}]", kind.name)).collect();
    Problem::at(place, format!("there is no {name}"), "").help(format!("add one of {}", tables.join(", ")))
}

/// The unit of a key's default.
fn usual_unit(field: &Field) -> Option<&str> {
    match &field.fallback {
        Fallback::Value(text) => text.split_once(' ').map(|(_, unit)| unit),
        _ => None,
    }
}
