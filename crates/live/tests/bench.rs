//! The measurement of the bridge's speed, at a rate that every machine forwards.
//!
//! It is the only test of its program, so that no other test disturbs it.
#![cfg(target_os = "linux")]

#[path = "support/skip.rs"]
mod skip;

use setpoint_live::bench::{Arm, measure_at};
use setpoint_units::{Rate, TimeDelta};
use skip::{Reason, skip};

#[test]
fn nothing_is_lost_at_a_low_rate() {
    for arm in Arm::ALL {
        let step = match measure_at(arm, Rate::from_mbps(20), TimeDelta::from_millis(300)) {
            Err(error) if error.is_not_allowed() => return skip(Reason::NotPermitted, error),
            step => step.unwrap(),
        };
        // 20 Mb/s for 0.3 s are 500 frames of 1500 octets; a generator that the machine delays sends fewer.
        assert!(step.sent > 0 && step.sent <= 500 && step.received == step.sent, "{arm:?} {step:?}");
        assert!(step.stations_time > TimeDelta::ZERO, "{arm:?} {step:?}");
        assert_eq!(step.bridge_time > TimeDelta::ZERO, arm == Arm::Setpoint, "{arm:?} {step:?}");
    }
}
