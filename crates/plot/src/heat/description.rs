//! The text alternative for a heat map.

use super::{HeatMap, Place, Places, Threshold};
use crate::text::in_sentence;

/// States what the map shows, its smallest and largest value, and the meaning of the line in it.
pub(super) fn alternative(map: &HeatMap) -> String {
    let panels = match map.panels.len() {
        0 | 1 => String::new(),
        several => format!(", in {several} panels: {}", titles(map)),
    };
    let over = format!("{} and {}", side(&map.x), side(&map.y));
    let mut words = format!("Heat map of {}{panels}, over {over}. ", in_sentence(&map.scale.label));
    let known = || map.places().filter_map(|place| Some((place, map.value(place)?)));
    let least = known().min_by(|first, second| first.1.total_cmp(&second.1));
    // The first of equal values, as for the smallest.
    let most = known().reduce(|most, next| if next.1 > most.1 { next } else { most });
    match (least, most) {
        (Some(least), Some(most)) if least.1 < most.1 => {
            let describe = |(place, value): (Place, f64)| {
                format!("{} at {}", map.quantity_text(place, value), position(map, place))
            };
            words += &format!("The smallest value is {}, the largest {}.", describe(least), describe(most));
        }
        (Some((place, value)), _) => {
            words += &format!("All values are {}.", map.quantity_text(place, value));
        }
        _ => words += "It has no values.",
    }
    let missing = map.places().count() - known().count();
    if missing > 0 && missing < map.places().count() {
        words += &format!(" {missing} of {} cells have no value.", map.places().count());
    }
    if let Some(threshold) = &map.threshold {
        let above = known().filter(|(_, value)| *value >= threshold.at).count();
        words += &match map.is_divided() {
            true => format!(" A line marks where {}: in {above} cells.", threshold.meaning),
            false => format!(" {}.", in_all_or_none(threshold, above)),
        };
    }
    words
}

/// Position of a cell: `Senders 10, Set point 26 kB`.
pub(super) fn position(map: &HeatMap, place: Place) -> String {
    let name = |places: &Places, index: usize| {
        format!("{} {}", places.label, places.names.get(index).map_or("", String::as_str))
    };
    let mut words = format!("{}, {}", name(&map.x, place.column), name(&map.y, place.row));
    if let Some(panel) = map.panels.get(place.panel).filter(|panel| !panel.title.is_empty()) {
        words += &format!(", {}", panel.title);
    }
    words
}

/// The legend text of a threshold that does not divide the map: `frames are lost: in every cell`.
pub(super) fn in_all_or_none(threshold: &Threshold, above: usize) -> String {
    let extent = if above == 0 { "in no cell" } else { "in every cell" };
    format!("{}: {extent}", threshold.meaning)
}

fn titles(map: &HeatMap) -> String {
    map.panels.iter().map(|panel| panel.title.as_str()).collect::<Vec<_>>().join(", ")
}

fn side(places: &Places) -> String {
    match &places.names[..] {
        [] => in_sentence(&places.label),
        [one] => format!("{} {one}", in_sentence(&places.label)),
        [first, .., last] => format!("{} from {first} to {last}", in_sentence(&places.label)),
    }
}
