//! Values that are not tables: how each type of a key is read, and what is wrong with what cannot be.

use std::fmt::Display;
use std::ops::{Deref, RangeFrom, RangeInclusive, RangeToInclusive};
use std::str::FromStr;

use setpoint_control::parameter::{Percent, ReadError};
use setpoint_sim::Priority;
use setpoint_units::{Bytes, ParseQuantityError, PartsPerMillion, Rate, TimeDelta};

use super::read::Placed;
use super::{Fallback, Field, Shape};
use crate::scenario::diagnostics::{Place, Problem};
use crate::scenario::suggest;
use crate::scenario::tree::{Item, Value};

/// The type of a value that is not a table.
pub(crate) trait Scalar: Sized + 'static {
    /// What a declaration says in brackets behind the type.
    type Limits;

    /// What may stand there.
    fn shape(limits: Self::Limits) -> Shape;

    /// Reads a value of a key. The shape is the key's or, in a list, that of its entries.
    fn read(field: &'static Field, shape: &Shape, item: &Item) -> Result<Self, Problem>;

    /// As it is written in results.
    fn printed(&self) -> String;
}

impl Scalar for String {
    type Limits = ();

    fn shape((): ()) -> Shape {
        Shape::Text
    }

    fn read(field: &'static Field, shape: &Shape, item: &Item) -> Result<Self, Problem> {
        match &item.value {
            Value::Text(text) => Ok(text.clone()),
            _ => Err(unexpected(field, shape, item)),
        }
    }

    fn printed(&self) -> String {
        self.clone()
    }
}

impl Scalar for bool {
    type Limits = ();

    fn shape((): ()) -> Shape {
        Shape::Flag
    }

    fn read(field: &'static Field, shape: &Shape, item: &Item) -> Result<Self, Problem> {
        match item.value {
            Value::Flag(flag) => Ok(flag),
            _ => Err(unexpected(field, shape, item)),
        }
    }

    fn printed(&self) -> String {
        self.to_string()
    }
}

macro_rules! whole_numbers {
    ($($type:ty),*) => {$(
        impl Scalar for $type {
            type Limits = RangeInclusive<u64>;

            fn shape(limits: RangeInclusive<u64>) -> Shape {
                Shape::Integer(*limits.start(), *limits.end())
            }

            fn read(field: &'static Field, shape: &Shape, item: &Item) -> Result<Self, Problem> {
                integer(field, shape, item)
            }

            fn printed(&self) -> String {
                self.to_string()
            }
        }
    )*};
}
whole_numbers!(u16, u32, u64, usize);

impl Scalar for Priority {
    type Limits = ();

    fn shape((): ()) -> Shape {
        Shape::Integer(0, Self::COUNT as u64 - 1)
    }

    fn read(field: &'static Field, shape: &Shape, item: &Item) -> Result<Self, Problem> {
        let value = integer(field, shape, item)?;
        Self::new(value).ok_or_else(|| out_of_range(field, item, &shape.expected()))
    }

    fn printed(&self) -> String {
        self.get().to_string()
    }
}

fn integer<N: TryFrom<i128>>(field: &Field, shape: &Shape, item: &Item) -> Result<N, Problem> {
    let (Shape::Integer(least, most), Value::Integer(given)) = (shape, &item.value) else {
        return Err(unexpected(field, shape, item));
    };
    let inside = (i128::from(*least)..=i128::from(*most)).contains(given);
    let expected = || format!("a whole number from {least} to {most}");
    N::try_from(*given).ok().filter(|_| inside).ok_or_else(|| out_of_range(field, item, &expected()))
}

/// Numbers above a bound, which is written as the limit of the type.
impl Scalar for f64 {
    type Limits = f64;

    fn shape(bound: f64) -> Shape {
        Shape::NumberAbove(bound)
    }

    fn read(field: &'static Field, shape: &Shape, item: &Item) -> Result<Self, Problem> {
        let (Shape::NumberAbove(bound), Some(given)) = (shape, item.value.number()) else {
            return Err(unexpected(field, shape, item));
        };
        if given > *bound && given.is_finite() {
            return Ok(given);
        }
        let message = format!("`{}` is {given}, and must be {}", field.name, shape.expected());
        Err(Problem::at(&item.place, message, "out of range"))
    }

    fn printed(&self) -> String {
        self.to_string()
    }
}

/// A type of quantities, written as a number with a unit.
pub(crate) trait Quantity: FromStr<Err = ParseQuantityError> + PartialOrd + Display + 'static {
    /// Far above any use, and low enough that sums of a few of them stay within range.
    const MOST: Self;
    /// The unit to show to someone who wrote none.
    const UNIT: &'static str;

    /// A quantity, or one of some words.
    fn or_words(words: &'static [&'static str]) -> Shape;

    /// In its usual unit.
    fn printed(&self) -> String {
        self.to_string()
    }
}

impl Quantity for TimeDelta {
    const MOST: Self = Self::from_secs(1_000_000);
    const UNIT: &'static str = "ms";

    fn or_words(_: &'static [&'static str]) -> Shape {
        Shape::Time
    }

    /// Zero is in seconds.
    fn printed(&self) -> String {
        printed_time(*self)
    }
}

impl Quantity for Rate {
    const MOST: Self = Self::from_gbps(1_000_000);
    const UNIT: &'static str = "Gb/s";

    fn or_words(words: &'static [&'static str]) -> Shape {
        Shape::Rate(words)
    }
}

impl Quantity for Bytes {
    const MOST: Self = Self::new(1_000_000_000_000);
    const UNIT: &'static str = "kB";

    fn or_words(words: &'static [&'static str]) -> Shape {
        Shape::Size(words)
    }
}

impl<Q: Quantity> Scalar for Q {
    type Limits = ();

    fn shape((): ()) -> Shape {
        Q::or_words(&[])
    }

    fn read(field: &'static Field, shape: &Shape, item: &Item) -> Result<Self, Problem> {
        quantity(field, shape, item, &Q::MOST, Q::UNIT)
    }

    fn printed(&self) -> String {
        Quantity::printed(self)
    }
}

/// A time in its usual unit; zero is in seconds.
pub(crate) fn printed_time(time: TimeDelta) -> String {
    if time == TimeDelta::ZERO { String::from("0 s") } else { time.to_string() }
}

/// The rate of a link, at which control frames at least can pass.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LinkRate(pub(crate) Rate);

impl LinkRate {
    /// Slow enough for any link, and fast enough for a pause of 65535 quanta to be far below the range of time.
    const LEAST: Rate = Rate::from_bits_per_second(1_000);
}

impl Scalar for LinkRate {
    type Limits = ();

    fn shape((): ()) -> Shape {
        Shape::Rate(&[])
    }

    fn read(field: &'static Field, shape: &Shape, item: &Item) -> Result<Self, Problem> {
        let rate = <Rate as Scalar>::read(field, shape, item)?;
        if rate < Self::LEAST {
            let message = format!("`{}` is {rate}; a link has at least {}", field.name, Self::LEAST);
            return Err(Problem::at(&item.place, message, "too slow for a link"));
        }
        Ok(Self(rate))
    }

    fn printed(&self) -> String {
        self.0.to_string()
    }
}

/// A quantity, or a word that stands for none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OrWord<Q> {
    pub(crate) quantity: Option<Q>,
    word: &'static str,
}

impl<Q: Quantity> Scalar for OrWord<Q> {
    type Limits = &'static [&'static str];

    fn shape(words: &'static [&'static str]) -> Shape {
        Q::or_words(words)
    }

    fn read(field: &'static Field, shape: &Shape, item: &Item) -> Result<Self, Problem> {
        let word =
            shape.words().iter().find(|word| matches!(&item.value, Value::Text(text) if text == **word));
        let quantity = match word {
            Some(_) => None,
            None => Some(quantity(field, shape, item, &Q::MOST, Q::UNIT)?),
        };
        Ok(Self { quantity, word: word.copied().unwrap_or_default() })
    }

    fn printed(&self) -> String {
        self.quantity.as_ref().map_or_else(|| self.word.to_owned(), Quantity::printed)
    }
}

impl Scalar for PartsPerMillion {
    type Limits = RangeToInclusive<Self>;

    fn shape(limits: RangeToInclusive<Self>) -> Shape {
        Shape::Deviation(limits.end)
    }

    fn read(field: &'static Field, shape: &Shape, item: &Item) -> Result<Self, Problem> {
        let Shape::Deviation(most) = shape else { return Err(unexpected(field, shape, item)) };
        quantity(field, shape, item, most, "ppm")
    }

    fn printed(&self) -> String {
        self.to_string()
    }
}

/// Reads a text with a unit. A bare number gets the remedy, since that is the slip everyone makes.
fn quantity<Q: FromStr<Err = ParseQuantityError> + PartialOrd + Display>(
    field: &Field,
    shape: &Shape,
    item: &Item,
    most: &Q,
    unit: &str,
) -> Result<Q, Problem> {
    match &item.value {
        Value::Text(text) => match text.parse::<Q>() {
            Ok(given) if given > *most => {
                let message = format!("`{}` is {given}, and must be at most {most}", field.name);
                Err(Problem::at(&item.place, message, "out of range"))
            }
            Ok(given) => Ok(given),
            Err(error) => Err(unreadable(field.name, &item.place, &error, shape.words())),
        },
        Value::Integer(_) | Value::Float(_) => {
            Err(without_unit(field.name, item, usual_unit(field).unwrap_or(unit)))
        }
        _ => Err(unexpected(field, shape, item)),
    }
}

/// The unit of a key's default.
fn usual_unit(field: &Field) -> Option<&str> {
    match &field.fallback {
        Fallback::Value(text) => text.split_once(' ').map(|(_, unit)| unit),
        _ => None,
    }
}

impl Scalar for Percent {
    type Limits = RangeFrom<u16>;

    fn shape(limits: RangeFrom<u16>) -> Shape {
        Shape::Percent(limits.start)
    }

    fn read(field: &'static Field, shape: &Shape, item: &Item) -> Result<Self, Problem> {
        let (name, Shape::Percent(least)) = (field.name, shape) else {
            return Err(unexpected(field, shape, item));
        };
        let least = Self::new(*least);
        let outside = |given: &dyn Display| {
            let message = format!("`{name}` is {given}, and must be from {least} to {}", Self::MAX);
            Problem::at(&item.place, message, "out of range")
        };
        let text = match &item.value {
            Value::Text(text) => text,
            Value::Integer(_) | Value::Float(_) => return Err(without_unit(name, item, "%")),
            _ => return Err(unexpected(field, shape, item)),
        };
        match text.parse::<Self>() {
            Ok(given) if given < least => Err(outside(&given)),
            Ok(given) => Ok(given),
            Err(ReadError::PercentTooLarge(given)) => Err(outside(&given)),
            Err(error) => Err(unreadable(name, &item.place, &error, &[])),
        }
    }

    fn printed(&self) -> String {
        self.to_string()
    }
}

/// An enum whose variants are words.
pub(crate) trait Choice: Sized + 'static {
    const WORDS: &'static [&'static str];

    fn word(&self) -> &'static str;
    fn of_word(word: &str) -> Option<Self>;
}

macro_rules! choice_scalar {
    ($type:ty) => {
        impl $crate::scenario::format::values::Scalar for $type {
            type Limits = ();

            fn shape((): ()) -> $crate::scenario::format::Shape {
                $crate::scenario::format::Shape::Choice(
                    <Self as $crate::scenario::format::values::Choice>::WORDS,
                )
            }

            fn read(
                field: &'static $crate::scenario::format::Field,
                shape: &$crate::scenario::format::Shape,
                item: &$crate::scenario::tree::Item,
            ) -> Result<Self, $crate::scenario::diagnostics::Problem> {
                $crate::scenario::format::values::choice(field, shape, item)
            }

            fn printed(&self) -> String {
                $crate::scenario::format::values::Choice::word(self).to_owned()
            }
        }
    };
}
pub(super) use choice_scalar;

/// Reads one of several words.
pub(super) fn choice<C: Choice>(field: &Field, shape: &Shape, item: &Item) -> Result<C, Problem> {
    let Value::Text(given) = &item.value else { return Err(unexpected(field, shape, item)) };
    C::of_word(given).ok_or_else(|| {
        let problem = Problem::at(&item.place, format!("{given:?} is not a {}", field.name), "not known");
        match suggest::did_you_mean(given, C::WORDS.iter().copied()) {
            Some(near) => problem.help(near),
            None => problem.help(format!("one of {}", quoted(C::WORDS))),
        }
    })
}

fn quoted(words: &[&str]) -> String {
    words.iter().map(|word| format!("{word:?}")).collect::<Vec<_>>().join(", ")
}

/// A list of values of one type; the limits are those of its length.
#[derive(Debug)]
pub(crate) struct List<T>(Vec<Placed<T>>);

impl<T> Deref for List<T> {
    type Target = [Placed<T>];

    fn deref(&self) -> &[Placed<T>] {
        &self.0
    }
}

impl<T: Scalar<Limits = ()>> Scalar for List<T> {
    type Limits = RangeInclusive<usize>;

    fn shape(limits: RangeInclusive<usize>) -> Shape {
        Shape::List(Box::new(T::shape(())), *limits.start(), *limits.end())
    }

    fn read(field: &'static Field, shape: &Shape, item: &Item) -> Result<Self, Problem> {
        let (Shape::List(inner, least, most), Value::List(items)) = (shape, &item.value) else {
            return Err(unexpected(field, shape, item));
        };
        let list = list_of(field, inner, items)?;
        length(field.name, &item.place, items.len(), *least, *most)?;
        Ok(Self(list))
    }

    fn printed(&self) -> String {
        printed_list(self)
    }
}

fn list_of<T: Scalar>(
    field: &'static Field,
    shape: &Shape,
    items: &[Item],
) -> Result<Vec<Placed<T>>, Problem> {
    items.iter().map(|item| Ok(Placed::of(T::read(field, shape, item)?, item, field))).collect()
}

fn printed_list<T: Scalar>(list: &[Placed<T>]) -> String {
    format!("[{}]", list.iter().map(|entry| entry.printed()).collect::<Vec<_>>().join(", "))
}

/// Names and patterns: a single text, or a list.
#[derive(Debug)]
pub(crate) struct Names {
    names: Vec<Placed<String>>,
    is_list: bool,
}

impl Deref for Names {
    type Target = [Placed<String>];

    fn deref(&self) -> &[Placed<String>] {
        &self.names
    }
}

impl Scalar for Names {
    type Limits = ();

    fn shape((): ()) -> Shape {
        Shape::Names
    }

    fn read(field: &'static Field, shape: &Shape, item: &Item) -> Result<Self, Problem> {
        match &item.value {
            Value::Text(text) => {
                Ok(Self { names: vec![Placed::of(text.clone(), item, field)], is_list: false })
            }
            Value::List(items) => {
                let names = list_of(field, &Shape::Text, items)?;
                length(field.name, &item.place, items.len(), 1, usize::MAX)?;
                Ok(Self { names, is_list: true })
            }
            _ => Err(unexpected(field, shape, item)),
        }
    }

    fn printed(&self) -> String {
        match &self.names[..] {
            [name] if !self.is_list => name.to_string(),
            names => printed_list(names),
        }
    }
}

/// Points of a cumulative distribution of sizes.
#[derive(Debug)]
pub(crate) struct SizePoints(pub(crate) Vec<(Bytes, f64)>);

impl Scalar for SizePoints {
    type Limits = ();

    fn shape((): ()) -> Shape {
        Shape::Distribution
    }

    fn read(field: &'static Field, shape: &Shape, item: &Item) -> Result<Self, Problem> {
        let Value::List(items) = &item.value else { return Err(unexpected(field, shape, item)) };
        items.iter().map(|item| size_point(field, shape, item)).collect::<Result<_, _>>().map(Self)
    }

    fn printed(&self) -> String {
        format!("{} points", self.0.len())
    }
}

fn size_point(field: &'static Field, shape: &Shape, item: &Item) -> Result<(Bytes, f64), Problem> {
    let Value::List(pair) = &item.value else { return Err(unexpected(field, shape, item)) };
    let [size, probability] = &pair[..] else {
        return Err(Problem::at(
            &item.place,
            format!("a point of `{}` has {} entries, and needs 2", field.name, pair.len()),
            "expected a size and a probability, as in [\"10 kB\", 0.15]",
        ));
    };
    let size = <Bytes as Scalar>::read(field, &Shape::Size(&[]), size)?;
    let expected = "a number from 0 to 1";
    let wrong = || wrong_kind("probability", &probability.place, &probability.value, expected);
    Ok((size, probability.value.number().ok_or_else(wrong)?))
}

fn unexpected(field: &Field, shape: &Shape, item: &Item) -> Problem {
    wrong_kind(field.name, &item.place, &item.value, &shape.expected())
}

/// The problem of a value of another kind than expected.
pub(super) fn wrong_kind(name: &str, place: &Place, given: &Value, expected: &str) -> Problem {
    let message = format!("`{name}` is {}, and must be {expected}", given.kind());
    let problem = Problem::at(place, message, format!("expected {expected}"));
    match (given, expected) {
        (Value::Integer(number), "a text") => problem.help(format!("write `\"{number}\"`")),
        _ => problem,
    }
}

fn out_of_range(field: &Field, item: &Item, expected: &str) -> Problem {
    let message = format!("`{}` is {}, and must be {expected}", field.name, item.value);
    Problem::at(&item.place, message, "out of range")
}

/// The problem of a number where a quantity belongs.
pub(super) fn without_unit(name: &str, item: &Item, unit: &str) -> Problem {
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
pub(super) fn unreadable(name: &str, place: &Place, error: &impl ToString, words: &[&str]) -> Problem {
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

/// The likely reason for a unit that does not exist.
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
