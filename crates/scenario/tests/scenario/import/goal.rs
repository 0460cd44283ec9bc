//! GOAL schedules.

use super::{counts, imported, prepared};

/// The beginning of `src/LogGOPSim/binary_tree_32.goal` in spcl/LogGOPSim, for four ranks.
pub(super) const TREE: &str = "num_ranks 4

rank 0 {
l1: send 1b to 1 tag 0
l2: send 1b to 2 tag 0
}

rank 1 {
l1: recv 1b from 0 tag 0
l2: send 1b to 3 tag 0
l2 requires l1
}

rank 2 {
l1: recv 1b from 0 tag 0
}

rank 3 {
l1: recv 1b from 1 tag 0
}
";

/// Messages that depend on calculations only.
pub(super) const STATIC: &str = "num_ranks 3 // a comment
rank 0 {
c1: calc 1500 cpu 1
c2: calc 500
s1: send 4096b to 1 tag 7 cpu 0 nic 0
s2: send 100b to 2
c2 requires c1
s1 requires c2
s2 irequires c2 /* over
two lines */
}
rank 1 { recv 4096b from 0 tag -1 }
rank 2 { recv 100b from 0
send 8b to 1 tag 2 }
";

#[test]
fn calculations_become_times() {
    let imported = imported(&[("static.goal", STATIC)]);
    assert_eq!(counts(&imported), [3, 1, 3, 3]);
    insta::assert_snapshot!(format!(
        "{}\n--- flows.csv\n{}",
        imported.scenario,
        imported.table.as_ref().unwrap()
    ));
    assert_eq!(prepared(&imported).spec.flows.len(), 3);
}

#[test]
fn ranks_are_the_hosts_of_a_topology() {
    let imported = imported(&[("static.goal", STATIC), ("x.topo", super::htsim::LEAF_SPINE)]);
    assert_eq!(counts(&imported), [32, 6, 40, 3]);
}

#[test]
fn messages_that_wait_for_others_are_refused() {
    insta::assert_snapshot!(super::try_import(&[("tree.goal", TREE)]).unwrap_err());
}
