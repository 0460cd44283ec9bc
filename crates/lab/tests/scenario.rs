//! Valid scenarios, and the specs that they produce.

use std::fs;

use setpoint_control::culprit::Search;
use setpoint_control::qcn;
use setpoint_control::{Algorithm, Audience, CongestionPointParams, Marking, ReactionPointParams};
use setpoint_lab::scenario::{Override, Prepared, Scenario, Source, builtin};
use setpoint_sim::topology::{Link, NodeKind};
use setpoint_sim::traffic::{SizeDistribution, Traffic};
use setpoint_sim::{
    Bridges, Change, Cioq, Delivery, Destination, FlowControl, Headroom, Placement, Priority, Reaction,
    SampledFrames, Spraying,
};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

fn load(text: &str) -> Scenario {
    Scenario::load(&Source::new("test.toml", text), &[]).unwrap_or_else(|errors| panic!("{errors}"))
}

fn prepare(text: &str) -> Prepared {
    load(text).prepare(1).unwrap_or_else(|errors| panic!("{errors}"))
}

fn overridden(builtin: &str, settings: &[&str]) -> Prepared {
    let settings: Vec<Override> =
        settings.iter().map(|setting| setting.parse().unwrap_or_else(|errors| panic!("{errors}"))).collect();
    let scenario = Scenario::load(&Source::builtin(builtin).unwrap(), &settings);
    scenario.and_then(|scenario| scenario.prepare(1)).unwrap_or_else(|errors| panic!("{errors}"))
}

/// The flows as `name: source -> destination`.
fn routes(prepared: &Prepared) -> Vec<String> {
    let name = |id| &prepared.spec.topology.node_at(id).name;
    let route = |flow: &setpoint_sim::FlowSpec| {
        let destination = match flow.destination {
            Destination::Station(station) => name(station),
            Destination::Group(group) => &prepared.spec.groups[group.index()].name,
        };
        format!("{}: {} -> {destination}", flow.name, name(flow.source))
    };
    prepared.spec.flows.iter().map(route).collect()
}

#[test]
fn links_to_spines_have_a_delay_of_their_own() {
    let prepared = overridden(
        "leaf-spine-web-search",
        &["topology.leaf_spine.delay=100ns", "topology.leaf_spine.fabric_delay=2us"],
    );
    let net = &prepared.spec.topology;
    let is_fabric = |link: &&Link| net.node_at(link.second).name.starts_with("spine");
    let (fabric, access): (Vec<&Link>, Vec<&Link>) = net.links().iter().partition(is_fabric);
    assert!(!fabric.is_empty() && fabric.iter().all(|link| link.delay == TimeDelta::from_micros(2)));
    assert!(!access.is_empty() && access.iter().all(|link| link.delay == TimeDelta::from_nanos(100)));
}

#[test]
fn every_builtin_loads_and_prepares() {
    for builtin in builtin() {
        let source = Source::builtin(builtin.name).unwrap();
        let scenario = Scenario::load(&source, &[]).unwrap_or_else(|errors| panic!("{errors}"));
        // The default scenario is listed as `default`, but its own name describes its content.
        let name = if builtin.name == "default" { "qcn-dumbbell" } else { builtin.name };
        assert_eq!(scenario.name(), name);
        assert!(!scenario.description().is_empty(), "{}", builtin.name);
        let prepared = scenario.prepare(7).unwrap();
        assert_eq!(prepared.spec.seed, 7);
        assert_eq!(prepared.text, builtin.text);
        setpoint_sim::validate(&prepared.spec).unwrap();
        for variant in scenario.variants().unwrap_or_else(|errors| panic!("{errors}")) {
            let prepared = variant.scenario.prepare(variant.scenario.seed()).unwrap();
            setpoint_sim::validate(&prepared.spec).unwrap();
        }
    }
}

#[test]
fn a_dumbbell_needs_nothing_more() {
    let prepared = prepare("[topology.dumbbell]\nsenders = 3\nreceivers = 2\n");
    assert_eq!(routes(&prepared), ["f1: s1 -> r1", "f2: s2 -> r2", "f3: s3 -> r1"]);
    let spec = &prepared.spec;
    assert_eq!(spec.duration, TimeDelta::from_secs(1));
    assert_eq!(spec.measure_from, Time::ZERO + TimeDelta::from_millis(250));
    assert_eq!(spec.sample_interval, TimeDelta::from_millis(1));
    assert_eq!(spec.topology.links()[0].delay, TimeDelta::from_micros(25));
    assert_eq!(spec.buffer, Bytes::new(150_000));
    assert_eq!(spec.control.congestion_point, CongestionPointParams::None);
    assert_eq!(spec.flow_control, FlowControl::None);
    assert!(!prepared.lossless);
    assert_eq!(prepared.set_point, None);
    assert_eq!(prepared.name, "test");
}

#[test]
fn the_sample_interval_is_at_least_a_microsecond_and_at_most_the_run() {
    let interval = |duration: &str| {
        prepare(&format!("duration = \"{duration}\"\n[topology.dumbbell]\nsenders = 1\n"))
            .spec
            .sample_interval
    };
    assert_eq!(interval("4 s"), TimeDelta::from_millis(4));
    assert_eq!(interval("100 us"), TimeDelta::from_micros(1));
    assert_eq!(interval("700 ns"), TimeDelta::from_nanos(700));
}

#[test]
fn parameters_reach_the_points_and_the_manifest() {
    let prepared = prepare(
        r#"
        [topology.dumbbell]
        senders = 2
        [control.qcn]
        preset = "100G"
        priorities = [2, 3]
        cp.set_point = "33 kB"
        cp.weight = 4
        rp.timer = false
        rp.jitter = "5 %"
        rp.threshold = 6
        "#,
    );
    let mut expected = setpoint_control::Params::preset(setpoint_control::Preset::HundredG).qcn;
    expected.cp.set_point = Bytes::new(33_000);
    expected.cp.weight = "4".parse().unwrap();
    expected.rp.timer = setpoint_control::parameter::Switch::Off;
    expected.rp.jitter = "5 %".parse().unwrap();
    expected.rp.threshold = 6;
    let control = &prepared.spec.control;
    assert_eq!(control.congestion_point, CongestionPointParams::Qcn(expected.cp));
    assert_eq!(control.reaction_point, ReactionPointParams::Qcn(expected.rp));
    assert_eq!(control.priorities.0, 0b1100);
    assert_eq!(prepared.set_point, Some(Bytes::new(33_000)));
    let row = |key: &str| prepared.parameters.iter().find(|row| row.key == key).unwrap();
    let set_point = row("control.qcn.cp.set_point");
    assert_eq!((set_point.value.as_str(), set_point.default.as_str()), ("33 kB", "26 kB"));
    assert_eq!(set_point.managed_object.as_deref(), Some("cpQSp"));
    assert!(set_point.changed && !row("control.qcn.cp.sample_base").changed);
    assert_eq!(row("control.qcn.rp.time_reset").value, "2 ms");
    assert!(row("control.qcn.rp.time_reset").origin.contains("100G"));
    assert!(!row("control.qcn.rp.time_reset").changed);
    assert_eq!(row("topology.dumbbell.senders").value, "2");
    assert_eq!(row("network.buffer").value, "150 kB");
}

#[test]
fn a_parameter_counts_as_changed_if_its_value_differs() {
    let text = "measure_from = \"0 s\"\n[topology.dumbbell]\nsenders = 2\n[control.qcn]\n[network]\nframe = \"1 kB\"\nbuffer = \"200 kB\"\n";
    let scenario = Scenario::load(&Source::new("test.toml", text), &[]).unwrap();
    let prepared = scenario.prepare(9).unwrap();
    let row = |key: &str| prepared.parameters.iter().find(|row| row.key == key).unwrap();
    assert_eq!(
        (row("network.frame").value.as_str(), row("network.frame").default.as_str()),
        ("1 kB", "1 kB")
    );
    assert!(!row("network.frame").changed && row("network.buffer").changed);
    assert!(!row("topology.dumbbell.senders").changed, "there is no default to differ from");
    assert!(row("seed").changed, "the seed of the run counts, not the one in the file");
    assert_eq!(row("measure_from").value, "0 s");
    assert!(prepared.parameters.iter().all(|row| row.value != "0 ps" && row.default != "0 ps"));
}

#[test]
fn dropped_frames_are_sampled_if_the_scenario_says_so() {
    let sampled = |settings: &[&str]| overridden("default", settings).spec.control.sampled;
    assert_eq!(sampled(&[]), SampledFrames::Enqueued);
    assert_eq!(sampled(&["control.qcn.sampled_frames=enqueued"]), SampledFrames::Enqueued);
    assert_eq!(sampled(&["control.qcn.sampled_frames=arriving"]), SampledFrames::Arriving);
}

#[test]
fn every_flow_is_notified_if_the_scenario_says_so() {
    let audience = |settings: &[&str]| overridden("default", settings).spec.control.audience;
    assert_eq!(audience(&[]), Audience::Sampled);
    assert_eq!(audience(&["control.qcn.audience=sampled"]), Audience::Sampled);
    assert_eq!(audience(&["control.qcn.audience=every-flow"]), Audience::EveryFlow);
    assert_eq!(audience(&["control=smcc", "control.smcc.audience=every-flow"]), Audience::EveryFlow);
}

/// The input buffers of a scenario.
fn cioq(prepared: &Prepared) -> Cioq {
    match prepared.spec.bridges {
        Bridges::Cioq(cioq) => cioq,
        Bridges::OutputQueued => panic!("no input buffers"),
    }
}

#[test]
fn bridges_are_output_queued_unless_the_scenario_says_otherwise() {
    assert_eq!(overridden("default", &[]).spec.bridges, Bridges::OutputQueued);
    assert_eq!(overridden("default", &["bridge=output-queued"]).spec.bridges, Bridges::OutputQueued);
    let cioq = cioq(&overridden("default", &["bridge=cioq"]));
    assert_eq!((cioq.input_buffer, cioq.unit), (Bytes::new(150_000), Bytes::new(256)));
    assert_eq!((cioq.speedup.hundredths(), cioq.control_delay), (16_000, TimeDelta::from_nanos(300)));
    assert_eq!((cioq.delivery, cioq.cells.spraying), (Delivery::Plain, Spraying::RoundRobin));
    assert_eq!((cioq.cells.payload, cioq.cells.header), (Bytes::new(256), Bytes::new(16)));
    assert_eq!((cioq.cells.spine_input, cioq.cells.spine_output), (16, 16));
}

#[test]
fn every_key_of_a_bridge_with_input_buffers() {
    let prepared = prepare(
        r#"
        [topology.dumbbell]
        senders = 2
        [bridge.cioq]
        input_buffer = "3 MB"
        unit = "128 B"
        speedup = "125.5 %"
        control_delay = "1 us"
        delivery = "reliable"
        [bridge.cioq.cells]
        payload = "64 B"
        header = "0 B"
        spine_input = 4
        spine_output = 8
        spraying = "random"
        "#,
    );
    let cioq = cioq(&prepared);
    assert_eq!((cioq.input_buffer, cioq.unit), (Bytes::new(3_000_000), Bytes::new(128)));
    assert_eq!((cioq.speedup.hundredths(), cioq.control_delay), (12_550, TimeDelta::from_micros(1)));
    assert_eq!((cioq.delivery, cioq.cells.spraying), (Delivery::Reliable, Spraying::Random));
    assert_eq!((cioq.cells.payload, cioq.cells.header), (Bytes::new(64), Bytes::ZERO));
    assert_eq!((cioq.cells.spine_input, cioq.cells.spine_output), (4, 8));
    let row = |key: &str| prepared.parameters.iter().find(|row| row.key == key).unwrap();
    assert_eq!(row("bridge.cioq.speedup").value, "125.5 %");
    assert_eq!(row("bridge.cioq.speedup").default, "160 %");
    assert_eq!(row("bridge.cioq.cells.payload").value, "64 B");
    assert!(row("bridge.cioq.unit").changed);
}

#[test]
fn a_rack_fabric_is_one_bridge_with_input_buffers() {
    let flows = "[[flows]]\nfrom = \"h1\"\nto = \"h640\"\n";
    let prepared = prepare(&format!("[topology.rack_fabric]\n{flows}"));
    let net = &prepared.spec.topology;
    let of_kind = |kind| net.nodes().iter().filter(|node| node.kind == kind).count();
    assert_eq!(of_kind(NodeKind::Station), 640);
    assert_eq!((of_kind(NodeKind::Bridge), of_kind(NodeKind::Spine)), (128, 32));
    assert_eq!(net.links().len(), 640 + 128 * 32);
    let rate = |port: &str| net.link_at(net.find_port(port).unwrap().link()).rate;
    assert_eq!(rate("h5->leaf1.1"), Rate::from_gbps(100));
    assert_eq!(rate("leaf4.32->spine32"), Rate::from_gbps(25));
    assert_eq!(cioq(&prepared).input_buffer, Bytes::new(150_000));
    // Bridge keys that are not set have their defaults, which are in the manifest.
    assert!(prepared.parameters.iter().any(|row| row.key == "bridge.cioq.input_buffer" && !row.changed));
    let small = prepare(
        "[topology.rack_fabric]\nracks = 2\nleaves_per_rack = 2\nstations_per_leaf = 3\nspines = 1\n\
         access_rate = \"10 Gb/s\"\naccess_delay = \"1 us\"\nfabric_rate = \"40 Gb/s\"\nfabric_delay = \"2 us\"\n\
         [bridge.cioq]\ninput_buffer = \"1 MB\"\n[[flows]]\nfrom = \"h1\"\nto = \"h12\"\n",
    );
    assert_eq!(cioq(&small).input_buffer, Bytes::new(1_000_000));
    let links = small.spec.topology.links();
    assert_eq!(links.len(), 12 + 4);
    assert_eq!((links[0].rate, links[0].delay), (Rate::from_gbps(10), TimeDelta::from_micros(1)));
    assert_eq!((links[12].rate, links[12].delay), (Rate::from_gbps(40), TimeDelta::from_micros(2)));
}

#[test]
fn congestion_points_are_where_the_scenario_says() {
    let control = |settings: &[&str]| {
        let common = ["bridge.cioq.input_buffer=200kB", "flow_control=pause"];
        overridden("default", &[&common, settings].concat()).spec.control
    };
    let usual = control(&[]);
    assert_eq!(
        (usual.placement, usual.marking, usual.keep_alive),
        (Placement::Outputs, Marking::Arrival, None)
    );
    assert_eq!(control(&["control.qcn.placement=both"]).placement, Placement::Both);
    let inputs = |settings: &[&str]| control(&[&["control.qcn.placement=inputs"], settings].concat());
    assert_eq!(inputs(&[]).placement, Placement::Inputs);
    assert_eq!(inputs(&["control.qcn.marking=largest-backlog"]).marking, Marking::LargestBacklog);
    let random = ["control.qcn.marking=random-occupancy"];
    assert_eq!(inputs(&random).marking, Marking::RandomOccupancy(Search::default()));
    let wide = [random[0], "control.qcn.words_per_read=16", "control.qcn.random_reads=4"];
    let search = Search { words_per_read: 16, random_reads: 4 };
    assert_eq!(inputs(&wide).marking, Marking::RandomOccupancy(search));
    assert_eq!(inputs(&[random[0], "control.qcn.keep_alive=150kB"]).keep_alive, Some(Bytes::new(150_000)));
    assert_eq!(inputs(&["control.qcn.keep_alive=off"]).keep_alive, None);
}

#[test]
fn every_parameter_of_the_algorithm_has_a_row() {
    let prepared = overridden("default", &[]);
    for parameter in qcn::PARAMETERS {
        let key = format!("control.{}", parameter.key);
        assert!(prepared.parameters.iter().any(|row| row.key == key), "{key}");
    }
}

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
        [topology.dumbbell]
        senders = 2
        [control.qcn]
        [[at]]
        time = "600 ms"
        rp = { byte_reset = "75 kB" }
        [[at]]
        time = "100 ms"
        port = "left->right"
        rate = "1 Gb/s"
        [[at]]
        time = "300 ms"
        flow = "f*"
        weight = 3
        cap = "1 Gb/s"
        [[at]]
        time = "700 ms"
        rp.threshold = 6
        [[at]]
        time = "800 ms"
        flow = "f2"
        cap = "none"
        stop = true
        label = "f2 leaves"
        "#,
    );
    let labels: Vec<String> =
        prepared.event_labels.iter().map(|(at, label)| format!("{at}: {label}")).collect();
    insta::assert_snapshot!(labels.join("\n"), @r"
    100 ms: left->right: 1 Gb/s
    300 ms: f*: weight 3, cap 1 Gb/s
    600 ms: byte_reset 75 kB
    700 ms: threshold 6
    800 ms: f2 leaves
    ");
    let changes: Vec<Change> = prepared.spec.changes.iter().map(|change| change.change).collect();
    assert_eq!(changes.len(), 9);
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

#[test]
fn flow_control() {
    let prepared = overridden("default", &["flow_control=pfc", "flow_control.pfc.headroom=20kB"]);
    let FlowControl::Pfc(params, priorities) = prepared.spec.flow_control else { panic!("no PFC") };
    assert_eq!((params.xoff, params.xon), (Bytes::new(110_000), Bytes::new(44_000)));
    assert_eq!(params.headroom, Headroom::Fixed(Bytes::new(20_000)));
    assert_eq!(priorities.0, 1 << 3);
    assert!(prepared.lossless);
    let prepared = overridden("default", &["flow_control=pause"]);
    assert!(
        matches!(prepared.spec.flow_control, FlowControl::Pause(params) if params.headroom == Headroom::Automatic)
    );
}

#[test]
fn settings_need_no_quotes() {
    let settings = [
        "topology.dumbbell.rtt=100us",
        "topology.dumbbell.senders=3",
        "control.qcn.cp.set_point = 33 kB",
        "description=a text with \"quotes\"",
        "at.1.rate=\"3 Gb/s\"",
        "control.qcn.priorities=[3, 4]",
    ];
    let prepared = overridden("default", &settings);
    assert_eq!(prepared.spec.topology.links()[0].delay, TimeDelta::from_micros(50));
    assert_eq!(prepared.spec.flows.len(), 3);
    assert_eq!(prepared.set_point, Some(Bytes::new(33_000)));
    assert_eq!(prepared.event_labels[0].1, "left->right: 3 Gb/s");
    assert_eq!(prepared.overrides[0], ("topology.dumbbell.rtt".to_string(), "100us".to_string()));
    assert_eq!(prepared.overrides.len(), settings.len());
}

#[test]
fn another_kind_replaces_the_one_in_the_file() {
    assert_eq!(overridden("default", &["control=none"]).set_point, None);
    assert_eq!(overridden("default", &["control={none={}}"]).set_point, None);
    // Choosing the same kind keeps its keys in the file.
    let prepared = overridden("default", &["control=qcn", "control.qcn.cp.set_point=30kB", "control=qcn"]);
    assert_eq!(prepared.set_point, Some(Bytes::new(30_000)));
}

#[test]
fn an_algorithm_and_its_keys_can_be_set_in_any_order() {
    let (choice, key) = ("control=smcc", "control.smcc.cp.set_point=20kB");
    for settings in [[choice, key], [key, choice]] {
        let prepared = overridden("league-few", &settings);
        assert_eq!(prepared.spec.control.congestion_point.algorithm(), Algorithm::Smcc);
        assert_eq!(prepared.set_point, Some(Bytes::new(20_000)));
        assert_eq!(prepared.overrides.len(), 2, "{:?}", prepared.overrides);
    }
    // Choosing the file's own algorithm keeps its keys.
    let plain = overridden("league-few", &[]);
    assert_eq!(overridden("league-few", &["control=qcn"]).parameters, plain.parameters);
}

#[test]
fn a_key_chooses_its_kind_if_nothing_was_chosen() {
    let prepared =
        load("[topology.dumbbell]\nsenders = 2\n[sweep]\n\"control.smcc.cp.set_point\" = [\"20 kB\"]\n");
    let variants = prepared.variants().unwrap();
    let spec = variants[0].scenario.prepare(1).unwrap().spec;
    assert_eq!(spec.control.congestion_point.algorithm(), Algorithm::Smcc);
}

#[test]
fn a_file_that_extends_another_can_choose_another_algorithm() {
    let prepared = prepare("extends = \"league-few\"\n[control.smcc.cp]\nset_point = \"20 kB\"\n");
    assert_eq!(prepared.spec.control.congestion_point.algorithm(), Algorithm::Smcc);
    assert_eq!(prepared.set_point, Some(Bytes::new(20_000)));
}

#[test]
fn extends() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write(
        "base.toml",
        "extends = \"default\"\nseed = 5\nduration = \"3 s\"\n[network]\nbuffer = \"200 kB\"\n",
    );
    write(
        "child.toml",
        "extends = \"base.toml\"\nname = \"child\"\n[network]\nframe = \"500 B\"\n[topology.star]\nstations = 3\n[[at]]\ntime = \"1 s\"\nport = \"bridge->h3\"\nrate = \"1 Gb/s\"\n[[flows]]\nfrom = \"h{1..2}\"\nto = \"h3\"\n",
    );
    let scenario = Scenario::load(&Source::read(folder.path().join("child.toml")).unwrap(), &[]);
    let scenario = scenario.unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!((scenario.name(), scenario.seed()), ("child", 5));
    assert_eq!(scenario.description(), "");
    let prepared = scenario.prepare(5).unwrap();
    assert_eq!(prepared.spec.duration, TimeDelta::from_secs(3));
    assert_eq!((prepared.spec.buffer, prepared.spec.flows[0].frame), (Bytes::new(200_000), Bytes::new(500)));
    // Lists are replaced as a whole, and so is the topology.
    assert_eq!(prepared.event_labels.len(), 1);
    assert_eq!(prepared.spec.topology.nodes().len(), 4);
}

#[test]
fn a_sweep_multiplies_its_axes() {
    let scenario = load(
        r#"
        [topology.dumbbell]
        senders = 2
        [control.qcn]
        [[flows]]
        from = "s*"
        to = "r*"
        [sweep]
        "topology.dumbbell.senders" = [1, 4]
        control = ["qcn", "none"]
        flows.1.weight = [1, 2]
        seed = [3]
        "#,
    );
    assert_eq!(
        scenario.axes().collect::<Vec<_>>(),
        ["topology.dumbbell.senders", "control", "flows.1.weight", "seed"]
    );
    let variants = scenario.variants().unwrap();
    let shown: Vec<String> = variants
        .iter()
        .map(|variant| {
            let values: Vec<&str> = variant.assignments.iter().map(|(_, value)| value.as_str()).collect();
            let prepared = variant.scenario.prepare(variant.scenario.seed()).unwrap();
            assert_eq!(prepared.overrides, variant.assignments);
            assert_eq!(prepared.spec.seed, 3);
            format!(
                "{}: {} = {} flows, weight {}, {}",
                variant.index,
                values.join(" "),
                prepared.spec.flows.len(),
                prepared.spec.flows[0].weight,
                if prepared.set_point.is_some() { "controlled" } else { "free" }
            )
        })
        .collect();
    insta::assert_snapshot!(shown.join("\n"), @r"
    0: 1 qcn 1 3 = 1 flows, weight 1, controlled
    1: 1 qcn 2 3 = 1 flows, weight 2, controlled
    2: 1 none 1 3 = 1 flows, weight 1, free
    3: 1 none 2 3 = 1 flows, weight 2, free
    4: 4 qcn 1 3 = 4 flows, weight 1, controlled
    5: 4 qcn 2 3 = 4 flows, weight 2, controlled
    6: 4 none 1 3 = 4 flows, weight 1, free
    7: 4 none 2 3 = 4 flows, weight 2, free
    ");
}

#[test]
fn a_key_that_is_set_is_not_swept() {
    let text =
        "[topology.dumbbell]\nsenders = 1\n[sweep]\n\"topology.dumbbell.senders\" = [1, 4]\nseed = [7, 8]\n";
    let given = ["topology.dumbbell.senders=5".parse().unwrap()];
    let scenario = Scenario::load(&Source::new("test.toml", text), &given).unwrap();
    assert_eq!(scenario.axes().collect::<Vec<_>>(), ["seed"]);
    let variants = scenario.variants().unwrap();
    assert_eq!(variants.len(), 2);
    for variant in &variants {
        let prepared = variant.scenario.prepare(variant.scenario.seed()).unwrap();
        assert_eq!(prepared.spec.flows.len(), 5);
    }
}

#[test]
fn without_a_sweep_there_is_one_variant() {
    let variants = overridden_scenario("default").variants().unwrap();
    assert_eq!(variants.len(), 1);
    assert!(variants[0].assignments.is_empty());
}

fn overridden_scenario(builtin: &str) -> Scenario {
    Scenario::load(&Source::builtin(builtin).unwrap(), &[]).unwrap()
}

#[test]
fn a_large_sweep_and_a_large_network_are_quick() {
    let numbers: Vec<String> = (1..=10_000).map(|number| number.to_string()).collect();
    let text = format!("[topology.dumbbell]\nsenders = 2\n[sweep]\nseed = [{}]\n", numbers.join(", "));
    assert_eq!(load(&text).variants().unwrap().len(), 10_000);
    let tree = "[topology.fat_tree]\nk = 48\n[[flows]]\nfrom = \"h*\"\npattern = \"permutation\"\n";
    assert_eq!(prepare(tree).spec.flows.len(), 27_648);
}
