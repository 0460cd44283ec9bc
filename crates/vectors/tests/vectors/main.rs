//! Single-stepping of points, and golden vectors.

mod golden;
mod hand_checked;
mod messages;
mod robust;

use serde_json::Value;
use setpoint_control::Algorithm;
use setpoint_vectors::{Setup, Stepper};

/// A stepper for an algorithm with the given parameters.
fn stepper(algorithm: Algorithm, settings: &[(&str, &str)]) -> Stepper {
    let mut setup = Setup::new(algorithm);
    for (key, value) in settings {
        setup.set(key, value).unwrap();
    }
    Stepper::new(setup, None).unwrap()
}

#[track_caller]
fn answer(stepper: &mut Stepper, line: &str) -> Value {
    let answer = stepper.step(line).unwrap_or_else(|problem| panic!("{line}: {problem}"));
    serde_json::from_str(&answer.to_string()).unwrap()
}
