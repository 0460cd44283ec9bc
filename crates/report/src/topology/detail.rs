//! Decides how many nodes of a network are drawn individually, and which share a box.
//!
//! A network of up to [`MOST_ROWS`] rows is drawn with a box per bridge. A larger one is drawn in groups: racks or
//! pods if they are few, otherwise all bridges of a layer, with hot spots separate ([`Hot`]).

use std::collections::BTreeMap;

use setpoint_record::results::NodeView;

use super::count::district;
use super::graph::{Graph, Role};
use super::hot::Hot;

/// Maximum number of boxes in a column, and of links, for a drawing with a box per bridge.
const MOST_ROWS: usize = 40;
const MOST_EDGES: usize = 400;
/// Maximum number of boxes in a column for a drawing in groups.
const MOST_GROUPS: usize = 14;
/// Maximum number of columns; if there are more layers, adjacent ones share a column.
const MOST_COLUMNS: usize = 60;

/// The level of detail of a drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Detail {
    bridges: Bridges,
    /// Whether stations are separated by role.
    roles: bool,
}

/// The bridges that share a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bridges {
    /// None.
    Single,
    /// Those of one rack or pod.
    Districts,
    /// Those of one layer.
    Layers,
}

/// The levels of detail, from the finest to the coarsest.
pub(super) const LADDER: [Detail; 5] = [
    Detail { bridges: Bridges::Single, roles: true },
    Detail { bridges: Bridges::Districts, roles: true },
    Detail { bridges: Bridges::Districts, roles: false },
    Detail { bridges: Bridges::Layers, roles: true },
    Detail { bridges: Bridges::Layers, roles: false },
];

/// The common property of the members of a box.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Key {
    /// An individual node.
    Alone(usize),
    /// Bridges of one column, separated by hot links and, if drawn, by rack or pod.
    Bridges { column: u16, spine: bool, hot: bool, district: String },
    /// Stations attached to one box of bridges.
    Stations { home: usize, column: u16, hot: bool, role: Role },
}

impl Detail {
    /// Whether bridges share boxes.
    pub(super) fn groups(self) -> bool {
        self.bridges != Bridges::Single
    }

    /// The box of a bridge.
    pub(super) fn bridge(self, (index, node): (usize, &NodeView), column: u16, hot: &Hot) -> Key {
        let district = match self.bridges {
            Bridges::Single => return Key::Alone(index),
            _ if hot.alone.contains(&index) => return Key::Alone(index),
            Bridges::Districts => district(&node.name).unwrap_or_default().to_owned(),
            Bridges::Layers => String::new(),
        };
        Key::Bridges { column, spine: node.spine, hot: hot.apart.contains(&index), district }
    }

    /// The box of a station attached to a box of bridges.
    pub(super) fn station(self, index: usize, (home, column, role): (usize, u16, Role), hot: &Hot) -> Key {
        if self.groups() && hot.alone.contains(&index) {
            return Key::Alone(index);
        }
        let hot = self.groups() && hot.apart.contains(&index);
        Key::Stations { home, column, hot, role: if self.roles { role } else { Role::Idle } }
    }

    /// Whether the drawing is small enough with this level of detail.
    pub(super) fn fits(self, graph: &Graph) -> bool {
        let mut rows: BTreeMap<u16, usize> = BTreeMap::new();
        for node in &graph.boxes {
            *rows.entry(node.column).or_default() += 1;
        }
        let tallest = rows.into_values().max().unwrap_or(0);
        if self.groups() {
            tallest <= MOST_GROUPS
        } else {
            tallest <= MOST_ROWS && graph.edges.len() <= MOST_EDGES
        }
    }
}

/// The column of each layer.
pub(super) fn columns(nodes: &[NodeView], detail: Detail) -> BTreeMap<u16, u16> {
    let mut layers: Vec<u16> = nodes.iter().map(|node| node.layer).collect();
    layers.sort_unstable();
    layers.dedup();
    let many = detail.groups() && layers.len() > MOST_COLUMNS;
    let column = |place: usize| (place * MOST_COLUMNS / layers.len()) as u16;
    let pairs = layers.iter().enumerate();
    pairs.map(|(place, &layer)| (layer, if many { column(place) } else { layer })).collect()
}
