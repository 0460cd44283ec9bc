//! Values that are not tables, and how each type is read.

use std::fmt::Display;
use std::ops::{Deref, RangeFrom, RangeInclusive, RangeToInclusive};
use std::str::FromStr;

use setpoint_control::parameter::{Percent, ReadError};
use setpoint_sim::Priority;
use setpoint_suggest::did_you_mean;
use setpoint_units::{Bytes, Length, ParseQuantityError, PartsPerMillion, Rate, TimeDelta};

use super::refusals::{length, out_of_range, quoted, unexpected, unreadable, without_unit, wrong_kind};
use super::{Fallback, Field, Placed, Shape};
use crate::diagnostics::Problem;
use crate::tree::{Item, Value};

/// The type of a value that is not a table.
pub(crate) trait Scalar: Sized + 'static {
    /// The type of the limits, which a declaration lists in brackets.
    type Limits;

    /// The possible values.
    fn shape(limits: Self::Limits) -> Shape;

    /// Reads a value of a key. The shape belongs to the key or, in a list, to its entries.
    fn read(field: &'static Field, shape: &Shape, item: &Item) -> Result<Self, Problem>;

    /// The value as results show it.
    fn printed(&self) -> String;
}

/// Implements the scalar types, each with its limits, the shape for these limits, and functions
/// that read and print a value.
macro_rules! scalars {
    ($($(@ $generic:ident: $bound:path =>)? $type:ty [$limits:ty] $shape:expr => $read:expr => $printed:expr;)+) => {$(
        impl$(<$generic: $bound>)? super::values::Scalar for $type {
            type Limits = $limits;

            fn shape(limits: $limits) -> super::Shape {
                ($shape)(limits)
            }

            fn read(field: &'static super::Field, shape: &super::Shape, item: &super::Item) -> Result<Self, super::Problem> {
                ($read)(field, shape, item)
            }

            fn printed(&self) -> String {
                ($printed)(self).to_string()
            }
        }
    )+};
}
pub(super) use scalars;

type Whole = RangeInclusive<u64>;
type Words = &'static [&'static str];

scalars! {
    String [()] |()| Shape::Text => text => Self::as_str;
    bool [()] |()| Shape::Flag => flag => Self::clone;
    u16 [Whole] whole => integer => Self::clone;
    u32 [Whole] whole => integer => Self::clone;
    u64 [Whole] whole => integer => Self::clone;
    usize [Whole] whole => integer => Self::clone;
    Priority [()] |()| whole(0..=Self::COUNT as u64 - 1) => priority => |priority: &Self| priority.get();
    // Numbers above a bound, which is the limit of the type.
    f64 [f64] Shape::NumberAbove => number => Self::clone;
    Percent [RangeFrom<u16>] |limits: RangeFrom<u16>| Shape::Percent(limits.start) => percent => Self::clone;
    PartsPerMillion [RangeToInclusive<Self>] |limits: RangeToInclusive<Self>| Shape::Deviation(limits.end) => deviation => Self::clone;
    TimeDelta [()] |()| Shape::Time(&[]) => time => |time: &Self| printed_time(*time);
    Rate [()] |()| Shape::Rate(&[]) => rate => Self::clone;
    LinkRate [()] |()| Shape::Rate(&[]) => link_rate => |rate: &Self| rate.0;
    Delay [()] |()| Shape::Delay => delay => |delay: &Self| printed_time(delay.0);
    Bytes [()] |()| Shape::Size(&[]) => size => Self::clone;
    @T: Unlimited => OrWord<T> [Words] |words| T::shape(()).or_words(words) => quantity_or_word => Self::text;
    Names [()] |()| Shape::Names => names => Self::text;
    @T: Unlimited => List<T> [RangeInclusive<usize>] list_shape::<T> => list => |list: &Self| printed_list(list);
    SizePoints [()] |()| Shape::Distribution => size_points => |points: &Self| format!("{} points", points.0.len());
}

/// A scalar without limits.
pub(crate) trait Unlimited: Scalar<Limits = ()> {}

impl<T: Scalar<Limits = ()>> Unlimited for T {}

fn text(field: &Field, shape: &Shape, item: &Item) -> Result<String, Problem> {
    match &item.value {
        Value::Text(text) => Ok(text.clone()),
        _ => Err(unexpected(field, shape, item)),
    }
}

fn flag(field: &Field, shape: &Shape, item: &Item) -> Result<bool, Problem> {
    match item.value {
        Value::Flag(flag) => Ok(flag),
        _ => Err(unexpected(field, shape, item)),
    }
}

fn whole(limits: RangeInclusive<u64>) -> Shape {
    Shape::Integer(*limits.start(), *limits.end())
}

fn integer<N: TryFrom<i128>>(field: &Field, shape: &Shape, item: &Item) -> Result<N, Problem> {
    let (Shape::Integer(least, most), Value::Integer(given)) = (shape, &item.value) else {
        return Err(unexpected(field, shape, item));
    };
    let inside = (i128::from(*least)..=i128::from(*most)).contains(given);
    let expected = || format!("a whole number from {least} to {most}");
    N::try_from(*given).ok().filter(|_| inside).ok_or_else(|| out_of_range(field, item, given, &expected()))
}

fn priority(field: &Field, shape: &Shape, item: &Item) -> Result<Priority, Problem> {
    Priority::new(integer(field, shape, item)?).ok_or_else(|| unexpected(field, shape, item))
}

fn number(field: &Field, shape: &Shape, item: &Item) -> Result<f64, Problem> {
    let (Shape::NumberAbove(bound), Some(given)) = (shape, item.value.number()) else {
        return Err(unexpected(field, shape, item));
    };
    let inside = given > *bound && given.is_finite();
    if inside { Ok(given) } else { Err(out_of_range(field, item, &given, &shape.expected())) }
}

/// A time in its usual unit; zero is shown in seconds.
pub(crate) fn printed_time(time: TimeDelta) -> String {
    if time == TimeDelta::ZERO { String::from("0 s") } else { time.to_string() }
}

/// A link rate, which must be high enough for control frames.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LinkRate(pub(crate) Rate);

impl LinkRate {
    /// Low enough for any link, and high enough to keep a pause of 65535 quanta far below the
    /// longest representable time.
    const LEAST: Rate = Rate::from_bits_per_second(1_000);
}

fn link_rate(field: &Field, shape: &Shape, item: &Item) -> Result<LinkRate, Problem> {
    let (rate, least): (Rate, Rate) = (rate(field, shape, item)?, LinkRate::LEAST);
    if rate < least {
        let message = format!("`{}` is {rate}; a link must have at least {least}", field.name);
        return Err(Problem::at(&item.place, message, "too slow for a link"));
    }
    Ok(LinkRate(rate))
}

/// The delay of a link, written as a time or as the length of its cable.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Delay(pub(crate) TimeDelta);

fn delay(field: &Field, shape: &Shape, item: &Item) -> Result<Delay, Problem> {
    let Value::Text(text) = &item.value else { return time(field, shape, item).map(Delay) };
    let most = Length::from_millimetres(1_000_000_000_000);
    match text.parse::<Length>() {
        Ok(cable) if cable > most => Err(out_of_range(field, item, &cable, &format!("at most {most}"))),
        Ok(cable) => Ok(Delay(cable.propagation_delay())),
        Err(error) if is_length(text) => {
            Err(unreadable(field.name, &item.place, &error, &[]).help("or a time, as in \"500 ns\""))
        }
        Err(_) if text.parse::<TimeDelta>().is_ok() => time(field, shape, item).map(Delay),
        Err(_) => {
            let or_length = |problem: Problem| problem.help("or the length of a cable, as in \"100 m\"");
            time(field, shape, item).map(Delay).map_err(or_length)
        }
    }
}

/// Reads the delay of a link from a time or the length of its cable.
pub(crate) fn read_delay(text: &str) -> Result<TimeDelta, ParseQuantityError> {
    match text.parse::<Length>() {
        Ok(cable) => Ok(cable.propagation_delay()),
        Err(error) if is_length(text) => Err(error),
        Err(_) => text.parse(),
    }
}

/// Whether text ends in a unit of length; units of time do not end in this letter.
fn is_length(text: &str) -> bool {
    text.trim_end().ends_with('m')
}

/// A quantity, or a word in place of one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OrWord<T> {
    pub(crate) quantity: Option<T>,
    /// Empty if there is a quantity.
    pub(crate) word: &'static str,
}

impl<T: Scalar> OrWord<T> {
    fn text(&self) -> String {
        self.quantity.as_ref().map_or_else(|| self.word.to_owned(), T::printed)
    }
}

fn quantity_or_word<T: Scalar>(
    field: &'static Field,
    shape: &Shape,
    item: &Item,
) -> Result<OrWord<T>, Problem> {
    let is_written = |word: &&&str| matches!(&item.value, Value::Text(text) if text == **word);
    Ok(match shape.words().iter().find(is_written) {
        Some(word) => OrWord { quantity: None, word },
        None => OrWord { quantity: Some(T::read(field, shape, item)?), word: "" },
    })
}

// The limits are far above any realistic value, and low enough that sums of a few of them stay
// within range.

fn time(field: &Field, shape: &Shape, item: &Item) -> Result<TimeDelta, Problem> {
    with_unit(field, shape, item, &TimeDelta::from_secs(1_000_000), "ms")
}

fn rate(field: &Field, shape: &Shape, item: &Item) -> Result<Rate, Problem> {
    with_unit(field, shape, item, &Rate::from_gbps(1_000_000), "Gb/s")
}

fn size(field: &Field, shape: &Shape, item: &Item) -> Result<Bytes, Problem> {
    with_unit(field, shape, item, &Bytes::new(1_000_000_000_000), "kB")
}

fn deviation(field: &Field, shape: &Shape, item: &Item) -> Result<PartsPerMillion, Problem> {
    let Shape::Deviation(most) = shape else { return Err(unexpected(field, shape, item)) };
    with_unit(field, shape, item, most, "ppm")
}

/// Reads a string with a unit. For a bare number, the message shows the remedy, because this
/// mistake is common.
fn with_unit<Q: FromStr<Err = ParseQuantityError> + PartialOrd + Display>(
    field: &Field,
    shape: &Shape,
    item: &Item,
    most: &Q,
    unit: &str,
) -> Result<Q, Problem> {
    match &item.value {
        Value::Text(text) => match text.parse::<Q>() {
            Ok(given) if given > *most => Err(out_of_range(field, item, &given, &format!("at most {most}"))),
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

fn percent(field: &Field, shape: &Shape, item: &Item) -> Result<Percent, Problem> {
    let text = match &item.value {
        Value::Text(text) => text,
        Value::Integer(_) | Value::Float(_) => return Err(without_unit(field.name, item, "%")),
        _ => return Err(unexpected(field, shape, item)),
    };
    let least = Percent::new(if let Shape::Percent(least) = shape { *least } else { 0 });
    let expected = || format!("from {least} to {}", Percent::MAX);
    match text.parse::<Percent>() {
        Ok(given) if given < least => Err(out_of_range(field, item, &given, &expected())),
        Ok(given) => Ok(given),
        Err(ReadError::PercentTooLarge(given)) => Err(out_of_range(field, item, &given, &expected())),
        Err(error) => Err(unreadable(field.name, &item.place, &error, &[])),
    }
}

/// An enum whose variants are words.
pub(crate) trait Choice: Sized + 'static {
    const WORDS: &'static [&'static str];

    fn word(&self) -> &'static str;
    fn of_word(word: &str) -> Option<Self>;
}

macro_rules! choices {
    ($type:ty) => {
        super::values::scalars! {
            $type [()] |()| super::Shape::Choice(<Self as super::values::Choice>::WORDS)
                => super::values::choice => super::values::Choice::word;
        }
    };
}
pub(super) use choices;

/// Reads one of the words of a choice.
pub(super) fn choice<C: Choice>(field: &Field, shape: &Shape, item: &Item) -> Result<C, Problem> {
    let word = word_of(field, shape, C::WORDS, item)?;
    Ok(C::of_word(word).expect("every word has a value"))
}

/// Reads one of several words.
pub(super) fn word_of(
    field: &Field,
    shape: &Shape,
    words: Words,
    item: &Item,
) -> Result<&'static str, Problem> {
    let Value::Text(given) = &item.value else { return Err(unexpected(field, shape, item)) };
    words.iter().copied().find(|word| word == given).ok_or_else(|| {
        let article = if field.name.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
        let message = format!("{given:?} is not {article} {}", field.name);
        let problem = Problem::at(&item.place, message, "not known");
        let near = did_you_mean(given, words.iter().copied());
        problem.help(near.unwrap_or_else(|| format!("one of {}", quoted(words))))
    })
}

/// A list of values of one type; the limits apply to its length.
pub(crate) type List<T> = Vec<Placed<T>>;

fn list_shape<T: Unlimited>(limits: RangeInclusive<usize>) -> Shape {
    Shape::List(Box::new(T::shape(())), *limits.start(), *limits.end())
}

fn list<T: Scalar>(field: &'static Field, shape: &Shape, item: &Item) -> Result<List<T>, Problem> {
    let (Shape::List(inner, least, most), Value::List(items)) = (shape, &item.value) else {
        return Err(unexpected(field, shape, item));
    };
    let list = list_of(field, inner, items)?;
    length(field.name, &item.place, items.len(), *least, *most)?;
    Ok(list)
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

/// Names and patterns: a single string, or a list.
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

impl Names {
    fn text(&self) -> String {
        match &self.names[..] {
            [name] if !self.is_list => name.to_string(),
            names => printed_list(names),
        }
    }
}

fn names(field: &'static Field, shape: &Shape, item: &Item) -> Result<Names, Problem> {
    match &item.value {
        Value::Text(text) => Ok(Names { names: vec![Placed::of(text.clone(), item, field)], is_list: false }),
        Value::List(items) => {
            let names = list_of(field, &Shape::Text, items)?;
            length(field.name, &item.place, items.len(), 1, usize::MAX)?;
            Ok(Names { names, is_list: true })
        }
        _ => Err(unexpected(field, shape, item)),
    }
}

/// Points of a cumulative distribution of sizes.
#[derive(Debug)]
pub(crate) struct SizePoints(pub(crate) Vec<(Bytes, f64)>);

fn size_points(field: &'static Field, shape: &Shape, item: &Item) -> Result<SizePoints, Problem> {
    let Value::List(items) = &item.value else { return Err(unexpected(field, shape, item)) };
    items.iter().map(|item| size_point(field, shape, item)).collect::<Result<_, _>>().map(SizePoints)
}

fn size_point(field: &'static Field, shape: &Shape, item: &Item) -> Result<(Bytes, f64), Problem> {
    let Value::List(pair) = &item.value else { return Err(unexpected(field, shape, item)) };
    let [size, probability] = &pair[..] else {
        return Err(Problem::at(
            &item.place,
            format!("a point of `{}` has {} entries, but needs 2", field.name, pair.len()),
            "expected a size and a probability, as in [\"10 kB\", 0.15]",
        ));
    };
    let size = self::size(field, &Shape::Size(&[]), size)?;
    let expected = "a number from 0 to 1";
    let wrong = || wrong_kind("probability", &probability.place, &probability.value, expected);
    Ok((size, probability.value.number().ok_or_else(wrong)?))
}
