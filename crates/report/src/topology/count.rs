//! The number of nodes in a box, in words: `4 racks × 32 leaves`.

use std::collections::BTreeMap;

use setpoint_record::results::NodeView;

/// Plural nouns by prefix of node names: for the nodes, and for the units that contain them.
const NOUNS: [(&str, &str, &str); 5] = [
    ("leaf", "leaves", "racks"),
    ("spine", "spines", "groups"),
    ("edge", "edge bridges", "pods"),
    ("agg", "aggregation bridges", "pods"),
    ("core", "core bridges", "groups"),
];

/// Several bridges: their number, and the number of racks or pods.
pub(super) fn bridges(members: &[&NodeView]) -> String {
    let (several, districts) = nouns(members);
    let places: Option<Vec<&str>> = members.iter().map(|node| district(&node.name)).collect();
    let (count, each) = places.map_or((1, None), |places| counted(&places));
    match each {
        _ if count < 2 => format!("{} {several}", members.len()),
        Some(each) => format!("{count} {districts} × {each} {several}"),
        None => format!("{} {several} in {count} {districts}", members.len()),
    }
}

/// Several stations: their number, and the number of bridges if each has the same number of stations.
pub(super) fn stations(count: usize, homes: &[Option<usize>], bridges: &[&NodeView]) -> String {
    let places: Option<Vec<usize>> = homes.iter().copied().collect();
    match places.map_or((1, None), |places| counted(&places)) {
        (at, Some(each)) if at > 1 && each > 1 => format!("{at} {} × {each} stations", nouns(bridges).0),
        _ => format!("{count} stations"),
    }
}

fn nouns(members: &[&NodeView]) -> (&'static str, &'static str) {
    let all = |stem: &str| members.iter().all(|node| node.name.starts_with(stem));
    let known = NOUNS.iter().find(|(stem, ..)| !members.is_empty() && all(stem));
    known.map_or(("bridges", "groups"), |(_, several, districts)| (several, districts))
}

/// The number of different values, and how often each occurs if all occur equally often.
fn counted<Value: Ord + Copy>(values: &[Value]) -> (usize, Option<usize>) {
    let mut counts: BTreeMap<Value, usize> = BTreeMap::new();
    values.iter().for_each(|value| *counts.entry(*value).or_default() += 1);
    let each = counts.values().next().copied();
    (counts.len(), each.filter(|each| counts.values().all(|count| count == each)))
}

/// The rack or pod in a name: `leaf2` of `leaf2.7`.
pub(super) fn district(name: &str) -> Option<&str> {
    let (district, number) = name.rsplit_once('.')?;
    let counted = |text: &str| text.ends_with(|c: char| c.is_ascii_digit());
    (counted(district) && counted(number)).then_some(district)
}
