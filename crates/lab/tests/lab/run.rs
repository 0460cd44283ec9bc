//! Whole runs, from scenario text to record.

use setpoint_lab::run::run;
use setpoint_lab::store;
use setpoint_record::VERSION;
use setpoint_record::results::{MessageClass, MessageState, RunRecord, digest};
use setpoint_record::run::RunError;
use setpoint_scenario::{Prepared, Scenario, Source};
use setpoint_sim::{
    Decision, FlowId, GroupId, Monitor, NodeId, PortId, Priority, SimError, SpecError, Unwatched,
};
use setpoint_units::{Bytes, Time, TimeDelta};

const DUMBBELL: &str = r#"
    name = "small"
    description = "Four senders, one link that slows down."
    duration = "200 ms"
    measure_from = "50 ms"
    sample_interval = "1 ms"

    [topology.dumbbell]
    senders = 4
    rate = "10 Gb/s"
    rtt = "50 us"

    [control.qcn]
    preset = "10G"

    [[at]]
    time = "100 ms"
    port = "left->right"
    rate = "5 Gb/s"
"#;

const MESSAGES: &str = r#"
    duration = "40 ms"
    measure_from = "5 ms"
    sample_interval = "1 ms"

    [topology.star]
    stations = 4
    rate = "10 Gb/s"
    delay = "1 us"

    [control.qcn]
    preset = "10G"

    [[flows]]
    from = "h*"
    pattern = "permutation"

    [flows.traffic.poisson]
    rate = "4 Gb/s"
    sizes = { exponential = { mean = "50 kB" } }
"#;

fn prepared(text: &str, seed: u64) -> Prepared {
    let scenario =
        Scenario::load(&Source::new("test.toml", text), &[]).unwrap_or_else(|errors| panic!("{errors}"));
    scenario.prepare(seed).unwrap_or_else(|errors| panic!("{errors}"))
}

fn record(text: &str, seed: u64) -> RunRecord {
    run(&prepared(text, seed), &mut Unwatched).unwrap()
}

#[test]
fn a_record_contains_the_origin_of_the_run() {
    let record = record(DUMBBELL, 7);
    assert_eq!(record.manifest.scenario, "small");
    assert_eq!(record.manifest.scenario_text, DUMBBELL);
    assert_eq!((record.manifest.seed, record.manifest.version.as_str()), (7, VERSION));
    assert!(record.manifest.parameters.iter().any(|row| row.key.ends_with("set_point")));
    assert_eq!(record.manifest.digest, digest(&record.summary, &record.series, &record.messages));
    assert_eq!(record.manifest.digest.len(), 64);
}

#[test]
fn the_seed_decides_everything() {
    let first = record(DUMBBELL, 1);
    assert_eq!(first, record(DUMBBELL, 1));
    assert_ne!(first.manifest.digest, record(DUMBBELL, 2).manifest.digest);
}

#[test]
fn the_figures_agree_with_the_physics() {
    let record = record(DUMBBELL, 1);
    let summary = &record.summary;
    assert_eq!(summary.queues[0].name, "left->right/3");
    let bottleneck = summary.ports.iter().position(|port| port.name == "left->right").unwrap();
    assert!(summary.ports[bottleneck].utilisation_share > 0.97);
    let queue = &summary.queues[0];
    assert!((queue.mean_bytes / 26e3 - 1.0).abs() < 0.2, "{}", queue.mean_bytes);
    assert!(queue.quantiles.windows(2).all(|pair| pair[0].1 <= pair[1].1));
    // The flows receive as much as the bottleneck carries: 10 Gb/s for 50 ms, 5 Gb/s for 100 ms.
    assert!(summary.total.throughput_bps < 20e9 / 3.0 && summary.total.throughput_bps > 0.95 * 20e9 / 3.0);
    // Curves and figures come from the same counters.
    for (flow, curve) in summary.flows.iter().zip(&record.series.flows) {
        let mean = curve.rate_bps[50..].iter().sum::<f64>() / 150.0;
        assert!((mean / flow.rate_bps - 1.0).abs() < 1e-9);
        assert_eq!(curve.notifications.iter().copied().map(u64::from).sum::<u64>(), flow.notifications);
    }
    let curve = &record.series.ports[bottleneck].utilisation_share[50..];
    let mean = curve.iter().sum::<f64>() / curve.len() as f64;
    assert!((mean - summary.ports[bottleneck].utilisation_share).abs() < 5e-3, "{mean}");
    let labels: Vec<&str> = summary.events_at.iter().map(|event| event.label.as_str()).collect();
    assert_eq!(labels, ["4 flows start", "left->right: 5 Gb/s"]);
    assert!(summary.events_at[1].settling.seconds().is_some_and(|settling| settling < 0.08));
}

#[test]
fn messages_take_at_least_their_ideal_time() {
    let record = record(MESSAGES, 3);
    let summary = record.summary.messages.as_ref().unwrap();
    let in_state = |state| record.messages.iter().filter(|message| message.state == state).count() as u64;
    assert_eq!(summary.completed, in_state(MessageState::Completed));
    assert_eq!(summary.unfinished, in_state(MessageState::Unfinished));
    assert!(summary.completed > 100);
    let completed = record.messages.iter().filter_map(|message| Some((message, message.completed_s?)));
    let mut times = completed.map(|(message, end)| (end - message.offered_s, message.ideal_s));
    assert!(times.all(|(took, ideal)| took >= ideal * (1.0 - 1e-9)));
    assert!(record.messages.iter().all(|message| message.slowdown().is_some() == message.fct_s.is_some()));
    let all = &summary.classes[0];
    assert_eq!(all.count(), summary.classes[1..].iter().map(MessageClass::count).sum::<u64>());
    assert!(all.slowdown_quantiles[0].1 >= 1.0 - 1e-9);
    assert_eq!(record.summary.total.jain_index, None, "messages come at their own pace");
}

#[test]
fn messages_can_be_completed_after_those_that_are_measured() {
    let measured = |text: &str| record(text, 3).summary.messages.unwrap();
    let whole = measured(MESSAGES);
    let until = MESSAGES.replace("measure_from", "measure_messages_until = \"30 ms\"\n    measure_from");
    let (short, long) = (measured(&until), measured(&until.replace("40 ms", "60 ms")));
    assert!(short.classes[0].count() < whole.classes[0].count());
    assert_eq!(short.classes[0].count(), long.classes[0].count(), "the same are offered until then");
    assert_eq!(long.classes[0].unfinished, 0, "30 ms are enough");
    assert!(long.classes[0].slowdown_at_least_quantiles.is_empty());
    assert!(whole.offered_after.is_none() && long.offered_after > short.offered_after);
    assert_eq!(
        short.completed + short.unfinished,
        whole.completed + whole.unfinished,
        "the network is the same"
    );
}

#[test]
fn a_run_is_stored_and_read_back_to_the_bit() {
    let place = tempfile::tempdir().unwrap();
    for (name, text) in [("dumbbell", DUMBBELL), ("messages", MESSAGES)] {
        let record = record(text, 5);
        let folder = place.path().join(name);
        store::write(&record, &folder).unwrap();
        assert_eq!(store::read(&folder).unwrap(), record);
    }
}

#[test]
fn a_run_shorter_than_everything_has_figures_too() {
    let times = [("\"200 ms", "\"1 us"), ("\"50 ms", "\"0 s"), ("\"100 ms", "\"0 s"), ("\"1 ms", "\"1 us")];
    let text = times.iter().fold(DUMBBELL.to_owned(), |text, (from, to)| text.replace(from, to));
    let record = record(&text, 1);
    let place = tempfile::tempdir().unwrap();
    store::write(&record, &place.path().join("run")).unwrap();
    assert_eq!(store::read(&place.path().join("run")).unwrap(), record);
    assert_eq!(record.summary.total.throughput_bps, 0.0);
}

/// Twenty stations; the first sends to the last from the start.
fn star(flows: &str) -> RunRecord {
    let head = "duration = \"20 ms\"\nsample_interval = \"1 ms\"\n[topology.star]\nstations = 20\nrate = \"1 Gb/s\"\ndelay = \"1 us\"\n";
    let first = "[[flows]]\nname = \"a\"\nfrom = \"h1\"\nto = \"h20\"\n";
    record(&format!("{head}{first}{flows}"), 1)
}

#[test]
fn flows_that_come_and_go_are_events() {
    let record =
        star("[[flows]]\nname = \"b\"\nfrom = \"h2\"\nto = \"h20\"\nstart = \"5 ms\"\nstop = \"15 ms\"\n");
    let events: Vec<(f64, &str)> =
        record.summary.events_at.iter().map(|event| (event.at_s, event.label.as_str())).collect();
    assert_eq!(events, [(0.0, "a starts"), (0.005, "b starts"), (0.015, "b stops")]);
    assert!(!record.summary.total.lossless);
}

#[test]
fn if_flows_come_and_go_all_the_time_only_the_start_is_an_event() {
    let flow =
        |number: u32| format!("[[flows]]\nfrom = \"h{number}\"\nto = \"h20\"\nstart = \"{number} ms\"\n");
    let record = star(&(2..19).map(flow).collect::<String>());
    let labels: Vec<&str> = record.summary.events_at.iter().map(|event| event.label.as_str()).collect();
    assert_eq!(labels, ["a starts"]);
}

#[test]
fn a_lossless_network_is_marked_as_such() {
    let text = DUMBBELL.replace("[[at]]", "[flow_control.pfc]\n[[at]]");
    let prepared = prepared(&text, 1);
    let record = run(&prepared, &mut Unwatched).unwrap();
    assert!(record.summary.total.lossless && prepared.lossless);
    assert_eq!(record.summary.total.dropped_frames, 0);
}

struct StopAfter(u32);

impl Monitor for StopAfter {
    fn progress(&mut self, _now: Time, _events: u64) -> Decision {
        self.0 -= 1;
        if self.0 == 0 { Decision::Stop } else { Decision::Continue }
    }
}

#[test]
fn a_run_can_be_stopped() {
    let error = run(&prepared(DUMBBELL, 1), &mut StopAfter(3)).unwrap_err();
    assert!(error.is_stopped());
    assert_eq!(error.to_string(), "stopped at 3 ms");
}

#[test]
fn a_loss_in_a_lossless_network_names_the_place() {
    let text = DUMBBELL.replace(
        "[[at]]",
        "[flow_control.pfc]\nxoff = \"20 kB\"\nxon = \"10 kB\"\nheadroom = \"1 kB\"\n[[at]]",
    );
    let error = run(&prepared(&text, 1), &mut Unwatched).unwrap_err();
    assert!(matches!(error.cause(), SimError::Lost { .. }), "{error}");
    let message = error.to_string();
    assert!(message.contains("→left, priority 3") && !message.contains("Id("), "{message}");
}

#[test]
fn no_message_shows_an_id() {
    let (at, port, flow) = (Time::ZERO + TimeDelta::from_micros(1500), PortId(8), FlowId(2));
    let (kilobyte, priority) = (Bytes::new(1000), Priority::new(3).unwrap());
    let errors = [
        SpecError::StationLinks(NodeId(0), 2).into(),
        SpecError::NotAStation(flow, NodeId(4)).into(),
        SpecError::Loop(flow).into(),
        SpecError::Unreachable(flow).into(),
        SpecError::InOwnGroup(flow, GroupId(0)).into(),
        SpecError::UnreachableMember(flow, NodeId(4)).into(),
        SpecError::FrameSize(flow, Bytes::ZERO).into(),
        SpecError::FrameBeyondBuffer(flow, kilobyte * 9, kilobyte).into(),
        SpecError::ZeroWeight(FlowId(99)).into(),
        SimError::Lost { at, port, priority, flow, occupied: kilobyte * 21, room: kilobyte * 21 },
        SimError::Unbalanced {
            at,
            flow,
            sent: kilobyte * 5,
            copied: kilobyte * 2,
            delivered: kilobyte,
            dropped: Bytes::ZERO,
            unwanted: kilobyte,
            queued: kilobyte,
            in_flight: kilobyte,
        },
        SimError::Stopped { at },
    ];
    let spec = prepared(DUMBBELL, 1).spec;
    let messages: Vec<String> = errors.map(|error| RunError::new(error, &spec).to_string()).into();
    assert!(messages.iter().all(|message| !message.contains("Id(")), "{messages:#?}");
    insta::assert_snapshot!(messages.join("\n"));
}
