//! Golden vectors: replaying their inputs reproduces them, and they do not change unnoticed.

use serde_json::{Value, json};
use setpoint_control::{Algorithm, NotificationPointParams, Preset};
use setpoint_vectors::{Plan, Point, Setup, Stepper, golden};

fn plan(setup: Setup, point: Option<Point>, steps: u32) -> Plan {
    Plan { setup, point, steps }
}

fn lines(plan: &Plan) -> Vec<Value> {
    golden(plan).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The replies of a stepper with default options to the inputs in a file.
fn repeated(algorithm: Algorithm, file: &str) -> String {
    let mut stepper = Stepper::new(Setup::new(algorithm), None).unwrap();
    let mut answers = String::new();
    for line in file.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let answer =
            stepper.step(&line["input"].to_string()).unwrap_or_else(|problem| panic!("{line}: {problem}"));
        answers += &format!("{answer}\n");
    }
    answers
}

/// Algorithms whose sources act on acknowledgements.
const ACKNOWLEDGED: [Algorithm; 4] =
    [Algorithm::Timely, Algorithm::Hpcc, Algorithm::Powertcp, Algorithm::Swift];

/// Whether congestion points notify sources. DCQCN's only mark frames, and the vectors do not show marks.
fn notifies(algorithm: Algorithm) -> bool {
    let receiver = algorithm.notification_point(&setpoint_control::Params::default());
    algorithm.notifies() && receiver == NotificationPointParams::None
}

#[test]
fn replaying_the_inputs_of_a_file_reproduces_it() {
    for algorithm in Algorithm::ALL {
        let file = golden(&plan(Setup::new(algorithm), None, 160)).unwrap();
        assert!(file.lines().count() > 1_500, "{}: {} lines", algorithm.name(), file.lines().count());
        assert!(repeated(algorithm, &file) == file, "{}", algorithm.name());
    }
}

/// A preset also determines the line rate of its vectors.
#[test]
fn a_preset_sets_the_line_rate() {
    for (preset, rate) in Preset::ALL.into_iter().zip([1u64, 10, 25, 40, 50, 100, 200, 400, 800]) {
        let setup = Setup::new(Algorithm::Qcn).with_preset(preset);
        let lines = lines(&plan(setup, Some(Point::Reaction), 20));
        let starts: Vec<_> = lines.iter().filter_map(|line| line["input"].get("start")).collect();
        assert!(starts.len() > 5);
        assert!(
            starts.iter().all(|start| start["line_rate_bps"] == rate * 1_000_000_000),
            "{}",
            preset.name()
        );
        // The first notification cuts a rate that was the line rate.
        assert_eq!(lines[1]["target_rate_bps"], rate * 1_000_000_000, "{}", lines[1]);
    }
}

#[test]
fn the_file_states_all_settings() {
    let mut setup = Setup {
        seed: u64::MAX,
        line_rate: setpoint_units::Rate::from_gbps(40),
        ..Setup::new(Algorithm::Qcn)
    };
    setup.set("cp.set_point", "66 kB").unwrap();
    setup.set("max_rate", "20 Gb/s").unwrap();
    let file = golden(&plan(setup, None, 40)).unwrap();
    assert_eq!(repeated(Algorithm::Qcn, &file), file);
}

/// A hardware model with its own generator provides its numbers, which must be used exactly.
#[test]
fn random_numbers_can_be_provided() {
    for algorithm in Algorithm::ALL {
        let mut stepper = Stepper::new(Setup { seed: 999, ..Setup::new(algorithm) }, None).unwrap();
        let mut drew = false;
        for line in lines(&plan(Setup::new(algorithm), None, 80)) {
            let mut input = line["input"].clone();
            if let Some(start) = input.get_mut("start") {
                start["seed"] = json!(999);
            } else {
                drew |= line["drawn"] != json!([]);
                input["random"] = line["drawn"].clone();
            }
            let answer = stepper.step(&input.to_string()).unwrap();
            let answer: Value = serde_json::from_str(&answer.to_string()).unwrap();
            for key in
                ["notifications", "admission", "marked", "rate_bps", "timer_ps", "drawn", "counters", "state"]
            {
                assert_eq!(answer.get(key), line.get(key), "{}: {key} after {input}", algorithm.name());
            }
        }
        assert!(drew || !notifies(algorithm), "{} never drew a number", algorithm.name());
    }
}

#[test]
fn seeds_differ_and_are_reproducible() {
    let file = |seed| golden(&plan(Setup { seed, ..Setup::new(Algorithm::Qcn) }, None, 80)).unwrap();
    assert_eq!(file(7), file(7));
    assert_ne!(file(7), file(8));
}

#[test]
fn a_single_point_matches_its_part_of_both() {
    let file = |point| golden(&plan(Setup::new(Algorithm::Qcn), point, 30)).unwrap();
    assert_eq!(file(Some(Point::Congestion)) + &file(Some(Point::Reaction)), file(None));
}

/// The sequences reach every state that the algorithm has.
#[test]
fn the_sequences_of_qcn_reach_every_state() {
    let lines = lines(&plan(Setup::new(Algorithm::Qcn), None, setpoint_vectors::DEFAULT_STEPS));
    let any = |test: &dyn Fn(&Value) -> bool| lines.iter().any(test);
    for phase in ["unlimited", "fast-recovery", "active-increase", "hyper-increase"] {
        assert!(any(&|line| line["state"]["phase"] == phase), "{phase}");
    }
    for feedback in 1..=63 {
        assert!(
            any(&|line| line["input"]["notification"]["feedback"] == feedback),
            "{feedback} is never received"
        );
    }
    let sent: std::collections::BTreeSet<u64> =
        lines.iter().filter_map(|line| line["notifications"][0]["feedback"].as_u64()).collect();
    assert!(sent.len() > 30 && sent.contains(&1) && sent.contains(&63), "{sent:?}");
    assert!(any(&|line| line["may_release"]["empty"] == true && line["state"]["phase"] == "hyper-increase"));
    assert!(any(&|line| line["counters"]["target_reductions"] == 1));
    assert!(any(&|line| line["rate_bps"] == 5_000_000), "the minimum rate");
}

/// Sequences for inputs that QCN ignores are effective with other algorithms.
#[test]
fn sequences_exercise_other_algorithms() {
    for algorithm in Algorithm::ALL {
        let (congestion, reaction) = algorithm.points(&setpoint_control::Params::default());
        let name = algorithm.name();
        let lines = lines(&plan(Setup::new(algorithm), None, setpoint_vectors::DEFAULT_STEPS));
        let any = |test: &dyn Fn(&Value) -> bool| lines.iter().any(test);
        if congestion.needs().admission {
            for admission in ["accept", "drop"] {
                let flow = |line: &Value| line["input"]["admit"]["flow"].as_u64().unwrap_or(0);
                let sequence = |line: &Value| line["admission"] == admission && flow(line) > 0;
                assert!(any(&sequence), "{name} never answers {admission}");
            }
        }
        if congestion.needs().tenants {
            let kept = |line: &Value| line["state"].as_object().unwrap().values().any(Value::is_object);
            assert!(any(&|line| line["step"] == 399 && kept(line)), "{name} keeps no accounts");
        }
        if congestion.needs().departures {
            let drawn = |line: &Value| line["drawn"] != json!([]);
            for marked in [true, false] {
                assert!(any(&|line| line["marked"] == marked && drawn(line)), "{name}: {marked} by chance");
                assert!(any(&|line| line["marked"] == marked && !drawn(line)), "{name}: {marked} for sure");
            }
        }
        if reaction.needs().tags {
            assert!(any(&|line| line["tag"] == 0) && any(&|line| line["tag"] == 9), "{name}");
        }
        if notifies(algorithm) {
            assert!(any(&|line| !line["notifications"].as_array().is_none_or(Vec::is_empty)), "{name}");
            assert!(any(&|line| line["update"] == "changed"), "{name}");
        }
        let receiver = algorithm.notification_point(&setpoint_control::Params::default());
        assert_eq!(
            any(&|line| line.get("reply").is_some()),
            receiver != NotificationPointParams::None,
            "{name}"
        );
        if receiver != NotificationPointParams::None {
            let expired = |line: &Value| line["input"].get("np_timer").is_some();
            assert!(any(&|line| !expired(line) && !line["reply"].is_null()), "{name} never answers");
            // TIMELY's receivers have no timer.
            let runs = any(&|line| line.get("reply").is_some() && !line["timer_ps"].is_null());
            assert_eq!(any(&|line| expired(line) && !line["reply"].is_null()), runs, "{name}");
            assert_eq!(runs, algorithm != Algorithm::Timely, "{name}");
        }
        if ACKNOWLEDGED.contains(&algorithm) {
            let limits: std::collections::BTreeSet<(Option<u64>, Option<u64>)> =
                lines.iter().map(|line| (line["rate_bps"].as_u64(), line["window_bytes"].as_u64())).collect();
            assert!(limits.len() > 100, "{name} has only the limits {limits:?}");
        }
    }
}

/// One row per input that changed a rate or triggered a notification.
fn rows(point: Point) -> String {
    let mut rows = String::new();
    for line in lines(&plan(Setup::new(Algorithm::Qcn), Some(point), 100)) {
        if let Some(sequence) = line["input"]["start"]["sequence"].as_str() {
            // Sequences with parameters at their extremes would fill pages.
            if sequence.contains(" = ") {
                break;
            }
            rows += &format!("{sequence}\n");
        }
        let step = line["step"].to_string();
        if let Some(notification) = line["notifications"].get(0) {
            let queue = line["input"]["enqueue"]["queue_bytes"].to_string();
            rows +=
                &format!("{step:>5}  queue {queue:>13} {notification} {} {}\n", line["drawn"], line["state"]);
        }
        if line["update"] == "changed" {
            let input = line["input"].as_object().unwrap().keys().next().unwrap();
            rows += &format!("{step:>5}  {input:<12} {} {}\n", line["drawn"], line["state"]);
        }
    }
    rows
}

/// For each sequence, the number of changes, the smallest and largest rate and window, and the state at the end.
fn limits(algorithm: Algorithm) -> String {
    let lines = lines(&plan(Setup::new(algorithm), Some(Point::Reaction), 400));
    let sequences = lines.chunk_by(|_, next| next["input"].get("start").is_none());
    let range = |sequence: &[Value], key: &str| {
        let values: Vec<u64> = sequence.iter().filter_map(|line| line[key].as_u64()).collect();
        values
            .iter()
            .min()
            .zip(values.iter().max())
            .map_or("none".to_owned(), |(low, high)| format!("{low} to {high}"))
    };
    let row = |sequence: &[Value]| {
        let name = sequence[0]["input"]["start"]["sequence"].as_str().filter(|name| !name.contains(" = "))?;
        let changes = sequence.iter().filter(|line| line["update"] == "changed").count();
        Some(format!(
            "{name}\n  {changes} changes, rate {}, window {}\n  {}\n",
            range(sequence, "rate_bps"),
            range(sequence, "window_bytes"),
            sequence.last()?["state"]
        ))
    };
    sequences.filter_map(row).collect()
}

#[test]
fn reaction_points_that_act_on_acknowledgements() {
    for algorithm in ACKNOWLEDGED {
        insta::assert_snapshot!(format!("reaction_point_of_{}", algorithm.name()), limits(algorithm));
    }
}

#[test]
fn congestion_point_of_qcn() {
    insta::assert_snapshot!(rows(Point::Congestion));
}

#[test]
fn reaction_point_of_qcn() {
    insta::assert_snapshot!(rows(Point::Reaction));
}
