//! GOAL schedules.

use setpoint_scenario::import::Imported;

use super::{counts, imported, prepared, run};

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

/// Messages that depend on calculations only, and a rank that only calculates.
pub(super) const STATIC: &str = "num_ranks 4 // a comment
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
rank 3 { l1: calc 9000 }
";

/// Orders that [`TREE`] and [`STATIC`] do not contain: a recv that requires another operation, and is required by two.
pub(super) const JOIN: &str = "num_ranks 2
rank 0 {
l1: send 10b to 1 tag 0
l2: send 20b to 1 tag 1
l3: recv 30b from 1 tag 0
l4: calc 5
l4 requires l1
l4 requires l3
}
rank 1 {
l1: recv 10b from 0 tag 0
l2: recv 20b from 0 tag 1
l2 requires l1
l3: send 30b to 0 tag 0
l3 requires l2
l4: calc 7
l4 irequires l2
}
";

/// The scenario and the table of an import.
fn texts(imported: &Imported) -> String {
    format!("{}\n--- flows.csv\n{}", imported.scenario, imported.table.as_ref().unwrap())
}

#[test]
fn operations_become_lines_of_the_table() {
    let imported = imported(&[("static.goal", STATIC)]);
    assert_eq!(counts(&imported), [4, 1, 4, 3]);
    insta::assert_snapshot!(texts(&imported));
    let prepared = prepared(&imported);
    assert_eq!(prepared.spec.flows.len(), 3);
    let [job] = &prepared.jobs[..] else { panic!("one job") };
    assert_eq!((job.name.as_str(), job.ranks.len(), job.messages.len()), ("job", 3, 5));
}

#[test]
fn ranks_are_the_hosts_of_a_topology() {
    let imported = imported(&[("static.goal", STATIC), ("x.topo", super::htsim::LEAF_SPINE)]);
    assert_eq!(counts(&imported), [32, 6, 40, 3]);
}

#[test]
fn a_message_waits_for_the_one_that_its_rank_receives() {
    assert_eq!(
        imported(&[("tree.goal", TREE)]).table.unwrap(),
        "start_ns,source,destination,size_bytes,id,after\n\
         0,h0,h1,1,r0.l1,\n\
         0,h0,h2,1,r0.l2,\n\
         ,h1,h3,1,r1.l2,r0.l1\n\
         "
    );
}

#[test]
fn a_recv_ends_after_everything_that_it_requires() {
    assert_eq!(
        imported(&[("join.goal", JOIN)]).table.unwrap(),
        "start_ns,source,destination,size_bytes,id,after,gap_ns\n\
         0,h0,h1,10,r0.l1,,\n\
         0,h0,h1,20,r0.l2,,\n\
         ,h0,,0,r0.l4,r0.l1 r1.l3,5\n\
         ,h1,h0,30,r1.l3,r0.l1 r0.l2,\n\
         ,h1,,0,r1.l4,r0.l1,7\n\
         "
    );
}

#[test]
fn the_duration_allows_for_the_longest_chain() {
    // Ten messages back and forth, with ten calculations of 1 ms between them.
    let operations = |rank: u64| {
        let line = |n: u64| match n % 2 == rank {
            true => format!("s{n}: send 100b to {} tag {n}\n", 1 - rank),
            false => {
                format!("r{n}: recv 100b from {} tag {n}\nc{n}: calc 1000000\nc{n} requires r{n}\n", 1 - rank)
            }
        };
        let order = |n: u64| {
            if n > 0 && n % 2 == rank { format!("s{n} requires c{}\n", n - 1) } else { String::new() }
        };
        (0..10).map(|n| line(n) + &order(n)).collect::<String>()
    };
    let text = format!("num_ranks 2\nrank 0 {{\n{}}}\nrank 1 {{\n{}}}\n", operations(0), operations(1));
    let imported = imported(&[("ping.goal", &text)]);
    let outcome = run(&prepared(&imported));
    assert_eq!(outcome.dependents.len(), 20);
    assert!(outcome.dependents.iter().all(|message| message.completed.is_some()));
    assert!(imported.scenario.contains("duration = \"11 ms\""), "{}", imported.scenario);
}
