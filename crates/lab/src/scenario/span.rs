//! Values along a key, from a text: `KEY=FROM..TO`, `KEY=FROM..TO:log` or `KEY=A,B,C`.

use std::sync::Arc;

use setpoint_control::parameter::{Percent, Power, Tunable, Unit, Value as Setting};
use setpoint_units::{Bytes, PartsPerMillion, Rate, TimeDelta};

use super::diagnostics::{Diagnostics, Place, Problem, Problems};
use super::format::{self, Field, Shape};
use super::overrides::Override;
use super::source::Source;
use crate::scenario::suggest;

use super::merge;

/// Digits that values between the ends are rounded to.
const DIGITS: i32 = 4;

/// The values that a key takes one after another.
///
/// Values between two ends are rounded to four digits, so that they can be read; the ends are exact. Whole numbers are
/// rounded and each is there once, powers of two go by doubling.
#[derive(Clone, Debug)]
pub struct Span {
    key: String,
    settings: Vec<Override>,
    numbers: Vec<f64>,
}

impl Span {
    /// Reads a text that was given at a place such as `--x`; a range has so many values at most.
    ///
    /// # Errors
    /// If the key does not exist, or a value cannot be one of it.
    pub fn read(place: &str, text: &str, steps: usize) -> Result<Self, Diagnostics> {
        Reader { source: Arc::new(Source::new(place, text)), steps }.read()
    }

    /// The dotted key.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
    }

    /// The key with each of its values.
    #[must_use]
    pub fn settings(&self) -> &[Override] {
        &self.settings
    }

    /// The values as numbers, in seconds, bits per second, bytes or bare; a percentage or a deviation is a share. Of what is not a
    /// number, the place in the list.
    #[must_use]
    pub fn numbers(&self) -> &[f64] {
        &self.numbers
    }
}

/// What numbers at a key are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Time,
    Rate,
    Size,
    Deviation,
    Count,
    Number,
    Percent,
    Power,
    Words,
}

struct Reader {
    source: Arc<Source>,
    steps: usize,
}

impl Reader {
    fn read(&self) -> Result<Span, Diagnostics> {
        let text = &self.source.text;
        let Some((key, values)) = text.split_once('=') else {
            return Err(self
                .problem(0..text.len(), "there is no `=`", "expected KEY=FROM..TO")
                .help("write a dotted key and its values, as in `topology.dumbbell.rtt=10us..400us`")
                .into());
        };
        let (start, path) = (key.len() + 1, key.trim().split('.').collect::<Vec<_>>());
        let key_problem = |message: String, label| self.problem(0..key.len(), message, label);
        if ["sweep", "extends", "name"].contains(&path[0]) {
            return Err(key_problem(format!("`{}` cannot be varied", path[0]), "not an axis").into());
        }
        let Some(field) = format::find(&path) else {
            let problem = key_problem(format!("there is no key `{}` to vary", key.trim()), "unknown key");
            return Err(suggest::unknown_path(key.trim(), problem).into());
        };
        let kind = kind(&field.shape);
        let texts = match values.split_once("..") {
            Some(ends) => self.range(kind, ends, start)?,
            None => values.split(',').map(|value| value.trim().to_owned()).collect(),
        };
        let settings = self.settings(key.trim(), &texts, field)?;
        let number = |(index, text): (usize, &String)| {
            base(kind, text).map_or(index as f64, |number| plain(kind, number))
        };
        let numbers = texts.iter().enumerate().map(number).collect();
        Ok(Span { key: key.trim().to_owned(), settings, numbers })
    }

    /// The values as settings, each checked against the format.
    fn settings(
        &self,
        key: &str,
        texts: &[String],
        field: &'static Field,
    ) -> Result<Vec<Override>, Diagnostics> {
        let mut problems = Problems::default();
        let mut settings = Vec::with_capacity(texts.len());
        for text in texts {
            let setting = Override::of(key, text);
            let mut item = setting.item().clone();
            merge::normalise(&mut item, field);
            field.check(&item, &mut problems);
            settings.push(setting);
        }
        problems.or_else(settings)
    }

    fn range(&self, kind: Kind, (from, rest): (&str, &str), start: usize) -> Result<Vec<String>, Problem> {
        let (to, spacing) = match rest.rsplit_once(':') {
            Some((to, "log")) => (to, Spacing::Logarithmic),
            Some((to, "linear")) => (to, Spacing::Linear),
            Some((to, other)) => {
                let at = start + from.len() + 2 + to.len() + 1;
                let message = format!("there is no spacing {other:?}");
                return Err(self
                    .problem(at..at + other.len(), message, "not known")
                    .help("write `:log`, or nothing"));
            }
            None => (rest, Spacing::Linear),
        };
        let whole = start..start + from.len() + 2 + rest.len();
        if kind == Kind::Words {
            let message = "this key takes no numbers, and so no range";
            return Err(self.problem(whole, message, "").help("write its values with commas between them"));
        }
        let at = start + from.len() + 2;
        let low = self.end(kind, from, start)?;
        let high = self.end(kind, to, at)?;
        if low > high {
            let message = format!("the range goes from {} down to {}", from.trim(), to.trim());
            let turned = format!("write {}..{}", to.trim(), from.trim());
            return Err(self.problem(whole, message, "the smaller value comes first").help(turned));
        }
        if spacing == Spacing::Logarithmic && low <= 0.0 && kind != Kind::Power {
            let message = format!("a logarithmic range cannot begin at {}", from.trim());
            return Err(self.problem(start..start + from.len(), message, "not above zero"));
        }
        let ends = (from.trim().to_owned(), to.trim().to_owned());
        Ok(between(kind, spacing, (low, high), ends, self.steps))
    }

    fn end(&self, kind: Kind, text: &str, start: usize) -> Result<f64, Problem> {
        let span = start..start + text.len();
        base(kind, text).map_err(|message| {
            let (message, remedy) = message.rsplit_once("; write ").unwrap_or((&message, ""));
            let problem = self.problem(span, message, "");
            if remedy.is_empty() { problem } else { problem.help(format!("write {remedy}")) }
        })
    }

    fn problem(&self, span: std::ops::Range<usize>, message: impl Into<String>, label: &str) -> Problem {
        Problem::at(&Place::new(&self.source, span), message, label)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Spacing {
    Linear,
    Logarithmic,
}

fn kind(shape: &Shape) -> Kind {
    match shape {
        Shape::Time => Kind::Time,
        Shape::Rate(_) => Kind::Rate,
        Shape::Size(_) => Kind::Size,
        Shape::Integer(..) => Kind::Count,
        Shape::NumberAbove(_) => Kind::Number,
        Shape::Deviation(_) => Kind::Deviation,
        Shape::Percent(_) => Kind::Percent,
        Shape::Parameter(parameter) => of_parameter(*parameter),
        _ => Kind::Words,
    }
}

fn of_parameter(parameter: &dyn Tunable) -> Kind {
    match parameter.unit() {
        Unit::Size => Kind::Size,
        Unit::Time => Kind::Time,
        Unit::Rate | Unit::RateOrLine => Kind::Rate,
        Unit::Count => Kind::Count,
        Unit::Percent => Kind::Percent,
        Unit::Power => Kind::Power,
        Unit::Switch | Unit::Choice(_) => Kind::Words,
    }
}

/// A value in base units: picoseconds, bits per second, bytes, billionths, hundredths of a percent, or an exponent.
fn base(kind: Kind, text: &str) -> Result<f64, String> {
    let said = |error: &dyn std::fmt::Display| error.to_string();
    match kind {
        Kind::Time => {
            text.parse::<TimeDelta>().map(|time| time.as_picos() as f64).map_err(|error| said(&error))
        }
        Kind::Rate => {
            text.parse::<Rate>().map(|rate| rate.bits_per_second() as f64).map_err(|error| said(&error))
        }
        Kind::Size => text.parse::<Bytes>().map(|size| size.get() as f64).map_err(|error| said(&error)),
        Kind::Deviation => text
            .parse::<PartsPerMillion>()
            .map(|deviation| deviation.billionths() as f64)
            .map_err(|error| said(&error)),
        Kind::Percent => text
            .parse::<Percent>()
            .map(|percent| f64::from(percent.hundredths()))
            .map_err(|error| said(&error)),
        Kind::Power => {
            text.parse::<Power>().map(|power| f64::from(power.exponent())).map_err(|error| said(&error))
        }
        Kind::Count => match text.trim().parse::<u64>() {
            Ok(count) => Ok(count as f64),
            Err(_) => Err(format!("{:?} is not a whole number of 0 or more", text.trim())),
        },
        Kind::Number => match text.trim().parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(number),
            _ => Err(format!("{:?} is not a number", text.trim())),
        },
        Kind::Words => Err(String::new()),
    }
}

/// A number of base units in the unit of [`Span::numbers`].
fn plain(kind: Kind, base: f64) -> f64 {
    match kind {
        Kind::Time => base / 1e12,
        Kind::Deviation => base / 1e9,
        Kind::Percent => base / 1e4,
        Kind::Power => libm::exp2(base),
        _ => base,
    }
}

/// As a scenario would have it.
fn text(kind: Kind, value: f64) -> String {
    let whole = value.round().max(0.0) as u64;
    match kind {
        Kind::Time => TimeDelta::from_picos(whole).to_string(),
        Kind::Rate => Rate::new(whole).unwrap_or(Rate::MIN).to_string(),
        Kind::Size => Bytes::new(whole).to_string(),
        Kind::Deviation => PartsPerMillion::from_billionths(whole).to_string(),
        Kind::Percent => Percent::from_hundredths(whole.min(u64::from(u16::MAX)) as u16).to_string(),
        Kind::Power => Setting::Power(Power::of_two(value as i8)).to_string(),
        Kind::Count => whole.to_string(),
        Kind::Number | Kind::Words => value.to_string(),
    }
}

fn between(
    kind: Kind,
    spacing: Spacing,
    (low, high): (f64, f64),
    ends: (String, String),
    steps: usize,
) -> Vec<String> {
    if kind == Kind::Power {
        return (low as i32..=high as i32).map(|exponent| text(kind, f64::from(exponent))).collect();
    }
    let last = steps.saturating_sub(1).max(1);
    let at = |step: usize| {
        let share = step as f64 / last as f64;
        match spacing {
            Spacing::Linear => low + (high - low) * share,
            Spacing::Logarithmic => low * libm::pow(high / low, share),
        }
    };
    let one = |step: usize| match step {
        0 => ends.0.clone(),
        _ if step == last => ends.1.clone(),
        _ => text(kind, rounded(at(step))),
    };
    let mut values: Vec<String> =
        if steps <= 1 || low == high { vec![ends.0] } else { (0..=last).map(one).collect() };
    values.dedup_by(|one, other| base(kind, one) == base(kind, other));
    values
}

/// A number to four digits.
fn rounded(value: f64) -> f64 {
    if value == 0.0 {
        return value;
    }
    let unit = libm::pow(10.0, libm::floor(libm::log10(value.abs())) - f64::from(DIGITS - 1));
    (value / unit).round() * unit
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str, steps: usize) -> Vec<String> {
        let span = Span::read("--x", text, steps).unwrap_or_else(|error| panic!("{error}"));
        span.settings().iter().map(Override::value).collect()
    }

    #[test]
    fn ranges_are_linear_or_logarithmic() {
        assert_eq!(values("topology.dumbbell.rtt=1us..400us", 3), ["1us", "200.5 us", "400us"]);
        assert_eq!(values("topology.dumbbell.rtt=1us..100us:log", 3), ["1us", "10 us", "100us"]);
        assert_eq!(values("network.buffer=100kB..200kB", 4), ["100kB", "133.3 kB", "166.7 kB", "200kB"]);
        assert_eq!(values("topology.dumbbell.rate=1Gb/s..10Gb/s", 2), ["1Gb/s", "10Gb/s"]);
        assert_eq!(values("control.qcn.cp.jitter=0 %..30 %", 3), ["0 %", "15 %", "30 %"]);
    }

    #[test]
    fn whole_numbers_are_there_once_and_powers_double() {
        assert_eq!(values("topology.dumbbell.senders=1..4", 100), ["1", "2", "3", "4"]);
        assert_eq!(values("topology.dumbbell.senders=1..9", 3), ["1", "5", "9"]);
        assert_eq!(values("control.qcn.rp.gain=2^-9..2^-7", 100), ["2^-9", "2^-8", "2^-7"]);
        assert_eq!(values("topology.dumbbell.senders=7..7", 5), ["7"]);
    }

    #[test]
    fn lists_are_taken_as_they_are() {
        assert_eq!(values("topology.dumbbell.senders=5,1, 2", 2), ["5", "1", "2"]);
        assert_eq!(values("control.qcn.cp.quantizer=standard,top-bits", 9), ["standard", "top-bits"]);
    }

    #[test]
    fn numbers_are_in_plain_units() {
        let numbers = |text: &str| Span::read("--x", text, 3).unwrap().numbers().to_vec();
        assert_eq!(numbers("topology.dumbbell.rtt=1us..3us"), [1e-6, 2e-6, 3e-6]);
        assert_eq!(numbers("topology.dumbbell.rate=1 Gb/s,10 Gb/s"), [1e9, 1e10]);
        assert_eq!(numbers("control.qcn.cp.jitter=0 %..30 %"), [0.0, 0.15, 0.3]);
        assert_eq!(numbers("control.qcn.rp.gain=2^-2..2^0"), [0.25, 0.5, 1.0]);
        assert_eq!(numbers("control.qcn.cp.quantizer=standard,top-bits"), [0.0, 1.0]);
    }
}
