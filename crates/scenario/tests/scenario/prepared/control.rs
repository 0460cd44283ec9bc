//! Congestion control: parameters and placement.

use setpoint_control::culprit::Search;
use setpoint_control::qcn;
use setpoint_control::{Audience, CongestionPointParams, Marking, ReactionPointParams};
use setpoint_scenario::{Scenario, Source};
use setpoint_sim::{Placement, SampledFrames};
use setpoint_units::Bytes;

use super::{overridden, prepare};

#[test]
fn parameters_reach_the_points_and_the_manifest() {
    let prepared = prepare(
        r#"
        topology.dumbbell.senders = 2
        control.qcn.preset = "100G"
        control.qcn.priorities = [2, 3]
        control.qcn.cp = { set_point = "33 kB", weight = 4 }
        control.qcn.rp = { timer = false, jitter = "5 %", threshold = 6 }
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
