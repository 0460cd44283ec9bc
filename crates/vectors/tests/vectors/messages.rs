//! Messages about lines that cannot be answered.

use setpoint_control::Algorithm;
use setpoint_vectors::{Point, Setup, Stepper};

use super::stepper;

#[test]
fn wrong_lines() {
    let mut said = String::new();
    for line in [
        "",
        "enqueue",
        r#"{"enqueue": {"frame_bytes": 1500, "queue_bytes": 3000}"#,
        "[1, 2]",
        "{}",
        r#"{"random": [1]}"#,
        r#"{"sent": {"frame_bytes": 64}, "timer": {}}"#,
        r#"{"enque": {}}"#,
        r#"{"sent": 1500}"#,
        r#"{"enqueue": {"frame_byte": 1500, "queue_bytes": 3000}}"#,
        r#"{"enqueue": {"length": 1500, "queue_bytes": 3000}}"#,
        r#"{"enqueue": {"frame_bytes": 1500}}"#,
        r#"{"notification": {"time_ps": 0}}"#,
        r#"{"sent": {"frame_bytes": 0}}"#,
        r#"{"sent": {"frame_bytes": -1}}"#,
        r#"{"sent": {"frame_bytes": 65536}}"#,
        r#"{"sent": {"frame_bytes": 1500.5}}"#,
        r#"{"sent": {"frame_bytes": "1500 B"}}"#,
        r#"{"timer": {"time_ps": 99999999999999999999999}}"#,
        r#"{"notification": {"feedback": 64}}"#,
        r#"{"enqueue": {"frame_bytes": 64, "queue_bytes": 64, "weight": 0}}"#,
        r#"{"enqueue": {"frame_bytes": 64, "queue_bytes": 64, "max_bps": 0}}"#,
        r#"{"dequeue": {"frame_bytes": 64, "queue_bytes": 64}}"#,
        r#"{"timer": {"time_ps": 41}}"#,
        r#"{"timer": {}, "random": 3}"#,
        r#"{"timer": {}, "random": [4294967296]}"#,
        r#"{"timer": {}, "random": []}"#,
        r#"{"start": {"point": "bridge"}}"#,
        r#"{"start": {"parameters": {"set_pont": "33 kB"}}}"#,
        r#"{"start": {"parameters": {"jitter": "0 %"}}}"#,
        r#"{"start": {"parameters": {"set_point": 33000}}}"#,
        r#"{"start": {"parameters": {"set_point": "33000"}}}"#,
        r#"{"start": {"parameters": {"set_point": "1 B"}}}"#,
        r#"{"start": {"line_rate_bps": 1000}}"#,
    ] {
        let mut stepper = stepper(Algorithm::Qcn, &[]);
        stepper.step(r#"{"notification": {"time_ps": 42, "feedback": 63}}"#).unwrap();
        let problem = stepper.step(line).expect_err(line);
        said += &format!("{line}\n    {problem}\n");
    }
    insta::assert_snapshot!(said);
}

#[test]
fn inputs_of_the_other_point() {
    let mut stepper = Stepper::new(Setup::new(Algorithm::Qcn), Some(Point::Congestion)).unwrap();
    let problem = stepper.step(r#"{"timer": {}}"#).unwrap_err();
    insta::assert_snapshot!(problem, @r#""timer" is for a reaction point, but this session has only a congestion point; choose with --point, or omit it to have all"#);
    let problem = stepper.step(r#"{"start": {"point": "rp"}}"#).unwrap_err();
    insta::assert_snapshot!(problem, @r#""start" is for a reaction point, but this session has only a congestion point; choose with --point, or omit it to have all"#);
    let problem = Setup::new(Algorithm::None).set("set_point", "1 kB").unwrap_err();
    insta::assert_snapshot!(problem, @r#"none has no parameter "set_point"; it has no parameters"#);
}

#[test]
fn inputs_for_a_missing_notification_point() {
    let mut stepper = Stepper::new(Setup::new(Algorithm::Qcn), None).unwrap();
    let problem = stepper.step(r#"{"np_timer": {}}"#).unwrap_err();
    insta::assert_snapshot!(problem, @r#""np_timer" is for a notification point, but the receivers of this algorithm do not reply"#);
    let problem = Stepper::new(Setup::new(Algorithm::Qcn), Some(Point::Notification)).unwrap_err();
    insta::assert_snapshot!(problem, @r#"qcn has no notification point, because its receivers do not reply; choose "cp" or "rp""#);
}
