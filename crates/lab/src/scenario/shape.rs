//! Checks a tree against the format: unknown and missing keys, kinds, units and ranges.
//!
//! After this check every value that is there can be read as what the format says it is. What values mean
//! together is checked when they are resolved.

use std::fmt::Display;
use std::str::FromStr;

use setpoint_units::{Bytes, ParseQuantityError, Rate, TimeDelta};

use super::diagnostics::{Place, Problem, Problems};
use super::format::{Fallback, Field, Shape};
use super::parameters;
use super::tree::{Entry, Item, Table, Value};
use super::unknown;

/// Far above any use, and low enough that sums of a few of them stay within range.
const MAX_TIME: TimeDelta = TimeDelta::from_secs(1_000_000);
const MAX_RATE: Rate = Rate::from_gbps(1_000_000);
const MAX_SIZE: Bytes = Bytes::new(1_000_000_000_000);

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
                Value::Text(kind) => unknown::kind(site.name, kinds, kind, &item.place),
                _ => wrong_kind(site.name, &item.place, value, "a table named by its kind")
                    .help(format!("one of {}", names.join(", "))),
            });
        }
        // Axes are keys of their own and are checked where variants are made.
        (Shape::Axes, _) => {}
        (shape, _) => {
            problems.take(scalar(&Subject { name: site.name, unit: usual_unit(site.field) }, shape, item));
        }
    }
}

fn check_table(site: &Site, fields: &'static [Field], item: &Item, table: &Table, problems: &mut Problems) {
    for entry in &table.entries {
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

/// What a value is called in messages, and the unit it usually has.
struct Subject<'a> {
    name: &'a str,
    unit: Option<&'a str>,
}

/// The unit of a key's default.
fn usual_unit(field: &Field) -> Option<&str> {
    match &field.fallback {
        Fallback::Value(text) => text.split_once(' ').map(|(_, unit)| unit),
        _ => None,
    }
}

/// Checks a value that is not a table of keys.
fn scalar(subject: &Subject<'_>, shape: &Shape, item: &Item) -> Result<(), Problem> {
    let (name, place) = (subject.name, &item.place);
    match (shape, &item.value) {
        (Shape::Text | Shape::Names, Value::Text(_)) | (Shape::Flag, Value::Flag(_)) => Ok(()),
        (Shape::Integer(least, most), Value::Integer(given)) => integer(name, place, *given, *least, *most),
        (Shape::NumberAbove(bound), Value::Integer(_) | Value::Float(_)) => number(name, item, *bound),
        (Shape::Choice(words), Value::Text(text)) => choice(name, place, words, text),
        (Shape::Time, _) => quantity(subject, shape, item, &[], &MAX_TIME),
        (Shape::Rate(words), _) => quantity(subject, shape, item, words, &MAX_RATE),
        (Shape::Size(words), _) => quantity(subject, shape, item, words, &MAX_SIZE),
        (Shape::Names, Value::List(items)) => {
            items.iter().try_for_each(|item| scalar(subject, &Shape::Text, item))?;
            length(name, place, items.len(), 1, usize::MAX)
        }
        (Shape::List(inner, least, most), Value::List(items)) => {
            items.iter().try_for_each(|item| scalar(subject, inner, item))?;
            length(name, place, items.len(), *least, *most)
        }
        (Shape::Distribution, Value::List(items)) => {
            items.iter().try_for_each(|item| distribution_point(subject, item))
        }
        (Shape::Parameter(parameter), _) => parameters::read(parameter, item).map(|_| ()),
        (shape, value) => Err(wrong_kind(name, place, value, &shape.expected())),
    }
}

fn wrong_kind(name: &str, place: &Place, given: &Value, expected: &str) -> Problem {
    let message = format!("`{name}` is {}, and must be {expected}", given.kind());
    let problem = Problem::at(place, message, format!("expected {expected}"));
    match (given, expected) {
        (Value::Integer(number), "a text") => problem.help(format!("write `\"{number}\"`")),
        _ => problem,
    }
}

fn integer(name: &str, place: &Place, given: i128, least: u64, most: u64) -> Result<(), Problem> {
    if (i128::from(least)..=i128::from(most)).contains(&given) {
        return Ok(());
    }
    let expected = Shape::Integer(least, most).expected();
    Err(Problem::at(place, format!("`{name}` is {given}, and must be {expected}"), "out of range"))
}

fn number(name: &str, item: &Item, bound: f64) -> Result<(), Problem> {
    let given = match item.value {
        Value::Integer(number) => number as f64,
        Value::Float(number) => number,
        _ => f64::NAN,
    };
    if given > bound && given.is_finite() {
        return Ok(());
    }
    Err(Problem::at(
        &item.place,
        format!("`{name}` is {given}, and must be a number above {bound}"),
        "out of range",
    ))
}

fn choice(name: &str, place: &Place, words: &[&str], given: &str) -> Result<(), Problem> {
    if words.contains(&given) {
        return Ok(());
    }
    Err(Problem::at(place, format!("{given:?} is not a {name}"), "not known")
        .help(format!("one of {}", quoted(words))))
}

fn quoted(words: &[&str]) -> String {
    words.iter().map(|word| format!("{word:?}")).collect::<Vec<_>>().join(", ")
}

/// Checks a text with a unit. A bare number gets the remedy, since that is the slip everyone makes.
fn quantity<Q: FromStr<Err = ParseQuantityError> + PartialOrd + Display>(
    subject: &Subject<'_>,
    shape: &Shape,
    item: &Item,
    words: &[&str],
    most: &Q,
) -> Result<(), Problem> {
    let (name, place) = (subject.name, &item.place);
    match &item.value {
        Value::Text(text) if words.contains(&text.as_str()) => Ok(()),
        Value::Text(text) => match text.parse::<Q>() {
            Ok(given) if given > *most => {
                let message = format!("`{name}` is {given}, and must be at most {most}");
                Err(Problem::at(place, message, "out of range"))
            }
            Ok(_) => Ok(()),
            Err(error) => Err(unreadable(name, place, &error, words)),
        },
        Value::Integer(_) | Value::Float(_) => Err(without_unit(
            name,
            item,
            subject.unit.unwrap_or(match shape {
                Shape::Time => "ms",
                Shape::Rate(_) => "Gb/s",
                _ => "kB",
            }),
        )),
        other => Err(wrong_kind(name, place, other, &shape.expected())),
    }
}

/// A value to show to someone who wrote none.
fn example(shape: &Shape) -> Option<&'static str> {
    Some(match shape {
        Shape::Time => "\"15 ms\"",
        Shape::Rate(_) => "\"10 Gb/s\"",
        Shape::Size(_) => "\"150 kB\"",
        Shape::Integer(..) => "4",
        Shape::NumberAbove(_) => "1.5",
        Shape::Names => "\"h1\"",
        _ => return None,
    })
}

/// The problem of a number where a quantity belongs.
pub(crate) fn without_unit(name: &str, item: &Item, unit: &str) -> Problem {
    let number = item.value.to_string();
    // Thousands of kilobytes are hardly ever meant, and bytes are what other tools write without a unit.
    let bytes = unit == "kB" && matches!(item.value, Value::Integer(1_000..));
    let unit = if bytes { "B" } else { unit };
    Problem::at(&item.place, format!("`{name}` is {number} without a unit"), "a unit is missing")
        .help(format!("write the number and its unit as a text, such as `{name} = \"{number} {unit}\"`"))
}

/// The problem of a text that is not a quantity: what follows the semicolon is the remedy.
pub(crate) fn unreadable(name: &str, place: &Place, error: &impl ToString, words: &[&str]) -> Problem {
    let text = error.to_string();
    let (message, remedy) = text.rsplit_once("; write ").unwrap_or((&text, ""));
    let problem = Problem::at(place, format!("`{name}`: {message}"), "");
    let problem = if remedy.is_empty() { problem } else { problem.help(format!("write {remedy}")) };
    if words.is_empty() { problem } else { problem.help(format!("or {}", quoted(words))) }
}

fn length(name: &str, place: &Place, given: usize, least: usize, most: usize) -> Result<(), Problem> {
    if (least..=most).contains(&given) {
        return Ok(());
    }
    let bound = match (least, most) {
        (least, most) if least == most => format!("needs {least}"),
        _ if given < least => format!("needs at least {least}"),
        _ => format!("may have at most {most}"),
    };
    let entries = if given == 1 { "entry" } else { "entries" };
    Err(Problem::at(place, format!("`{name}` has {given} {entries}, and {bound}"), ""))
}

fn distribution_point(subject: &Subject<'_>, item: &Item) -> Result<(), Problem> {
    let name = subject.name;
    let Value::List(pair) = &item.value else {
        return Err(wrong_kind(name, &item.place, &item.value, "a list of pairs [size, probability]"));
    };
    let [size, probability] = &pair[..] else {
        return Err(Problem::at(
            &item.place,
            format!("a point of `{name}` has {} entries, and needs 2", pair.len()),
            "expected a size and a probability, as in [\"10 kB\", 0.15]",
        ));
    };
    scalar(subject, &Shape::Size(&[]), size)?;
    match probability.value {
        Value::Integer(_) | Value::Float(_) => Ok(()),
        _ => Err(wrong_kind("probability", &probability.place, &probability.value, "a number from 0 to 1")),
    }
}
