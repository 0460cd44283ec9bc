//! What a point can be told, and how it is written.

use serde_json::{Map, Value, json};
use setpoint_control::{Arrival, Notification, PointId};
use setpoint_units::{Bytes, Rate, Time};

use super::setup::{Point, Setup};

/// One line for a [`Stepper`](super::Stepper), with nothing left to defaults.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// What happens.
    pub event: Event,
    /// The random numbers to be drawn, if they are not to come from the seed.
    pub random: Option<Vec<u32>>,
}

/// What happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// Everything begins anew.
    Start(Box<Start>),
    /// A frame enters the queue of the congestion point.
    Enqueue(Arrival),
    /// A frame is about to enter the queue, whose length is without it.
    Admit(Arrival),
    /// The reaction point hears from a congestion point.
    Notification(ReceivedNotification),
    /// The reaction point's limiter has sent a frame.
    Sent(Bytes),
    /// Time has come to look at the reaction point's timer.
    Timer(Time),
}

/// A beginning: points in their initial state, at time zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start {
    /// What the inputs that follow are called.
    pub sequence: Option<String>,
    /// The point they are for; none for both.
    pub point: Option<Point>,
    /// What the points are made from.
    pub setup: Setup,
}

/// A notification as it arrives at a reaction point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReceivedNotification {
    /// When.
    pub time: Time,
    /// Who sent it.
    pub from: PointId,
    /// What it says.
    pub notification: Notification,
}

impl Event {
    /// The names of all of them.
    pub(super) const NAMES: [&'static str; 6] =
        ["start", "enqueue", "admit", "notification", "sent", "timer"];

    /// Its key in a line.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Start(_) => "start",
            Self::Enqueue(_) => "enqueue",
            Self::Admit(_) => "admit",
            Self::Notification(_) => "notification",
            Self::Sent(_) => "sent",
            Self::Timer(_) => "timer",
        }
    }

    /// The point it is for, if not both.
    #[must_use]
    pub const fn point(&self) -> Option<Point> {
        match self {
            Self::Start(start) => start.point,
            Self::Enqueue(_) | Self::Admit(_) => Some(Point::Congestion),
            Self::Notification(_) | Self::Sent(_) | Self::Timer(_) => Some(Point::Reaction),
        }
    }

    /// When it happens, if it says so.
    #[must_use]
    pub const fn time(&self) -> Option<Time> {
        match self {
            Self::Start(_) | Self::Sent(_) => None,
            Self::Enqueue(arrival) | Self::Admit(arrival) => Some(arrival.now),
            Self::Notification(received) => Some(received.time),
            Self::Timer(time) => Some(*time),
        }
    }

    fn to_json(&self) -> Value {
        match self {
            Self::Start(start) => start.to_json(),
            Self::Enqueue(arrival) | Self::Admit(arrival) => arrival_to_json(arrival),
            Self::Notification(received) => received.to_json(),
            Self::Sent(frame) => json!({"frame_bytes": frame.get()}),
            Self::Timer(time) => json!({"time_ps": time.as_picos()}),
        }
    }
}

impl Input {
    /// An event whose random numbers come from the seed.
    #[must_use]
    pub const fn of(event: Event) -> Self {
        Self { event, random: None }
    }

    /// As it is written in a line, with every key.
    pub(super) fn to_json(&self) -> Value {
        let mut line = Map::new();
        line.insert(self.event.name().to_owned(), self.event.to_json());
        if let Some(random) = &self.random {
            line.insert("random".to_owned(), json!(random));
        }
        Value::Object(line)
    }
}

impl Start {
    fn to_json(&self) -> Value {
        let changes = self.setup.changes().into_iter();
        let parameters: Map<String, Value> =
            changes.map(|(key, value)| (key.to_owned(), json!(value.to_string()))).collect();
        json!({
            "sequence": self.sequence,
            "point": self.point.map(Point::name),
            "seed": self.setup.seed,
            "line_rate_bps": self.setup.line_rate.bits_per_second(),
            "parameters": parameters,
        })
    }
}

impl ReceivedNotification {
    fn to_json(self) -> Value {
        json!({
            "time_ps": self.time.as_picos(),
            "from": self.from.0,
            "feedback": self.notification.feedback.get(),
            "queue_offset_bytes": self.notification.queue_offset,
            "queue_delta_bytes": self.notification.queue_delta,
        })
    }
}

fn arrival_to_json(arrival: &Arrival) -> Value {
    json!({
        "time_ps": arrival.now.as_picos(),
        "frame_bytes": arrival.frame.get(),
        "queue_bytes": arrival.queue.get(),
        "flow": arrival.flow.0,
        "tenant": arrival.tenant.id,
        "weight": arrival.tenant.weight,
        "max_bps": arrival.tenant.max.map(Rate::bits_per_second),
        "tag": arrival.tag.map(|point| point.0),
    })
}
