//! Points defined outside the simulator: QCN wrapped in such points behaves like built-in QCN.

use std::num::NonZeroUsize;
use std::sync::Arc;

use crate::support;
use crate::support::qcn_control;
use setpoint_control::{
    Arrival, Backlog, Counters, CpCounters, Entropy, Feedback, Observe, Outbox, React, ReactionPointParams,
    Show, Update, qcn,
};
use setpoint_sim::{
    Change, Controllers, Decision, Monitor, SimError, Spec, SpecError, Threads, TimedChange, Unwatched,
    simulate,
};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

/// QCN's congestion point, which draws from a copy of the random stream, as a point written in another language does.
#[derive(Clone, Debug)]
struct Congestion(qcn::CongestionPoint);

impl Observe for Congestion {
    fn on_enqueue(&mut self, arrival: &Arrival, entropy: &mut dyn Entropy, outbox: &mut dyn Outbox) {
        drawn(entropy, |entropy| self.0.on_enqueue(arrival, &mut || entropy(), outbox));
    }

    fn counters(&self) -> CpCounters {
        self.0.counters()
    }

    fn state(&self, show: &mut dyn Show) {
        self.0.state(show);
    }
}

/// QCN's reaction point.
#[derive(Clone, Debug)]
struct Reaction(qcn::ReactionPoint);

impl React for Reaction {
    fn on_feedback(&mut self, now: Time, feedback: &Feedback, entropy: &mut dyn Entropy) -> Update {
        drawn(entropy, |entropy| self.0.on_feedback(now, feedback, &mut || entropy()))
    }

    fn on_sent(&mut self, frame: Bytes, entropy: &mut dyn Entropy) -> Update {
        drawn(entropy, |entropy| self.0.on_sent(frame, &mut || entropy()))
    }

    fn on_timer(&mut self, now: Time, entropy: &mut dyn Entropy) -> Update {
        drawn(entropy, |entropy| self.0.on_timer(now, &mut || entropy()))
    }

    fn timer(&self) -> Option<Time> {
        self.0.timer()
    }

    fn rate(&self) -> Rate {
        self.0.rate()
    }

    fn line_rate(&self) -> Rate {
        self.0.line_rate()
    }

    fn may_release(&self, backlog: Backlog) -> bool {
        self.0.may_release(backlog)
    }

    fn counters(&self) -> Counters {
        self.0.counters()
    }

    fn state(&self, show: &mut dyn Show) {
        self.0.state(show);
    }
}

/// Draws from a copy of the stream, and then makes the same number of draws from the stream itself.
fn drawn<T>(entropy: &mut dyn Entropy, call: impl FnOnce(&mut dyn FnMut() -> u32) -> T) -> T {
    let (mut copy, mut count) = (entropy.fork().expect("streams of the simulator can be copied"), 0);
    let result = call(&mut || {
        count += 1;
        copy.next_u32()
    });
    for _ in 0..count {
        entropy.next_u32();
    }
    result
}

/// Uses the points above.
struct External(Threads);

impl Monitor for External {
    fn progress(&mut self, _now: Time, _events: u64) -> Decision {
        Decision::Continue
    }

    fn threads(&self) -> Threads {
        self.0
    }

    fn controllers(&self) -> Controllers {
        let (cp, rp) = (qcn::CpParams::default(), qcn::RpParams::default());
        Controllers {
            congestion_point: Some(Arc::new(move |_| Box::new(Congestion(qcn::CongestionPoint::new(cp))))),
            reaction_point: Some(Arc::new(move |path| {
                Box::new(Reaction(qcn::ReactionPoint::new(rp, path.line_rate)))
            })),
            ..Controllers::default()
        }
    }
}

fn dumbbell() -> Spec {
    let mut spec = support::dumbbell(4, TimeDelta::from_micros(25), TimeDelta::from_millis(60));
    let params = qcn::Params::default();
    spec.control.congestion_point = setpoint_control::CongestionPointParams::Qcn(params.cp);
    spec.control.reaction_point = ReactionPointParams::Qcn(params.rp);
    spec
}

#[path = "../../examples/own_algorithm.rs"]
mod own_algorithm;

#[test]
fn the_example_of_an_own_algorithm_works() {
    own_algorithm::main().unwrap();
}

#[test]
fn qcn_from_outside_gives_the_outcome_of_qcn() {
    let spec = dumbbell();
    let expected = simulate(&spec, &mut Unwatched).unwrap();
    assert!(expected.queues.iter().any(|queue| queue.congestion_point.notifications > 10));
    for threads in [1, 2] {
        let threads = Threads::exactly(NonZeroUsize::new(threads).unwrap());
        let outcome = simulate(&spec, &mut External(threads)).unwrap();
        assert_eq!(format!("{outcome:?}"), format!("{expected:?}"));
    }
}

#[test]
fn a_spec_must_have_the_points_that_are_replaced() {
    let refused = |spec: &Spec| match simulate(spec, &mut External(Threads::ONE)) {
        Err(SimError::Spec(SpecError::Controllers(reason))) => reason,
        other => panic!("{other:?}"),
    };
    let silent = Spec { control: support::no_control(), ..dumbbell() };
    assert_eq!(refused(&silent), "its control sends no notifications; set control to qcn");
    let mut changing = dumbbell();
    let change = Change::ReactionPoint(qcn_control().reaction_point);
    changing.changes.push(TimedChange { at: Time::ZERO + TimeDelta::from_millis(1), change });
    assert_eq!(refused(&changing), "it changes parameters of reaction points during the run");
}
