//! No line makes any algorithm panic.

use proptest::prelude::*;
use serde_json::{Value, json};
use setpoint_control::Algorithm;
use setpoint_vectors::{Setup, Stepper};

/// Numbers at the ends of ranges, beyond them, and in between.
fn number() -> impl Strategy<Value = Value> {
    let ends = [
        0,
        1,
        63,
        64,
        65_535,
        65_536,
        4_294_967_295,
        4_294_967_296,
        1_000_000_000_000,
        1_000_000_000_000_000,
    ];
    prop_oneof![
        4 => prop::sample::select(ends.to_vec()).prop_map(|number: i64| json!(number)),
        1 => prop::sample::select(ends.to_vec()).prop_map(|number| json!(-number)),
        4 => (0..100_000i64).prop_map(|number| json!(number)),
        1 => Just(json!(1_000_000_000_000_000_000u64)),
        1 => Just(Value::Null),
    ]
}

fn object(keys: &'static [&'static str]) -> impl Strategy<Value = Value> {
    let values = prop::collection::vec(number(), keys.len());
    values.prop_map(|values| keys.iter().map(|key| (*key).to_owned()).zip(values).collect())
}

fn line() -> impl Strategy<Value = Value> {
    const ARRIVAL: &[&str] = &["frame_bytes", "queue_bytes", "flow", "tenant", "weight", "max_bps", "tag"];
    const HEARD: &[&str] = &["from", "feedback", "queue_offset_bytes", "queue_delta_bytes"];
    prop_oneof![
        object(ARRIVAL).prop_map(|value| json!({"enqueue": value})),
        object(ARRIVAL).prop_map(|value| json!({"admit": value})),
        object(&["frame_bytes", "queue_bytes", "flow"]).prop_map(|value| json!({"dequeue": value})),
        object(HEARD).prop_map(|value| json!({"notification": value})),
        object(&["frame_bytes"]).prop_map(|value| json!({"sent": value})),
        Just(json!({"timer": {}})),
    ]
}

/// A step in time: usually small, sometimes to the end of the range.
fn span() -> impl Strategy<Value = u64> {
    prop_oneof![6 => 0..100_000_000u64, 3 => 0..50_000_000_000u64, 1 => 0..1_000_000_000_000_000_000u64]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_history(lines in prop::collection::vec((line(), span()), 1..60)) {
        for algorithm in Algorithm::ALL {
            let mut stepper = Stepper::new(Setup::new(algorithm), None).unwrap();
            let mut clock = 0u64;
            for (line, span) in &lines {
                let mut line = line.clone();
                let (name, value) = line.as_object_mut().unwrap().iter_mut().next().unwrap();
                if !matches!(name.as_str(), "sent" | "timer") {
                    value["time_ps"] = json!(clock.max(stepper.now().as_picos()));
                }
                clock = clock.saturating_add(*span);
                // A line may be refused or answered, but an answer must be JSON.
                if let Ok(answer) = stepper.step(&line.to_string()) {
                    prop_assert!(serde_json::from_str::<Value>(&answer.to_string()).is_ok());
                }
            }
        }
    }

    #[test]
    fn any_text(text in "\\PC{0,60}") {
        let mut stepper = Stepper::new(Setup::new(Algorithm::Qcn), None).unwrap();
        let _ = stepper.step(&text);
    }
}
