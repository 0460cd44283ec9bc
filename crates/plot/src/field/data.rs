//! The values behind a map, for the tooltip.
//!
//! ```text
//! {"x": {"l": label, "u": unit, "log": false, "range": [low, high], "c": [centre, ..]}, "y": the same,
//!  "n": what the values are, "u": their unit, "v": [[value or null, ..] for every row from the lowest up],
//!  "m": why a value is missing, "s": [[x, y, name, words] of a point over the map, ..]}
//! ```

use serde_json::{Value, json};

use super::grid::Grid;
use super::{FieldMap, Spots};
use crate::data::{in_script, symbol};
use crate::number::number;
use crate::{Axis, Scale};

/// A map's values as JSON that can be embedded in a `script` element.
pub(super) fn json(map: &FieldMap) -> String {
    let grid = Grid::of(map);
    let value = |value: &Option<f64>| number(value.unwrap_or(f64::NAN), 3);
    let values: Vec<Vec<Value>> = grid.values.iter().map(|row| row.iter().map(value).collect()).collect();
    let spots = |kind: &Spots| -> Vec<Value> {
        let spot = |at: (f64, f64), words: &str| json!([number(at.0, 5), number(at.1, 5), kind.name, words]);
        kind.spots.iter().map(|one| spot(one.at, &one.words)).collect()
    };
    let spots: Vec<Value> = map.spots.iter().flat_map(spots).collect();
    in_script(&json!({
        "x": side(&map.x, &grid.columns), "y": side(&map.y, &grid.rows),
        "n": map.scale.label, "u": symbol(map.scale.unit), "v": values, "m": map.missing, "s": spots,
    }))
}

fn side(axis: &Axis, centres: &[f64]) -> Value {
    let centres: Vec<Value> = centres.iter().map(|centre| number(*centre, 5)).collect();
    json!({
        "l": axis.label, "u": symbol(axis.unit), "log": axis.scale == Scale::Logarithmic,
        "range": [number(axis.range.0, 7), number(axis.range.1, 7)], "c": centres,
    })
}
