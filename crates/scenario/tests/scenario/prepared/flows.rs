//! Flows, their traffic, and changes during a run.

use setpoint_control::ReactionPointParams;
use setpoint_sim::traffic::{SizeDistribution, Traffic};
use setpoint_sim::{Change, Priority, Reaction};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

use super::{load, overridden, prepare, routes};

#[test]
fn patterns_of_flows() {
    let star = |flows: &str| prepare(&format!("[topology.star]\nstations = 4\n[[flows]]\n{flows}"));
    assert_eq!(
        routes(&star("from = \"h*\"\nto = \"h4\"\npattern = \"incast\"\n")),
        ["f1: h1 -> h4", "f2: h2 -> h4", "f3: h3 -> h4"]
    );
    assert_eq!(
        routes(&star("from = \"h{1..2}\"\nto = [\"h4\", \"h3\"]\nname = \"x\"\n")),
        ["x1: h1 -> h4", "x2: h2 -> h3"]
    );
    assert_eq!(routes(&star("from = \"h1\"\nto = \"h{2..3}\"\n")), ["f1: h1 -> h2", "f2: h1 -> h3"]);
    assert_eq!(routes(&star("from = \"h1\"\nto = \"h2\"\nname = \"only\"\n")), ["only: h1 -> h2"]);
    assert_eq!(routes(&star("from = \"h*\"\npattern = \"all-to-all\"\n")).len(), 12);
    assert_eq!(routes(&star("from = \"h*\"\npattern = \"shift\"\nshift = 2\n"))[0], "f1: h1 -> h3");
    assert_eq!(
        routes(&star("from = \"h{1..3}\"\npattern = \"shift\"\nshift = 2\nfan_out = 2\n")),
        ["f1: h1 -> h3", "f2: h2 -> h1", "f3: h3 -> h2", "f4: h1 -> h2", "f5: h2 -> h3", "f6: h3 -> h1"]
    );
    assert_eq!(
        routes(&star("from = [\"h1\", \"h2\"]\nto = \"h4\"\npattern = \"hot-spots\"\n")),
        ["f1: h1 -> h4", "f2: h2 -> h4"]
    );
    assert_eq!(
        routes(&star("from = \"h{1..4..3}\"\nto = \"h{2..3}\"\npattern = \"hot-spots\"\n")),
        ["f1: h1 -> h2", "f2: h4 -> h3"]
    );
}

#[test]
fn a_permutation_follows_the_seed() {
    let scenario =
        load("[topology.star]\nstations = 32\n[[flows]]\nfrom = \"h*\"\npattern = \"permutation\"\n");
    let of_seed = |seed| routes(&scenario.prepare(seed).unwrap());
    assert_eq!(of_seed(1), of_seed(1));
    assert_ne!(of_seed(1), of_seed(2));
    assert_eq!(of_seed(3).len(), 32);
}

#[test]
fn traffic_of_flows() {
    let prepared = overridden("mixed", &[]);
    let flow = |name: &str| prepared.spec.flows.iter().find(|flow| flow.name == name).unwrap();
    assert_eq!(flow("storage2").traffic, Traffic::Backlogged);
    assert_eq!(flow("burst").reaction, Reaction::Uncontrolled);
    assert_eq!(flow("video").priority, Priority::new(5).unwrap());
    assert_eq!(flow("video").frame, Bytes::new(1_400));
    assert_eq!(flow("video").traffic, Traffic::Constant { rate: Rate::from_mbps(400) });
    assert_eq!(flow("backup").traffic, Traffic::Message { size: Bytes::new(50_000_000) });
    assert_eq!(flow("backup").start, Time::ZERO + TimeDelta::from_millis(500));
    // Video frames may be dropped, so the scenario as a whole is not lossless.
    assert!(!prepared.lossless);
}

#[test]
fn a_mean_rate_becomes_a_mean_gap() {
    let text = |sizes: &str| {
        format!(
            "[topology.star]\nstations = 2\n[[flows]]\nfrom = \"h1\"\nto = \"h2\"\n\
             [flows.traffic.poisson]\nrate = \"1 Gb/s\"\nsizes = {sizes}\n"
        )
    };
    let poisson = |sizes: &str| match &prepare(&text(sizes)).spec.flows[0].traffic {
        Traffic::Poisson { mean_gap, sizes } => (*mean_gap, sizes.clone()),
        other => panic!("{other:?}"),
    };
    let (gap, sizes) = poisson(r#"{ fixed = { size = "125 kB" } }"#);
    assert_eq!(gap, TimeDelta::from_millis(1));
    assert_eq!(sizes, SizeDistribution::Fixed(Bytes::new(125_000)));
    assert_eq!(poisson(r#"{ uniform = { from = "1 kB", to = "249 kB" } }"#).0, TimeDelta::from_millis(1));
    assert_eq!(poisson(r#"{ exponential = { mean = "125 kB" } }"#).0, TimeDelta::from_millis(1));
    assert_eq!(poisson(r#"{ pareto = { mean = "125 kB", shape = 1.2 } }"#).0, TimeDelta::from_millis(1));
    let table = poisson(r#"{ table = { points = [["1 B", 0], ["249999 B", 1.0]] } }"#);
    assert_eq!(table.0, TimeDelta::from_millis(1));
    assert!(poisson("\"web-search\"").0 > poisson("\"data-mining\"").0 / 10);
}

#[test]
fn stagger_spreads_the_starts() {
    let prepared = prepare(
        "[topology.star]\nstations = 4\n[[flows]]\nfrom = \"h*\"\nto = \"h4\"\npattern = \"incast\"\n\
         start = \"100 ms\"\nstagger = \"50 ms\"\n",
    );
    let starts: Vec<String> = prepared.spec.flows.iter().map(|flow| flow.start.to_string()).collect();
    assert_eq!(starts, ["100 ms", "150 ms", "200 ms"]);
}

#[test]
fn changes_come_in_the_order_of_time() {
    let prepared = prepare(
        r#"
        topology.dumbbell.senders = 2
        control = "qcn"
        at = [
            { time = "600 ms", rp.byte_reset = "75 kB" },
            { time = "100 ms", port = "left->right", rate = "1 Gb/s" },
            { time = "300 ms", flow = "f*", weight = 3, cap = "1 Gb/s" },
            { time = "700 ms", rp.threshold = 6 },
            { time = "800 ms", flow = "f2", cap = "none", stop = true, label = "f2 leaves" },
            { time = "900 ms", flow = ["f1", "f2"], stop = true },
        ]
        "#,
    );
    let labels: Vec<String> =
        prepared.event_labels.iter().map(|(at, label)| format!("{at}: {label}")).collect();
    insta::assert_snapshot!(labels.join("\n"), @r"
    100 ms: left->right: 1 Gb/s
    300 ms: f1 and f2: weight 3, cap 1 Gb/s
    600 ms: reaction points: byte reset 75 kB
    700 ms: reaction points: threshold 6
    800 ms: f2 leaves
    900 ms: f1 and f2 stop
    ");
    let changes: Vec<Change> = prepared.spec.changes.iter().map(|change| change.change).collect();
    assert_eq!(changes.len(), 11);
    assert_eq!(
        prepared
            .spec
            .topology
            .find_port("left->right")
            .map(|port| Change::PortRate(port, Rate::from_gbps(1))),
        Some(changes[0])
    );
    // A later change of reaction points keeps the values that an earlier change set.
    let Change::ReactionPoint(ReactionPointParams::Qcn(params)) = changes[6] else { panic!("{changes:?}") };
    assert_eq!((params.byte_reset, params.threshold), (Bytes::new(75_000), 6));
}
