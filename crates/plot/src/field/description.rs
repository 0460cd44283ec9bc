//! The text alternative for a map.

use super::FieldMap;
use super::grid::Grid;
use crate::Axis;
use crate::text::in_sentence;
use setpoint_units::quantity::Unit;

/// States what the map shows, its smallest and largest value, and the share on each side of the border.
pub(super) fn alternative(map: &FieldMap) -> String {
    let grid = Grid::of(map);
    let over = format!("{} and {}", side(&map.x, &grid.columns), side(&map.y, &grid.rows));
    let mut words = format!("Map of {}, by {over}.", in_sentence(&map.scale.label));
    let least = grid.known().reduce(|least, next| if next.2 < least.2 { next } else { least });
    let most = grid.known().reduce(|most, next| if next.2 > most.2 { next } else { most });
    let (Some(least), Some(most)) = (least, most) else { return words + " It has no values." };
    let describe = |(row, column, value): (usize, usize, f64)| {
        let (x, y) = (map.x.unit.text(grid.columns[column]), map.y.unit.text(grid.rows[row]));
        let (x_label, y_label) = (in_sentence(&map.x.label), in_sentence(&map.y.label));
        format!("{} at {x_label} {x}, {y_label} {y}", map.scale.unit.text(value))
    };
    words += &format!(" The smallest value is {}, the largest {}.", describe(least), describe(most));
    words += &border(map, &grid);
    let missing = grid.cells() - grid.known().count();
    if missing > 0 {
        let why = if map.missing.is_empty() { String::new() } else { format!(": {}", map.missing) };
        words += &format!(" {missing} of {} cells have no value{why}.", grid.cells());
    }
    for kind in &map.spots {
        words += &format!(" Points marked “{}”: {}.", kind.name, kind.spots.len());
    }
    words
}

fn border(map: &FieldMap, grid: &Grid) -> String {
    let Some(border) = &map.border else { return String::new() };
    let above = grid.known().filter(|(_, _, value)| *value >= border.at).count();
    let share = above as f64 / grid.known().count().max(1) as f64;
    let side = if border.above.is_empty() { "at or above it" } else { &border.above };
    format!(" A line marks the {}: {} of the map is {side}.", border.meaning, Unit::Share.text(share))
}

fn side(axis: &Axis, centres: &[f64]) -> String {
    let label = in_sentence(&axis.label);
    match centres {
        [] => label,
        [one] => format!("{label} {}", axis.unit.text(*one)),
        [first, .., last] => format!("{label} from {} to {}", axis.unit.text(*first), axis.unit.text(*last)),
    }
}
