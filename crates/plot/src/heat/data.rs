//! The values behind a heat map, for the tooltip. They are strings, since the script does no calculations with them.
//!
//! ```text
//! {"x": {"l": label, "n": [name, ..]}, "y": the same, "p": [title of a panel, ..],
//!  "v": [[text of every cell, row by row from the bottom], .. for every panel]}
//! ```

use serde_json::json;

use super::{HeatMap, Places};
use crate::data::in_script;

/// A heat map's values as JSON that can be embedded in a `script` element.
pub(super) fn json(map: &HeatMap) -> String {
    let side = |places: &Places| json!({ "l": places.label, "n": places.names });
    let titles: Vec<&str> = map.panels.iter().map(|panel| panel.title.as_str()).collect();
    let texts: Vec<String> = map.places().map(|place| map.value_text(place)).collect();
    let panels: Vec<&[String]> = texts.chunks((map.x.names.len() * map.y.names.len()).max(1)).collect();
    in_script(&json!({ "x": side(&map.x), "y": side(&map.y), "p": titles, "v": panels }))
}
