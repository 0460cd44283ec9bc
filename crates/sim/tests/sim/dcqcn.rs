//! DCQCN in simulated networks: the three points together.

use setpoint_control::dcqcn::{Marking, Reports};
use setpoint_control::{Algorithm, Params, Preset, Window};
use setpoint_sim::{ControlSpec, FlowControl, Outcome, Spec, Unwatched, simulate};
use setpoint_units::{Bytes, TimeDelta};

use crate::support::{self, LINE};

/// The length of a queue above which every frame is marked.
const THRESHOLD: Bytes = Bytes::new(100_000);

fn params(profile: &str) -> Params {
    Params::of(Preset::TenG, Algorithm::Dcqcn.profile(profile))
}

/// Flows from several senders to one receiver, all at 10 Gb/s.
fn spec(senders: u32, params: &Params, duration: TimeDelta) -> Spec {
    let (congestion_point, reaction_point) = Algorithm::Dcqcn.points(params);
    let notification_point = Algorithm::Dcqcn.notification_point(params);
    let control =
        ControlSpec { congestion_point, notification_point, reaction_point, ..support::qcn_control() };
    let network = support::dumbbell(senders, TimeDelta::from_micros(1), duration);
    // The buffer is larger than the thresholds of every profile.
    Spec { control, flow_control: FlowControl::None, buffer: Bytes::new(10_000_000), ..network }
}

fn run(spec: &Spec) -> Outcome {
    simulate(spec, &mut Unwatched).expect("it runs")
}

fn marks(outcome: &Outcome) -> u64 {
    outcome.queues.iter().filter_map(|queue| queue.marked_frames).sum()
}

fn notifications(outcome: &Outcome) -> u64 {
    outcome.flows.iter().map(|flow| flow.notifications).sum()
}

fn decreases(outcome: &Outcome) -> Vec<u64> {
    outcome.flows.iter().map(|flow| flow.reaction.get().get("decreases")).collect()
}

/// If flows together exceed the link, every version slows them down by marks alone and starves none of them. Equal
/// shares take longer, in particular with the timers of ns3-rdma. The windows of four flows keep the queue below the
/// first mark, so the runs with windows have more flows.
#[test]
fn flows_share_a_link() {
    for profile in Algorithm::Dcqcn.profiles() {
        let params = params(profile.name);
        let senders = if params.dcqcn.rp.window == Window::None { 4 } else { 32 };
        let outcome = run(&spec(senders, &params, TimeDelta::from_millis(40)));
        assert!(marks(&outcome) > 0 && decreases(&outcome).iter().all(|one| *one > 0), "{}", profile.name);
        let delivered: Vec<f64> =
            outcome.flows.iter().map(|flow| flow.delivered_measured.get() as f64).collect();
        let total: f64 = delivered.iter().sum();
        assert!(
            delivered.iter().all(|one| *one > total / (5.0 * f64::from(senders))),
            "{}: {delivered:?}",
            profile.name
        );
        let measured = outcome.end.saturating_since(outcome.measure_from);
        let share = total * 8.0 / (LINE.bits_per_second() as f64 * measured.as_secs_f64());
        assert!(share > 0.7, "{}: {share}", profile.name);
    }
}

/// Marks are reported by CNPs at least 50 us apart, whether they are sent at once, deferred or polled.
#[test]
fn notifications_keep_their_distance() {
    let duration = TimeDelta::from_millis(10);
    for reports in [Reports::Paced, Reports::Deferred, Reports::Polled] {
        let mut params = params("paper");
        params.dcqcn.np.reports = reports;
        let outcome = run(&spec(2, &params, duration));
        let most = duration / params.dcqcn.np.interval + 1;
        for flow in &outcome.flows {
            assert!((1..=most).contains(&flow.notifications), "{reports:?}: {}", flow.notifications);
        }
        assert!(marks(&outcome) >= notifications(&outcome), "{reports:?}");
    }
}

/// If acknowledgements report marks, no CNP is sent.
#[test]
fn acknowledgements_replace_notifications() {
    let outcome = run(&spec(4, &params("hpcc"), TimeDelta::from_millis(10)));
    assert_eq!(notifications(&outcome), 0);
    assert!(decreases(&outcome).iter().all(|one| *one > 0));
}

/// A frame marked as it enters a queue of 100 kB reaches its receiver 80 us later than one marked as it leaves.
#[test]
fn marks_at_the_exit_are_earlier() {
    let first = |marking| {
        let mut params = params("paper");
        let cp = &mut params.dcqcn.cp;
        (cp.marking, cp.k_min, cp.k_max) = (marking, THRESHOLD, THRESHOLD);
        let outcome = run(&spec(2, &params, TimeDelta::from_millis(2)));
        outcome.flows.iter().filter_map(|flow| flow.first_notified).min().expect("a source is notified")
    };
    let waited = first(Marking::Enqueue).saturating_since(first(Marking::Dequeue));
    let expected = LINE.time_to_send(THRESHOLD);
    let bounds = (expected.as_picos() * 9 / 10)..(expected.as_picos() * 11 / 10);
    assert!(bounds.contains(&waited.as_picos()), "{waited}");
}

/// With a window, the bytes that the sources have in flight bound the queue from the first frame on: T at 10 Gb/s per source.
/// Without one, sources at line rate fill the queue until marks have slowed them.
#[test]
fn windows_bound_the_queue() {
    let senders = 8;
    let largest = |profile: &str| {
        let outcome = run(&spec(senders, &params(profile), TimeDelta::from_millis(4)));
        outcome.queues.iter().map(|queue| queue.peak.get()).max().expect("there are queues")
    };
    let [with, without] = ["hpcc-window", "hpcc"].map(largest);
    // The dumbbell's round-trip time is below 10 us, in which 10 Gb/s sends 12.5 kB.
    assert!(with < u64::from(senders) * 12_500, "{with}");
    assert!(without > 2 * with, "{without} and {with}");
}

/// A window without acknowledgements would never open again.
#[test]
fn windows_without_acknowledgements_are_refused() {
    let mut params = params("hpcc-window");
    params.dcqcn.np.reports = Reports::Paced;
    let error =
        simulate(&spec(2, &params, TimeDelta::from_millis(1)), &mut Unwatched).expect_err("it is refused");
    assert!(error.to_string().contains("dcqcn.np.reports is paced"), "{error}");
}
