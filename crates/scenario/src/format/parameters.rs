//! Algorithm parameters, which come from the algorithms' own parameter tables.

use std::borrow::Cow;

use setpoint_control::parameter::{Parameter, ParameterError, Range, ReadError, Unit, Value as Setting};
use setpoint_control::{Algorithm, Role};
use setpoint_suggest::did_you_mean;

use super::read::{Readable, table_with};
use super::suggest;
use super::{Fallback, Field, Placed, Shape, refusals};
use crate::diagnostics::{Problem, Problems};
use crate::tree::{Item, Value};

/// The parameters of one role that the scenario sets, as written.
#[derive(Debug, Default)]
pub(crate) struct Parameters(Vec<Placed<Item>>);

impl Parameters {
    /// The parameters that are written.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Placed<Item>> {
        self.0.iter()
    }

    /// A parameter by its name, if it is written.
    pub(crate) fn find(&self, name: &str) -> Option<&Placed<Item>> {
        self.iter().find(|parameter| parameter.name() == name)
    }
}

/// The limits are the parameters that the scenario can set.
impl Readable for Parameters {
    type Limits = Vec<Field>;

    fn shape(fields: Vec<Field>) -> Shape {
        Shape::Table(fields)
    }

    fn read(field: &'static Field, item: &Item, problems: &mut Problems) -> Option<Self> {
        table_with(field, item, problems, |reader| {
            let written = reader.written().into_iter();
            Some(Self(written.map(|(field, item)| Placed::of(item.clone(), item, field)).collect()))
        })
    }
}

/// A parameter is stored as written, and read through its own table once the algorithm is known.
impl Readable for Item {
    type Limits = Shape;

    fn shape(parameter: Shape) -> Shape {
        parameter
    }

    fn read(field: &'static Field, item: &Item, problems: &mut Problems) -> Option<Self> {
        let read = |item: &Item| match &field.shape {
            Shape::Parameter(parameter) => setting(parameter, item).map(drop),
            Shape::ParameterOfAny(parameters) => setting_of_any(parameters, item),
            _ => Ok(()),
        };
        let checked = read(item).map_err(|problem| suggest::sweep(problem, item, |part| read(part).is_ok()));
        problems.take(checked).map(|()| item.clone())
    }
}

/// The key of a parameter of one algorithm.
pub(super) fn field_of(parameter: &'static Parameter) -> Field {
    field(parameter, Shape::Parameter(parameter))
}

fn field(parameter: &'static Parameter, shape: Shape) -> Field {
    let fallback = Fallback::Value(Cow::Owned(parameter.default_value().to_string()));
    Field::new::<Item>(parameter.name(), shape, fallback, parameter.description).origin(parameter.origin)
}

/// The keys of the reaction points of all algorithms.
pub(super) fn reaction_point_fields() -> Vec<Field> {
    let mut fields: Vec<Field> = Vec::new();
    for parameter in
        Algorithm::ALL.into_iter().flat_map(|algorithm| algorithm.parameters_of(Role::ReactionPoint))
    {
        match fields.iter_mut().find(|field| field.name == parameter.name()) {
            Some(Field { shape: Shape::ParameterOfAny(known), .. }) => {
                if known.iter().all(|other| other.key != parameter.key) {
                    known.push(parameter);
                }
            }
            _ => fields.push(field(parameter, Shape::ParameterOfAny(vec![parameter]))),
        }
    }
    fields
}

/// The possible values of a parameter, in words.
pub(super) fn expected(parameter: &Parameter) -> String {
    match parameter.range {
        Range::Any => parameter.unit.to_string(),
        Range::Between(lowest, highest) => format!("{}, from {lowest} to {highest}", parameter.unit),
    }
}

/// The value of a parameter.
pub(crate) fn setting(parameter: &Parameter, item: &Item) -> Result<Setting, Problem> {
    let name = parameter.name();
    let text = text_of(name, parameter.unit, item)?;
    let setting = parameter.unit.read(&text).map_err(|error| unreadable(parameter, item, &error))?;
    match parameter.check(setting) {
        Ok(()) => Ok(setting),
        Err(ParameterError::Range { given, lowest, highest, .. }) => Err(Problem::at(
            &item.place,
            format!("`{name}` is {given}, but must be from {lowest} to {highest}"),
            "out of range",
        )),
        Err(error) => Err(Problem::at(&item.place, error.to_string(), "")),
    }
}

/// The problem reported for a string that is not a valid value of a parameter.
fn unreadable(parameter: &Parameter, item: &Item, error: &ReadError) -> Problem {
    let name = parameter.name();
    match (error, parameter.range) {
        (ReadError::PercentTooLarge(given), Range::Between(lowest, highest)) => {
            let message = format!("`{name}` is {given}, but must be from {lowest} to {highest}");
            Problem::at(&item.place, message, "out of range")
        }
        (ReadError::Choice { given, choices }, _) => {
            let problem = refusals::unreadable(name, &item.place, error, &[]);
            problem.help_if(did_you_mean(given, choices.iter().map(|choice| choice.name)))
        }
        _ => refusals::unreadable(name, &item.place, error, &[]),
    }
}

/// Whether a value is valid for one of several parameters that share a name.
fn setting_of_any(parameters: &[&'static Parameter], item: &Item) -> Result<(), Problem> {
    let mut found = parameters.iter().map(|parameter| setting(parameter, item).map(drop));
    let first = found.next().unwrap_or(Ok(()));
    if first.is_ok() || found.any(|result| result.is_ok()) { Ok(()) } else { first }
}

fn text_of(name: &str, unit: Unit, item: &Item) -> Result<String, Problem> {
    match (unit, &item.value) {
        (_, Value::Text(text)) => Ok(text.clone()),
        (Unit::Switch, Value::Flag(flag)) => Ok(flag.to_string()),
        (Unit::Count | Unit::Power | Unit::Fraction, Value::Integer(number)) => Ok(number.to_string()),
        (_, Value::Integer(_) | Value::Float(_)) if example(unit).is_some() => {
            Err(refusals::without_unit(name, item, example(unit).unwrap_or_default()))
        }
        (_, value) => {
            let message = format!("`{name}` is {}, but must be {unit}", value.kind());
            Err(Problem::at(&item.place, message, ""))
        }
    }
}

/// An example unit for messages about a missing one.
fn example(unit: Unit) -> Option<&'static str> {
    match unit {
        Unit::Size => Some("kB"),
        Unit::Time => Some("ms"),
        Unit::Rate | Unit::RateOrLine => Some("Mb/s"),
        Unit::Percent => Some("%"),
        _ => None,
    }
}
