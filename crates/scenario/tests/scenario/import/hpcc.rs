//! HPCC's topology.txt, flow.txt and trace.txt.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::{counts, ideal_times, imported, prepared, routes, run};

/// The content of `simulation/mix/fat.txt` in alibaba-edu/High-Precision-Congestion-Control: 20 racks of 16 hosts, five pods with four
/// racks and four aggregation switches each, and 16 core switches.
pub(super) fn fat() -> String {
    let mut text = String::from("376 56 480\n");
    let switches: Vec<String> = (320..376).map(|switch: u32| switch.to_string()).collect();
    text += &(switches.join(" ") + "\n");
    for host in 0..320 {
        let _ = writeln!(text, "{host} {} 100Gbps 1000ns 0.000000", 320 + host / 16);
    }
    for (rack, agg) in (0..20).flat_map(|rack| (0..4).map(move |agg| (rack, agg))) {
        let _ = writeln!(text, "{} {} 400Gbps 1000ns 0.000000", 320 + rack, 340 + rack / 4 * 4 + agg);
    }
    for (agg, core) in (0..20).flat_map(|agg| (0..4).map(move |core| (agg, core))) {
        let _ = writeln!(text, "{} {} 400Gbps 1000ns 0.000000", 340 + agg, 360 + agg % 4 * 4 + core);
    }
    text
}

const FLOWS: &str = "4
0 1 3 100 1000 2.0
0 17 3 100 500000 2.000000100
0 319 3 100 1000000 2.000001
16 319 3 200 500500 2.000001
";

#[test]
fn the_public_fat_tree() {
    let imported = imported(&[("mix/fat.txt", &fat()), ("mix/flow.txt", FLOWS)]);
    assert_eq!(counts(&imported), [320, 56, 480, 4]);
    assert_eq!(imported.name, "flow");
    let prepared = prepared(&imported);
    let mut rates: BTreeMap<String, usize> = BTreeMap::new();
    for link in prepared.spec.topology.links() {
        *rates.entry(format!("{} {}", link.rate, link.delay)).or_default() += 1;
    }
    assert_eq!(rates, [("100 Gb/s 1 µs".to_owned(), 320), ("400 Gb/s 1 µs".to_owned(), 160)].into());

    // The same rack, the same pod, and across the core.
    let lengths: Vec<usize> = routes(&prepared).iter().map(|route| route.len() - 1).collect();
    assert_eq!(lengths, [2, 4, 6, 6]);
    let [first, .., last] = &routes(&prepared)[2][..] else { panic!("no path") };
    assert_eq!((first.as_str(), last.as_str()), ("h0", "h319"));
}

/// HPCC's standalone time is `2 Σ delay + Σ (1000 B / rate) + wire bytes / bottleneck`. Ours ends when the last byte arrives, and
/// each frame has its headers on every link: `Σ delay + wire bytes / bottleneck + Σ (1048 B / rate) without the first link`.
#[test]
fn ideal_times_agree_with_the_formula_of_hpcc() {
    let imported = imported(&[("fat.txt", &fat()), ("flow.txt", FLOWS)]);
    let outcome = run(&prepared(&imported));
    // Rates in Gb/s are bits per nanosecond: 1048 B take 83.84 ns at 100 Gb/s and 20.96 ns at 400 Gb/s, and 1000 B take 80 ns
    // and 20 ns.
    let (access, fabric) = (83_840, 20_960);
    let cases = [
        // Size, frames, links at 400 Gb/s, HPCC's standalone time: in picoseconds, with two links at 100 Gb/s.
        (1_000, 1, 0, 4_000_000 + 160_000 + 83_840),
        (500_000, 500, 2, 8_000_000 + 200_000 + 500 * 83_840),
        (1_000_000, 1_000, 4, 12_000_000 + 240_000 + 1_000 * 83_840),
    ];
    let times = ideal_times(&outcome);
    for (size, frames, links, standalone) in cases {
        let (_, ideal) = *times.iter().find(|(of, _)| *of == size).unwrap();
        let hops = links + 2;
        assert_eq!(ideal, hops * 1_000_000 + frames * access + links * fabric + access, "{size} B");
        let returned = hops * 1_000_000;
        let headers_on_the_way = links * (fabric - 20_000) + (access - 80_000);
        assert_eq!(ideal, standalone - returned - 80_000 + headers_on_the_way, "{size} B");
    }
    // The last frame has 500 B of payload, and follows 500 full frames.
    let (_, ideal) = *times.iter().find(|(of, _)| *of == 500_500).unwrap();
    let last_on_the_last_link = 548 * 80;
    assert_eq!(ideal, 6_000_000 + 500 * access + 4 * fabric + access + last_on_the_last_link);
    assert!(outcome.messages.len() == 4, "all messages are completed");
}

#[test]
fn a_whole_scenario() {
    let topology =
        "5 2 4\n3 4\n0 3 25Gbps 1us 0\n1 3 25Gbps 0.001ms 0\n2 4 25000Mb/s 1000ns 0\n3 4 100Gbps 500ns 0.0\n";
    let flows =
        "3\n0 2 3 100 5000 2.000000001\n1 2 3 200 4000 2.5e0\n0 1 5 300 1 2.5\n\nFirst line: flow #\n";
    let imported = imported(&[("flow.txt", flows), ("topology.txt", topology), ("trace.txt", "3\n0 4 9\n")]);
    insta::assert_snapshot!(format!(
        "{}\n--- flows.csv\n{}",
        imported.scenario,
        imported.table.as_ref().unwrap()
    ));
    let prepared = prepared(&imported);
    let entries: Vec<&str> = prepared.entries.iter().map(|entry| entry.name.as_str()).collect();
    assert_eq!(entries, ["background", "incast", "port300"]);
    assert_eq!(prepared.capture.unwrap().ports.len(), 3);
}

#[test]
fn a_topology_without_flows() {
    let imported = imported(&[("fat.txt", &fat())]);
    assert_eq!((counts(&imported), imported.table.as_ref()), ([320, 56, 480, 0], None));
    assert_eq!(prepared(&imported).spec.flows.len(), 320);
}

#[test]
fn times_that_begin_before_two_seconds_are_kept() {
    let topology = "3 1 2\n0\n1 0 1Gbps 1us 0\n2 0 1Gbps 1us 0\n";
    let imported = imported(&[("t", topology), ("f", "2\n1 2 3 100 10 0.5\n2 1 3 100 10 3\n")]);
    let table = imported.table.unwrap();
    assert!(table.contains("\n500000000,h1,h2,10,") && table.contains("\n3000000000,h2,h1,10,"), "{table}");
}
