//! Values computed by hand from the specifications, checked through `step`.

use serde_json::json;
use setpoint_control::Algorithm;
use setpoint_vectors::Stepper;

use super::{answer, stepper};

/// A congestion point that uses the mark table without jitter, from the first frame on.
fn congestion_point(quantizer: &str) -> Stepper {
    let settings = [("cp.jitter", "0 %"), ("first_sample", "first-frame"), ("quantizer", quantizer)];
    stepper(Algorithm::Qcn, &settings)
}

/// Samples a queue of one length, then of another. Returns the feedback and the bytes until the next sample.
fn sampled(quantizer: &str, old: u64, new: u64) -> (u64, i64) {
    let mut stepper = congestion_point(quantizer);
    let frame = |queue: u64| format!(r#"{{"enqueue": {{"frame_bytes": 1500, "queue_bytes": {queue}}}}}"#);
    assert_eq!(answer(&mut stepper, &frame(old))["state"]["old_queue_bytes"], old);
    loop {
        let said = answer(&mut stepper, &frame(new));
        if said["counters"]["samples"] == 2 {
            assert_eq!(said["state"]["old_queue_bytes"], new);
            let feedback = said["notifications"][0]["feedback"].as_u64().unwrap_or(0);
            return (feedback, said["state"]["to_sample_bytes"].as_i64().unwrap());
        }
    }
}

/// Qeq = 26000, w = 2: the range is 130000 octets, in 63 or 64 steps; the mark table is indexed by qFb / 8.
#[test]
fn feedback_and_interval_of_a_sample() {
    for (q, q_old, standard, sixty_four_steps, interval) in [
        (26_000, 26_000, 0, 0, 150_000),
        (27_000, 27_000, 0, 0, 150_000),
        (52_000, 52_000, 12, 12, 75_000),
        (52_000, 26_000, 37, 38, 30_000),
        (40_000, 60_000, 0, 0, 150_000),
        (78_000, 26_000, 63, 63, 18_500),
    ] {
        assert_eq!(sampled("standard", q_old, q), (standard, interval), "{q} after {q_old}");
        assert_eq!(sampled("64-steps", q_old, q), (sixty_four_steps, interval), "{q} after {q_old}");
    }
}

#[test]
fn a_notification_contains_the_parts_of_its_feedback() {
    let mut stepper = congestion_point("standard");
    let said = answer(
        &mut stepper,
        r#"{"enqueue": {"frame_bytes": 1500, "queue_bytes": 30000, "flow": 7, "time_ps": 5}}"#,
    );
    // Fb = (26000 - 30000) - 2 × 30000 = -64000; 64000 × 63 / 130000 = 31.01.
    let expected = serde_json::json!(
        [{"to": 7, "feedback": 31, "queue_offset_bytes": -4000, "queue_delta_bytes": 30000}]
    );
    assert_eq!(said["notifications"], expected);
    assert_eq!(said["counters"], serde_json::json!({"samples": 1, "notifications": 1}));
    assert_eq!(said["drawn"], serde_json::json!([]), "without jitter no random number is drawn");
}

/// C = 10 Gb/s and feedback 63: the rate drops to 1 - 63/128 of C, and each cycle recovers half of the difference.
#[test]
fn fast_recovery_from_the_strongest_feedback() {
    let mut stepper = stepper(Algorithm::Qcn, &[]);
    let cut = answer(&mut stepper, r#"{"notification": {"time_ps": 1000, "feedback": 63}}"#);
    assert_eq!(
        (&cut["rate_bps"], &cut["target_rate_bps"]),
        (&5_078_125_000u64.into(), &10_000_000_000u64.into())
    );
    assert_eq!((&cut["update"], &cut["timer_ps"]), (&"changed".into(), &15_000_001_000u64.into()));
    assert_eq!(cut["state"]["cycle_left_bytes"], 150_000);
    for rate in [7_539_062_500u64, 8_769_531_250, 9_384_765_625, 9_692_382_813, 9_846_191_407] {
        // The mean is rounded up to whole bits per second: the fourth is 9692382812.5.
        let said = answer(&mut stepper, r#"{"timer": {}}"#);
        assert_eq!(said["rate_bps"], rate);
        assert_eq!(said["state"]["phase"], "fast-recovery");
        assert_eq!(said["may_release"], serde_json::json!({"empty": false, "waiting": false}));
    }
}

/// With a jitter of 15 %, the random number 0 gives 0.85 of a cycle. The largest gives 1.15 of it minus a
/// picosecond: there are 4 500 000 001 possible lengths, more than 32 bits can represent.
#[test]
fn random_numbers_can_be_given() {
    for (random, timer) in [(0u32, 27_750_000_000u64), (u32::MAX, 32_249_999_999)] {
        let mut stepper = stepper(Algorithm::Qcn, &[]);
        answer(&mut stepper, r#"{"notification": {"feedback": 1}}"#);
        let said = answer(&mut stepper, &format!(r#"{{"timer": {{}}, "random": [{random}, 5]}}"#));
        assert_eq!(said["drawn"], serde_json::json!([random]));
        assert_eq!(said["timer_ps"], timer);
    }
}

#[test]
fn a_timer_that_is_not_due_does_nothing() {
    let mut stepper = stepper(Algorithm::Qcn, &[]);
    answer(&mut stepper, r#"{"notification": {"feedback": 63}}"#);
    let early = answer(&mut stepper, r#"{"timer": {"time_ps": 14999999999}}"#);
    assert_eq!((&early["update"], &early["state"]["time_stage"]), (&"unchanged".into(), &0.into()));
    let due = answer(&mut stepper, r#"{"timer": {"time_ps": 15000000000}}"#);
    assert_eq!((&due["update"], &due["state"]["time_stage"]), (&"changed".into(), &1.into()));
}

#[test]
fn omitted_keys_have_defaults() {
    let mut stepper = stepper(Algorithm::Qcn, &[]);
    answer(&mut stepper, r#"{"enqueue": {"time_ps": 77, "frame_bytes": 64, "queue_bytes": 64}}"#);
    let said = answer(&mut stepper, r#"{"enqueue": {"frame_bytes": 64, "queue_bytes": 64, "flow": 3}}"#);
    let expected = serde_json::json!({"enqueue": {
        "time_ps": 77, "frame_bytes": 64, "queue_bytes": 64, "flow": 3, "tenant": 3, "weight": 1, "max_bps": null,
        "tag": null,
    }});
    assert_eq!(said["input"], expected);
    assert_eq!(said["step"], 2);
    let answered = answer(&mut stepper, r#"{"notification": {"feedback": 9}}"#);
    let expected = serde_json::json!({"notification": {
        "time_ps": 77, "from": 0, "feedback": 9, "queue_offset_bytes": 0, "queue_delta_bytes": 0,
    }});
    assert_eq!(answered["input"], expected);
}

#[test]
fn a_start_resets_the_points_with_other_parameters() {
    let mut stepper = stepper(Algorithm::Qcn, &[("set_point", "33 kB")]);
    answer(&mut stepper, r#"{"notification": {"time_ps": 500, "feedback": 63}}"#);
    let line = r#"{"start": {"seed": 9, "line_rate_bps": 1000000000, "parameters": {"rp.gain": "2^-8"}}}"#;
    let said = answer(&mut stepper, line);
    assert_eq!((&said["step"], &said["algorithm"]), (&0.into(), &"qcn".into()));
    let given = serde_json::json!({"qcn.cp.set_point": "33 kB", "qcn.rp.gain": "2^-8"});
    assert_eq!(said["input"]["start"]["parameters"], given);
    assert_eq!(said["parameters"]["qcn.cp.set_point"], serde_json::json!({"value": 33_000, "unit": "bytes"}));
    assert_eq!(
        said["parameters"]["qcn.rp.time_reset"],
        serde_json::json!({"value": 15_000_000_000u64, "unit": "ps"})
    );
    assert_eq!(said["rp"]["state"]["rate_bps"], 1_000_000_000);
    assert_eq!(said["cp"]["state"]["to_sample_bytes"], 150_000);
    // The reset also resets the time, and 1 - 64/256 of the rate remains.
    let cut = answer(&mut stepper, r#"{"notification": {"time_ps": 1, "feedback": 63}}"#);
    assert_eq!(cut["rate_bps"], 753_906_250);
}

/// Fine feedback passes from one point to the other in units of 1/256 of a step. Feedback that fits in six bits needs
/// no second key.
#[test]
fn fine_feedback_has_its_own_key() {
    let mut stepper = congestion_point("fine");
    let said = answer(&mut stepper, r#"{"enqueue": {"frame_bytes": 1500, "queue_bytes": 10000}}"#);
    // -16 + 2 · 10 kB of 130 kB: 504.1 parts.
    let sent = &said["notifications"][0];
    assert_eq!((&sent["feedback"], &sent["feedback_256"]), (&1.into(), &504.into()));
    let said = answer(&mut stepper, r#"{"notification": {"feedback": 1, "feedback_256": 504}}"#);
    assert_eq!(said["rate_bps"], 10_000_000_000_u64 * (32_768 - 504) / 32_768);
    assert_eq!(said["input"]["notification"]["feedback_256"], 504);
    let said = answer(&mut stepper, r#"{"notification": {"feedback": 3}}"#);
    assert!(said["input"]["notification"].get("feedback_256").is_none());
}

/// Kmin is 5 kB, Kmax 200 kB and Pmax 1 %. Without the frame, the queue is halfway, so 0.5 % of the frames are marked: those with
/// a random number below 2^32/200 = 21474836.48.
#[test]
fn marks_of_dcqcn_on_departure() {
    let mut stepper = stepper(Algorithm::Dcqcn, &[]);
    let mut leave = |queue: u64, random: u32| {
        let line = json!({"dequeue": {"frame_bytes": 1000, "queue_bytes": queue}, "random": [random]});
        let said = answer(&mut stepper, &line.to_string());
        (said["marked"].as_bool().unwrap(), said["drawn"] != json!([]))
    };
    assert_eq!(leave(103_500, 21_474_836), (true, true));
    assert_eq!(leave(103_500, 21_474_837), (false, true));
    // At Kmin no frame is marked, and above Kmax every frame; at Kmax it is one of a hundred.
    assert_eq!(leave(6_000, 0), (false, false));
    assert_eq!(leave(201_000, 42_949_672), (true, true));
    assert_eq!(leave(201_000, 42_949_673), (false, true));
    assert_eq!(leave(201_001, u32::MAX), (true, false));
    let said = answer(&mut stepper, r#"{"dequeue": {"frame_bytes": 64, "queue_bytes": 64, "flow": 3}}"#);
    let expected = json!({"dequeue": {"time_ps": 0, "frame_bytes": 64, "queue_bytes": 64, "flow": 3}});
    assert_eq!(said["input"], expected);
    assert_eq!(said["counters"], json!({"samples": 7, "notifications": 0, "marks": 3}));
}

/// The same decision is made when the frame enters the queue, and departures are not inputs.
#[test]
fn marks_of_dcqcn_on_arrival() {
    let mut stepper = stepper(Algorithm::Dcqcn, &[("cp.marking", "enqueue")]);
    let mut enter = |random: u32| {
        let line = json!({"enqueue": {"frame_bytes": 1000, "queue_bytes": 103_500}, "random": [random]});
        let said = answer(&mut stepper, &line.to_string());
        (said["marked"].clone(), said["notifications"].clone())
    };
    assert_eq!(enter(21_474_836), (json!(true), json!([])));
    assert_eq!(enter(21_474_837), (json!(false), json!([])));
    let problem = stepper.step(r#"{"dequeue": {"frame_bytes": 64, "queue_bytes": 64}}"#).unwrap_err();
    assert!(problem.to_string().contains("marks frames when they leave the queue"), "{problem}");
}

/// DCQCN replies to the first marked frame at once, and to the next one that arrives at least 50 us later.
#[test]
fn paced_replies_of_dcqcn() {
    let mut stepper = stepper(Algorithm::Dcqcn, &[]);
    let mut reply = |time_us: u64, marked: bool| {
        let line = json!({"delivery": {
            "time_ps": time_us * 1_000_000, "frame_bytes": 1000, "sent_at_ps": 0, "settled_bytes": 1000, "marked": marked,
        }});
        answer(&mut stepper, &line.to_string())["reply"].clone()
    };
    let replies = [(5, false), (10, true), (20, true), (59, true), (70, true), (130, false)];
    let expected =
        [json!(null), json!("congestion"), json!(null), json!(null), json!("congestion"), json!(null)];
    assert_eq!(replies.map(|(time, marked)| reply(time, marked)), expected);
}

/// A receiver that acknowledges every second frame, and a single frame after 50 us.
#[test]
fn acknowledgements_of_batches() {
    let mut stepper = stepper(Algorithm::Swift, &[("np.frames", "2")]);
    let mut deliver = |time_us: u64, settled: u64| {
        let line = json!({"delivery": {
            "time_ps": time_us * 1_000_000, "frame_bytes": 1000, "sent_at_ps": (time_us - 8) * 1_000_000,
            "settled_bytes": settled,
        }});
        answer(&mut stepper, &line.to_string())
    };
    assert_eq!(deliver(10, 1_000)["reply"], json!(null));
    let acknowledgement = &deliver(11, 2_000)["reply"]["acknowledgement"];
    assert_eq!(
        (&acknowledgement["bytes"], &acknowledgement["settled_bytes"]),
        (&json!(2_000), &json!(2_000))
    );
    assert_eq!(acknowledgement["sent_at_ps"], json!(3_000_000));
    assert_eq!(deliver(20, 3_000)["timer_ps"], json!(70_000_000));
    let late = answer(&mut stepper, r#"{"np_timer": {}}"#);
    assert_eq!(late["input"]["np_timer"]["time_ps"], json!(70_000_000));
    assert_eq!(late["reply"]["acknowledgement"]["bytes"], json!(1_000));
    assert_eq!(late["timer_ps"], json!(null));
}
