//! A synthetic but plausible outcome of a run, for tests of the stages after the simulator.
//!
//! Several senders share a 10 Gb/s dumbbell under QCN. The queue oscillates and settles at its set point; a port that
//! changes its rate disturbs it once, in the middle of the run. The flows' rates converge. All counters are
//! consistent, and every number follows from the seed. Nothing here was simulated.

mod outcome;

use setpoint_control::{
    Audience, CongestionPointParams, GroupParams, Marking, NotificationPointParams, ReactionPointParams,
};
use setpoint_record::metrics::{Context, Event, Measured, measure};
use setpoint_sim::topology::Dumbbell;
use setpoint_sim::traffic::Traffic;
use setpoint_sim::{
    Bridges, Change, ControlSpec, FlowControl, FlowSpec, MessageOrder, Outcome, Placement, Priority,
    PrioritySet, Reaction, SampledFrames, Scheduling, Spec, TimedChange,
};
use setpoint_units::{Bytes, PartsPerMillion, Rate, Time, TimeDelta};

/// A synthetic run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Synthetic {
    /// Number of senders, each with one flow.
    pub(crate) senders: u32,
    /// Length of the run in intervals of 1 ms.
    pub(crate) samples: usize,
    /// Messages delivered per flow.
    pub(crate) messages: u32,
    /// The seed for all noise.
    pub(crate) seed: u64,
}

impl Default for Synthetic {
    fn default() -> Self {
        Self { senders: 4, samples: 400, messages: 0, seed: 1 }
    }
}

impl Synthetic {
    /// The set point of the bottleneck's queue.
    pub(crate) const SET_POINT: Bytes = Bytes::new(26_000);
    /// The length of every frame.
    pub(crate) const FRAME: Bytes = Bytes::new(1_000);
    /// The interval at which queues and rates are sampled.
    pub(crate) const INTERVAL: TimeDelta = TimeDelta::from_millis(1);
    /// The rate of every link.
    pub(crate) const RATE: Rate = Rate::from_gbps(10);

    /// The time at which the run ends.
    pub(crate) fn end(&self) -> Time {
        Time::ZERO + Self::INTERVAL * self.samples as u64
    }

    /// The time at which the rate of the bottleneck is halved.
    pub(crate) fn change_at(&self) -> Time {
        Time::ZERO + Self::INTERVAL * (self.samples / 2) as u64
    }

    /// The spec to which the outcome belongs.
    pub(crate) fn spec(&self) -> Spec {
        let delay = TimeDelta::from_micros(5);
        let dumbbell = Dumbbell {
            senders: self.senders,
            receivers: 1,
            access_rate: Self::RATE,
            access_delay: delay,
            bottleneck_rate: Self::RATE,
            bottleneck_delay: delay,
        };
        let topology = dumbbell.build();
        let bottleneck = topology.find_port("left->right").expect("a dumbbell has a bottleneck");
        let flows = (1..=self.senders).map(|number| self.flow(&topology, number)).collect();
        let half = Rate::from_gbps(5);
        Spec {
            topology,
            flows,
            groups: Vec::new(),
            control: control(),
            flow_control: FlowControl::None,
            bridges: Bridges::OutputQueued,
            scheduling: Scheduling::Strict,
            buffer: Bytes::new(150_000),
            overhead: Bytes::new(20),
            clock_tolerance: PartsPerMillion::ZERO,
            changes: vec![TimedChange { at: self.change_at(), change: Change::PortRate(bottleneck, half) }],
            rerouting_delay: TimeDelta::ZERO,
            sample_interval: Self::INTERVAL,
            recording: setpoint_sim::Recording::Series,
            records_pauses: false,
            measure_from: Time::ZERO + Self::INTERVAL * (self.samples / 10) as u64,
            measure_messages_until: None,
            duration: self.end().since_start(),
            seed: self.seed,
        }
    }

    fn flow(&self, topology: &setpoint_sim::Topology, number: u32) -> FlowSpec {
        FlowSpec {
            name: format!("f{number}"),
            source: topology.find(&format!("s{number}")).expect("a sender per flow"),
            destination: topology.find("r1").expect("a receiver").into(),
            priority: priority(),
            frame: Self::FRAME,
            traffic: Traffic::Backlogged,
            messages: MessageOrder::InOrder,
            start: Time::ZERO,
            stop: None,
            weight: 1,
            tenant: 0,
            max: None,
            cap: None,
            reaction: Reaction::Controlled,
        }
    }

    /// The synthetic outcome.
    pub(crate) fn outcome(&self) -> Outcome {
        outcome::make(self, &self.spec())
    }

    /// The events of the run.
    pub(crate) fn events(&self) -> Vec<Event> {
        let event = |at, label: &str| Event { at, label: label.to_owned() };
        vec![event(Time::ZERO, "start"), event(self.change_at(), "left->right at 5 Gb/s")]
    }

    /// All metrics.
    pub(crate) fn measured(&self) -> Measured {
        let (spec, events) = (self.spec(), self.events());
        let context = Context {
            spec: &spec,
            set_point: Some(Self::SET_POINT),
            events: &events,
            groups: &[],
            entries: &[],
            jobs: &[],
        };
        measure(&context, self.outcome())
    }
}

fn priority() -> Priority {
    Priority::new(3).expect("3 is a priority")
}

fn control() -> ControlSpec {
    ControlSpec {
        congestion_point: CongestionPointParams::None,
        notification_point: NotificationPointParams::None,
        reaction_point: ReactionPointParams::None,
        placement: Placement::Outputs,
        marking: Marking::Arrival,
        keep_alive: None,
        group: GroupParams::default(),
        priorities: PrioritySet::only(priority()),
        sampled: SampledFrames::Enqueued,
        audience: Audience::Sampled,
        limiters_per_station: 1,
        notification_priority: Priority::new(7).expect("7 is a priority"),
        notification_size: Bytes::new(64),
        reaction_delay: TimeDelta::ZERO,
    }
}
