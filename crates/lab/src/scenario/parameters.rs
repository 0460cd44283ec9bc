//! Parameters of an algorithm, read from a scenario by the algorithm's own table.

use setpoint_control::parameter::{ParameterError, Range, ReadError, Tunable, Unit, Value as Setting};

use super::diagnostics::Problem;
use super::scalar;
use super::tree::{Item, Value};
use setpoint_suggest as suggest;

/// The value of a parameter.
pub(crate) fn read(parameter: &dyn Tunable, item: &Item) -> Result<Setting, Problem> {
    let name = parameter.name();
    let text = text_of(name, parameter.unit(), item)?;
    let setting = parameter.unit().read(&text).map_err(|error| unreadable(parameter, item, &error))?;
    match parameter.check(setting) {
        Ok(()) => Ok(setting),
        Err(ParameterError::Range { given, lowest, highest, .. }) => Err(Problem::at(
            &item.place,
            format!("`{name}` is {given}, and must be from {lowest} to {highest}"),
            "out of range",
        )),
        Err(error) => Err(Problem::at(&item.place, error.to_string(), "")),
    }
}

/// The problem of a text that is not a value of a parameter.
fn unreadable(parameter: &dyn Tunable, item: &Item, error: &ReadError) -> Problem {
    let name = parameter.name();
    match (error, parameter.range()) {
        (ReadError::PercentTooLarge(given), Range::Between(lowest, highest)) => {
            let message = format!("`{name}` is {given}, and must be from {lowest} to {highest}");
            Problem::at(&item.place, message, "out of range")
        }
        (ReadError::Choice { given, choices }, _) => {
            let problem = scalar::unreadable(name, &item.place, error, &[]);
            match suggest::did_you_mean(given, choices.iter().map(|choice| choice.name)) {
                Some(near) => problem.help(near),
                None => problem,
            }
        }
        _ => scalar::unreadable(name, &item.place, error, &[]),
    }
}

/// Whether a value can be that of one of several parameters, which share a name.
pub(crate) fn read_any(parameters: &[&'static dyn Tunable], item: &Item) -> Result<(), Problem> {
    let mut found = parameters.iter().map(|parameter| read(*parameter, item).map(|_| ()));
    let first = found.next().unwrap_or(Ok(()));
    if first.is_ok() || found.any(|result| result.is_ok()) { Ok(()) } else { first }
}

fn text_of(name: &str, unit: Unit, item: &Item) -> Result<String, Problem> {
    match (unit, &item.value) {
        (_, Value::Text(text)) => Ok(text.clone()),
        (Unit::Switch, Value::Flag(flag)) => Ok(flag.to_string()),
        (Unit::Count | Unit::Power, Value::Integer(number)) => Ok(number.to_string()),
        (_, Value::Integer(_) | Value::Float(_)) if example(unit).is_some() => {
            Err(scalar::without_unit(name, item, example(unit).unwrap_or_default()))
        }
        (_, value) => {
            let message = format!("`{name}` is {}, and must be {unit}", value.kind());
            Err(Problem::at(&item.place, message, ""))
        }
    }
}

/// A unit to show to someone who wrote none.
fn example(unit: Unit) -> Option<&'static str> {
    match unit {
        Unit::Size => Some("kB"),
        Unit::Time => Some("ms"),
        Unit::Rate | Unit::RateOrLine => Some("Mb/s"),
        Unit::Percent => Some("%"),
        _ => None,
    }
}
