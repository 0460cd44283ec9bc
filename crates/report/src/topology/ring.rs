//! Rings of bridges, drawn as rings: the bridges clockwise on an ellipse, the first one at the top, and the stations of each on
//! an outer ellipse. The page of `setpoint serve` arranges them in the same way (`network-layout.js`).

use std::f64::consts::TAU;

use super::graph::Graph;
use super::layout::Place;

/// Heights of the drawing, of which the first with enough space is used.
const HEIGHTS: [f64; 4] = [330.0, 460.0, 620.0, 800.0];
/// Maximum ratio of width to height.
const ASPECT: f64 = 1.6;
/// Size of the ellipse of bridges relative to that of stations.
const INNER: f64 = 0.6;
/// Share of the angle between two bridges that their stations occupy.
const SPREAD: f64 = 0.8;
/// Minimum distance between boxes.
const GAP: f64 = 4.0;
/// Distance of a label from its link.
const BESIDE: f64 = 7.0;

/// The bridges of a ring in order, each with its stations.
#[derive(Clone, Debug)]
pub(super) struct Ring {
    bridges: Vec<(usize, Vec<usize>)>,
}

impl Ring {
    /// The ring that the bridges form; `None` if they form another network. A bridge without stations belongs to a fabric, such
    /// as two leaves and two spines, whose columns show more.
    pub(super) fn of(graph: &Graph) -> Option<Self> {
        let of_kind = |index, bridge| {
            neighbours(graph, index).filter(move |&other| graph.boxes[other].bridge == bridge)
        };
        let bridges: Vec<usize> = (0..graph.boxes.len()).filter(|&index| graph.boxes[index].bridge).collect();
        let is_linked =
            |&bridge: &usize| of_kind(bridge, true).count() == 2 && of_kind(bridge, false).next().is_some();
        if graph.grouped || bridges.len() < 3 || !bridges.iter().all(is_linked) {
            return None;
        }
        let mut order = vec![bridges[0], of_kind(bridges[0], true).min()?];
        while order.len() <= bridges.len() {
            let [.., before, last] = order[..] else { return None };
            let next = of_kind(last, true).find(|&bridge| bridge != before)?;
            if next == order[0] {
                break;
            }
            order.push(next);
        }
        let stations = |bridge| of_kind(bridge, false).collect::<Vec<_>>();
        let ring = Self { bridges: order.into_iter().map(|bridge| (bridge, stations(bridge))).collect() };
        (ring.boxes() == graph.boxes.len()).then_some(ring)
    }

    fn boxes(&self) -> usize {
        self.bridges.iter().map(|(_, stations)| 1 + stations.len()).sum()
    }

    /// Positions boxes of known sizes around a centre: the height and the centre; `None` if they do not fit.
    pub(super) fn arrange(&self, places: &mut [Place], width: f64, top: f64) -> Option<(f64, (f64, f64))> {
        let half = |size: fn(&Place) -> f64| places.iter().map(size).fold(0.0, f64::max) / 2.0 + GAP;
        let (aside, above) = (half(|place| place.width), half(|place| place.height));
        HEIGHTS.into_iter().find_map(|height| {
            let centre = (width / 2.0, top + height / 2.0);
            let vertical = height / 2.0 - above;
            let horizontal = (width / 2.0 - aside).min(vertical * ASPECT);
            self.place(places, centre, (horizontal, vertical));
            are_apart(places).then_some((height, centre))
        })
    }

    fn place(&self, places: &mut [Place], centre: (f64, f64), (horizontal, vertical): (f64, f64)) {
        let step = TAU / self.bridges.len() as f64;
        let mut put = |index: usize, turn: f64, reach: f64| {
            let (sine, cosine) = (turn * step).sin_cos();
            (places[index].x, places[index].y) =
                (centre.0 + reach * horizontal * sine, centre.1 - reach * vertical * cosine);
        };
        for (position, (bridge, stations)) in self.bridges.iter().enumerate() {
            put(*bridge, position as f64, INNER);
            for (index, station) in stations.iter().enumerate() {
                let aside = ((index as f64 + 0.5) / stations.len() as f64 - 0.5) * SPREAD;
                put(*station, position as f64 + aside, 1.0);
            }
        }
    }
}

/// The boxes to which a box is linked, without repetition.
fn neighbours(graph: &Graph, index: usize) -> impl Iterator<Item = usize> + '_ {
    let other = move |ends: (usize, usize)| match ends {
        (one, other) if one == index => Some(other),
        (one, other) if other == index => Some(one),
        _ => None,
    };
    let found: std::collections::BTreeSet<usize> =
        graph.edges.iter().filter_map(|edge| other(edge.ends)).collect();
    found.into_iter()
}

fn are_apart(places: &[Place]) -> bool {
    let apart = |one: &Place, other: &Place| {
        (one.x - other.x).abs() >= (one.width + other.width) / 2.0 + GAP
            || (one.y - other.y).abs() >= (one.height + other.height) / 2.0 + GAP
    };
    places.iter().enumerate().all(|(index, one)| places[index + 1..].iter().all(|other| apart(one, other)))
}

/// The centre of a text of the given width and height next to a point of the ring, on its inner side.
pub(super) fn inside(centre: (f64, f64), (x, y): (f64, f64), (width, height): (f64, f64)) -> (f64, f64) {
    let (dx, dy) = (centre.0 - x, centre.1 - y);
    let distance = dx.hypot(dy).max(1.0);
    let (dx, dy) = (dx / distance, dy / distance);
    let away = BESIDE + (dx.abs() * width + dy.abs() * height) / 2.0;
    (x + dx * away, y + dy * away)
}

#[cfg(test)]
mod tests {
    use super::super::graph::{Edge, NodeBox};
    use super::*;

    /// A network of bridges `b…` and stations `s…`, given by its links.
    fn graph(links: &[(&str, &str)]) -> Graph {
        let mut names: Vec<&str> = links.iter().flat_map(|&(one, other)| [one, other]).collect();
        names.sort_unstable();
        names.dedup();
        let node = |name: &&str| NodeBox {
            label: (*name).to_owned(),
            note: String::new(),
            bridge: name.starts_with('b'),
            column: 0,
            below: None,
            members: vec![0],
        };
        let place = |name: &str| names.iter().position(|other| *other == name).unwrap();
        let edge = |&(one, other): &(&str, &str)| Edge {
            ends: (place(one), place(other)),
            utilisation: None,
            paused: 0.0,
            rate: String::new(),
            title: String::new(),
            between_bridges: one.starts_with('b') && other.starts_with('b'),
            links: vec![0],
        };
        Graph {
            boxes: names.iter().map(node).collect(),
            edges: links.iter().map(edge).collect(),
            grouped: false,
        }
    }

    const RING: [(&str, &str); 8] = [
        ("b1", "b2"),
        ("b2", "b3"),
        ("b3", "b4"),
        ("b4", "b1"),
        ("b1", "s1"),
        ("b2", "s2"),
        ("b3", "s3"),
        ("b4", "s4"),
    ];

    #[test]
    fn four_bridges_are_at_the_corners_of_a_ring_with_their_stations_outside() {
        let graph = graph(&RING);
        let ring = Ring::of(&graph).expect("a ring");
        let mut places = vec![Place { width: 30.0, height: 20.0, ..Place::default() }; 8];
        let (height, centre) = ring.arrange(&mut places, 1000.0, 10.0).expect("enough space");
        assert_eq!((height, centre), (330.0, (500.0, 175.0)));
        // The semi-axes are 330 / 2 - 10 - 4 = 151 and 1.6 times as long; bridges are at 0.6 of them.
        let rounded = |place: &Place| (place.x.round(), place.y.round());
        let bridges = [(500.0, 84.0), (645.0, 175.0), (500.0, 266.0), (355.0, 175.0)];
        assert_eq!(places[..4].iter().map(rounded).collect::<Vec<_>>(), bridges);
        assert_eq!(rounded(&places[4]), (500.0, 24.0));
    }

    #[test]
    fn many_stations_make_the_drawing_higher_or_prevent_it() {
        let more = |count: usize| {
            let names: Vec<String> = (0..count).map(|station| format!("s1{station:03}")).collect();
            let links: Vec<_> =
                RING.into_iter().chain(names.iter().map(|name| ("b1", name.as_str()))).collect();
            let graph = graph(&links);
            let mut places = vec![Place { width: 40.0, height: 20.0, ..Place::default() }; graph.boxes.len()];
            Ring::of(&graph).expect("a ring").arrange(&mut places, 1000.0, 0.0).map(|(height, _)| height)
        };
        assert_eq!(more(2), Some(330.0));
        assert!(more(9).is_some_and(|height| height > 330.0), "{:?}", more(9));
        assert_eq!(more(100), None);
    }

    #[test]
    fn chains_and_fabrics_are_no_rings() {
        let is_ring = |links: &[(&str, &str)]| Ring::of(&graph(links)).is_some();
        assert!(is_ring(&RING));
        assert!(!is_ring(&[&RING[..3], &RING[4..]].concat()), "a chain");
        let (leaves, spines) = (["b1", "b2"], ["b8", "b9"]);
        let fabric: Vec<_> = leaves.iter().flat_map(|&leaf| spines.map(|spine| (leaf, spine))).collect();
        assert!(
            !is_ring(&[&fabric[..], &[("b1", "s1"), ("b2", "s2")]].concat()),
            "two leaves and two spines"
        );
    }

    #[test]
    fn a_label_is_inside_the_ring() {
        assert_eq!(inside((0.0, 0.0), (0.0, 100.0), (60.0, 20.0)), (0.0, 83.0));
        assert_eq!(inside((0.0, 0.0), (-100.0, 0.0), (60.0, 20.0)), (-63.0, 0.0));
    }
}
