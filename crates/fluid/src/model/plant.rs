//! The parts common to all models: the link, the queue and the sources' schedules, in frames and seconds.

use setpoint_units::Time;

use super::reader::{Lag, Reader};
use crate::dde::Bounds;
use crate::share::equal_share;
use crate::{Bottleneck, Class, Sending};

/// A bottleneck in frames and seconds. The first component of the state is the queue.
#[derive(Clone, Debug)]
pub(super) struct Plant {
    /// The link rate in frames per second from each given time onwards.
    capacity: Vec<(f64, f64)>,
    buffer: f64,
    pub(super) classes: Vec<Sources>,
    /// All distinct delays.
    pub(super) delays: Vec<f64>,
    /// The component of a class that estimates its rate at the congestion point, if there is one.
    estimate: Option<usize>,
}

/// The sources of a class.
#[derive(Clone, Debug)]
pub(super) struct Sources {
    count: f64,
    start: f64,
    stop: f64,
    pub(super) line_rate: f64,
    pub(super) kind: Kind,
}

/// How a class sends.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    /// Under congestion control.
    Controlled {
        /// The first of its components.
        first: usize,
        /// The lag of the received signals.
        received: Lag,
        /// The lag of the signals before those, if the law uses them.
        before: Lag,
        weight: f64,
    },
    /// At a constant rate.
    Constant(f64),
}

/// The state of the link and its queue at an instant.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Signals {
    /// Queue length.
    pub(super) queue: f64,
    /// Queue growth in frames per second; zero while the queue is held at empty or full.
    pub(super) growth: f64,
    /// The link rate.
    pub(super) capacity: f64,
    /// The sum of the estimated rates of active sources.
    pub(super) estimated: f64,
    /// The sum of their weights.
    pub(super) weights: f64,
}

/// The layout of a model's state: the queue, components shared by all classes, and components of each class.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Layout {
    pub(super) shared: usize,
    pub(super) own: usize,
    pub(super) estimate: Option<usize>,
    /// Seconds between two successive signals to a source, if the law uses the previous one.
    pub(super) interval: Option<f64>,
    /// The minimum number of seconds that a signal takes in addition to a class's delay.
    pub(super) transmission: f64,
}

impl Plant {
    pub(super) fn new(bottleneck: &Bottleneck, layout: Layout) -> Self {
        let mut plant = Self {
            capacity: bottleneck
                .capacity
                .iter()
                .map(|(at, rate)| (at.as_secs_f64(), bottleneck.frames_per_second(*rate)))
                .collect(),
            buffer: bottleneck.frames(bottleneck.buffer),
            classes: Vec::new(),
            delays: Vec::new(),
            estimate: layout.estimate,
        };
        let mut first = 1 + layout.shared;
        for class in &bottleneck.classes {
            let kind = plant.kind(class, bottleneck, layout, &mut first);
            plant.classes.push(Sources {
                count: f64::from(class.sources),
                start: class.start.as_secs_f64(),
                stop: class.stop.map_or(f64::INFINITY, Time::as_secs_f64),
                line_rate: bottleneck.frames_per_second(class.line_rate),
                kind,
            });
        }
        plant
    }

    /// The plant with sources that start at time zero treated as always on.
    pub(super) fn without_starts(mut self) -> Self {
        for class in &mut self.classes {
            if class.start <= 0.0 {
                class.start = f64::NEG_INFINITY;
            }
        }
        self
    }

    fn kind(&mut self, class: &Class, bottleneck: &Bottleneck, layout: Layout, first: &mut usize) -> Kind {
        match class.sending {
            Sending::Constant(rate) => Kind::Constant(bottleneck.frames_per_second(rate)),
            Sending::Controlled { weight } => {
                let delay = class.delay.as_secs_f64() + layout.transmission;
                let received = self.lag(delay);
                let before = self.lag(delay + layout.interval.unwrap_or(0.0));
                let own = *first;
                *first += layout.own;
                Kind::Controlled { first: own, received, before, weight: f64::from(weight.max(1)) }
            }
        }
    }

    fn lag(&mut self, seconds: f64) -> Lag {
        if seconds <= 0.0 {
            return Lag::None;
        }
        let known = self.delays.iter().position(|delay| *delay == seconds);
        Lag::Delay(known.unwrap_or_else(|| {
            self.delays.push(seconds);
            self.delays.len() - 1
        }))
    }

    /// A lag in seconds.
    pub(super) fn seconds(&self, lag: Lag) -> f64 {
        match lag {
            Lag::None => 0.0,
            Lag::Delay(index) => self.delays[index],
        }
    }

    /// The link and its queue at a lag.
    pub(super) fn signals(&self, reader: &Reader<'_>) -> Signals {
        let capacity = self.capacity_at(reader.time());
        let mut signals = Signals { queue: reader.component(0), capacity, ..Signals::default() };
        let mut inflow = 0.0;
        for class in self.classes.iter().filter(|class| class.is_on(reader.time())) {
            match class.kind {
                Kind::Constant(rate) => inflow += class.count * rate,
                Kind::Controlled { first, weight, .. } => {
                    inflow += class.count * reader.component(first);
                    if let Some(estimate) = self.estimate {
                        signals.estimated += class.count * reader.component(first + estimate);
                        signals.weights += class.count * weight;
                    }
                }
            }
        }
        signals.growth = self.held(signals.queue, inflow - capacity);
        signals
    }

    /// The actual queue growth: an empty queue does not shrink, and a full one does not grow.
    fn held(&self, queue: f64, growth: f64) -> f64 {
        let outwards = (queue <= 0.0 && growth < 0.0) || (queue >= self.buffer && growth > 0.0);
        if outwards { 0.0 } else { growth }
    }

    /// The queue growth without regard to bounds.
    pub(super) fn inflow_less_capacity(&self, reader: &Reader<'_>) -> f64 {
        let sent = |class: &Sources| match class.kind {
            Kind::Constant(rate) => class.count * rate,
            Kind::Controlled { first, .. } => class.count * reader.component(first),
        };
        let on = self.classes.iter().filter(|class| class.is_on(reader.time()));
        on.map(sent).sum::<f64>() - self.capacity_at(reader.time())
    }

    /// The last capacity, in frames per second.
    pub(super) fn last_capacity(&self) -> f64 {
        self.capacity.last().map_or(0.0, |(_, rate)| *rate)
    }

    /// The largest capacity at any time.
    pub(super) fn largest_capacity(&self) -> f64 {
        self.capacity.iter().map(|(_, rate)| *rate).fold(0.0, f64::max)
    }

    fn capacity_at(&self, time: f64) -> f64 {
        let past = self.capacity.partition_point(|(at, _)| *at <= time);
        self.capacity[past.saturating_sub(1)].1
    }

    /// The times at which sources start or stop or the link rate changes.
    pub(super) fn jumps(&self) -> Vec<f64> {
        let starts = self.classes.iter().flat_map(|class| [class.start, class.stop]);
        let rates = self.capacity.iter().map(|(at, _)| *at);
        starts.chain(rates).filter(|time| time.is_finite() && *time > 0.0).collect()
    }

    pub(super) fn queue_bounds(&self) -> Bounds {
        Bounds { least: 0.0, most: self.buffer }
    }

    /// The magnitude of the queue, which sets its accuracy: a few frames.
    pub(super) fn queue_scale(&self) -> f64 {
        self.buffer.min(10.0)
    }

    /// The final share of each controlled source: its share of the last capacity minus constant
    /// traffic.
    pub(super) fn equal_share(&self) -> f64 {
        let capacity = self.last_capacity();
        let (mut background, mut controlled) = (0.0, Vec::new());
        for class in &self.classes {
            match class.kind {
                Kind::Constant(rate) => background += class.count * rate,
                Kind::Controlled { .. } => controlled.push((class.count, class.line_rate)),
            }
        }
        equal_share(capacity - background, &controlled)
    }
}

impl Sources {
    pub(super) fn is_on(&self, time: f64) -> bool {
        self.start <= time && time < self.stop
    }
}
