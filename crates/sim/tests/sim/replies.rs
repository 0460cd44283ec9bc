//! Marks, replies, windows and telemetry, with points defined outside the simulator.

use std::sync::{Arc, Mutex};

use crate::support;
use crate::support::LINE;
use setpoint_control::{
    Answer, Answers, Arrival, Backlog, BridgeNeeds, Counters, CpCounters, Delivery, Departure, Entropy,
    Feedback, HopReport, Limit, Mark, Observe, Outbox, Path, React, Reply, Show, SourceNeeds, Start, Update,
};
use setpoint_sim::{
    Bridges, ControllerNeeds, Controllers, Decision, FlowControl, Monitor, Outcome, PrioritySet, SimError,
    Spec, SpecError, simulate,
};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

/// When a bridge marks frames: as they enter the queue or as they leave it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    Enqueue,
    Dequeue,
}

/// Marks frames while the queue is longer than 20 kB.
#[derive(Clone, Debug)]
struct Marker(At);

impl Marker {
    fn judge(&self, at: At, queue: Bytes) -> Mark {
        if self.0 == at && queue > Bytes::new(20_000) { Mark::Congested } else { Mark::Clear }
    }
}

impl Observe for Marker {
    fn on_enqueue(&mut self, _arrival: &Arrival, _entropy: &mut dyn Entropy, _outbox: &mut dyn Outbox) {}

    fn mark(&mut self, arrival: &Arrival, _entropy: &mut dyn Entropy) -> Mark {
        self.judge(At::Enqueue, arrival.queue)
    }

    fn on_dequeue(&mut self, departure: &Departure, _entropy: &mut dyn Entropy) -> Mark {
        self.judge(At::Dequeue, departure.queue)
    }

    fn counters(&self) -> CpCounters {
        CpCounters::default()
    }

    fn state(&self, _show: &mut dyn Show) {}
}

/// Acknowledges every frame, reports every mark, or reports marks together 50 us after the first.
#[derive(Clone, Debug)]
enum Receiver {
    Acknowledges,
    ReportsMarks,
    ReportsLater { due: Option<Time> },
}

const REPORT_AFTER: TimeDelta = TimeDelta::from_micros(50);

impl Answer for Receiver {
    fn on_delivery<'a>(&mut self, delivery: &Delivery<'a>) -> Option<Reply<'a>> {
        match self {
            Self::Acknowledges => Some(Reply::to(delivery)),
            Self::ReportsMarks => Some(Reply::Congestion),
            Self::ReportsLater { due } => {
                due.get_or_insert(delivery.now + REPORT_AFTER);
                None
            }
        }
    }

    fn on_timer(&mut self, now: Time) -> Option<Reply<'static>> {
        assert_eq!(self.timer(), Some(now), "the timer is exact");
        *self = Self::ReportsLater { due: None };
        Some(Reply::Congestion)
    }

    fn timer(&self) -> Option<Time> {
        if let Self::ReportsLater { due } = self { *due } else { None }
    }

    fn counters(&self) -> Counters {
        Counters::default()
    }

    fn state(&self, _show: &mut dyn Show) {}
}

/// The feedback that a source has received.
#[derive(Clone, Debug, Default)]
struct Received {
    path: Option<Path>,
    round_trips: Vec<TimeDelta>,
    marks: usize,
    congestion: usize,
    settled: Vec<u64>,
    hops: Vec<Vec<HopReport>>,
}

/// A source with a fixed limit that records its feedback.
#[derive(Clone, Debug)]
struct Source {
    limit: Limit,
    received: Arc<Mutex<Received>>,
}

impl React for Source {
    fn on_feedback(&mut self, now: Time, feedback: &Feedback, _entropy: &mut dyn Entropy) -> Update {
        let mut received = self.received.lock().expect("no test panics while it holds this");
        match feedback {
            Feedback::Congestion => received.congestion += 1,
            Feedback::Acknowledgement(content) => {
                received.round_trips.push(now - content.sent_at);
                received.marks += usize::from(content.mark == Mark::Congested);
                received.settled.push(content.settled.get());
                received.hops.push(content.hops.to_vec());
            }
            other => panic!("{other:?}"),
        }
        Update::Unchanged
    }

    fn limit(&self) -> Limit {
        self.limit
    }

    fn rate(&self) -> Rate {
        self.limit.reported()
    }

    fn line_rate(&self) -> Rate {
        LINE
    }

    fn may_release(&self, _backlog: Backlog) -> bool {
        false
    }

    fn counters(&self) -> Counters {
        Counters::default()
    }

    fn state(&self, _show: &mut dyn Show) {}
}

struct With {
    receiver: Receiver,
    marks: At,
    limit: Limit,
    telemetry: bool,
    received: Arc<Mutex<Received>>,
}

impl With {
    fn new(receiver: Receiver, limit: Limit) -> Self {
        Self { receiver, marks: At::Enqueue, limit, telemetry: false, received: Arc::default() }
    }

    fn run(mut self, spec: &Spec) -> (Outcome, Received) {
        let outcome = simulate(spec, &mut self).expect("the spec is valid");
        let received = self.received.lock().expect("no test panics while it holds this").clone();
        (outcome, received)
    }
}

impl Monitor for With {
    fn progress(&mut self, _now: Time, _events: u64) -> Decision {
        Decision::Continue
    }

    fn controllers(&self) -> Controllers {
        let (receiver, marks, limit) = (self.receiver.clone(), self.marks, self.limit);
        let received = self.received.clone();
        let make = move |path: &Path| {
            received.lock().expect("no test panics while it holds this").path = Some(*path);
            Box::new(Source { limit, received: received.clone() }) as Box<dyn React>
        };
        let start = match self.receiver {
            Receiver::Acknowledges => Start::FirstFrame,
            Receiver::ReportsMarks | Receiver::ReportsLater { .. } => Start::FirstFeedback,
        };
        let answers = match self.receiver {
            Receiver::Acknowledges => Answers::EveryFrame,
            Receiver::ReportsMarks | Receiver::ReportsLater { .. } => Answers::MarkedFrames,
        };
        let window = matches!(limit, Limit::Window { .. });
        Controllers {
            congestion_point: Some(Arc::new(move |_| Box::new(Marker(marks)))),
            notification_point: Some(Arc::new(move || Box::new(receiver.clone()))),
            reaction_point: Some(Arc::new(make)),
            needs: ControllerNeeds {
                bridge: BridgeNeeds {
                    marks: marks == At::Enqueue,
                    departures: marks == At::Dequeue,
                    ..BridgeNeeds::NONE
                },
                answers,
                source: SourceNeeds { window, start, telemetry: self.telemetry, ..SourceNeeds::NONE },
            },
            ..Controllers::default()
        }
    }
}

const MICROSECOND: TimeDelta = TimeDelta::from_micros(1);

/// Flows of 1000-byte frames over three links of 10 Gb/s, each with a delay of 1 us.
fn flows(count: u32, duration: TimeDelta) -> Spec {
    support::dumbbell(count, MICROSECOND, duration)
}

/// Three frames of 1000 bytes, three replies of 64 bytes, and six links.
const ROUND_TRIP: TimeDelta = TimeDelta::from_picos(3 * 800_000 + 3 * 51_200 + 6 * 1_000_000);

fn window(frames: u64) -> Limit {
    Limit::Window { bytes: Bytes::new(frames * 1_000), rate: LINE }
}

#[test]
fn a_round_trip_in_an_idle_network_takes_the_base_round_trip_time() {
    let (_, received) =
        With::new(Receiver::Acknowledges, window(1)).run(&flows(1, TimeDelta::from_millis(1)));
    let path = received.path.expect("the flow has a source");
    assert_eq!((path.base_rtt, path.frame, path.line_rate), (ROUND_TRIP, Bytes::new(1_000), LINE));
    assert!(received.round_trips.iter().all(|round_trip| *round_trip == ROUND_TRIP));
    assert_eq!(received.settled[..3], [1_000, 2_000, 3_000]);
}

/// A window of n frames lets n frames leave per round trip, the first n back to back.
#[test]
fn a_window_limits_the_frames_in_flight() {
    let duration = TimeDelta::from_millis(1);
    let rounds = duration.as_picos().div_ceil(ROUND_TRIP.as_picos());
    for frames in [1, 4] {
        let (outcome, _) = With::new(Receiver::Acknowledges, window(frames)).run(&flows(1, duration));
        assert_eq!(outcome.flows[0].sent_frames, rounds * frames, "{frames} frames");
    }
    let (outcome, received) = With::new(Receiver::Acknowledges, window(100)).run(&flows(1, duration));
    assert_eq!(outcome.flows[0].sent_frames, 1_250, "the window never fills at line rate");
    assert_eq!(received.round_trips.len() as u64, (duration - ROUND_TRIP).as_picos() / 800_000 + 1);
}

#[test]
fn a_window_that_was_lost_is_given_up() {
    let mut spec = flows(8, TimeDelta::from_millis(20));
    spec.buffer = Bytes::new(1_000);
    let (outcome, _) = With::new(Receiver::Acknowledges, window(1)).run(&spec);
    let dropped = outcome.flows.iter().filter(|flow| flow.dropped_frames > 0).count();
    assert!(dropped > 0, "eight frames arrive at once");
    assert!(outcome.flows.iter().all(|flow| flow.sent_frames >= 5), "one attempt in 4 ms");
}

#[test]
fn receivers_report_marks() {
    for at in [At::Enqueue, At::Dequeue] {
        let spec = flows(2, TimeDelta::from_micros(200));
        let with = With { marks: at, ..With::new(Receiver::Acknowledges, full_rate()) };
        let (_, acknowledged) = with.run(&spec);
        assert!(acknowledged.marks > 0 && acknowledged.marks < acknowledged.round_trips.len(), "{at:?}");
        assert_eq!(acknowledged.congestion, 0);
        let with = With { marks: at, ..With::new(Receiver::ReportsMarks, full_rate()) };
        let (outcome, reported) = with.run(&spec);
        assert_eq!(reported.congestion, acknowledged.marks, "one congestion notification per mark: {at:?}");
        assert_eq!(
            outcome.flows.iter().map(|flow| flow.notifications).sum::<u64>(),
            reported.congestion as u64
        );
    }
}

/// Marked frames arrive from about 30 us onwards, so each of the two flows has time for three reports in 200 us.
#[test]
fn receivers_may_reply_by_timer() {
    let with = With::new(Receiver::ReportsLater { due: None }, full_rate());
    let (_, received) = with.run(&flows(2, TimeDelta::from_micros(200)));
    assert_eq!(received.congestion, 2 * 3);
}

/// Two flows at line rate lengthen the queue by 1 kB every 800 ns, so frames are marked starting with the 21st that
/// finds the port busy.
#[test]
fn frames_are_marked_when_the_queue_exceeds_the_threshold() {
    let (_, received) =
        With::new(Receiver::Acknowledges, full_rate()).run(&flows(2, TimeDelta::from_micros(200)));
    let unmarked = received.round_trips.len() - received.marks;
    // The first frame is sent at once. In each of the next 20 intervals, two frames arrive and one leaves, so the
    // queue grows by one frame.
    assert_eq!(unmarked, 1 + 2 * 20);
}

#[test]
fn bridges_report_their_state() {
    let spec = flows(1, TimeDelta::from_micros(100));
    let with = With { telemetry: true, ..With::new(Receiver::Acknowledges, full_rate()) };
    let (_, received) = with.run(&spec);
    // The source begins at a random time within its first frame.
    let first = received.hops[0][0].at;
    for (number, hops) in received.hops.iter().enumerate() {
        let sent = Bytes::new(1_000 * (number as u64 + 1));
        let at = first + TimeDelta::from_nanos(800 * number as u64);
        let report = |at| HopReport { at, queue: Bytes::ZERO, sent, rate: LINE };
        assert_eq!(
            hops[..],
            [report(at), report(at + TimeDelta::from_nanos(800) + MICROSECOND)],
            "frame {number}"
        );
    }
}

#[test]
fn replies_that_the_network_cannot_carry_are_refused() {
    let refused = |change: fn(&mut Spec)| {
        let mut spec = flows(1, TimeDelta::from_micros(100));
        change(&mut spec);
        match simulate(&spec, &mut With::new(Receiver::Acknowledges, full_rate())) {
            Err(SimError::Spec(SpecError::Controllers(reason))) => reason,
            other => panic!("{other:?}"),
        }
    };
    assert!(refused(|spec| spec.bridges = Bridges::Cioq(support::cioq())).contains("input buffers"));
    let protected = |spec: &mut Spec| {
        spec.flow_control = FlowControl::Pfc(support::thresholds(), PrioritySet::ALL);
    };
    assert!(refused(protected).contains("notification_priority"));
}

fn full_rate() -> Limit {
    Limit::Rate(LINE)
}
