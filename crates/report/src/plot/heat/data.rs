//! The values behind a heat map, for the pointer: texts, since nothing is computed with them.
//!
//! ```text
//! {"x": {"l": label, "n": [name, ..]}, "y": the same, "p": [title of a panel, ..],
//!  "v": [[text of every cell, row by row from the lowest up], .. for every panel], "c": [colour of every cell, likewise]}
//! ```

use serde_json::{Value, json};

use super::{HeatMap, Place, Places};
use crate::plot::data::in_script;
use crate::plot::{Colour, Surface};

/// A heat map's values as JSON that may stand in a `script` element.
pub(super) fn json(map: &HeatMap) -> String {
    let side = |places: &Places| json!({ "l": places.label, "n": places.names });
    let titles: Vec<&str> = map.panels.iter().map(|panel| panel.title.as_str()).collect();
    let value = json!({
        "x": side(&map.x), "y": side(&map.y), "p": titles,
        "v": by_panel(map, |place| json!(map.value_text(place))),
        "c": by_panel(map, |place| json!(map.value(place).map(|value| Colour::Heat(map.step(value)).on(Surface::Page)))),
    });
    in_script(&value)
}

fn by_panel(map: &HeatMap, of: impl Fn(Place) -> Value) -> Vec<Vec<Value>> {
    let cells: Vec<Value> = map.places().map(of).collect();
    let size = (map.x.names.len() * map.y.names.len()).max(1);
    cells.chunks(size).map(<[Value]>::to_vec).collect()
}
