//! Public files of real size: node counts, paths and completion times on an empty network.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::htsim::{FAT_TREE, LEAF_SPINE};
use super::{counts, imported, prepared, routes, run};
use setpoint_units::TimeDelta;

const PERMUTATION_32: &str = include_str!("files/perm_32n_32c_2MB.cm");
const OUTCAST_INCAST: &str = include_str!("files/outcast_incast.cm");
const INCAST_128: &str = include_str!("files/incast_128.cm");

/// `perm_1024n_1024c_0u_2000000b.cm`: 2 MB from each host to another.
fn permutation_1024() -> String {
    let pairs: Vec<&str> = include_str!("files/perm_1024n_1024c.pairs").split_whitespace().collect();
    let mut text = format!("Nodes 1024\nConnections {}\n", pairs.len());
    for (id, pair) in (1..).zip(pairs) {
        let _ = writeln!(text, "{pair} id {id} start 0 size 2000000");
    }
    text
}

/// The lines of `src/LogGOPSim/binary_tree_32.goal` in spcl/LogGOPSim: a broadcast along a binomial tree, in which rank r sends
/// to r + 2^k for every 2^k above r.
fn tree_32() -> String {
    let mut text = "num_ranks 32\n".to_owned();
    for rank in 0..32_u32 {
        let _ = write!(text, "\nrank {rank} {{\n");
        let receives = rank.checked_ilog2().map(|highest| rank - (1 << highest));
        if let Some(parent) = receives {
            let _ = writeln!(text, "l1: recv 1b from {parent} tag 0");
        }
        let children = (0..5).map(|k| 1 << k).filter(|step| *step > rank && rank + step < 32);
        for (label, step) in (if receives.is_some() { 2 } else { 1 }..).zip(children) {
            let _ = writeln!(text, "l{label}: send 1b to {} tag 0", rank + step);
            if receives.is_some() {
                let _ = writeln!(text, "l{label} requires l1");
            }
        }
        text += "}\n";
    }
    text
}

/// The pairs of hosts in a connection matrix.
fn pairs(text: &str) -> Vec<(u32, u32)> {
    let pair = |line: &str| {
        let (source, rest) = line.split_once("->")?;
        Some((source.parse().ok()?, rest.split(' ').next()?.parse().ok()?))
    };
    text.lines().filter_map(pair).collect()
}

/// The number of links between two hosts of a fat tree in which a switch has `radix` hosts and a pod has `pod` hosts.
fn links((source, sink): (u32, u32), radix: u32, pod: u32) -> u64 {
    match () {
        () if source / radix == sink / radix => 2,
        () if source / pod == sink / pod => 4,
        () => 6,
    }
}

/// The number of flows by number of links.
fn histogram(lengths: impl Iterator<Item = u64>) -> BTreeMap<u64, usize> {
    lengths.fold(BTreeMap::new(), |mut counts, links| {
        *counts.entry(links).or_default() += 1;
        counts
    })
}

/// 2 MB are 2000 frames of 80 ns on the first link; each further link adds a frame, and each link 1 µs.
fn ideal(links: u64) -> TimeDelta {
    TimeDelta::from_nanos(2_000 * 80 + (links - 1) * 80 + links * 1_000)
}

/// Imports a matrix and checks each flow's number of links and its completion time on an empty network.
#[track_caller]
fn check(files: &[(&str, &str)], matrix: &str, expected: [usize; 4], radix: u32, pod: u32) {
    let imported = imported(files);
    assert_eq!(counts(&imported), expected);
    let mut prepared = prepared(&imported);
    let expected = || pairs(matrix).into_iter().map(|pair| links(pair, radix, pod));
    let found = routes(&prepared).into_iter().map(|route| route.len() as u64 - 1);
    assert_eq!(histogram(found), histogram(expected()));
    // The messages need not be complete to have an ideal time.
    prepared.spec.duration = TimeDelta::from_micros(2);
    prepared.spec.measure_from = setpoint_units::Time::ZERO;
    let outcome = run(&prepared);
    let mut ideals: Vec<TimeDelta> =
        outcome.messages_incomplete.iter().map(|message| message.ideal).collect();
    let mut expected: Vec<TimeDelta> = expected().map(ideal).collect();
    ideals.sort_unstable();
    expected.sort_unstable();
    assert_eq!(ideals, expected);
}

#[test]
fn a_permutation_of_1024_hosts() {
    let text = permutation_1024();
    let files = [("fat_tree_1024.topo", FAT_TREE), ("perm_1024n.cm", text.as_str())];
    check(&files, &text, [1_024, 320, 3_072, 1_024], 8, 64);
}

/// Without a topology, 32 hosts are a fat tree of 16-host pods whose switches have four hosts.
#[test]
fn matrices_on_the_default_fat_tree() {
    check(&[("incast_128.cm", INCAST_128)], INCAST_128, [128, 80, 384, 127], 4, 16);
    check(&[("outcast_incast.cm", OUTCAST_INCAST)], OUTCAST_INCAST, [128, 80, 384, 21], 4, 16);
}

#[test]
fn a_permutation_that_runs_to_its_end() {
    let files = [("leaf_spine_tiny.topo", LEAF_SPINE), ("perm_32n_32c_2MB.cm", PERMUTATION_32)];
    check(&files, PERMUTATION_32, [32, 6, 40, 32], 8, 32);
    let mut prepared = prepared(&imported(&files));
    // The imported duration does not allow for messages that share a link between bridges.
    prepared.spec.duration = TimeDelta::from_millis(5);
    let outcome = run(&prepared);
    assert_eq!((outcome.messages.len(), outcome.messages_incomplete.len()), (32, 0));
    for message in &outcome.messages {
        assert!(message.completed - message.offered >= message.ideal);
    }
    // Most of the messages from a leaf share its two links to the spines.
    let slowest = outcome.messages.iter().map(|message| message.completed - message.offered).max();
    assert!(slowest > Some(ideal(4) * 2), "{slowest:?}");
}

#[test]
fn a_goal_schedule_of_32_ranks() {
    let imported = imported(&[("binary_tree_32.goal", &tree_32())]);
    assert_eq!(counts(&imported), [32, 1, 32, 31]);
    let prepared = prepared(&imported);
    let names: Vec<Vec<String>> = routes(&prepared);
    for (source, sink) in (0..32_u32).flat_map(|rank| (0..5).map(move |k| (rank, rank + (1 << k)))) {
        let sends = sink < 32 && sink - source > source;
        let route = [format!("h{source}"), format!("h{sink}")];
        let found =
            names.iter().any(|name| name.first() == Some(&route[0]) && name.last() == Some(&route[1]));
        assert_eq!(found, sends, "{source} to {sink}");
    }
    // A byte takes 80 ps on each of two links of 1 µs. The longest chain is 0, 1, 3, 7, 15, 31, whose ranks send 5, 4, 3, 2 and 1
    // messages at once, in any order.
    let outcome = run(&prepared);
    let hop = 2 * 1_000_080;
    assert!(outcome.dependents.iter().all(|message| message.ideal.as_picos() == hop));
    let last = outcome.dependents.iter().map(|message| message.completed.unwrap()).max().unwrap();
    let last = last.since_start().as_picos();
    assert!((5 * hop..=5 * hop + (4 + 3 + 2 + 1) * 80).contains(&last), "{last}");
}
