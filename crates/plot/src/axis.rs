//! Axes: mapping values to positions, and ticks at round numbers.

use setpoint_units::quantity::{Multiple, Unit, decimal, grouped, significant};

/// An axis of a plot: its quantity, scale and range.
///
/// ```
/// use setpoint_plot::{Axis, Unit};
///
/// let axis = Axis::from_zero("Rate", Unit::BitsPerSecond, 9.8e9);
/// assert_eq!(axis.caption(), "Rate (Gb/s)");
/// assert_eq!(axis.range, (0.0, 10e9));
/// assert_eq!(axis.position(5e9), Some(0.5));
/// let ticks: Vec<String> = axis.ticks(5).into_iter().map(|tick| tick.text).collect();
/// assert_eq!(ticks, ["0", "2", "4", "6", "8", "10"]);
/// ```
#[must_use]
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// The quantity, without its unit.
    pub label: String,
    /// Its unit.
    pub unit: Unit,
    /// How values map to positions.
    pub scale: Scale,
    /// The smallest and the largest value shown.
    pub range: (f64, f64),
    /// Tick positions in ascending order, such as the measured values; if empty, ticks are at round numbers.
    pub marked: Vec<f64>,
}

/// How values map to positions.
#[derive(Clone, Debug, PartialEq)]
pub enum Scale {
    /// Equal steps for equal differences.
    Linear,
    /// Equal steps for equal ratios; values must be positive.
    Logarithmic,
    /// One position per name; the values are 0, 1, 2, ….
    Categories(Vec<String>),
}

/// A tick: its position and text.
#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    /// Value on the axis.
    pub at: f64,
    /// Text; empty for a minor tick.
    pub text: String,
}

impl Axis {
    /// A linear axis over a range. An empty or reversed range is widened.
    pub fn linear(label: &str, unit: Unit, range: (f64, f64)) -> Self {
        Self { label: label.into(), unit, scale: Scale::Linear, range: proper(range), marked: Vec::new() }
    }

    /// A linear axis from zero to the first tick at or above `largest`.
    pub fn from_zero(label: &str, unit: Unit, largest: f64) -> Self {
        let (_, top) = proper((0.0, largest));
        let step = nice_step(top / 5.0);
        Self::linear(label, unit, (0.0, (top / step - 1e-9).ceil() * step))
    }

    /// A logarithmic axis over a range of positive values.
    pub fn logarithmic(label: &str, unit: Unit, range: (f64, f64)) -> Self {
        let low = if range.0.is_finite() && range.0 > 0.0 { range.0 } else { 1e-6 };
        let high = if range.1.is_finite() && range.1 > low * 1.01 { range.1 } else { low * 10.0 };
        Self { label: label.into(), unit, scale: Scale::Logarithmic, range: (low, high), marked: Vec::new() }
    }

    /// An axis with one position per name.
    pub fn categories(label: &str, names: Vec<String>) -> Self {
        let range = (-0.5, names.len().max(1) as f64 - 0.5);
        Self {
            label: label.into(),
            unit: Unit::Count,
            scale: Scale::Categories(names),
            range,
            marked: Vec::new(),
        }
    }

    /// Position of a value: 0 at the start of the axis and 1 at its end, clamped to slightly beyond both. `None`
    /// for values without a position, such as zero on a logarithmic axis.
    pub fn position(&self, value: f64) -> Option<f64> {
        self.share(value).map(|share| share.clamp(-0.02, 1.02))
    }

    /// Position of a value as in [`Axis::position`], but not clamped.
    pub fn share(&self, value: f64) -> Option<f64> {
        let (low, high) = self.range;
        let share = match self.scale {
            Scale::Logarithmic => (value / low).ln() / (high / low).ln(),
            Scale::Linear | Scale::Categories(_) => (value - low) / (high - low),
        };
        share.is_finite().then_some(share)
    }

    /// The value at a position, the inverse of [`Axis::share`].
    pub fn at(&self, share: f64) -> f64 {
        let (low, high) = self.range;
        match self.scale {
            Scale::Logarithmic => low * (high / low).powf(share),
            Scale::Linear | Scale::Categories(_) => low + (high - low) * share,
        }
    }

    /// The multiple of the unit in which the ticks are written.
    pub fn multiple(&self) -> Multiple {
        self.unit.multiple_for(self.range.0.abs().max(self.range.1.abs()))
    }

    /// Label and unit: `Rate (Gb/s)`. The ticks of a logarithmic axis carry their own units.
    pub fn caption(&self) -> String {
        let symbol = self.multiple().symbol;
        match self.scale {
            Scale::Linear if !symbol.is_empty() => format!("{} ({symbol})", self.label),
            _ => self.label.clone(),
        }
    }

    /// About `wanted` ticks.
    pub fn ticks(&self, wanted: usize) -> Vec<Tick> {
        match &self.scale {
            Scale::Linear | Scale::Logarithmic if !self.marked.is_empty() => self.marked_ticks(wanted),
            Scale::Linear => self.linear_ticks(wanted),
            Scale::Logarithmic => self.logarithmic_ticks(wanted),
            Scale::Categories(names) => category_ticks(names, wanted),
        }
    }

    /// Ticks at the given positions, or at every n-th of them if there is no room for all.
    fn marked_ticks(&self, wanted: usize) -> Vec<Tick> {
        let factor = self.multiple().factor;
        let stride = self.marked.len().div_ceil(wanted.max(1)).max(1);
        let text = |at: f64| match self.scale {
            Scale::Logarithmic => self.unit.text(at),
            Scale::Linear | Scale::Categories(_) => significant(at / factor, 4),
        };
        self.marked.iter().step_by(stride).map(|&at| Tick { at, text: text(at) }).collect()
    }

    fn linear_ticks(&self, wanted: usize) -> Vec<Tick> {
        let factor = self.multiple().factor;
        let (low, high) = (self.range.0 / factor, self.range.1 / factor);
        let step = nice_step((high - low) / wanted.max(1) as f64);
        let decimals = (-step.log10().floor()).clamp(0.0, 12.0) as usize;
        let (first, last) = ((low / step - 1e-9).ceil() as i64, (high / step + 1e-9).floor() as i64);
        let tick = |index: i64| {
            let value = index as f64 * step;
            let text = if value.abs() >= 1e4 { grouped(value) } else { decimal(value, decimals) };
            Tick { at: value * factor, text }
        };
        (first..=last).take(1000).map(tick).collect()
    }

    fn logarithmic_ticks(&self, wanted: usize) -> Vec<Tick> {
        let (low, high) = (self.range.0.log10(), self.range.1.log10());
        let decades = high - low;
        let stride = (decades / wanted.max(1) as f64).ceil().max(1.0) as i64;
        let within: &[f64] = if decades < 2.5 { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let mut ticks = Vec::new();
        for decade in (low.floor() as i64)..=(high.ceil() as i64) {
            if decade.rem_euclid(stride) != 0 {
                continue;
            }
            for digit in within {
                let at = digit * 10f64.powi(decade as i32);
                if at >= self.range.0 * (1.0 - 1e-9) && at <= self.range.1 * (1.0 + 1e-9) {
                    ticks.push(Tick { at, text: self.unit.text(at) });
                }
            }
        }
        ticks
    }
}

/// Every name, or every n-th if there is no room for all.
fn category_ticks(names: &[String], wanted: usize) -> Vec<Tick> {
    let stride = names.len().div_ceil(wanted.max(1)).max(1);
    let named = names.iter().enumerate().step_by(stride);
    named.map(|(index, name)| Tick { at: index as f64, text: name.clone() }).collect()
}

/// The smallest number of the form 1, 2 or 5 times a power of ten that is at least `rough`.
pub fn nice_step(rough: f64) -> f64 {
    if !(rough.is_finite() && rough > 0.0) {
        return 1.0;
    }
    let power = 10f64.powi(rough.log10().floor() as i32);
    let digit = [1.0, 2.0, 5.0, 10.0].into_iter().find(|digit| digit * power >= rough * (1.0 - 1e-9));
    digit.unwrap_or(10.0) * power
}

fn proper((low, high): (f64, f64)) -> (f64, f64) {
    let low = if low.is_finite() { low } else { 0.0 };
    if high.is_finite() && high > low { (low, high) } else { (low, low + 1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(axis: &Axis, wanted: usize) -> String {
        axis.ticks(wanted)
            .into_iter()
            .map(|tick| tick.text.replace('\u{a0}', " "))
            .collect::<Vec<_>>()
            .join(" | ")
    }

    #[test]
    fn ticks_stand_at_nice_numbers() {
        insta::assert_snapshot!(texts(&Axis::from_zero("rate", Unit::BitsPerSecond, 9.98e9), 5), @"0 | 2 | 4 | 6 | 8 | 10");
        insta::assert_snapshot!(texts(&Axis::linear("time", Unit::Seconds, (0.0, 0.03)), 6), @"0 | 5 | 10 | 15 | 20 | 25 | 30");
        insta::assert_snapshot!(texts(&Axis::linear("time", Unit::Seconds, (0.0, 3.0)), 6), @"0 | 0.5 | 1 | 1.5 | 2 | 2.5 | 3");
        insta::assert_snapshot!(texts(&Axis::linear("offset", Unit::Bytes, (-130_000.0, 26_000.0)), 4), @"−100 | −50 | 0");
        insta::assert_snapshot!(texts(&Axis::logarithmic("fct", Unit::Seconds, (3e-6, 0.2)), 6), @"10 µs | 100 µs | 1 ms | 10 ms | 100 ms");
        insta::assert_snapshot!(texts(&Axis::logarithmic("fct", Unit::Seconds, (1e-6, 2e-5)), 6), @"1 µs | 2 µs | 5 µs | 10 µs | 20 µs");
    }

    #[test]
    fn ticks_may_stand_at_values_that_were_chosen() {
        let marked = vec![1.0, 4.0, 10.0, 40.0];
        let axis = Axis { marked, ..Axis::logarithmic("senders", Unit::Ratio, (0.9, 45.0)) };
        assert_eq!(texts(&axis, 10), "1 | 4 | 10 | 40");
        assert_eq!(texts(&axis, 2), "1 | 10");
        let marked = vec![10e3, 26e3, 1e6];
        let axis = Axis { marked, ..Axis::linear("size", Unit::Bytes, (0.0, 1e6)) };
        assert_eq!(texts(&axis, 5), "0.01 | 0.026 | 1");
    }

    #[test]
    fn the_unit_is_in_the_caption() {
        assert_eq!(Axis::from_zero("Queue", Unit::Bytes, 78_000.0).caption(), "Queue (kB)");
        assert_eq!(Axis::linear("Time", Unit::Seconds, (0.0, 0.002)).caption(), "Time (ms)");
        assert_eq!(Axis::linear("Share", Unit::Share, (0.0, 1.0)).caption(), "Share (%)");
    }

    #[test]
    fn odd_ranges_still_make_an_axis() {
        for range in [(0.0, 0.0), (f64::NAN, f64::NAN), (5.0, 1.0), (0.0, f64::INFINITY)] {
            let axis = Axis::linear("x", Unit::Ratio, range);
            assert!(axis.range.1 > axis.range.0);
            assert!(!axis.ticks(5).is_empty());
            assert!(Axis::logarithmic("x", Unit::Seconds, range).ticks(5).len() < 50);
        }
    }

    #[test]
    fn what_has_no_place_has_no_position() {
        let axis = Axis::logarithmic("x", Unit::Seconds, (1e-3, 1.0));
        assert_eq!(axis.position(0.0), None);
        assert_eq!(axis.position(f64::NAN), None);
        assert_eq!(axis.position(1.0), Some(1.0));
    }
}
