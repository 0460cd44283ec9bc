//! Comparison of results: single runs, runs with several seeds, and sweeps whose variants are matched by their values.
//!
//! The first result is the baseline. Differences from it are computed on common seeds ([`setpoint_record::confidence`]), and each
//! interval is widened to account for the number of comparisons by the same metric.

mod read;

use std::collections::BTreeMap;

use setpoint_record::catalogue::{self, Metric};
use setpoint_record::confidence::{Difference, Spread};
use setpoint_record::{VERSION, keyed};
use setpoint_units::spelling::arrows;

use crate::sweep::{SlowdownSpread, VariantSummary};

pub use read::{CompareError, Side};

keyed! {
    /// The contents of `compare.json`.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Comparison {
        /// Version of Setpoint.
        pub version: String,
        /// The results, the baseline first.
        pub results: Vec<ComparedResult>,
        /// One entry per combination of values that all results have; a single one unless sweeps are compared.
        pub variants: Vec<ComparedVariant>,
        /// Reasons why differences between the results may mislead, among them warnings of plausibility checks (docs/checks.md)
        /// about single results.
        pub warnings: Vec<String>,
    }
}

keyed! {
    /// A result that is compared.
    #[derive(Clone, Debug, PartialEq)]
    pub struct ComparedResult {
        /// Its name in tables.
        pub name: String,
        /// Name of its scenario.
        pub scenario: String,
        /// Number of seeds of each variant.
        pub seeds: usize,
        /// The queue to which its queue and port metrics refer; `null` if it has none, or a different one in each run.
        #[serde(default)]
        pub queue: Option<String>,
        /// Its set points, such as `26 kB`; empty if its algorithm has none.
        pub set_points: Vec<String>,
        /// The presets that its parameters start from, such as `10G`; empty if its algorithm has none.
        #[serde(default)]
        pub presets: Vec<String>,
    }
}

keyed! {
    /// A combination of values that all results have.
    #[derive(Clone, Debug, PartialEq)]
    pub struct ComparedVariant {
        /// The values as pairs of key and value; empty unless sweeps are compared.
        pub values: Vec<(String, String)>,
        /// The figures by metric name, with one entry per result; `null` if a result does not have the metric.
        pub figures: BTreeMap<String, Vec<Option<ComparedFigure>>>,
        /// Slowdown by message size. Omitted if no result has messages.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub slowdown_by_size: Vec<ComparedSlowdown>,
    }
}

keyed! {
    /// Slowdown by message size of a result.
    #[derive(Clone, Debug, PartialEq)]
    pub struct ComparedSlowdown {
        /// Name of the result.
        pub name: String,
        /// Its slowdown for each range of message sizes, as in sweep.json.
        pub sizes: Vec<SlowdownSpread>,
    }
}

keyed! {
    /// A figure of a result.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct ComparedFigure {
        /// Mean and spread over seeds, as in sweep.json.
        pub spread: Spread,
        /// Difference from the baseline on common seeds; `null` for the baseline, or without common seeds.
        pub difference: Option<Difference>,
    }
}

impl Comparison {
    /// Compares results.
    ///
    /// # Errors
    /// If the results are sweeps over different keys, or have no variant in common.
    pub fn of(sides: &[Side]) -> Result<Self, CompareError> {
        let matched = read::matched(sides)?;
        let comparisons = matched.variants.len() * sides.len().saturating_sub(1);
        let variant = |one: &read::MatchedVariant<'_>| ComparedVariant {
            values: one.values.clone(),
            figures: catalogue::all().filter_map(|metric| figures(metric, &one.sides, comparisons)).collect(),
            slowdown_by_size: slowdowns(sides, &one.sides),
        };
        let result = |side: &Side| ComparedResult {
            name: side.name.clone(),
            scenario: side.scenario.clone(),
            seeds: side.variants.iter().map(|variant| variant.runs.len()).max().unwrap_or(0),
            queue: side.queue.clone(),
            set_points: side.set_points.clone(),
            presets: side.presets.clone(),
        };
        Ok(Self {
            version: VERSION.to_owned(),
            results: sides.iter().map(result).collect(),
            variants: matched.variants.iter().map(variant).collect(),
            warnings: warnings(sides)
                .into_iter()
                .chain(matched.warning)
                .chain(check_warnings(sides))
                .collect(),
        })
    }

    /// The metrics that at least one result has, in the order of the catalogue.
    pub fn metrics(&self) -> impl Iterator<Item = &'static Metric> + '_ {
        catalogue::all()
            .filter(|metric| self.variants.iter().any(|variant| variant.figures.contains_key(metric.name)))
    }

    /// The smallest number of seeds in any of the results.
    pub fn seeds(&self) -> usize {
        self.results.iter().map(|result| result.seeds).min().unwrap_or(0)
    }
}

/// The figures of all results for a metric; none if no result has it.
fn figures(
    metric: &Metric,
    variants: &[&VariantSummary],
    comparisons: usize,
) -> Option<(String, Vec<Option<ComparedFigure>>)> {
    let figure = |(place, variant): (usize, &&VariantSummary)| {
        let spread = *variant.spread(metric)?;
        let pairs = if place == 0 { Vec::new() } else { variant.paired(variants[0], metric) };
        Some(ComparedFigure { spread, difference: Difference::of(&pairs, comparisons) })
    };
    let all: Vec<Option<ComparedFigure>> = variants.iter().enumerate().map(figure).collect();
    all.iter().any(Option::is_some).then(|| (metric.name.to_owned(), all))
}

/// Slowdown by message size, for the results that have messages.
fn slowdowns(sides: &[Side], variants: &[&VariantSummary]) -> Vec<ComparedSlowdown> {
    let slowdown = |(side, variant): (&Side, &&VariantSummary)| ComparedSlowdown {
        name: side.name.clone(),
        sizes: variant.slowdown_by_size.clone(),
    };
    sides.iter().zip(variants).map(slowdown).filter(|one| !one.sizes.is_empty()).collect()
}

/// Reasons why differences between the results may mislead.
fn warnings(sides: &[Side]) -> Vec<String> {
    let mut warnings = Vec::new();
    let with: Vec<&Side> = sides.iter().filter(|side| !side.set_points.is_empty()).collect();
    if with.iter().any(|side| side.set_points != with[0].set_points) {
        let each = with.iter().map(|side| format!("{}: {}", side.name, side.set_points.join(", ")));
        let each = each.collect::<Vec<_>>().join("; ");
        warnings.push(format!(
            "the set points differ ({each}), so figures for queues and delays compare targets as well as algorithms; \
             `setpoint compare SCENARIO --control A,B --set-point 30kB` runs them with a common one"
        ));
    }
    let seeds = |side: &Side| -> Vec<u64> {
        let runs = side.variants.first().map_or(&[][..], |variant| &variant.runs);
        runs.iter().map(|run| run.seed).collect()
    };
    let first = sides.first().map(seeds).unwrap_or_default();
    if sides.iter().any(|side| !seeds(side).iter().any(|seed| first.contains(seed))) {
        warnings.push(
            "some results have no seed in common with the first, so there are no differences".to_owned(),
        );
    }
    let queue = |side: &Side| side.queue.clone();
    if sides.iter().any(|side| queue(side) != queue(&sides[0])) {
        let each: Vec<String> = sides
            .iter()
            .map(|side| format!("{}: {}", side.name, arrows(side.queue.as_deref().unwrap_or("none"))))
            .collect();
        warnings
            .push(format!("figures for queues and ports refer to different queues ({})", each.join("; ")));
    }
    warnings
}

/// Warnings from the plausibility checks, each with the names of the results that it concerns.
pub fn check_warnings(sides: &[Side]) -> Vec<String> {
    let mut found: Vec<(&str, Vec<&str>)> = Vec::new();
    for (side, warning) in sides.iter().flat_map(|side| side.warnings.iter().map(move |text| (side, text))) {
        match found.iter_mut().find(|(known, _)| known == warning) {
            Some((_, names)) => names.push(&side.name),
            None => found.push((warning, vec![&side.name])),
        }
    }
    found.into_iter().map(|(warning, names)| format!("{}: {warning}", names.join(", "))).collect()
}
