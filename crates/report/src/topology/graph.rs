//! The network as drawn.

/// The network as drawn.
#[derive(Clone, Debug, Default)]
pub(super) struct Graph {
    pub(super) boxes: Vec<NodeBox>,
    pub(super) edges: Vec<Edge>,
    /// Whether bridges share boxes.
    pub(super) grouped: bool,
}

/// A bridge, a station, or several of either.
#[derive(Clone, Debug)]
pub(super) struct NodeBox {
    pub(super) label: String,
    /// The number of nodes it represents, in words; empty for one.
    pub(super) note: String,
    pub(super) bridge: bool,
    pub(super) column: u16,
    /// The box of the bridge below which it hangs, if it has no position in a column.
    pub(super) below: Option<usize>,
    /// Indices of the nodes it represents.
    pub(super) members: Vec<usize>,
}

/// A link, or several between the same boxes.
#[derive(Clone, Debug)]
pub(super) struct Edge {
    pub(super) ends: (usize, usize),
    /// Utilisation of the busiest; `None` if it is not measured.
    pub(super) utilisation: Option<f64>,
    pub(super) paused: f64,
    pub(super) rate: String,
    pub(super) title: String,
    pub(super) between_bridges: bool,
    /// Indices of the links it represents; they lead from its first end to the second.
    pub(super) links: Vec<usize>,
}

/// The role of a station in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Role {
    Sends,
    Both,
    Idle,
    Receives,
}
