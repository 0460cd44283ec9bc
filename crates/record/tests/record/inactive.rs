//! Warnings about finished runs: mechanisms that did nothing, pauses before feedback, and lost frames.

use setpoint_record::results::Build;
use setpoint_record::run::run;
use setpoint_scenario::{Scenario, Source};
use setpoint_sim::Unwatched;

/// One station sends at a tenth of the link rate.
const LIGHT: &str = r#"
    duration = "2 ms"
    topology.star = { stations = 3, rate = "10 Gb/s" }
    flows = [{ from = "h1", to = "h3", traffic.constant.rate = "1 Gb/s" }]
"#;

/// Two stations send to a third as fast as they can.
const HEAVY: &str = r#"
    duration = "2 ms"
    topology.star = { stations = 3, rate = "10 Gb/s" }
    flows = [{ from = "h{1..2}", to = "h3" }]
"#;

/// Pauses that begin long before any congestion point acts.
const EARLY_PAUSES: &str = r#"flow_control.pfc = { xoff = "10 kB", xon = "5 kB" }"#;

/// Pauses that begin when the queue holds 64 kB.
const LATER_PAUSES: &str = r#"flow_control.pfc = { xoff = "32 kB", xon = "5 kB" }"#;

/// Thresholds that no queue reaches.
const NO_PAUSES: &str = r#"flow_control.pfc = { xoff = "1 MB", xon = "900 kB" }"#;

/// The warnings about a run of a scenario with further lines, each as the code of its check and its message.
fn warnings(scenario: &str, lines: &str) -> Vec<String> {
    let text = format!("{scenario}\n{lines}\n");
    let scenario = Scenario::load(&Source::new("inactive.toml", text), &[])
        .unwrap_or_else(|problems| panic!("{lines}: {problems}"));
    let prepared = scenario.prepare(1).unwrap();
    let record = run(&prepared, Build::default(), &mut Unwatched).unwrap();
    let before = prepared.warnings().len();
    record.manifest.warnings[before..].iter().map(|one| format!("{}: {}", one.check, one.message)).collect()
}

/// Scenarios with further lines, and the one warning about each.
const TABLE: &[(&str, &str, &str)] = &[
    (LIGHT, "control = \"qcn\"", "inactive-mechanism: qcn did nothing: no notification was sent"),
    (LIGHT, "control = \"dcqcn\"", "inactive-mechanism: dcqcn did nothing: no frame was marked"),
    (LIGHT, "control.dcqcn.profile = \"hpcc\"", "inactive-mechanism: dcqcn did nothing: no frame was marked"),
    (LIGHT, NO_PAUSES, "inactive-mechanism: flow control did nothing: no port was paused"),
    (
        LIGHT,
        "control = \"swift\"",
        "inactive-mechanism: swift did nothing: no acknowledgement lowered a rate or a window",
    ),
];

#[test]
fn mechanisms_that_do_nothing_are_named() {
    for (scenario, lines, expected) in TABLE {
        assert_eq!(warnings(scenario, lines), [*expected], "{lines}");
    }
}

#[test]
fn active_mechanisms_cause_no_warning() {
    let pauses = r#"flow_control.pfc = { xoff = "100 kB", xon = "90 kB" }"#;
    let controls = ["\"qcn\"", "\"dcqcn\"", "{ dcqcn.profile = \"hpcc\" }", "\"timely\"", "\"hpcc\""];
    for control in controls.into_iter().chain(["\"swift\"", "\"powertcp\"", "\"afd\""]) {
        assert_eq!(warnings(HEAVY, &format!("control = {control}")), Vec::<String>::new(), "{control}");
    }
    assert_eq!(warnings(HEAVY, pauses), Vec::<String>::new());
}

/// A frame needs 200 us to the bridge and 400 us to its receiver. Notifications of the bridge arrive 400 us after the first frame
/// was sent, and replies of receivers after 800 us.
#[test]
fn feedback_that_arrives_too_late_is_named() {
    let far = HEAVY.replace("rate = \"10 Gb/s\"", "rate = \"10 Gb/s\", delay = \"200 us\"");
    let short = far.replace("duration = \"2 ms\"", "duration = \"400 us\"");
    let cases = [
        ("control = \"qcn\"", "no notification reached a source before the end of the run"),
        ("control = \"timely\"", "timely did nothing: no acknowledgement reached a source"),
    ];
    for (control, message) in cases {
        assert_eq!(warnings(&short, control), [format!("inactive-mechanism: {message}")], "{control}");
    }
    for control in ["control = \"dcqcn\"", "control.dcqcn.profile = \"hpcc\""] {
        let [one] = &warnings(&short, control)[..] else { panic!("{control}") };
        let begins = "inactive-mechanism: no source was notified, although bridges marked ";
        assert!(one.starts_with(begins), "{one}");
    }
}

/// Sources react only after the end of the run.
#[test]
fn limiters_that_are_never_created_are_named() {
    let expected = "inactive-mechanism: no limiter was seen at the end of a sample interval, although sources were notified";
    for algorithm in ["qcn", "dcqcn"] {
        let lines = format!("control.{algorithm}.reaction_delay = \"10 ms\"");
        assert_eq!(warnings(HEAVY, &lines), [expected], "{lines}");
    }
}

#[test]
fn pauses_before_feedback_are_named() {
    let notified = ", and the first notification reached a source at ";
    let lowered = ", and an acknowledgement first lowered a rate or a window at ";
    let marks = "cp.k_min = \"21 kB\", cp.k_max = \"22 kB\"";
    let cases = [
        (EARLY_PAUSES, "control = \"qcn\"".to_owned(), notified),
        (EARLY_PAUSES, format!("control.dcqcn = {{ {marks} }}"), notified),
        (EARLY_PAUSES, format!("control.dcqcn = {{ profile = \"hpcc\", {marks} }}"), lowered),
        // The round-trip time exceeds TIMELY's lower threshold, 50 us, soon after the first pause.
        (LATER_PAUSES, "control = \"timely\"".to_owned(), lowered),
    ];
    for (pauses, control, event) in cases {
        let lines = format!("sample_interval = \"1 us\"\n{pauses}\n{control}");
        let [one] = &warnings(HEAVY, &lines)[..] else { panic!("{lines}: {:?}", warnings(HEAVY, &lines)) };
        let begins =
            "pauses-before-feedback: flow control acted before congestion control: a port was paused before ";
        assert!(one.starts_with(begins) && one.contains(event), "{one}");
    }
    let late = r#"flow_control.pfc = { xoff = "400 kB", xon = "390 kB" }"#;
    let names = |one: &String| one.starts_with("pauses-before-feedback");
    assert!(!warnings(HEAVY, &format!("{late}\ncontrol = \"hpcc\"")).iter().any(names));
}

#[test]
fn losses_on_failed_links_are_named() {
    let failure = "at = [{ time = \"1 ms\", link = \"bridge->h3\", fail = true }]";
    let [one] = &warnings(HEAVY, failure)[..] else { panic!("{:?}", warnings(HEAVY, failure)) };
    assert!(
        one.starts_with("lost-on-failed-links: ") && one.contains(" lost because of the failure of "),
        "{one}"
    );
}

#[test]
fn allowed_warnings_are_left_out() {
    let allow = "allow_warnings = [\"inactive-mechanism\"]\ncontrol = \"qcn\"";
    assert_eq!(warnings(LIGHT, allow), Vec::<String>::new());
    let allow = format!("allow_warnings = [\"pauses-before-feedback\"]\n{EARLY_PAUSES}\ncontrol = \"qcn\"");
    assert_eq!(warnings(HEAVY, &format!("sample_interval = \"1 us\"\n{allow}")), Vec::<String>::new());
}
