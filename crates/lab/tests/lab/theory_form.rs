//! Deriving bottlenecks from scenarios, and every reason why there is none.

use setpoint_fluid::Sending;
use setpoint_lab::run;
use setpoint_lab::theory::{Form, NoFluidForm, form};
use setpoint_scenario::{Prepared, Scenario, Source};
use setpoint_sim::Unwatched;
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

/// Four senders with 10 Gb/s ports share 10 Gb/s.
const DUMBBELL: &str = r#"
duration = "100 ms"
control = "qcn"
network.overhead = "20 B"
[topology.dumbbell]
senders = 4
rate = "10 Gb/s"
rtt = "50 us"
"#;

/// Three stations send to a fourth; the last two start later.
const STAR: &str = r#"
duration = "100 ms"
control = "qcn"
network.overhead = "20 B"
topology.star = { stations = 4, rate = "10 Gb/s", delay = "1 us" }
flows = [
    { name = "first", from = "h1", to = "h4" },
    { name = "later", from = "h{2..3}", to = "h4", pattern = "incast", start = "10 ms" },
]
"#;

/// Two stations share a link; the access link of the first is longer.
const UNEQUAL: &str = r#"
duration = "100 ms"
control = "timely"
[topology.graph]
rate = "10 Gb/s"
delay = "1 us"
stations = ["h1", "h2", "h3"]
bridges = ["b"]
links = [{ between = ["h1", "b"], delay = "3 us" }, { between = ["h2", "b"] }, { between = ["h3", "b"] }]
[[flows]]
from = ["h1", "h2"]
to = "h3"
pattern = "incast"
"#;

fn prepared(text: &str, settings: &[&str]) -> Prepared {
    let overrides: Vec<_> = settings.iter().map(|setting| setting.parse().unwrap()).collect();
    let scenario =
        Scenario::load(&Source::new("test.toml", text), &overrides).unwrap_or_else(|error| panic!("{error}"));
    scenario.prepare(1).unwrap()
}

fn formed(text: &str, settings: &[&str]) -> Form {
    form(&prepared(text, settings)).unwrap_or_else(|error| panic!("{error}"))
}

#[track_caller]
fn refused(text: &str, settings: &[&str]) -> NoFluidForm {
    form(&prepared(text, settings)).expect_err("has no fluid form")
}

#[test]
fn identical_senders_form_one_class() {
    let Form { bottleneck, queue, set_point, flows, scheme, .. } = formed(DUMBBELL, &[]);
    assert_eq!((queue.as_str(), set_point, scheme.name()), ("left->right/3", Bytes::new(26_000), "qcn"));
    assert_eq!((bottleneck.frame, bottleneck.overhead), (Bytes::new(1_000), Bytes::new(20)));
    assert_eq!(bottleneck.capacity, [(Time::ZERO, Rate::from_gbps(10))]);
    assert_eq!(bottleneck.buffer, Bytes::new(150_000));
    assert_eq!(flows, [[0, 1, 2, 3]]);
    let class = &bottleneck.classes[0];
    assert_eq!((class.name.as_str(), class.sources, class.line_rate), ("f1 to f4", 4, Rate::from_gbps(10)));
    assert_eq!(
        (class.start, class.stop, class.sending),
        (Time::ZERO, None, Sending::Controlled { weight: 1 })
    );
}

#[test]
fn the_loop_delay_is_a_frame_there_and_a_notification_back() {
    // 1020 B and 84 B on the wire at 10 Gb/s take 816 ns and 67.2 ns; propagation adds 25 us each way.
    let of = |text, settings: &[&str]| formed(text, settings).bottleneck.classes[0].delay;
    assert_eq!(of(DUMBBELL, &[]), TimeDelta::from_picos(50_883_200));
    assert_eq!(of(DUMBBELL, &["control.qcn.reaction_delay=7 us"]), TimeDelta::from_picos(57_883_200));
    assert_eq!(of(DUMBBELL, &["topology.dumbbell.access_rate=40 Gb/s"]), TimeDelta::from_picos(50_220_800));
    assert_eq!(of(STAR, &[]), TimeDelta::from_picos(2_883_200));
    // Two links lead to the bridge in front of h3.1; the link between the bridges has the same delay as the access
    // link.
    let row = "duration = \"10 ms\"\ncontrol = \"qcn\"\nnetwork.overhead = \"20 B\"\n[topology.parking_lot]\nhops = 2\nrate = \"40 Gb/s\"\naccess_rate = \"10 Gb/s\"\ndelay = \"1 us\"\n\
               [[flows]]\nfrom = [\"h1.1\", \"h2.1\"]\nto = \"h3.1\"\npattern = \"incast\"\n";
    let far = formed(row, &[]).bottleneck.classes.iter().map(|class| class.delay).max().unwrap();
    // 816 + 204 + 204 ns there, 67.2 + 16.8 + 16.8 ns back, three links of 1 us each way.
    assert_eq!(far, TimeDelta::from_picos(6_000_000 + 1_224_000 + 100_800));
}

#[test]
fn the_simulator_has_the_same_loop_delay() {
    // The first frame is sampled and finds the queue above the set point, and its sender is notified.
    let measured = |text: &str, settings: &[&str]| {
        let first = ["control.qcn.cp.first_sample=first-frame", "control.qcn.cp.set_point=200 B"];
        let settings = [&first[..], settings].concat();
        let prepared = prepared(text, &settings);
        let delay = form(&prepared).unwrap().bottleneck.classes[0].delay.as_secs_f64();
        let record = run::run(&prepared, &mut Unwatched).unwrap();
        let notified = record.summary.flows.iter().filter_map(|flow| flow.first_notified_s);
        (notified.fold(f64::INFINITY, f64::min), delay)
    };
    // Flows start at random within their first frame time.
    let frame_s = 816e-9;
    for (text, settings) in [
        (DUMBBELL, &["duration=1 ms"][..]),
        (DUMBBELL, &["duration=1 ms", "topology.dumbbell.access_rate=40 Gb/s", "network.frame=1500 B"]),
        (STAR, &["duration=1 ms", "flows.2.start=0 s", "topology.star.delay=20 us"]),
    ] {
        let (notified, delay) = measured(text, settings);
        assert!(
            (0.0..frame_s).contains(&(notified - delay)),
            "{notified} s, not {delay} s plus at most a frame time"
        );
    }
}

#[test]
fn starts_stops_weights_and_caps_make_classes() {
    let form = formed(STAR, &["flows.1.weight=2", "flows.1.cap=4 Gb/s", "flows.2.stop=60 ms"]);
    let [first, later] = &form.bottleneck.classes[..] else { panic!("{:?}", form.bottleneck.classes) };
    assert_eq!((first.name.as_str(), first.line_rate), ("first", Rate::from_gbps(4)));
    assert_eq!(first.sending, Sending::Controlled { weight: 2 });
    assert_eq!(
        (later.name.as_str(), later.sources, &form.flows[1][..]),
        ("later1 to later2", 2, &[1, 2][..])
    );
    assert_eq!(later.start, Time::ZERO + TimeDelta::from_millis(10));
    assert_eq!(later.stop, Some(Time::ZERO + TimeDelta::from_millis(60)));
}

#[test]
fn constant_rates_include_the_overhead_on_the_wire() {
    let constant = ["flows.1.traffic={constant={rate=\"5 Gb/s\"}}"];
    let controlled = formed(STAR, &constant);
    assert_eq!(controlled.bottleneck.classes[0].line_rate, Rate::from_mbps(5_100));
    let background = formed(STAR, &[constant[0], "flows.1.controlled=false"]);
    assert_eq!(background.bottleneck.classes[0].sending, Sending::Constant(Rate::from_mbps(5_100)));
    // An uncontrolled backlog uses its port's full rate.
    let backlog = formed(STAR, &["flows.1.controlled=false", "flows.1.cap=3 Gb/s"]);
    assert_eq!(backlog.bottleneck.classes[0].sending, Sending::Constant(Rate::from_gbps(3)));
}

#[test]
fn changes_of_the_congested_port_are_steps_of_the_capacity() {
    let slower = "at=[{time=\"20 ms\", port=\"bridge->h4\", rate=\"2 Gb/s\"}, {time=\"60 ms\", port=\"bridge->h4\", rate=\"10 Gb/s\"}]";
    let capacity = formed(STAR, &[slower]).bottleneck.capacity;
    let at = |millis| Time::ZERO + TimeDelta::from_millis(millis);
    let gbps = Rate::from_gbps;
    assert_eq!(capacity, [(at(0), gbps(10)), (at(20), gbps(2)), (at(60), gbps(10))]);
}

#[test]
fn changes_can_overload_a_port() {
    // One 10 Gb/s flow fits through a 10 Gb/s port until the port becomes slower.
    let alone = ["flows.2.from=h2", "flows.2.start=50 ms", "flows.1.stop=40 ms"];
    assert!(matches!(refused(STAR, &alone), NoFluidForm::NoOverload { .. }));
    let slower = "at=[{time=\"20 ms\", port=\"bridge->h4\", rate=\"2 Gb/s\"}]";
    assert_eq!(formed(STAR, &[&alone[..], &[slower]].concat()).queue, "bridge->h4/3");
    let stopped = "at=[{time=\"5 ms\", flow=\"first\", stop=true}]";
    let form = formed(STAR, &[stopped]);
    assert_eq!(form.bottleneck.classes[0].stop, Some(Time::ZERO + TimeDelta::from_millis(5)));
}

#[test]
fn a_link_behind_the_bottleneck_is_not_another() {
    // All four flows meet at left->right and again in front of the single receiver.
    let form = formed(DUMBBELL, &["topology.dumbbell.receivers=1"]);
    assert_eq!(form.queue, "left->right/3");
}

#[test]
fn simplifications_are_listed() {
    let sentences = |settings: &[&str]| formed(DUMBBELL, settings).leaves_out.join(" ");
    let usual = sentences(&[]);
    for part in ["quantised", "timer", "hyper-active", "extra fast recovery", "jitter"] {
        assert!(usual.contains(part), "{part}: {usual}");
    }
    assert!(!usual.contains("PAUSE") && !usual.contains("PFC"));
    assert!(!sentences(&["control.qcn.rp.timer=off"]).contains("timer"));
    let lossless = formed(DUMBBELL, &["flow_control={pfc={xoff=\"30 kB\", xon=\"20 kB\"}}"]);
    assert_eq!(lossless.bottleneck.buffer, Bytes::new(120_000), "30 kB for each of four inputs");
    assert!(lossless.leaves_out.iter().any(|sentence| sentence.starts_with("PFC pauses senders")));
    let two_of_one = formed(
        STAR,
        &[
            "flows.2.from=h1",
            "flows.2.pattern=pairs",
            "topology.star.rate=5 Gb/s",
            "at=[{time=\"1 ms\", port=\"bridge->h4\", rate=\"1 Gb/s\"}]",
        ],
    );
    assert!(
        two_of_one.leaves_out.iter().any(|sentence| sentence.contains("share its 5 Gb/s port")),
        "{:?}",
        two_of_one.leaves_out
    );
}

#[test]
fn every_algorithm_with_equations_has_a_form() {
    for (name, expected) in [
        ("qcn", "qcn"),
        ("af-qcn", "af-qcn"),
        ("smcc", "smcc"),
        ("bcn", "bcn"),
        ("aimd", "aimd"),
        ("timely", "timely"),
    ] {
        let form = formed(DUMBBELL, &[&format!("control={name}")]);
        assert_eq!(form.scheme.name(), expected);
        assert!(form.set_point > Bytes::ZERO && !form.leaves_out.is_empty());
    }
}

#[test]
fn every_refusal_names_the_reason_and_the_remedy() {
    let bursts = "flows.1.traffic={on_off={burst=\"10 kB\", rate=\"1 Gb/s\"}}";
    let cases: &[(&str, &[&str])] = &[
        (DUMBBELL, &["control=none"]),
        (DUMBBELL, &["control=afd"]),
        (DUMBBELL, &["control=fqcn"]),
        (DUMBBELL, &["control=swift"]),
        (DUMBBELL, &["control=timely", "control.timely.profile=hpcc"]),
        (DUMBBELL, &["control=timely", "control.timely.rp.window=rate", "control.timely.np.frames=1"]),
        (UNEQUAL, &["control=timely"]),
        (DUMBBELL, &["bridge=cioq"]),
        (DUMBBELL, &["bridge=cioq", "control.qcn.placement=inputs"]),
        (STAR, &["flows.1.controlled=false", "flows.2.controlled=false"]),
        (STAR, &["flows.1.stop=10 ms", "flows.2.from=h2"]),
        (STAR, &["flows.2.to=h1", "flows.1.from=[\"h2\", \"h3\"]", "flows.1.pattern=incast"]),
        (STAR, &[bursts]),
        (STAR, &["flows.1.traffic={message={size=\"1 MB\"}}"]),
        (STAR, &["flows.1.frame=500 B"]),
        (STAR, &["flows.1.priority=4"]),
        (
            STAR,
            &[
                "flows.2.from=h1",
                "flows.2.pattern=pairs",
                "control.qcn.limiters_per_station=1",
                "topology.star.rate=5 Gb/s",
                "at=[{time=\"1 ms\", port=\"bridge->h4\", rate=\"1 Gb/s\"}]",
            ],
        ),
        (DUMBBELL, &["control.qcn.rp.enable=off"]),
        (DUMBBELL, &["control.qcn.rp.byte_counter=off"]),
        (DUMBBELL, &["control.qcn.cp.sampling=every-frame"]),
        (
            STAR,
            &[
                "at=[{time=\"20 ms\", flow=\"first\", stop=true}, {time=\"30 ms\", flow=\"first\", start=true}]",
            ],
        ),
        (STAR, &["at=[{time=\"20 ms\", port=\"h1->bridge\", rate=\"2 Gb/s\"}]"]),
        (STAR, &["at=[{time=\"20 ms\", flow=\"first\", cap=\"2 Gb/s\"}]"]),
        (STAR, &["at=[{time=\"20 ms\", rp={active_increase=\"10 Mb/s\"}}]"]),
        (STAR, &["control=af-qcn", "at=[{time=\"20 ms\", flow=\"first\", weight=2}]"]),
        (STAR, &["control=af-qcn", "at=[{time=\"20 ms\", flow=\"first\", max=\"2 Gb/s\"}]"]),
        (STAR, &["control=af-qcn", "flows.1.max=2 Gb/s"]),
        (STAR, &["control=af-qcn", "flows.2.tenant=both"]),
    ];
    let mut messages = String::new();
    for (text, settings) in cases {
        let error = refused(text, settings);
        messages += &format!("{}\n  {error}\n  -> {}\n", settings.join(", "), error.remedy());
    }
    let group = "duration = \"10 ms\"\ncontrol = \"qcn\"\n[topology.star]\nstations = 4\nrate = \"10 Gb/s\"\n\
                 [[groups]]\nname = \"all\"\nmembers = \"h{3..4}\"\n[[flows]]\nfrom = \"h1\"\ngroup = \"all\"\n";
    let error = refused(group, &[]);
    messages += &format!("a group\n  {error}\n  -> {}\n", error.remedy());
    let mut without_limiters = prepared(DUMBBELL, &[]);
    without_limiters.spec.control.limiters_per_station = 0;
    let error = form(&without_limiters).expect_err("notifications have no effect");
    messages += &format!("no limiters\n  {error}\n  -> {}\n", error.remedy());
    insta::assert_snapshot!("refusals", messages);
}
