//! Axes: a key and the values that it takes one after another, from a `[sweep]` or from the command line.

mod label;
mod range;
mod spacing;
mod whole;

use std::ops::Range;
use std::sync::Arc;

use setpoint_units::quantity::Unit;

use self::range::Kind;
use super::diagnostics::{Diagnostics, Place, Problem, Problems};
use super::format::{self, Field, suggest};
use super::merge;
use super::overrides::Override;
use super::source::Source;
use super::tree::{Item, Table, Value};

/// Maximum number of variants in a sweep.
pub const MAX_VARIANTS: usize = 100_000;

/// Maximum number of values of an axis.
const MAX_VALUES: usize = MAX_VARIANTS;

/// A key and the values that it takes one after another.
#[derive(Clone, Debug)]
pub struct Axis {
    key: String,
    settings: Vec<Override>,
    kind: Kind,
}

impl Axis {
    /// Reads an axis of a sweep from an option such as `--axis`: `KEY=A,B,C`, or `KEY=FROM..TO` for all whole numbers
    /// or powers of two in a range. Every value is exact.
    ///
    /// # Errors
    /// If the key does not exist, a value is not valid for it, or a range has more than
    /// [`MAX_VARIANTS`] values.
    pub fn read(option: &str, text: &str) -> Result<Self, Diagnostics> {
        Text { source: Arc::new(Source::new(option, text)) }.axis("sweep", None)
    }

    /// Reads an axis of at most `steps` values: `KEY=FROM..TO`, `KEY=FROM..TO:log` or `KEY=A,B,C`. Values between two
    /// ends are rounded to four digits, or to more if neighbours are closer; the ends are exact. For keys that take
    /// whole numbers, values are rounded to the nearest whole number; a range of powers of two contains all of them.
    ///
    /// # Errors
    /// If the key does not exist, or if a value is not valid for it.
    pub fn read_range(option: &str, text: &str, steps: usize) -> Result<Self, Diagnostics> {
        Text { source: Arc::new(Source::new(option, text)) }.axis("vary", Some(steps))
    }

    /// The dotted key.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// The key with each of its values.
    pub fn settings(&self) -> &[Override] {
        &self.settings
    }

    /// The values as numbers: in seconds, bits per second, bytes or without a unit. Percentages and
    /// deviations are converted to fractions. Values that are not numbers are represented by their
    /// positions in the list.
    pub fn numbers(&self) -> Vec<f64> {
        let values = self.settings.iter().map(Override::value).enumerate();
        values.map(|(index, value)| self.kind.number(&value).unwrap_or(index as f64)).collect()
    }

    /// An axis whose values are checked individually. A table may be incomplete by itself and become complete only with
    /// the keys of the file.
    fn new(key: String, field: &'static Field, values: &[Item], problems: &mut Problems) -> Self {
        let split = values.iter().filter_map(|value| problems.take(label::split(value)));
        let (labels, values): (Vec<_>, Vec<Item>) = split.unzip();
        if let Some(problem) = label::repeated(&labels) {
            problems.push(problem);
        }
        for value in &values {
            let mut value = value.clone();
            merge::normalise(&mut value, field);
            if !matches!(value.value, Value::Table(_)) {
                field.check(&value, problems);
            }
        }
        let setting = |(value, label): (&Item, Option<(String, Place)>)| {
            let label = label.map_or_else(|| label::short(&value.value), |(text, _)| text);
            Override::of_axis(&key, value, label)
        };
        let settings = values.iter().zip(labels).map(setting).collect();
        Self { key, settings, kind: Kind::of(&field.shape) }
    }
}

/// Values of a key as numbers in base units, with their unit; none if the key takes no numbers or if a value is
/// invalid.
pub fn numbers(key: &str, values: &[&str]) -> Option<(Vec<f64>, Unit)> {
    let path: Vec<&str> = key.split('.').collect();
    let kind = Kind::of(&format::find(&path)?.shape);
    let numbers: Option<Vec<f64>> = values.iter().map(|value| kind.number(value)).collect();
    Some((numbers?, kind.unit()?))
}

/// The field of a key that can be varied; `verb` is used in messages.
fn field(key: &str, place: &Place, verb: &str) -> Result<&'static Field, Problem> {
    let path: Vec<&str> = key.split('.').collect();
    if ["sweep", "extends", "name", "description"].contains(&path[0]) {
        let message = format!("`{}` cannot be {}", path[0], if verb == "vary" { "varied" } else { "swept" });
        return Err(Problem::at(place, message, "not an axis"));
    }
    format::find(&path).ok_or_else(|| {
        let problem = Problem::at(place, format!("there is no key `{key}` to {verb}"), "unknown key");
        suggest::unknown_path(key, None, problem)
    })
}

/// Reads the axes of a `[sweep]`.
pub(crate) fn of_sweep(sweep: Option<&Item>, problems: &mut Problems) -> Vec<Axis> {
    let mut axes = Vec::new();
    match sweep {
        None => {}
        Some(Item { value: Value::Table(table), .. }) => collect(table, "", &mut axes, problems),
        Some(item) => problems.push(
            Problem::at(
                &item.place,
                format!("`sweep` is {}, but must be a table of lists", item.value.kind()),
                "",
            )
            .help(
                "write `[sweep]` and a line for each axis, as in `\"topology.dumbbell.senders\" = [1, 10]`",
            ),
        ),
    }
    axes
}

/// Keys can be written as one quoted string or as TOML's dotted keys, which are tables in tables.
fn collect(table: &Table, prefix: &str, axes: &mut Vec<Axis>, problems: &mut Problems) {
    for entry in &table.entries {
        if problems.is_full() {
            return;
        }
        let key = if prefix.is_empty() { entry.key.clone() } else { format!("{prefix}.{}", entry.key) };
        let place = &entry.item.place;
        match &entry.item.value {
            Value::Table(inner) => collect(inner, &key, axes, problems),
            Value::List(values) if values.is_empty() => {
                problems.push(Problem::at(place, format!("the axis `{key}` has no values"), "an empty list"));
            }
            Value::List(values) => {
                if let Some(field) = problems.take(field(&key, &entry.key_place, "sweep")) {
                    axes.push(Axis::new(key, field, values, problems));
                }
            }
            other => problems.push(
                Problem::at(place, format!("the axis `{key}` is {}, but must be a list", other.kind()), "")
                    .help("write the values to try in brackets, as in [1, 10]"),
            ),
        }
    }
}

/// Refuses axes with too many combinations.
pub(crate) fn check_product(axes: &[Axis]) -> Result<(), Problem> {
    let lengths = || axes.iter().map(|axis| axis.settings.len());
    let product = lengths().try_fold(1, usize::checked_mul);
    let most = MAX_VARIANTS;
    match axes.last().and_then(|last| last.settings.first()) {
        Some(last) if product.is_none_or(|product| product > most) => {
            let sizes: Vec<String> = lengths().map(|length| length.to_string()).collect();
            let message = format!("the sweep has {} variants; the maximum is {most}", sizes.join(" × "));
            Err(Problem::at(last.place(), message, "the last axis").help("remove some values"))
        }
        _ => Ok(()),
    }
}

/// The text of an option.
struct Text {
    source: Arc<Source>,
}

impl Text {
    fn axis(&self, verb: &str, steps: Option<usize>) -> Result<Axis, Diagnostics> {
        let text = &self.source.text;
        let Some((key, values)) = text.split_once('=') else {
            let problem = self.problem(0..text.len(), "there is no `=`", "expected a key and its values");
            return Err(problem
                .help("write a dotted key and its values, as in `network.buffer=100kB,200kB`")
                .into());
        };
        let (start, key_place) = (key.len() + 1, Place::new(&self.source, 0..key.len()));
        let field = field(key.trim(), &key_place, verb)?;
        let mut problems = Problems::default();
        let items: Vec<Item> = if values.contains("..") {
            let values = range::values(Kind::of(&field.shape), self, start..text.len(), steps)?;
            let place = Place::new(&self.source, start..text.len());
            values.iter().map(|value| Item { place: place.clone(), value: Value::of_word(value) }).collect()
        } else {
            let mut at = start;
            let place = |value: &str| {
                let place = at..at + value.len();
                at = place.end + 1;
                place
            };
            let places: Vec<Range<usize>> = values.split(',').map(place).collect();
            places.into_iter().map(|place| Item::of_option(&self.source, place, &mut problems)).collect()
        };
        let axis = Axis::new(key.trim().to_owned(), field, &items, &mut problems);
        problems.or_else(axis)
    }

    fn problem(&self, span: Range<usize>, message: impl Into<String>, label: &str) -> Problem {
        Problem::at(&Place::new(&self.source, span), message, label)
    }
}
