//! Parses the lines of a session.
//!
//! The ranges ensure that sums of a few values, and the arithmetic of every algorithm, stay within 64 bits.

use std::ops::RangeInclusive;

use serde_json::Value;
use setpoint_control::{
    Arrival, Departure, FlowKey, HopReport, Mark, Notification, PointId, QuantizedFeedback, Tenant,
};
use setpoint_units::{Bytes, Rate, Time};

use super::input::{
    CONGESTION_POINT, DeliveredFrame, Event, Input, ReceivedAcknowledgement, ReceivedNotification, Start,
};
use super::object::{Object, map, number, unknown, wrong_kind};
use super::problem::Problem;
use super::setup::{Point, Setup};

/// A million seconds.
const TIME: RangeInclusive<i128> = 0..=1_000_000_000_000_000_000;
const FRAME: RangeInclusive<i128> = 1..=65_535;
const QUEUE: RangeInclusive<i128> = 0..=1_000_000_000_000;
const DIFFERENCE: RangeInclusive<i128> = -1_000_000_000_000..=1_000_000_000_000;
const NUMBER: RangeInclusive<i128> = 0..=u32::MAX as i128;
const WEIGHT: RangeInclusive<i128> = 1..=65_535;
const RATE: RangeInclusive<i128> = 1..=1_000_000_000_000_000;
const FEEDBACK: RangeInclusive<i128> = 0..=63;
const FEEDBACK_PARTS: RangeInclusive<i128> = 0..=64 * QuantizedFeedback::PARTS as i128;
const SEED: RangeInclusive<i128> = 0..=u64::MAX as i128;

/// Sources of default values.
pub(super) struct Defaults<'a> {
    /// Time of the last input.
    pub(super) now: Time,
    /// Expiry time of the notification point's timer.
    pub(super) reply_due: Option<Time>,
    /// Expiry time of the reaction point's timer.
    pub(super) due: Option<Time>,
    /// The setup that a start modifies.
    pub(super) base: &'a Setup,
}

/// Parses a line.
pub(super) fn input(line: &str, defaults: &Defaults<'_>) -> Result<Input, Problem> {
    let value: Value = serde_json::from_str(line).map_err(|error| not_json(&error))?;
    let map = map(&value, "the line")?;
    if let Some(key) = map.keys().find(|key| *key != "random" && !Event::NAMES.contains(&key.as_str())) {
        let known: Vec<&str> = Event::NAMES.into_iter().chain(["random"]).collect();
        return Err(unknown(key, "the line", &known));
    }
    let mut events = map.iter().filter(|(key, _)| *key != "random");
    let (name, value) = match (events.next(), events.next()) {
        (Some(event), None) => event,
        (None, _) => return Err(not_one("is no input")),
        (Some(_), Some(_)) => return Err(not_one("are several inputs")),
    };
    let random = map.get("random").filter(|value| !value.is_null()).map(random).transpose()?;
    Ok(Input { event: event(name, value, defaults)?, random })
}

fn event(name: &str, value: &Value, defaults: &Defaults<'_>) -> Result<Event, Problem> {
    match name {
        "start" => start(value, defaults.base).map(|start| Event::Start(Box::new(start))),
        "enqueue" => arrival("enqueue", value, defaults).map(Event::Enqueue),
        "admit" => arrival("admit", value, defaults).map(Event::Admit),
        "dequeue" => departure(value, defaults).map(Event::Dequeue),
        "delivery" => delivery(value, defaults).map(Event::Delivery),
        "np_timer" => timer("np_timer", value, defaults, defaults.reply_due).map(Event::NpTimer),
        "notification" => notification(value, defaults).map(Event::Notification),
        "acknowledgement" => acknowledgement(value, defaults).map(Event::Acknowledgement),
        "sent" => {
            let object = Object::new("sent", value, &["frame_bytes"])?;
            Ok(Event::Sent(Bytes::new(object.required("frame_bytes", FRAME)?)))
        }
        _ => timer("timer", value, defaults, defaults.due).map(Event::Timer),
    }
}

/// The time at which a timer is checked: when it is due, unless the line says otherwise.
fn timer(
    name: &'static str,
    value: &Value,
    defaults: &Defaults<'_>,
    due: Option<Time>,
) -> Result<Time, Problem> {
    let object = Object::new(name, value, &["time_ps"])?;
    let due = due.map_or(defaults.now, |due| due.max(defaults.now));
    Ok(time(&object)?.unwrap_or(due))
}

fn delivery(value: &Value, defaults: &Defaults<'_>) -> Result<DeliveredFrame, Problem> {
    const KEYS: &[&str] = &["time_ps", "frame_bytes", "sent_at_ps", "settled_bytes", "marked", "hops"];
    let object = Object::new("delivery", value, KEYS)?;
    let hops: Result<_, _> = object.list("hops")?.iter().map(hop).collect();
    Ok(DeliveredFrame {
        time: time(&object)?.unwrap_or(defaults.now),
        frame: Bytes::new(object.required("frame_bytes", FRAME)?),
        sent_at: Time::from_picos(object.required("sent_at_ps", TIME)?),
        settled: Bytes::new(object.required("settled_bytes", QUEUE)?),
        mark: mark(&object)?,
        hops: hops?,
    })
}

fn mark(object: &Object<'_>) -> Result<Mark, Problem> {
    Ok(if object.flag("marked")? { Mark::Congested } else { Mark::Clear })
}

fn arrival(name: &'static str, value: &Value, defaults: &Defaults<'_>) -> Result<Arrival, Problem> {
    const KEYS: &[&str] =
        &["time_ps", "frame_bytes", "queue_bytes", "flow", "tenant", "weight", "max_bps", "tag"];
    let object = Object::new(name, value, KEYS)?;
    let flow = object.number("flow", NUMBER)?.unwrap_or(0);
    Ok(Arrival {
        now: time(&object)?.unwrap_or(defaults.now),
        frame: Bytes::new(object.required("frame_bytes", FRAME)?),
        queue: Bytes::new(object.required("queue_bytes", QUEUE)?),
        flow: FlowKey(flow),
        tenant: Tenant {
            id: object.number("tenant", NUMBER)?.unwrap_or(flow),
            weight: object.number("weight", WEIGHT)?.unwrap_or(1),
            max: object.number("max_bps", RATE)?.and_then(Rate::new),
        },
        tag: object.number("tag", NUMBER)?.map(PointId),
    })
}

fn departure(value: &Value, defaults: &Defaults<'_>) -> Result<Departure, Problem> {
    let object = Object::new("dequeue", value, &["time_ps", "frame_bytes", "queue_bytes", "flow"])?;
    Ok(Departure {
        now: time(&object)?.unwrap_or(defaults.now),
        frame: Bytes::new(object.required("frame_bytes", FRAME)?),
        queue: Bytes::new(object.required("queue_bytes", QUEUE)?),
        flow: FlowKey(object.number("flow", NUMBER)?.unwrap_or(0)),
    })
}

fn notification(value: &Value, defaults: &Defaults<'_>) -> Result<ReceivedNotification, Problem> {
    const KEYS: &[&str] =
        &["time_ps", "from", "feedback", "feedback_256", "queue_offset_bytes", "queue_delta_bytes"];
    let object = Object::new("notification", value, KEYS)?;
    let steps = object.required("feedback", FEEDBACK)?;
    let parts = object.number("feedback_256", FEEDBACK_PARTS)?;
    Ok(ReceivedNotification {
        time: time(&object)?.unwrap_or(defaults.now),
        from: object.number("from", NUMBER)?.map_or(CONGESTION_POINT, PointId),
        notification: Notification {
            feedback: parts.map_or(QuantizedFeedback::saturating(steps), QuantizedFeedback::from_parts),
            queue_offset: object.number("queue_offset_bytes", DIFFERENCE)?.unwrap_or(0),
            queue_delta: object.number("queue_delta_bytes", DIFFERENCE)?.unwrap_or(0),
        },
    })
}

fn acknowledgement(value: &Value, defaults: &Defaults<'_>) -> Result<ReceivedAcknowledgement, Problem> {
    const KEYS: &[&str] = &["time_ps", "sent_at_ps", "bytes", "settled_bytes", "marked", "hops"];
    let object = Object::new("acknowledgement", value, KEYS)?;
    let hops: Result<_, _> = object.list("hops")?.iter().map(hop).collect();
    Ok(ReceivedAcknowledgement {
        time: time(&object)?.unwrap_or(defaults.now),
        sent_at: Time::from_picos(object.required("sent_at_ps", TIME)?),
        bytes: Bytes::new(object.required("bytes", QUEUE)?),
        settled: Bytes::new(object.required("settled_bytes", QUEUE)?),
        mark: mark(&object)?,
        hops: hops?,
    })
}

fn hop(value: &Value) -> Result<HopReport, Problem> {
    let object = Object::new("hops", value, &["at_ps", "queue_bytes", "sent_bytes", "rate_bps"])?;
    Ok(HopReport {
        at: Time::from_picos(object.required("at_ps", TIME)?),
        queue: Bytes::new(object.required("queue_bytes", QUEUE)?),
        sent: Bytes::new(object.required("sent_bytes", QUEUE)?),
        rate: Rate::from_bits_per_second(object.required("rate_bps", RATE)?),
    })
}

fn start(value: &Value, base: &Setup) -> Result<Start, Problem> {
    let object = Object::new("start", value, &["sequence", "point", "seed", "line_rate_bps", "parameters"])?;
    let mut setup = base.clone();
    setup.seed = object.number("seed", SEED)?.unwrap_or(setup.seed);
    setup.line_rate = object.number("line_rate_bps", RATE)?.and_then(Rate::new).unwrap_or(setup.line_rate);
    if let Some(parameters) = object.value("parameters") {
        for (key, value) in map(parameters, "\"parameters\"")? {
            let text = value.as_str().ok_or_else(|| wrong_kind(key, value, "a string with a unit"))?;
            setup.set(key, text)?;
        }
    }
    let named = |name| {
        Point::from_name(name)
            .ok_or_else(|| wrong_kind("\"point\"", &name.into(), "\"cp\", \"np\" or \"rp\""))
    };
    let point = object.text("point")?.map(named).transpose()?;
    Ok(Start { sequence: object.text("sequence")?.map(str::to_owned), point, setup })
}

fn time(object: &Object<'_>) -> Result<Option<Time>, Problem> {
    Ok(object.number("time_ps", TIME)?.map(Time::from_picos))
}

fn random(value: &Value) -> Result<Vec<u32>, Problem> {
    let list = value.as_array().ok_or_else(|| wrong_kind("\"random\"", value, "a list of numbers"))?;
    list.iter().map(|value| number("random", value, NUMBER)).collect()
}

fn not_one(found: &'static str) -> Problem {
    Problem::NotOneInput { found, known: Event::NAMES.join(", ") }
}

fn not_json(error: &serde_json::Error) -> Problem {
    // serde_json counts lines within one document, so its line number is always 1.
    Problem::NotJson(error.to_string().replace("at line 1 column", "at column"))
}
