//! The network of a run, for drawing.

use super::keyed::keyed;

keyed! {
    /// The network, for drawing.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct TopologyView {
        /// The nodes.
        pub nodes: Vec<NodeView>,
        /// The links.
        pub links: Vec<LinkView>,
    }
}

keyed! {
    /// A node, for drawing.
    #[derive(Clone, Debug, PartialEq)]
    pub struct NodeView {
        /// Its name.
        pub name: String,
        /// Whether it is a bridge or part of one; otherwise it is a station.
        pub bridge: bool,
        /// `true` for a spine of a rack fabric, which switches cells and has no queues of frames. Omitted otherwise.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        pub spine: bool,
        /// The column in which it is drawn.
        pub layer: u16,
    }
}

keyed! {
    /// A link, for drawing.
    #[derive(Clone, Debug, PartialEq)]
    pub struct LinkView {
        /// One end, as an index into `nodes`.
        pub first: usize,
        /// The other end.
        pub second: usize,
        /// Its rate, with unit.
        pub rate: String,
        /// Its delay, with unit.
        pub delay: String,
        /// Share of the time spent transmitting, in the busier direction. `null` for links to the spines of a rack
        /// fabric, which carry cells and are not measured.
        pub utilisation_share: Option<f64> = Share,
        /// Share of the time paused, in the direction that was paused longer.
        pub paused_share: f64 = Share,
    }
}
