//! Topologies, bridges and link-level flow control.

use setpoint_control::CongestionPointParams;
use setpoint_scenario::{Prepared, Scenario, Source, builtin};
use setpoint_sim::topology::{Link, NodeKind};
use setpoint_sim::{Alpha, Bridges, Cioq, Delivery, FlowControl, Headroom, HeadroomPool, Spraying};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

use super::{overridden, prepare, routes};

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
        // A scenario that extends another is merged with it.
        assert_eq!(prepared.text == builtin.text, !builtin.text.contains("\nextends = "), "{}", builtin.name);
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

/// The input buffers of a scenario.
fn cioq(prepared: &Prepared) -> Cioq {
    match prepared.spec.bridges {
        Bridges::Cioq(cioq) => cioq,
        Bridges::OutputQueued | Bridges::SharedBuffer(_) => panic!("no input buffers"),
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
fn every_key_of_a_shared_buffer() {
    let shared = |keys: &str| {
        let text = format!(
            "[topology.star]\nstations = 3\n[[flows]]\nfrom = \"h{{1..2}}\"\nto = \"h3\"\n[flow_control.pfc]\n{keys}"
        );
        *prepare(&text).spec.shared_buffer().expect("a shared buffer")
    };
    let hpcc = shared("[bridge.shared_buffer]");
    assert_eq!((hpcc.size, hpcc.reserve, hpcc.resume_offset).0, Bytes::new(12 << 20));
    assert_eq!((hpcc.reserve, hpcc.resume_offset), (Bytes::new(4_096), Bytes::new(3_072)));
    assert_eq!((hpcc.alpha, hpcc.egress_alpha), (Alpha::new(0.125).unwrap(), Alpha::new(1.0).unwrap()));
    assert_eq!(hpcc.headroom_pool, HeadroomPool::Sum);
    let other = shared(
        "[bridge.shared_buffer]\nsize = \"2 MB\"\nalpha = 2\negress_alpha = 0.5\nreserve = \"0 B\"\n\
         headroom_pool = \"300 kB\"\nresume_offset = \"1 kB\"",
    );
    assert_eq!((other.size, other.reserve, other.resume_offset).0, Bytes::new(2_000_000));
    assert_eq!((other.alpha.factor(), other.egress_alpha.factor()), (2.0, 0.5));
    assert_eq!(other.headroom_pool, HeadroomPool::Fixed(Bytes::new(300_000)));
    assert_eq!(other.priority_alpha, [None; 8]);
    let first = shared("[bridge.shared_buffer]\npreset = \"trident2\"");
    assert_eq!((first.alpha.factor(), first.headroom_pool), (1.0, HeadroomPool::Sum));
    assert_eq!((first.reserve, first.resume_offset), (Bytes::new(1_248), Bytes::new(2_496)));
    let second = shared("[bridge.shared_buffer]\npreset = \"tomahawk\"");
    assert_eq!((second.alpha.factor(), second.egress_alpha.factor()), (1.0, 8.0));
    assert_eq!((second.reserve, second.resume_offset), (Bytes::new(1_248), Bytes::new(2_288)));
    let preset = shared(
        "[bridge.shared_buffer]\npreset = \"trident3\"\nreserve = \"1 kB\"\npriority_alpha.priority_3 = 0.25",
    );
    assert_eq!((preset.size, preset.reserve), (Bytes::new(32_599_040), Bytes::new(1_000)));
    assert_eq!((preset.alpha.factor(), preset.egress_alpha.factor()), (1.0, 8.0));
    assert_eq!(preset.headroom_pool, HeadroomPool::Fixed(Bytes::new(1_622_016)));
    assert_eq!(preset.priority_alpha[3], Alpha::new(0.25));
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
