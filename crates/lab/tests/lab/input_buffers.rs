//! The built-in scenarios with input buffers and with a deadlock show what their descriptions claim.

use setpoint_lab::run::run;
use setpoint_lab::store;
use setpoint_record::results::{FlowSummary, RunRecord, Side};
use setpoint_scenario::{Override, Scenario, Source};
use setpoint_sim::Unwatched;

fn record(builtin: &str, settings: &[&str]) -> RunRecord {
    let settings: Vec<Override> =
        settings.iter().map(|setting| setting.parse().unwrap_or_else(|errors| panic!("{errors}"))).collect();
    let scenario = Scenario::load(&Source::builtin(builtin).unwrap(), &settings);
    let prepared =
        scenario.and_then(|scenario| scenario.prepare(1)).unwrap_or_else(|errors| panic!("{errors}"));
    run(&prepared, &mut Unwatched).unwrap()
}

fn flow<'a>(record: &'a RunRecord, name: &str) -> &'a FlowSummary {
    record.summary.flows.iter().find(|flow| flow.name == name).unwrap()
}

/// The largest of the flows' rates divided by the smallest.
fn spread(record: &RunRecord) -> f64 {
    let rates = || record.summary.flows.iter().map(|flow| flow.rate_bps);
    rates().fold(0.0, f64::max) / rates().fold(f64::INFINITY, f64::min)
}

#[test]
fn congestion_points_at_inputs_are_fair() {
    let settings = ["duration=60ms", "measure_from=30ms"];
    let inputs = record("cioq-fan-in", &settings);
    assert!(spread(&inputs) < 1.02, "{}", spread(&inputs));
    assert_eq!(inputs.summary.total.dropped_frames, 0);
    let outputs = record("cioq-fan-in", &[&settings[..], &["control.qcn.placement=outputs"]].concat());
    assert!(spread(&outputs) > 1.1, "{}", spread(&outputs));
    for (record, acting) in [(&inputs, Side::Input), (&outputs, Side::Output)] {
        let summary = &record.summary;
        assert!(summary.queues.iter().all(|queue| queue.side == acting || queue.notifications == 0));
        // The run is judged by a controlled queue, even if another queue is longer.
        let watched = summary.watched_queue().unwrap();
        assert_eq!((watched.side, watched.set_point_bytes), (acting, Some(60_000)));
        assert!((watched.mean_bytes / 60e3 - 1.0).abs() < 0.25, "{}", watched.mean_bytes);
    }
    let names: Vec<&str> = inputs.series.queues.iter().map(|queue| queue.name.as_str()).collect();
    assert!(names.contains(&"h1->bridge/3 (input)") && names.contains(&"bridge->h5/3"), "{names:?}");
}

#[test]
fn occupancy_sampling_finds_the_culprit() {
    let settings = ["duration=50ms", "measure_from=20ms", "flows.5.start=0s", "flows.5.stop=50ms"];
    let occupancy = record("rack-fabric", &settings);
    assert!(flow(&occupancy, "f6").rate_bps > 6.8e9, "{}", flow(&occupancy, "f6").rate_bps);
    assert!(flow(&occupancy, "f1").notifications > 5 * flow(&occupancy, "f6").notifications);
    let culprits = occupancy.summary.queues.iter().find(|queue| queue.name == "h1->leaf1.1/3 (input)");
    let culprits = culprits.unwrap().culprits.unwrap();
    assert!(culprits.searches > 0 && culprits.reads >= culprits.searches);
    assert!(occupancy.topology.nodes.iter().filter(|node| node.spine).count() == 4);

    let arrival = ["control.qcn.marking=arrival", "control.qcn.keep_alive=off"];
    let arrival = record("rack-fabric", &[&settings[..], &arrival[..]].concat());
    assert!(flow(&arrival, "f6").rate_bps < 5e9, "{}", flow(&arrival, "f6").rate_bps);
    assert!(arrival.summary.queues.iter().all(|queue| queue.culprits.is_none()));
}

#[test]
fn the_whole_fabric_is_read_back_to_the_bit() {
    let settings = ["duration=20us", "measure_from=5us", "sample_interval=5us", "flows.2.start=0s"];
    let record = record("rack-fabric-640", &settings);
    assert_eq!(record.summary.flows.len(), 15 * 640 + 125);
    assert_eq!(record.topology.nodes.iter().filter(|node| node.spine).count(), 32);
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("run");
    store::write(&record, &folder).unwrap();
    assert_eq!(store::read(&folder).unwrap(), record);
}

#[test]
fn a_ring_deadlocks() {
    let still = |record: &RunRecord| {
        let late = record.series.time_s.len() / 2;
        record.series.flows.iter().all(|flow| flow.rate_bps[late..].iter().all(|&rate| rate == 0.0))
    };
    assert!(still(&record("pfc-deadlock", &[])));
    let controlled = record("pfc-deadlock", &["control=qcn"]);
    assert!(!still(&controlled) && controlled.summary.total.throughput_bps > 20e9);
    let too_late = ["control=qcn", "flow_control.pfc.xoff=20kB", "flow_control.pfc.xon=10kB"];
    assert!(still(&record("pfc-deadlock", &too_late)));
}
