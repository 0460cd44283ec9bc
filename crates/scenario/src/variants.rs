//! The variants of a sweep: every combination of the axes' values.

use super::Scenario;
use super::axis::Axis;
use super::checks::Warning;
use super::diagnostics::{Diagnostics, Problems};
use super::overrides::Override;

/// Number of problems after which the remaining variants are not checked.
const ENOUGH: usize = 10;
/// Maximum total number of flows, links and changes in the resolved variants that are cached until
/// they run: about 100 MB.
const KEPT: usize = 300_000;

/// One combination of values.
#[derive(Clone, Debug)]
pub struct Variant {
    /// Its position in the sweep, counted from 0. The last axis changes fastest.
    pub index: usize,
    /// The keys of the axes and the labels of their values, in the order of the file.
    pub assignments: Vec<(String, String)>,
    /// The scenario with these values, validated.
    pub scenario: Scenario,
}

/// The warnings about variants, grouped by check: the first warning, and the number of variants that have one. Every
/// variant is prepared with the given seed or, without one, with its own.
pub fn warnings_of(variants: &[Variant], seed: Option<u64>) -> Vec<(Warning, usize)> {
    let prepared =
        |Variant { scenario, .. }: &Variant| scenario.prepare(seed.unwrap_or(scenario.seed())).ok();
    let mut found: Vec<(Warning, usize)> = Vec::new();
    for warning in variants.iter().filter_map(prepared).flat_map(|prepared| prepared.warnings()) {
        match found.iter_mut().find(|(known, _)| known.check() == warning.check()) {
            Some((_, count)) => *count += 1,
            None => found.push((warning, 1)),
        }
    }
    found
}

/// Every combination, each validated.
pub(crate) fn variants(scenario: &Scenario) -> Result<Vec<Variant>, Diagnostics> {
    let mut problems = Problems::default();
    let mut variants = Vec::new();
    let mut room = KEPT;
    for index in 0..count(&scenario.axes) {
        match variant(scenario, index, &mut room) {
            Ok(variant) => variants.push(variant),
            Err(found) => problems.extend(found),
        }
        if problems.count() >= ENOUGH {
            break;
        }
    }
    problems.or_else(variants)
}

/// The number of combinations.
pub(super) fn count(axes: &[Axis]) -> usize {
    axes.iter().map(|axis| axis.settings().len()).product()
}

fn variant(base: &Scenario, index: usize, room: &mut usize) -> Result<Variant, Diagnostics> {
    let mut below = count(&base.axes);
    let value = |axis: &Axis| {
        below /= axis.settings().len();
        axis.settings()[index / below % axis.settings().len()].clone()
    };
    let assigned: Vec<Override> = base.axes.iter().map(value).collect();
    let assignments = assigned.iter().map(|one| (one.key().to_owned(), one.label())).collect();
    let scenario = base.varied(assigned.clone(), room).map_err(|found| {
        let places = assigned
            .iter()
            .map(|one| (one.place().clone(), format!("with `{}` = {}", one.key(), one.value())));
        found.in_variant(&places.collect::<Vec<_>>())
    })?;
    Ok(Variant { index, assignments, scenario })
}
