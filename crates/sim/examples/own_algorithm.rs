//! An algorithm defined outside Setpoint: while a bridge's queue is long, the bridge asks the source of every 20th frame to
//! slow down, and sources recover by themselves. Two sources share a link. Prints the queue and both rates over time.

use std::sync::Arc;

use setpoint_control::{
    Arrival, Backlog, Counters, CpCounters, Entropy, Feedback, Notification, Observe, Outbox,
    QuantizedFeedback, React, Reading, Show, Update,
};
use setpoint_sim::{Controllers, Decision, Monitor, SimError, Spec, simulate};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

/// The spec of the other example: stations `a` and `b` send to `sink` over one bridge.
#[path = "two_senders.rs"]
#[expect(dead_code, reason = "only its spec is used")]
mod two_senders;

const THRESHOLD: Bytes = Bytes::new(30_000);
const INTERVAL: TimeDelta = TimeDelta::from_micros(100);
const STEP: u64 = 20_000_000;

/// The congestion point of a queue.
#[derive(Clone, Debug, Default)]
struct Watcher {
    frames: u64,
    counters: CpCounters,
}

impl Observe for Watcher {
    fn on_enqueue(&mut self, arrival: &Arrival, _entropy: &mut dyn Entropy, outbox: &mut dyn Outbox) {
        self.frames += 1;
        if !self.frames.is_multiple_of(20) {
            return;
        }
        self.counters.samples += 1;
        if arrival.queue > THRESHOLD {
            self.counters.notifications += 1;
            let feedback = QuantizedFeedback::saturating(1);
            let notification = Notification { feedback, queue_offset: 0, queue_delta: 0 };
            outbox.send(arrival.flow, notification.into());
        }
    }

    fn counters(&self) -> CpCounters {
        self.counters
    }

    fn state(&self, show: &mut dyn Show) {
        show.show("frames", Reading::Number(self.frames as i64));
    }
}

/// The reaction point of a flow: reduces the rate by a sixteenth at every notification, and adds 20 Mb/s every 100 us.
#[derive(Clone, Debug)]
struct Limiter {
    line: Rate,
    rate: Rate,
    due: Option<Time>,
    requests: u64,
}

impl Limiter {
    fn set(&mut self, bits: u64, now: Time) -> Update {
        let before = self.rate;
        self.rate = Rate::from_bits_per_second(bits.clamp(STEP, self.line.bits_per_second()));
        self.due = (self.rate < self.line).then(|| now + INTERVAL);
        if self.rate == before { Update::Unchanged } else { Update::Changed }
    }
}

impl React for Limiter {
    fn on_feedback(&mut self, now: Time, _feedback: &Feedback, _entropy: &mut dyn Entropy) -> Update {
        self.requests += 1;
        self.set(self.rate.bits_per_second() / 16 * 15, now)
    }

    fn on_timer(&mut self, now: Time, _entropy: &mut dyn Entropy) -> Update {
        self.set(self.rate.bits_per_second() + STEP, now)
    }

    fn timer(&self) -> Option<Time> {
        self.due
    }

    fn rate(&self) -> Rate {
        self.rate
    }

    fn line_rate(&self) -> Rate {
        self.line
    }

    fn may_release(&self, _backlog: Backlog) -> bool {
        self.rate == self.line
    }

    fn counters(&self) -> Counters {
        [("requests", self.requests)].into()
    }

    fn state(&self, show: &mut dyn Show) {
        show.show("rate", Reading::Rate(self.rate));
    }
}

/// Uses the points above in place of those in the spec.
struct WithOwnPoints;

impl Monitor for WithOwnPoints {
    fn progress(&mut self, _now: Time, _events: u64) -> Decision {
        Decision::Continue
    }

    fn controllers(&self) -> Controllers {
        Controllers {
            congestion_point: Some(Arc::new(|_| Box::new(Watcher::default()))),
            reaction_point: Some(Arc::new(|path| {
                let line = path.line_rate;
                Box::new(Limiter { line, rate: line, due: None, requests: 0 })
            })),
            ..Controllers::default()
        }
    }
}

pub(crate) fn main() -> Result<(), SimError> {
    let spec: Spec = two_senders::spec();
    let outcome = simulate(&spec, &mut WithOwnPoints)?;
    let queue = two_senders::print(&spec, &outcome);
    assert!(queue.length.mean < 30_000.0, "the queue stays below the threshold on average");
    assert!(outcome.flows.iter().all(|flow| flow.reaction.get().get("requests") > 0));
    Ok(())
}
