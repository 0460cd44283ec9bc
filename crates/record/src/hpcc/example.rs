//! A small network for the tests of HPCC's formats.

use crate::results::{LinkView, NodeView, TopologyView};

/// Two hosts at 25 Gb/s under two switches, which are connected at 100 Gb/s.
pub(super) fn view(names: [&str; 4]) -> TopologyView {
    let node =
        |(name, bridge): (&str, bool)| NodeView { name: name.to_owned(), bridge, spine: false, layer: 0 };
    let link = |first, second, rate: &str, delay: &str| LinkView {
        first,
        second,
        rate: rate.to_owned(),
        delay: delay.to_owned(),
        utilisation_share: None,
        paused_share: 0.0,
    };
    TopologyView {
        nodes: names.into_iter().zip([false, true, true, false]).map(node).collect(),
        links: vec![
            link(0, 1, "25 Gb/s", "1 µs"),
            link(1, 2, "100 Gb/s", "1.5 µs"),
            link(2, 3, "25 Gb/s", "500 ns"),
            link(2, 1, "100 Gb/s", "1.5 µs"),
        ],
    }
}
