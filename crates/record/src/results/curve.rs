//! Curves, each declared once with its column, its unit and its meaning.
//!
//! [`series!`] declares the curves of a kind of object. Files, tables, their documentation and the samples that a page
//! receives during a run are derived from the declaration.

use std::fmt::Write;

use serde::Serialize;
use setpoint_sim::thin;
use setpoint_units::quantity::Unit;

use super::keyed::{Form, unit_text};

/// The curves of one object, such as a flow.
pub trait Curves: Default {
    /// The kind of object; also the name of the column that holds the object's name.
    const KIND: &'static str;
    /// The columns of the curves, in the order of [`Curves::curves`].
    const COLUMNS: &'static [CurveColumn];

    /// The name of the object.
    fn name(&self) -> &str;

    /// Sets the name of the object.
    fn set_name(&mut self, name: &str);

    /// The curves.
    fn curves(&self) -> Vec<&dyn Curve>;

    /// The curves, for modification.
    fn curves_mut(&mut self) -> Vec<&mut dyn Curve>;

    /// Halves the number of samples.
    fn halve(&mut self) {
        self.curves_mut()
            .into_iter()
            .zip(Self::COLUMNS)
            .for_each(|(curve, column)| curve.halve(column.pairs));
    }

    /// Removes all samples.
    fn clear(&mut self) {
        self.curves_mut().into_iter().for_each(Curve::clear);
    }
}

/// The column of a curve in files and tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CurveColumn {
    /// Its name.
    pub name: &'static str,
    /// Its name in headings, such as "Round-trip time".
    pub title: &'static str,
    /// Its unit; none for counts and for ratios.
    pub unit: Option<Unit>,
    /// The kind of values.
    pub form: Form,
    /// The meaning of a value.
    pub meaning: &'static str,
    /// How a pair of samples becomes one.
    pub pairs: Pairs,
}

/// How the number of samples is halved: the value for each pair of consecutive samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Pairs {
    /// The sum of both values, for counts.
    Sum,
    /// The mean of both values, for curves whose values are means over an interval.
    Mean,
    /// The larger value.
    Largest,
    /// The later value, for curves whose values refer to the end of an interval.
    Last,
}

impl CurveColumn {
    /// The unit in which values are shown.
    pub fn shown_in(&self) -> Unit {
        self.unit.unwrap_or(if self.form == Form::Count { Unit::Count } else { Unit::Ratio })
    }
}

/// The columns of the files of curves as a Markdown table. Each file has the columns `time_s` and the name of the object before
/// those of its curves.
pub fn column_table(files: &[(&str, &[CurveColumn])]) -> String {
    let mut table = String::from("| file | column | unit | meaning |\n|---|---|---|---|\n");
    for (file, columns) in files {
        for CurveColumn { name, unit, meaning, .. } in *columns {
            let unit = unit.map_or("", unit_text);
            let _ = writeln!(table, "| `{file}` | `{name}` | {unit} | {meaning} |");
        }
    }
    table
}

impl Pairs {
    fn join(self, first: f64, second: f64) -> f64 {
        match self {
            Self::Sum => first + second,
            Self::Mean => first.midpoint(second),
            Self::Largest => first.max(second),
            Self::Last => second,
        }
    }
}

/// A curve: a value for each sample.
pub trait Curve {
    /// The number of samples.
    fn samples(&self) -> usize;

    /// Whether the value differs in any bit from that of the previous sample, which must exist; 0 and -0 differ.
    fn changes(&self, sample: usize) -> bool;

    /// The value as text; empty if it is missing.
    fn text(&self, sample: usize) -> String;

    /// The value, unless it is missing.
    fn number(&self, sample: usize) -> Option<f64>;

    /// Appends the value in the given text; none if the text is not a value.
    fn push_text(&mut self, text: &str) -> Option<()>;

    /// Repeats the last value, if there is one, until the curve has this number of samples.
    fn hold(&mut self, samples: usize);

    /// Halves the number of samples.
    fn halve(&mut self, pairs: Pairs);

    /// Removes all samples.
    fn clear(&mut self);
}

/// A value of a curve.
pub(crate) trait CurveValue: Copy {
    /// The kind of value.
    const FORM: Form;

    /// The value as text; empty if it is missing.
    fn text(self) -> String;

    /// The value, unless it is missing.
    fn number(self) -> Option<f64>;

    /// Parses a value.
    fn parse(text: &str) -> Option<Self>;

    /// The value for a pair of samples.
    fn join(self, later: Self, pairs: Pairs) -> Self;
}

impl CurveValue for f64 {
    const FORM: Form = Form::Number;

    fn text(self) -> String {
        self.to_string()
    }

    fn number(self) -> Option<f64> {
        Some(self)
    }

    fn parse(text: &str) -> Option<Self> {
        text.parse().ok()
    }

    fn join(self, later: Self, pairs: Pairs) -> Self {
        pairs.join(self, later)
    }
}

impl CurveValue for u32 {
    const FORM: Form = Form::Count;

    fn text(self) -> String {
        self.to_string()
    }

    fn number(self) -> Option<f64> {
        Some(f64::from(self))
    }

    fn parse(text: &str) -> Option<Self> {
        text.parse().ok()
    }

    fn join(self, later: Self, pairs: Pairs) -> Self {
        pairs.join(self.into(), later.into()) as Self
    }
}

/// A value that may be missing.
impl<T: CurveValue> CurveValue for Option<T> {
    const FORM: Form = T::FORM;

    fn text(self) -> String {
        self.map_or_else(String::new, T::text)
    }

    fn number(self) -> Option<f64> {
        self.and_then(T::number)
    }

    fn parse(text: &str) -> Option<Self> {
        if text.is_empty() { Some(None) } else { T::parse(text).map(Some) }
    }

    fn join(self, later: Self, pairs: Pairs) -> Self {
        match (self, later) {
            (Some(first), Some(second)) => Some(first.join(second, pairs)),
            _ => later,
        }
    }
}

impl<T: CurveValue> Curve for Vec<T> {
    fn samples(&self) -> usize {
        self.len()
    }

    fn changes(&self, sample: usize) -> bool {
        let bits = |sample: usize| self[sample].number().map(f64::to_bits);
        bits(sample) != bits(sample - 1)
    }

    fn text(&self, sample: usize) -> String {
        self[sample].text()
    }

    fn number(&self, sample: usize) -> Option<f64> {
        self[sample].number()
    }

    fn push_text(&mut self, text: &str) -> Option<()> {
        self.push(T::parse(text)?);
        Some(())
    }

    fn hold(&mut self, samples: usize) {
        if let Some(last) = self.last().copied() {
            self.resize(samples.max(self.len()), last);
        }
    }

    fn halve(&mut self, pairs: Pairs) {
        thin::pairs(self, |first, second| first.join(second, pairs));
    }

    fn clear(&mut self) {
        self.clear();
    }
}

/// Declares the curves of a kind of object.
///
/// ```text
/// series! {
///     /// Curves of a flow.
///     FlowSeries of "flow" {
///         /// Delivery rate in the interval.
///         rate_bps: f64 = "Delivery rate", Some(BitsPerSecond), Mean;
///     }
/// }
/// ```
macro_rules! series {
    ($(#[doc = $about:literal])+ $type:ident of $kind:literal {
        $($(#[doc = $meaning:literal])+ $(#[serde($($serde:tt)+)])? $curve:ident: $value:ty = $title:literal, $unit:expr, $pairs:ident;)+
    }) => {
        $(#[doc = $about])+
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        pub struct $type {
            /// Its name.
            pub name: String,
            $($(#[doc = $meaning])+ $(#[serde($($serde)+)])? pub $curve: Vec<$value>,)+
        }

        impl Curves for $type {
            const KIND: &'static str = $kind;
            const COLUMNS: &'static [CurveColumn] = &[$(CurveColumn {
                name: stringify!($curve),
                title: $title,
                unit: $unit,
                form: <$value as CurveValue>::FORM,
                meaning: concat!($($meaning),+).trim_ascii(),
                pairs: Pairs::$pairs,
            },)+];

            fn name(&self) -> &str {
                &self.name
            }

            fn set_name(&mut self, name: &str) {
                name.clone_into(&mut self.name);
            }

            fn curves(&self) -> Vec<&dyn Curve> {
                vec![$(&self.$curve),+]
            }

            fn curves_mut(&mut self) -> Vec<&mut dyn Curve> {
                vec![$(&mut self.$curve),+]
            }
        }
    };
}
pub(super) use series;
