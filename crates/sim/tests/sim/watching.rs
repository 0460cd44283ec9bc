//! The samples that a monitor receives are the same as those in the outcome's series, and monitoring does not affect the
//! run.

use crate::support::{dumbbell, pfc, qcn_control};
use setpoint_sim::{
    Decision, FlowSample, Monitor, Outcome, PortSample, Progress, QueueSample, Sample, Simulation,
    SourceSample, Spec, Unwatched, simulate,
};
use setpoint_units::{Time, TimeDelta};

/// Keeps every sample.
#[derive(Default)]
struct Keeper(Vec<Sample>);

impl Monitor for Keeper {
    fn progress(&mut self, now: Time, _: u64) -> Decision {
        assert_eq!(self.0.last().unwrap().at, now, "the sample comes before the progress");
        Decision::Continue
    }

    fn wants_samples(&self) -> bool {
        true
    }

    fn sampled(&mut self, sample: &Sample) {
        self.0.push(sample.clone());
    }
}

fn watched(spec: &Spec) -> (Outcome, Vec<Sample>) {
    let mut keeper = Keeper::default();
    (simulate(spec, &mut keeper).unwrap(), keeper.0)
}

#[test]
fn samples_are_the_series_of_the_outcome() {
    let mut spec = dumbbell(5, TimeDelta::from_micros(5), TimeDelta::from_micros(10_250));
    (spec.control, spec.flow_control) = (qcn_control(), pfc());
    spec.sample_interval = TimeDelta::from_micros(100);
    let (outcome, samples) = watched(&spec);
    assert_eq!(outcome, simulate(&spec, &mut Unwatched).unwrap(), "watching changes nothing");
    assert_eq!(samples.len(), 103);
    assert_eq!(samples[101].span, TimeDelta::from_micros(100));
    assert_eq!(samples[102].span, TimeDelta::from_micros(50), "the last interval is shorter");
    for (index, sample) in samples.iter().enumerate() {
        for (flow, FlowSample { delivered, limit, notifications }) in outcome.flows.iter().zip(&sample.flows)
        {
            assert_eq!(flow.delivered_series[index], *delivered);
            assert_eq!((flow.limit_series[index], flow.notification_series[index]), (*limit, *notifications));
        }
        // Flows without an acknowledgement so far are missing from the sample.
        for seen in &sample.sources {
            let SourceSample { flow, round_trip, window, in_flight, marks, load } = *seen;
            let source = outcome.sources.iter().find(|source| source.flow == flow).unwrap();
            assert_eq!((source.round_trip_series[index], source.window_series[index]), (round_trip, window));
            assert_eq!(source.in_flight_series[index], in_flight);
            assert_eq!((source.mark_series[index], source.load_series[index]), (marks, load));
        }
        for (queue, seen) in outcome.queues.iter().zip(&sample.queues) {
            let QueueSample { port, side, priority, length, largest, mean, notifications, marks } = *seen;
            assert_eq!((queue.port, queue.side, queue.priority), (port, side, priority));
            assert_eq!((queue.length_series[index], queue.largest_series[index]), (length, largest));
            assert_eq!((queue.mean_series[index], queue.notification_series[index]), (mean, notifications));
            assert_eq!(queue.mark_series[index], marks);
        }
        for port in &outcome.ports {
            let PortSample { busy, paused, .. } =
                *sample.ports.iter().find(|seen| seen.port == port.port).unwrap();
            assert_eq!((port.busy_series[index], port.paused_series[index]), (busy, paused));
        }
    }
    assert!(outcome.flows.iter().any(|flow| flow.notifications > 0));
}

#[test]
fn a_run_in_steps_has_the_same_outcome() {
    let mut spec = dumbbell(5, TimeDelta::from_micros(5), TimeDelta::from_millis(2));
    (spec.control, spec.flow_control) = (qcn_control(), pfc());
    spec.sample_interval = TimeDelta::from_micros(100);
    let mut keeper = Keeper::default();
    let mut simulation = Simulation::begin(&spec, &keeper).unwrap();
    let mut steps = 1;
    while simulation.advance(&mut keeper).unwrap() == Progress::Sampled {
        assert_eq!(keeper.0.len(), steps, "one sample per step");
        steps += 1;
    }
    assert_eq!(steps, 20);
    assert_eq!(simulation.finish(&mut keeper), simulate(&spec, &mut Unwatched).unwrap());
}
