//! The inputs to a point, and how they are written.

use serde_json::{Map, Value, json};
use setpoint_control::{
    Acknowledgement, Arrival, Delivery, Departure, HopReport, Mark, Notification, PointId,
};
use setpoint_units::{Bytes, Rate, Time};

use super::setup::{Point, Setup};

/// Identifier of the stepped congestion point in tags and notifications.
pub const CONGESTION_POINT: PointId = PointId(0);

/// One input to a [`Stepper`](super::Stepper), with all defaults filled in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// The event.
    pub event: Event,
    /// The random numbers to use instead of those from the seed.
    pub random: Option<Vec<u32>>,
}

/// An input event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// Resets the points to their initial state.
    Start(Box<Start>),
    /// A frame enters the queue of the congestion point.
    Enqueue(Arrival),
    /// A frame is about to enter the queue, whose length does not include it yet.
    Admit(Arrival),
    /// A frame leaves the queue of a congestion point that marks departing frames. The queue length includes it.
    Dequeue(Departure),
    /// A frame is delivered to the notification point.
    Delivery(DeliveredFrame),
    /// The notification point's timer is checked at this time.
    NpTimer(Time),
    /// The reaction point receives a notification.
    Notification(ReceivedNotification),
    /// The reaction point receives an acknowledgement.
    Acknowledgement(ReceivedAcknowledgement),
    /// The reaction point's limiter has sent a frame.
    Sent(Bytes),
    /// The reaction point's timer is checked at this time.
    Timer(Time),
}

/// A reset: points in their initial state, at time zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start {
    /// Name of the sequence of inputs that follows.
    pub sequence: Option<String>,
    /// The point that the inputs are for; `None` for all.
    pub point: Option<Point>,
    /// The parameters of the points.
    pub setup: Setup,
}

/// A frame as delivered to a notification point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeliveredFrame {
    /// The arrival time.
    pub time: Time,
    /// Its length.
    pub frame: Bytes,
    /// The time at which it left its source.
    pub sent_at: Time,
    /// Bytes of the flow that have been delivered or lost, including this frame.
    pub settled: Bytes,
    /// Whether a bridge has marked it.
    pub mark: Mark,
    /// The reports of the bridges on its path.
    pub hops: Vec<HopReport>,
}

/// A notification as received by a reaction point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReceivedNotification {
    /// The arrival time.
    pub time: Time,
    /// The congestion point that sent it.
    pub from: PointId,
    /// The notification.
    pub notification: Notification,
}

/// An acknowledgement as received by a reaction point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReceivedAcknowledgement {
    /// The arrival time.
    pub time: Time,
    /// The time at which the frame that caused it left the source.
    pub sent_at: Time,
    /// Bytes that it acknowledges.
    pub bytes: Bytes,
    /// Bytes that have been delivered or lost so far.
    pub settled: Bytes,
    /// Whether it reports a mark.
    pub mark: Mark,
    /// The reports of the bridges on the frame's path.
    pub hops: Vec<HopReport>,
}

impl Event {
    /// The names of all events.
    pub(super) const NAMES: [&'static str; 10] = [
        "start",
        "enqueue",
        "admit",
        "dequeue",
        "delivery",
        "np_timer",
        "notification",
        "acknowledgement",
        "sent",
        "timer",
    ];

    /// Its key in a line of JSON.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Start(_) => "start",
            Self::Enqueue(_) => "enqueue",
            Self::Admit(_) => "admit",
            Self::Dequeue(_) => "dequeue",
            Self::Delivery(_) => "delivery",
            Self::NpTimer(_) => "np_timer",
            Self::Notification(_) => "notification",
            Self::Acknowledgement(_) => "acknowledgement",
            Self::Sent(_) => "sent",
            Self::Timer(_) => "timer",
        }
    }

    /// The point it is for; `None` for all.
    #[must_use]
    pub const fn point(&self) -> Option<Point> {
        match self {
            Self::Start(start) => start.point,
            Self::Enqueue(_) | Self::Admit(_) | Self::Dequeue(_) => Some(Point::Congestion),
            Self::Delivery(_) | Self::NpTimer(_) => Some(Point::Notification),
            Self::Notification(_) | Self::Acknowledgement(_) | Self::Sent(_) | Self::Timer(_) => {
                Some(Point::Reaction)
            }
        }
    }

    /// Its time, if it has one.
    #[must_use]
    pub const fn time(&self) -> Option<Time> {
        match self {
            Self::Start(_) | Self::Sent(_) => None,
            Self::Enqueue(arrival) | Self::Admit(arrival) => Some(arrival.now),
            Self::Dequeue(departure) => Some(departure.now),
            Self::Delivery(delivered) => Some(delivered.time),
            Self::Notification(received) => Some(received.time),
            Self::Acknowledgement(received) => Some(received.time),
            Self::NpTimer(time) | Self::Timer(time) => Some(*time),
        }
    }

    fn to_json(&self) -> Value {
        match self {
            Self::Start(start) => start.to_json(),
            Self::Enqueue(arrival) | Self::Admit(arrival) => arrival_to_json(arrival),
            Self::Dequeue(departure) => departure_to_json(departure),
            Self::Delivery(delivered) => delivered.to_json(),
            Self::Notification(received) => received.to_json(),
            Self::Acknowledgement(received) => received.to_json(),
            Self::Sent(frame) => json!({"frame_bytes": frame.get()}),
            Self::NpTimer(time) | Self::Timer(time) => json!({"time_ps": time.as_picos()}),
        }
    }
}

impl Input {
    /// An event with random numbers from the seed.
    #[must_use]
    pub const fn of(event: Event) -> Self {
        Self { event, random: None }
    }

    /// The input as JSON, with every key.
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

impl DeliveredFrame {
    /// The delivery, as the point sees it.
    pub(super) fn content(&self) -> Delivery<'_> {
        let Self { time: now, frame, sent_at, settled, mark, ref hops } = *self;
        Delivery { now, frame, sent_at, mark, settled, hops }
    }

    fn to_json(&self) -> Value {
        json!({
            "time_ps": self.time.as_picos(),
            "frame_bytes": self.frame.get(),
            "sent_at_ps": self.sent_at.as_picos(),
            "settled_bytes": self.settled.get(),
            "marked": self.mark == Mark::Congested,
            "hops": self.hops.iter().map(hop_to_json).collect::<Vec<_>>(),
        })
    }
}

impl ReceivedNotification {
    fn to_json(self) -> Value {
        let mut object = Map::new();
        object.insert("time_ps".to_owned(), json!(self.time.as_picos()));
        object.insert("from".to_owned(), json!(self.from.0));
        content(&self.notification, &mut object);
        Value::Object(object)
    }
}

impl ReceivedAcknowledgement {
    /// Its content.
    pub(super) fn content(&self) -> Acknowledgement<'_> {
        let Self { sent_at, bytes, settled, mark, ref hops, .. } = *self;
        Acknowledgement { sent_at, bytes, settled, mark, hops }
    }

    /// An acknowledgement at a time.
    pub(super) fn of(time: Time, content: Acknowledgement<'_>) -> Self {
        let Acknowledgement { sent_at, bytes, settled, mark, hops } = content;
        Self { time, sent_at, bytes, settled, mark, hops: hops.to_vec() }
    }

    pub(super) fn to_json(&self) -> Value {
        json!({
            "time_ps": self.time.as_picos(),
            "sent_at_ps": self.sent_at.as_picos(),
            "bytes": self.bytes.get(),
            "settled_bytes": self.settled.get(),
            "marked": self.mark == Mark::Congested,
            "hops": self.hops.iter().map(hop_to_json).collect::<Vec<_>>(),
        })
    }
}

fn hop_to_json(hop: &HopReport) -> Value {
    json!({
        "at_ps": hop.at.as_picos(),
        "queue_bytes": hop.queue.get(),
        "sent_bytes": hop.sent.get(),
        "rate_bps": hop.rate.bits_per_second(),
    })
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

fn departure_to_json(departure: &Departure) -> Value {
    json!({
        "time_ps": departure.now.as_picos(),
        "frame_bytes": departure.frame.get(),
        "queue_bytes": departure.queue.get(),
        "flow": departure.flow.0,
    })
}

/// The content of a notification. Feedback that does not fit in six bits is also given in fractions of a step.
pub(super) fn content(notification: &Notification, object: &mut Map<String, Value>) {
    let mut insert = |key: &str, value: Value| object.insert(key.to_owned(), value);
    insert("feedback", json!(notification.feedback.get()));
    if !notification.feedback.fits_six_bits() {
        insert("feedback_256", json!(notification.feedback.parts()));
    }
    insert("queue_offset_bytes", json!(notification.queue_offset));
    insert("queue_delta_bytes", json!(notification.queue_delta));
}
