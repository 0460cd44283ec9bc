//! The format of an answer: one line of JSON with keys in a fixed order and integers only.

use std::fmt;

use serde_json::{Map, Value, json};
use setpoint_control::parameter::{self, Parameter};
use setpoint_control::{Admission, Entry, FlowKey, Mark, Notification, Reading, Update};
use setpoint_units::Time;

use super::answer::{Answer, Outcome, SentReply, Snapshot};
use super::input::{Event, content};
use super::setup::Setup;

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = Map::new();
        line.insert("step".to_owned(), json!(self.step));
        line.insert("input".to_owned(), self.input.to_json());
        if let Event::Start(start) = &self.input.event {
            header(&start.setup, &mut line);
        } else {
            self.outcome.write(&mut line);
            line.insert("drawn".to_owned(), json!(self.drawn));
        }
        match &self.snapshots[..] {
            [one] => one.write(&mut line),
            several => {
                for snapshot in several {
                    let mut inner = Map::new();
                    snapshot.write(&mut inner);
                    line.insert(snapshot.point.name().to_owned(), Value::Object(inner));
                }
            }
        }
        write!(f, "{}", Value::Object(line))
    }
}

impl Outcome {
    fn write(&self, line: &mut Map<String, Value>) {
        let mut insert = |key: &str, value: Value| line.insert(key.to_owned(), value);
        match self {
            Self::Started => {}
            Self::Enqueued { notifications, mark } => {
                let sent = notifications.iter().map(|(to, signal)| notification(*to, &signal.fields()));
                insert("notifications", sent.collect());
                if let Some(mark) = mark {
                    insert("marked", marked(*mark));
                }
            }
            Self::Dequeued(mark) => drop(insert("marked", marked(*mark))),
            Self::Judged(Admission::Accept) => drop(insert("admission", json!("accept"))),
            Self::Judged(Admission::Drop) => drop(insert("admission", json!("drop"))),
            Self::Answered { reply, timer } => {
                insert("reply", reply.as_ref().map_or(Value::Null, SentReply::to_json));
                insert("timer_ps", json!(timer.map(Time::as_picos)));
            }
            Self::Reacted(reaction) => {
                let changed = reaction.update == Update::Changed;
                insert("update", json!(if changed { "changed" } else { "unchanged" }));
                insert("rate_bps", json!(reaction.rate.bits_per_second()));
                if let Some(window) = reaction.window {
                    insert("window_bytes", json!(window.get()));
                }
                insert("target_rate_bps", json!(reaction.target_rate.bits_per_second()));
                insert("timer_ps", json!(reaction.timer.map(Time::as_picos)));
                insert("tag", json!(reaction.tag.map(|point| point.0)));
                let (empty, waiting) = (reaction.released_if_empty, reaction.released_if_waiting);
                insert("may_release", json!({"empty": empty, "waiting": waiting}));
            }
        }
    }
}

impl SentReply {
    fn to_json(&self) -> Value {
        match self {
            Self::Congestion => json!("congestion"),
            Self::Acknowledgement(content) => json!({"acknowledgement": content.to_json()}),
        }
    }
}

impl Snapshot {
    fn write(&self, line: &mut Map<String, Value>) {
        let counters = self.counters.iter().map(|(name, count)| ((*name).to_owned(), json!(count)));
        line.insert("counters".to_owned(), Value::Object(counters.collect()));
        line.insert("state".to_owned(), Value::Object(state(&self.state)));
    }
}

fn marked(mark: Mark) -> Value {
    json!(mark == Mark::Congested)
}

fn notification(to: FlowKey, notification: &Notification) -> Value {
    let mut object = Map::new();
    object.insert("to".to_owned(), json!(to.0));
    content(notification, &mut object);
    Value::Object(object)
}

/// The answer to a start: the version, the algorithm, and every parameter with its value and unit.
fn header(setup: &Setup, line: &mut Map<String, Value>) {
    line.insert("setpoint".to_owned(), json!(env!("CARGO_PKG_VERSION")));
    line.insert("algorithm".to_owned(), json!(setup.algorithm.name()));
    let described = |parameter: &'static Parameter| {
        let (value, unit) = quantity(parameter.read(&setup.params));
        (parameter.key.to_owned(), json!({"value": value, "unit": unit}))
    };
    let parameters = setup.algorithm.parameters().map(described);
    line.insert("parameters".to_owned(), Value::Object(parameters.collect()));
}

/// The exact value of a parameter and the name of its unit.
fn quantity(value: parameter::Value) -> (Value, Option<&'static str>) {
    match value {
        parameter::Value::Size(size) => (json!(size.get()), Some("bytes")),
        parameter::Value::Time(span) => (json!(span.as_picos()), Some("ps")),
        parameter::Value::Rate(rate) => (json!(rate.bits_per_second()), Some("bps")),
        parameter::Value::Count(count) => (json!(count), None),
        parameter::Value::Percent(percent) => (json!(percent.hundredths()), Some("0.01 %")),
        parameter::Value::Fraction(fraction) => (json!(fraction.parts()), Some("1/1024")),
        parameter::Value::Power(power) => (json!(power.exponent()), Some("log2")),
        words @ (parameter::Value::LineRate | parameter::Value::Switch(_) | parameter::Value::Choice(_)) => {
            (json!(words.to_string()), None)
        }
    }
}

/// The state, with units in its keys. Values kept per account are objects keyed by account. Values that do not exist at
/// the moment are omitted, since they have no unit.
fn state(entries: &[Entry]) -> Map<String, Value> {
    let mut state = Map::new();
    for entry in entries {
        let Some((value, unit)) = reading(entry.reading) else { continue };
        let key = format!("{}{unit}", entry.name);
        match entry.of {
            None => drop(state.insert(key, value)),
            Some(account) => {
                let accounts = state.entry(key).or_insert_with(|| Value::Object(Map::new()));
                if let Value::Object(accounts) = accounts {
                    accounts.insert(account.to_string(), value);
                }
            }
        }
    }
    state
}

fn reading(reading: Reading) -> Option<(Value, &'static str)> {
    match reading {
        Reading::Number(number) => Some((json!(number), "")),
        Reading::Bytes(bytes) => Some((json!(bytes), "_bytes")),
        Reading::Rate(rate) => Some((json!(rate.bits_per_second()), "_bps")),
        Reading::Time(time) => Some((json!(time.as_picos()), "_ps")),
        Reading::Word(word) => Some((json!(word), "")),
        Reading::Absent => None,
    }
}
