//! Values of parameters: the card's number, and its meaning with a unit.

use std::fmt;

use setpoint_control::parameter::{ReadError, Switch, Unit, Value};
use setpoint_units::{Bytes, Rate, TimeDelta};
use thiserror::Error;

use super::Parameter;
use super::parameter::{DEFENCE_STATES, Encoding};

/// The value of a parameter. It is printed with its unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    parameter: Parameter,
    raw: u32,
}

/// The reason why text is not a value that a card can hold.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[expect(missing_docs, reason = "the messages show the fields")]
pub enum SettingError {
    /// The text is not a value of the parameter's kind.
    #[error("{}: {error}", .parameter.name())]
    Unreadable { parameter: Parameter, error: ReadError },
    /// The value lies between two values that the card can hold.
    #[error("{} cannot be {given:?}: the card only accepts whole {step}; the nearest values are {below} and {above}", .below.parameter.name())]
    Between { given: String, step: &'static str, below: Setting, above: Setting },
    /// The value is too small or too large.
    #[error("{} cannot be {given:?}; the card takes values from {lowest} to {highest}", .lowest.parameter.name())]
    Range { given: String, lowest: Setting, highest: Setting },
    /// A value of the minimum rate that is not a plain number.
    #[error(
        "min_rate cannot be {0:?}: write the card's raw value, as in min_rate=10, because its unit is uncertain \
         (b/s according to linux/dcbnl.h, Mb/s in IEEE 802.1Q)"
    )]
    UncertainUnit(String),
}

impl Setting {
    /// The value that a card represents as `raw`.
    pub fn new(parameter: Parameter, raw: u32) -> Self {
        Self { parameter, raw }
    }

    /// Reads a value with its unit, as in "15 ms".
    ///
    /// # Errors
    /// Returns an error if the text is not such a value, or if the card cannot hold it exactly.
    pub fn read(parameter: Parameter, text: &str) -> Result<Self, SettingError> {
        if parameter.encoding() == Encoding::UncertainRate {
            let raw = text.trim().parse().map_err(|_| SettingError::UncertainUnit(text.to_owned()))?;
            return Ok(Self { parameter, raw });
        }
        let value =
            unit(parameter).read(text).map_err(|error| SettingError::Unreadable { parameter, error })?;
        let grid = Grid { parameter, given: text.trim(), lowest: 0, highest: u32::MAX };
        grid.setting(value)
    }

    /// The parameter.
    pub fn parameter(self) -> Parameter {
        self.parameter
    }

    /// The card's number.
    pub fn raw(self) -> u32 {
        self.raw
    }
}

/// The format in which a value is written.
fn unit(parameter: Parameter) -> Unit {
    match parameter.encoding() {
        Encoding::Flag => Unit::Switch,
        Encoding::Count | Encoding::UncertainRate => Unit::Count,
        Encoding::Microseconds => Unit::Time,
        Encoding::Bytes => Unit::Size,
        Encoding::Megabits => Unit::Rate,
        Encoding::Shifts => Unit::Power,
        Encoding::Percent => Unit::Percent,
        Encoding::State => Unit::Choice(DEFENCE_STATES),
    }
}

/// The values that a card can hold.
#[derive(Clone, Copy, Debug)]
struct Grid<'a> {
    parameter: Parameter,
    given: &'a str,
    lowest: u32,
    highest: u32,
}

impl Grid<'_> {
    fn setting(self, value: Value) -> Result<Setting, SettingError> {
        match value {
            Value::Time(span) => self.fit(span.as_picos(), 1_000_000, "µs"),
            Value::Size(size) => self.fit(size.get(), 1, "B"),
            Value::Rate(rate) => Self { lowest: 1, ..self }.fit(rate.bits_per_second(), 1_000_000, "Mb/s"),
            Value::Percent(percent) => {
                Self { lowest: 1, highest: 100, ..self }.fit(percent.hundredths().into(), 100, "percent")
            }
            Value::Power(power) => {
                let shifts = u32::try_from(-i32::from(power.exponent()));
                shifts.map(|shifts| self.at(shifts)).map_err(|_| self.beyond(128, 0))
            }
            Value::Count(count) => Ok(self.at(count)),
            Value::Switch(switch) => Ok(self.at((switch == Switch::On).into())),
            Value::Choice(name) => Ok(self.at(state_number(name))),
            Value::LineRate | Value::Fraction(_) => {
                unreachable!("no parameter of QCN in a card is a fraction or the line rate")
            }
        }
    }

    /// `amount`, converted to steps of the card.
    fn fit(self, amount: u64, step: u64, name: &'static str) -> Result<Setting, SettingError> {
        let raw = u32::try_from(amount / step).unwrap_or(u32::MAX);
        let (lowest, highest) = (u64::from(self.lowest) * step, u64::from(self.highest) * step);
        if !(lowest..=highest).contains(&amount) {
            return Err(self.beyond(self.lowest, self.highest));
        }
        if amount.is_multiple_of(step) {
            return Ok(self.at(raw));
        }
        let (given, below) = (self.given.to_owned(), self.at(raw));
        Err(SettingError::Between { given, step: name, below, above: self.at(raw + 1) })
    }

    fn at(self, raw: u32) -> Setting {
        Setting { parameter: self.parameter, raw }
    }

    fn beyond(self, lowest: u32, highest: u32) -> SettingError {
        let given = self.given.to_owned();
        SettingError::Range { given, lowest: self.at(lowest), highest: self.at(highest) }
    }
}

fn state_number(name: &str) -> u32 {
    (0..).zip(DEFENCE_STATES).find_map(|(number, state)| (state.name == name).then_some(number)).unwrap_or(0)
}

/// Prints the format that [`Setting::read`] accepts. Numbers without a defined meaning are printed as they are.
impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let raw = self.raw;
        let text = match self.parameter.encoding() {
            Encoding::Flag => if raw == 0 { "off" } else { "on" }.to_owned(),
            Encoding::Microseconds => TimeDelta::from_micros(raw.into()).to_string(),
            Encoding::Bytes => Bytes::new(raw.into()).to_string(),
            // A rate is never zero, but a card's field can be.
            Encoding::Megabits if raw == 0 => "0 Mb/s".to_owned(),
            Encoding::Megabits => Rate::from_mbps(raw.into()).to_string(),
            Encoding::Shifts if raw == 0 => "2^0".to_owned(),
            Encoding::Shifts => format!("2^-{raw}"),
            Encoding::Percent => format!("{raw} %"),
            Encoding::State => {
                let state = DEFENCE_STATES.get(raw as usize);
                state.map_or_else(|| raw.to_string(), |state| state.name.to_owned())
            }
            Encoding::Count | Encoding::UncertainRate => raw.to_string(),
        };
        f.pad(&text)
    }
}
