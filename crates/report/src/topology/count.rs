//! How many nodes a box stands for, in words: `4 racks × 32 leaves`.

use std::collections::BTreeMap;

use setpoint_lab::results::NodeView;

use super::detail::district;

/// Nouns by how names begin: several of them, and what holds those with a number before the point.
const NOUNS: [(&str, &str, &str); 5] = [
    ("leaf", "leaves", "racks"),
    ("spine", "spines", "groups"),
    ("edge", "edge bridges", "pods"),
    ("agg", "aggregation bridges", "pods"),
    ("core", "core bridges", "groups"),
];

/// Several bridges: how many, and in how many racks or pods.
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

/// Several stations: how many, and at how many bridges if each has as many.
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

/// How many different values there are, and how often each is found if all of them equally often.
fn counted<Value: Ord + Copy>(values: &[Value]) -> (usize, Option<usize>) {
    let mut counts: BTreeMap<Value, usize> = BTreeMap::new();
    values.iter().for_each(|value| *counts.entry(*value).or_default() += 1);
    let each = counts.values().next().copied();
    (counts.len(), each.filter(|each| counts.values().all(|count| count == each)))
}
