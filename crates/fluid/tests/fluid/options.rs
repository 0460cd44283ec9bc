//! QCN's equations can be solved with every option, even far beyond the margin, where queues become empty and
//! rates reach their bounds.

use crate::support::{bottleneck, qcn};
use setpoint_fluid::model::{Horizon, Start, solve};
use setpoint_fluid::{Feedback, Increase, ModelOptions, Sampling, TargetUpdate};
use setpoint_units::{Bytes, TimeDelta};

fn all_options() -> Vec<ModelOptions> {
    let mut all = Vec::new();
    for increase in [Increase::AtSource, Increase::AsPrinted] {
        for feedback in [Feedback::BothSigns, Feedback::CongestionOnly] {
            for sampling in [Sampling::FollowsFeedback, Sampling::FollowsMagnitude, Sampling::Constant] {
                for target in [TargetUpdate::EveryMessage, TargetUpdate::AfterACycle] {
                    all.push(ModelOptions { increase, feedback, sampling, target });
                }
            }
        }
    }
    all
}

#[test]
fn every_option_is_solved_on_either_side_of_its_margin() {
    let horizon = Horizon {
        until: TimeDelta::from_millis(60),
        sample: TimeDelta::from_micros(100),
        start: Start::LineRates,
    };
    for sources in [1, 2, 3, 5, 50] {
        for micros in [20, 200, 400] {
            let mut network = bottleneck(sources, TimeDelta::from_micros(micros));
            network.overhead = Bytes::new(20);
            for options in all_options() {
                let course = solve(&network, &qcn(), &options, &horizon);
                let course =
                    course.unwrap_or_else(|error| panic!("{sources}, {micros} us, {options:?}: {error}"));
                assert!(course.queue_bytes.iter().all(|queue| (0.0..=1e6).contains(queue)));
            }
        }
    }
}
