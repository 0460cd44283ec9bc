//! htsim's connection matrices and topologies.

use super::{counts, ideal_times, imported, prepared, routes, run};

/// `sim/datacenter/topologies` in Broadcom/csg-htsim: test.topo, leaf_spine_tiny.topo and fat_tree_1024.topo.
pub(super) const TEST: &str = "Nodes 8\nTiers 3\nPodsize 4\n
Tier 0\nDownlink_speed_Gbps 200\nRadix_Down 2\nRadix_Up 2\nDownlink_Latency_ns 1000\n
Tier 1\nDownlink_speed_Gbps 200\nRadix_Down 2\nRadix_Up 4\nDownlink_Latency_ns 1000\nBundle 1\n
Tier 2\nDownlink_speed_Gbps 100\nRadix_Down 4\nDownlink_Latency_ns 1000\nBundle 2\n";
pub(super) const LEAF_SPINE: &str = "Nodes 32\nTiers 2\nPodsize 32\n
Tier 0\nDownlink_speed_Gbps 100\nRadix_Down 8\nRadix_Up 2\nDownlink_Latency_ns 1000\nSwitch_Latency_ns 0\nOversubscribed 4\n
Tier 1\nDownlink_speed_Gbps 100\nRadix_Down 4\nDownlink_Latency_ns 1000\nSwitch_Latency_ns 0\n";
pub(super) const FAT_TREE: &str = "# Test 3-tier FatTree\nNodes 1024\nTiers 3\nPodsize 64\n
Tier 0\nOversubscribed 1\nDownlink_speed_Gbps 100\nRadix_Down 8\nRadix_Up 8\nDownlink_Latency_ns 1000\nSwitch_Latency_ns 0\n
Tier 1\nOversubscribed 1\nDownlink_speed_Gbps 100\nRadix_Down 8\nRadix_Up 8\nDownlink_Latency_ns 1000\nSwitch_Latency_ns 0\nBundle 1\n
Tier 2\nDownlink_speed_Gbps 100\nRadix_Down 16\nDownlink_Latency_ns 1000\nSwitch_Latency_ns 0\nBundle 1";

/// An incast as in `sim/datacenter/connection_matrices/incast.cm`.
pub(super) fn incast() -> String {
    let lines: Vec<String> = (0..15).map(|host| format!("{host}->15 start 0 size 2000000")).collect();
    format!("Nodes 16\nConnections 15\n{}", lines.join("\n"))
}

/// A chain of messages as in `alltoall_serial_16n.cm` of ultraethernet/uet-htsim, and a barrier.
pub(super) const CHAIN: &str = "Nodes 16
Connections 3
Triggers 2
3->4 id 1 start 0 size 2000000 send_done_trigger 1
3->9 id 2 trigger 1 size 2000000 recv_done_trigger 2
9->6 id 3 trigger 2 size 2000000
trigger id 1 oneshot
trigger id 2 barrier count 1
";

#[test]
fn the_public_topologies() {
    // Three tiers with two links between each pair of AGG and CORE switches.
    let cases = [(TEST, [8, 12, 32, 0]), (LEAF_SPINE, [32, 6, 40, 0]), (FAT_TREE, [1024, 320, 3072, 0])];
    for (topology, expected) in cases {
        assert_eq!(counts(&imported(&[("x.topo", topology)])), expected, "{topology}");
    }
}

#[test]
fn a_connection_matrix_without_topology_uses_the_default_fat_tree() {
    let imported = imported(&[("incast.cm", &incast())]);
    assert_eq!(counts(&imported), [16, 20, 48, 15]);
    let prepared = prepared(&imported);
    let mut lengths: Vec<usize> = routes(&prepared).iter().map(|route| route.len() - 1).collect();
    lengths.sort_unstable();
    // One sender under the same switch, two in the same pod, and twelve in other pods.
    assert_eq!(lengths, [&[2; 1][..], &[4; 2], &[6; 12]].concat());

    // 2000 frames at 100 Gb/s: 80 ns each on the first link, then one frame time for each further link, and 1 µs for each.
    let times = ideal_times(&run(&prepared));
    let ideal = |links: u64| (2_000_000, 2_000 * 80_000 + (links - 1) * 80_000 + links * 1_000_000);
    assert_eq!(times, [&[ideal(2); 1][..], &[ideal(4); 2], &[ideal(6); 12]].concat());
}

#[test]
fn the_wiring_of_three_tiers() {
    let connections = "Nodes 8\nConnections 2\n0->7 start 1500000 size 1000\n2->3 start 2.5 size 0 id 4\n";
    let imported = imported(&[("test.topo", TEST), ("two.cm", connections)]);
    insta::assert_snapshot!(format!(
        "{}\n--- flows.csv\n{}",
        imported.scenario,
        imported.table.as_ref().unwrap()
    ));
    let routes = routes(&prepared(&imported));
    assert_eq!((routes[0].as_slice(), routes[1].len()), (&["h2", "tor1", "h3"].map(String::from)[..], 7));
}

#[test]
fn latencies_of_switches_are_part_of_the_delays() {
    let text = LEAF_SPINE
        .replacen("Switch_Latency_ns 0", "Switch_Latency_ns 300", 1)
        .replace("Switch_Latency_ns 0", "Switch_Latency_ns 500");
    let flow = "Nodes 32\nConnections 1\n0->31 start 0 size 1000\n";
    let imported = imported(&[("x.topo", &text), ("x.cm", flow)]);
    assert!(imported.notes.iter().any(|note| note.contains("latency")), "{:?}", imported.notes);
    // Four links of 1 µs, two switches with 300 ns, one with 500 ns, and one frame on each link.
    assert_eq!(ideal_times(&run(&prepared(&imported))), [(1_000, 4_000_000 + 1_100_000 + 4 * 80_000)]);
}

#[test]
fn failed_links_are_left_out() {
    let failures = "Nodes 16\nConnections 1\nFailures 2\n0->15 start 0 size 1000\n\
                    failure switch_type AGG switch_id 0 link_id 1\nfailure switch_type AGG switch_id 7 link_id 0\n";
    let imported = imported(&[("x.cm", failures)]);
    assert_eq!(counts(&imported), [16, 20, 46, 1]);
    // Uplink 1 of the first switch of a pod leads to the third of four cores, and uplink 0 of the second to the second.
    assert!(
        !imported.scenario.contains("\"agg0\", \"core2\"")
            && imported.scenario.contains("\"agg0\", \"core0\"")
    );
    assert!(
        !imported.scenario.contains("\"agg7\", \"core1\"")
            && imported.scenario.contains("\"agg7\", \"core3\"")
    );
}

#[test]
fn triggers_become_ids_of_other_messages() {
    let imported = imported(&[("chain.cm", CHAIN)]);
    assert_eq!(counts(&imported), [16, 20, 48, 3]);
    assert!(imported.notes.iter().any(|note| note.contains("acknowledgement")), "{:?}", imported.notes);
    assert_eq!(
        imported.table.as_ref().unwrap(),
        "start_ns,source,destination,size_bytes,id,after\n\
         0,h3,h4,2000000,1,\n\
         ,h3,h9,2000000,2,1\n\
         ,h9,h6,2000000,3,2\n\
         "
    );
    let prepared = prepared(&imported);
    assert_eq!((prepared.jobs.len(), prepared.jobs[0].steps_per_iteration), (1, 3));
    let outcome = run(&prepared);
    assert!(outcome.dependents.iter().all(|message| message.completed.is_some()), "{:?}", outcome.dependents);
}

/// `gen_allreduce.py` of htsim with three ranks: `send_done_trigger` starts the connection of the receiver.
#[test]
fn a_ring_of_triggers() {
    let ring = "Nodes 16\nConnections 5\nTriggers 4\n\
                0->1 id 1 start 0 size 1000 send_done_trigger 1\n\
                1->2 id 2 trigger 1 size 1000 send_done_trigger 2\n\
                2->0 id 3 trigger 2 size 1000 send_done_trigger 3\n\
                0->1 id 4 trigger 3 size 1000 send_done_trigger 4\n\
                1->2 id 5 trigger 4 size 1000\n\
                trigger id 1 oneshot\ntrigger id 2 oneshot\ntrigger id 3 oneshot\ntrigger id 4 oneshot\n";
    let outcome = run(&prepared(&imported(&[("ring.cm", ring)])));
    let mut ends: Vec<_> = outcome.dependents.iter().map(|message| message.completed.unwrap()).collect();
    ends.sort_unstable();
    // Two hosts under one switch, and one under the other: links of 1 us, frames of 80 ns.
    let (near, far) = (2 * 1_080, 4 * 1_080);
    let times: Vec<u64> = ends.iter().map(|end| end.since_start().as_picos() / 1_000).collect();
    assert_eq!(times, [near, near + far, near + 2 * far, 2 * near + 2 * far, 2 * near + 3 * far]);
}

#[test]
fn a_multishot_starts_one_connection_after_another() {
    let serial = "Nodes 16\nConnections 4\nTriggers 1\n\
                  0->1 id 1 start 0 size 1000 send_done_trigger 1\n\
                  0->2 id 2 trigger 1 size 1000 send_done_trigger 1\n\
                  0->3 id 3 trigger 1 size 1000 send_done_trigger 1\n\
                  0->4 id 4 trigger 1 size 1000\ntrigger id 1 multishot\n";
    assert_eq!(
        imported(&[("serial.cm", serial)]).table.unwrap(),
        "start_ns,source,destination,size_bytes,id,after\n\
         0,h0,h1,1000,1,\n\
         ,h0,h2,1000,2,1\n\
         ,h0,h3,1000,3,2\n\
         ,h0,h4,1000,4,3\n\
         "
    );
}
