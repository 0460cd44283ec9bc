//! Observed frames: every frame is observed, in order, and observation does not affect the run.

use std::collections::HashMap;

use crate::support;
use crate::support::draw::{Draw, Scale, Ways};
use crate::support::{DATA, dumbbell, pfc, thresholds};
use setpoint_sim::{
    Decision, FlowControl, Headroom, Monitor, Outcome, PassingContent, PassingFrame, PauseParams, PortId,
    PrioritySet, SimError, Spec, Unwatched, simulate,
};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

/// Collects the frames of the observed ports.
#[derive(Default)]
struct Collected {
    frames: Vec<PassingFrame>,
    /// The only observed port; if `None`, all ports are observed.
    only: Option<PortId>,
    /// The time at which progress was last reported.
    reported: Time,
}

impl Monitor for Collected {
    fn progress(&mut self, now: Time, _events: u64) -> Decision {
        assert!(self.frames.last().is_none_or(|frame| frame.at <= now));
        self.reported = now;
        Decision::Continue
    }

    fn observes(&self, port: PortId) -> bool {
        self.only.is_none_or(|only| only == port)
    }

    fn passes(&mut self, frame: &PassingFrame) {
        assert!(frame.at >= self.frames.last().map_or(Time::ZERO, |last| last.at), "{frame:?} is late");
        self.frames.push(*frame);
    }
}

fn observe(spec: &Spec) -> (Result<Outcome, SimError>, Vec<PassingFrame>) {
    let mut monitor = Collected::default();
    (simulate(spec, &mut monitor), monitor.frames)
}

fn is_data(frame: &&PassingFrame) -> bool {
    matches!(frame.content, PassingContent::Data { .. })
}

/// Every data frame that a port counted is observed, and no other data frames are.
fn counts_agree(outcome: &Outcome, frames: &[PassingFrame]) {
    let mut passed: HashMap<PortId, (u64, u64)> = HashMap::new();
    for frame in frames.iter().filter(is_data) {
        let (count, bytes) = passed.entry(frame.port).or_default();
        *count += 1;
        *bytes += frame.length.get();
    }
    for port in &outcome.ports {
        let (count, bytes) = passed.remove(&port.port).unwrap_or_default();
        assert_eq!((count, bytes), (port.sent_frames, port.sent.get()), "{:?}", port.port);
    }
    assert!(passed.is_empty(), "{passed:?}");
}

/// A port transmits one frame after another. `fastest` is the highest rate, so it gives the shortest transmission
/// time of a frame.
fn frames_do_not_overlap(frames: &[PassingFrame], fastest: Rate) {
    let mut free: HashMap<PortId, Time> = HashMap::new();
    for frame in frames {
        let free_at = free.entry(frame.port).or_insert(Time::ZERO);
        assert!(frame.at >= *free_at, "{frame:?} begins before {free_at}");
        // A clock may be fast by one part in ten thousand.
        let span = fastest.time_to_send(frame.length);
        *free_at = frame.at + TimeDelta::from_picos(span.as_picos() - span.as_picos() / 1_000);
    }
}

/// The run is the same whether its frames are observed or not.
#[test]
fn random_runs_show_every_frame_once() {
    let mut seen = [0usize; 2];
    for seed in 0..150 {
        let scale = if seed % 2 == 0 { Scale::Any } else { Scale::Usual };
        let spec = Draw::new(seed, scale).plain(seed, Ways::Several);
        let (observed, frames) = observe(&spec);
        assert_eq!(observed, simulate(&spec, &mut Unwatched), "seed {seed}");
        let Ok(outcome) = observed else { continue };
        counts_agree(&outcome, &frames);
        frames_do_not_overlap(&frames, Rate::from_gbps(40));
        let data = frames.iter().filter(is_data).count();
        seen[0] += data;
        seen[1] += frames.len() - data;
    }
    assert!(seen[0] > 50_000 && seen[1] > 5_000, "{seen:?}");
}

/// Notifications have a priority of their own, so committed frames are recalled whenever a notification arrives.
#[test]
fn notifications_pass_on_every_link_towards_the_source() {
    let spec = dumbbell(8, TimeDelta::from_micros(1), TimeDelta::from_millis(20));
    let (outcome, frames) = observe(&spec);
    let outcome = outcome.unwrap();
    let sent: u64 = outcome.queues.iter().map(|queue| queue.congestion_point.notifications).sum();
    let of_point = |frame: &&PassingFrame| match frame.content {
        PassingContent::Notification { from, .. } => from.port.peer() != frame.port && from.priority == DATA,
        _ => false,
    };
    // The congestion point is at the first bridge, so a notification crosses one link.
    assert_eq!(frames.iter().filter(of_point).count() as u64, sent);
    assert!(sent > 100, "{sent}");
}

#[test]
fn pauses_pass_against_the_data() {
    let mut spec = dumbbell(4, TimeDelta::from_micros(1), TimeDelta::from_millis(2));
    spec.flow_control = pfc();
    spec.control = support::no_control();
    let (outcome, frames) = observe(&spec);
    let mut stopped: HashMap<PortId, u64> = HashMap::new();
    let mut paused: HashMap<PortId, bool> = HashMap::new();
    for frame in &frames {
        if let PassingContent::Pfc { stop, resume, quanta } = frame.content {
            assert_eq!(PrioritySet(stop.0 | resume.0), PrioritySet::only(DATA));
            assert!(quanta > 0);
            let before = paused.insert(frame.port.peer(), stop.contains(DATA));
            *stopped.entry(frame.port.peer()).or_default() +=
                u64::from(stop.contains(DATA) && before != Some(true));
        }
    }
    for port in outcome.unwrap().ports {
        // The last pause frame may still be in transit.
        let passed = stopped.remove(&port.port).unwrap_or_default();
        assert!((port.pauses..=port.pauses + 1).contains(&passed), "{:?}", port.port);
    }
    assert!(stopped.is_empty());
}

#[test]
fn only_the_chosen_ports_are_observed() {
    let spec = dumbbell(3, TimeDelta::from_micros(1), TimeDelta::from_millis(1));
    let port = spec.topology.ports().nth(4).unwrap();
    let mut monitor = Collected { only: Some(port), ..Collected::default() };
    simulate(&spec, &mut monitor).unwrap();
    assert!(!monitor.frames.is_empty() && monitor.frames.iter().all(|frame| frame.port == port));
    assert_eq!(monitor.reported, Time::ZERO + spec.duration);
}

/// Frames before a loss are observed, since they explain the loss.
#[test]
fn a_run_that_loses_a_frame_shows_the_frames_before() {
    let mut spec = dumbbell(4, TimeDelta::from_micros(10), TimeDelta::from_millis(2));
    spec.control = support::no_control();
    let headroom = Headroom::Fixed(Bytes::new(2_000));
    spec.flow_control = FlowControl::Pfc(PauseParams { headroom, ..thresholds() }, PrioritySet::only(DATA));
    let (outcome, frames) = observe(&spec);
    let Err(SimError::Lost { at, .. }) = outcome else { panic!("{outcome:?}") };
    let last = frames.last().unwrap().at;
    assert!(last <= at && at - last < TimeDelta::from_micros(1), "{last} {at}");
}
