//! Checks values that are not tables: kinds, units and ranges.

use std::fmt::Display;
use std::str::FromStr;

use setpoint_control::parameter::{Percent, ReadError};
use setpoint_units::{Bytes, ParseQuantityError, Rate, TimeDelta};

use super::diagnostics::{Place, Problem};
use super::format::Shape;
use super::parameters;
use super::tree::{Item, Value};
use setpoint_suggest as suggest;

/// Far above any use, and low enough that sums of a few of them stay within range.
const MAX_TIME: TimeDelta = TimeDelta::from_secs(1_000_000);
const MAX_RATE: Rate = Rate::from_gbps(1_000_000);
const MAX_SIZE: Bytes = Bytes::new(1_000_000_000_000);

/// What a value is called in messages, and the unit it usually has.
pub(crate) struct Subject<'a> {
    pub(crate) name: &'a str,
    pub(crate) unit: Option<&'a str>,
}

/// Checks a value that is not a table of keys.
pub(crate) fn scalar(subject: &Subject<'_>, shape: &Shape, item: &Item) -> Result<(), Problem> {
    let (name, place) = (subject.name, &item.place);
    match (shape, &item.value) {
        (Shape::Text | Shape::Names, Value::Text(_)) | (Shape::Flag, Value::Flag(_)) => Ok(()),
        (Shape::Integer(least, most), Value::Integer(given)) => integer(name, place, *given, *least, *most),
        (Shape::NumberAbove(bound), Value::Integer(_) | Value::Float(_)) => number(name, item, *bound),
        (Shape::Choice(words), Value::Text(text)) => choice(name, place, words, text),
        (Shape::Time, _) => quantity(subject, shape, item, &[], &MAX_TIME),
        (Shape::Rate(words), _) => quantity(subject, shape, item, words, &MAX_RATE),
        (Shape::Size(words), _) => quantity(subject, shape, item, words, &MAX_SIZE),
        (Shape::Deviation(most), _) => quantity(subject, shape, item, &[], most),
        (Shape::Percent(least), Value::Text(text)) => percent(name, place, text, Percent::new(*least)),
        (Shape::Percent(_), Value::Integer(_) | Value::Float(_)) => Err(without_unit(name, item, "%")),
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
        (Shape::Parameter(parameter), _) => parameters::read(*parameter, item).map(|_| ()),
        (Shape::ParameterOfAny(parameters), _) => parameters::read_any(parameters, item),
        (shape, value) => Err(wrong_kind(name, place, value, &shape.expected())),
    }
}

/// The problem of a value of another kind than expected.
pub(crate) fn wrong_kind(name: &str, place: &Place, given: &Value, expected: &str) -> Problem {
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
    let expected = format!("a whole number from {least} to {most}");
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
    let problem = Problem::at(place, format!("{given:?} is not a {name}"), "not known");
    Err(match suggest::did_you_mean(given, words.iter().copied()) {
        Some(near) => problem.help(near),
        None => problem.help(format!("one of {}", quoted(words))),
    })
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
                Shape::Deviation(_) => "ppm",
                _ => "kB",
            }),
        )),
        other => Err(wrong_kind(name, place, other, &shape.expected())),
    }
}

fn percent(name: &str, place: &Place, text: &str, least: Percent) -> Result<(), Problem> {
    match text.parse::<Percent>() {
        Ok(given) if given < least => {
            let message = format!("`{name}` is {given}, and must be from {least} to {}", Percent::MAX);
            Err(Problem::at(place, message, "out of range"))
        }
        Ok(_) => Ok(()),
        Err(ReadError::PercentTooLarge(given)) => {
            let message = format!("`{name}` is {given}, and must be from {least} to {}", Percent::MAX);
            Err(Problem::at(place, message, "out of range"))
        }
        Err(error) => Err(unreadable(name, place, &error, &[])),
    }
}

/// A value to show to someone who wrote none.
pub(crate) fn example(shape: &Shape) -> Option<&'static str> {
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
    // A fraction where per cent belong is probably meant as one.
    let number = match item.value {
        Value::Float(share) if unit == "%" && share > 0.0 && share < 1.0 => {
            format!("{}", (share * 1e8).round() / 1e6)
        }
        _ => number,
    };
    let given = &item.value;
    Problem::at(&item.place, format!("`{name}` is {given} without a unit"), "a unit is missing")
        .help(format!("write the number and its unit as a text, such as `{name} = \"{number} {unit}\"`"))
}

/// The problem of a text that is not a quantity: what follows the semicolon is the remedy.
pub(crate) fn unreadable(name: &str, place: &Place, error: &impl ToString, words: &[&str]) -> Problem {
    let text = error.to_string();
    let (message, remedy) = text.rsplit_once("; write ").unwrap_or((&text, ""));
    let problem = Problem::at(place, format!("`{name}`: {message}"), "");
    let problem = if remedy.is_empty() { problem } else { problem.help(format!("write {remedy}")) };
    let problem = match hint(message) {
        Some(hint) => problem.help(hint),
        None => problem,
    };
    if words.is_empty() { problem } else { problem.help(format!("or {}", quoted(words))) }
}

/// What is behind a unit that does not exist, where that can be guessed.
fn hint(message: &str) -> Option<&'static str> {
    let unit = message.split('"').nth(1)?;
    let exponent = unit
        .strip_prefix(['e', 'E'])
        .is_some_and(|rest| rest.starts_with(|c: char| "+-0123456789".contains(c)));
    if exponent {
        return Some("exponents are not read; use a larger or smaller unit");
    }
    if unit.strip_prefix(',').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit())) {
        return Some("decimals follow a point, not a comma");
    }
    unit.ends_with("B/s").then_some("rates are in bits, not bytes: 1 GB/s is 8 Gb/s")
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
