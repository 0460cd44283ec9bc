//! Plays a sequence on a stepper and collects the answers.

use std::fmt::Write;

use setpoint_control::BridgeNeeds;
use setpoint_control::parameter::{Unit, Value};
use setpoint_random::{Purpose, RandomStream};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

use super::super::answer::Outcome;
use super::super::input::{Event, Input, Start};
use super::super::problem::Problem;
use super::super::setup::{Point, Setup};
use super::super::stepper::Stepper;

/// The set point assumed for algorithms that have none.
const USUAL_SET_POINT: Bytes = Bytes::new(26_000);
/// A sequence ends when its clock reaches this time, so that times stay in range.
const END: Time = Time::from_picos(900_000_000_000_000_000);

pub(super) struct Player {
    point: Point,
    stepper: Stepper,
    setup: Setup,
    left: u32,
    lines: String,
    /// Time of the next event.
    pub(super) clock: Time,
    /// Bytes that a sequence has delivered.
    settled: u64,
    /// Random choices of a sequence, independent of the random numbers of the points.
    pub(super) chance: RandomStream,
}

impl Player {
    pub(super) fn new(setup: &Setup, point: Point) -> Result<Self, Problem> {
        Ok(Self {
            point,
            stepper: Stepper::new(setup.clone(), Some(point))?,
            setup: setup.clone(),
            left: 0,
            lines: String::new(),
            clock: Time::ZERO,
            settled: 0,
            chance: RandomStream::new(setup.seed, Purpose::Traffic, 0),
        })
    }

    /// Starts a sequence of at most `steps` inputs.
    pub(super) fn begin(&mut self, name: &str, setup: Setup, steps: u32) -> Result<(), Problem> {
        self.setup = setup.clone();
        // Sequences do not depend on the draws of earlier ones.
        self.chance = RandomStream::new(setup.seed, Purpose::Traffic, 0);
        (self.clock, self.left, self.settled) = (Time::ZERO, steps, 0);
        let start = Start { sequence: Some(name.to_owned()), point: Some(self.point), setup };
        let answer = self.stepper.apply(Input::of(Event::Start(Box::new(start))))?;
        let _ = writeln!(self.lines, "{answer}");
        Ok(())
    }

    /// Plays an event and returns its outcome; `None` once the sequence is over.
    pub(super) fn play(&mut self, event: Event) -> Option<Outcome> {
        if !self.goes_on() {
            return None;
        }
        let answer =
            self.stepper.apply(Input::of(event)).expect("sequences are in order and for their point");
        self.left -= 1;
        let _ = writeln!(self.lines, "{answer}");
        Some(answer.outcome)
    }

    /// Whether more inputs fit into the sequence.
    pub(super) fn goes_on(&self) -> bool {
        self.left > 0 && self.clock <= END
    }

    /// Number of inputs that still fit into the sequence.
    pub(super) fn left(&self) -> u32 {
        self.left
    }

    /// Lets time pass.
    pub(super) fn wait(&mut self, span: TimeDelta) {
        self.clock = self.clock.saturating_add(span);
    }

    /// Adds the bytes of a delivered frame, and returns the sum.
    pub(super) fn settle(&mut self, bytes: u64) -> u64 {
        self.settled += bytes;
        self.settled
    }

    /// A random number from `lowest` to `highest`.
    pub(super) fn between(&mut self, lowest: u64, highest: u64) -> u64 {
        lowest + self.chance.below(highest - lowest + 1)
    }

    pub(super) fn stepper(&self) -> &Stepper {
        &self.stepper
    }

    pub(super) fn line_rate(&self) -> Rate {
        self.setup.line_rate
    }

    /// The services that the congestion point needs.
    pub(super) fn needs(&self) -> BridgeNeeds {
        self.setup.algorithm.points(&self.setup.params).0.needs()
    }

    /// The smallest and the largest size among the point's parameters; zero if there is none.
    pub(super) fn thresholds(&self) -> [u64; 2] {
        let sizes = || self.sizes().map(Bytes::get);
        [sizes().min().unwrap_or(0), sizes().max().unwrap_or(0)]
    }

    /// The queue length that the algorithm aims at.
    pub(super) fn set_point(&self) -> u64 {
        self.setup.algorithm.set_point(&self.setup.params).unwrap_or(USUAL_SET_POINT).get()
    }

    /// The largest size among the point's parameters, such as a sampling interval or a cycle.
    pub(super) fn longest_size(&self) -> Option<Bytes> {
        self.sizes().max()
    }

    /// The longest time among the point's parameters, such as an interval or a cycle.
    pub(super) fn longest_time(&self) -> Option<TimeDelta> {
        let times = self.values(Unit::Time).filter_map(|value| match value {
            Value::Time(span) => Some(span),
            _ => None,
        });
        times.max()
    }

    pub(super) fn into_lines(self) -> String {
        self.lines
    }

    fn sizes(&self) -> impl Iterator<Item = Bytes> {
        self.values(Unit::Size).filter_map(|value| match value {
            Value::Size(size) => Some(size),
            _ => None,
        })
    }

    fn values(&self, unit: Unit) -> impl Iterator<Item = Value> {
        let parameters = self.point.parameters(self.setup.algorithm);
        parameters
            .filter(move |parameter| parameter.unit == unit)
            .map(|parameter| parameter.read(&self.setup.params))
    }
}
