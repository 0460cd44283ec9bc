//! A reaction point written in Python.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::{PyAttributeError, PyValueError};
use pyo3::prelude::*;
use setpoint_control::{
    Backlog, CloneReact, Counters, Entropy, Feedback, FlowKey, React, Reading, Show, Signal, Update,
};
use setpoint_units::{Bytes, Rate, Time};

use super::random::Random;
use super::{counters, method, required};
use crate::points::Notification;
use crate::raised::Raised;

/// A Python object that controls the rate of a source.
#[derive(Debug)]
pub(super) struct PythonReactionPoint {
    raised: Arc<Raised>,
    /// `None` if the factory raised an exception.
    point: Option<Methods>,
    line_rate: Rate,
    /// The rate and the timer after the last call.
    rate: Rate,
    timer: Option<Time>,
    counted: Counters,
}

#[derive(Debug)]
struct Methods {
    object: Py<PyAny>,
    on_notification: Py<PyAny>,
    on_timer: Option<Py<PyAny>>,
    on_sent: Option<Py<PyAny>>,
    may_release: Option<Py<PyAny>>,
    random: Py<Random>,
}

impl Methods {
    fn make(py: Python<'_>, factory: &Py<PyAny>, line_rate: Rate) -> PyResult<Self> {
        let random = Py::new(py, Random::default())?;
        let object = factory.bind(py).call1((line_rate.bits_per_second(), &random))?;
        Ok(Self {
            on_notification: required(&object, "on_notification", "reaction point")?,
            on_timer: method(&object, "on_timer")?,
            on_sent: method(&object, "on_sent")?,
            may_release: method(&object, "may_release")?,
            object: object.unbind(),
            random,
        })
    }
}

/// The fields to read from the object after a call.
#[derive(Clone, Copy)]
enum After {
    /// A notification or the expiry of the timer, after which the simulator reads the timer. A timer that is due at once
    /// would stop the clock of the simulator.
    Event(Time),
    Sent,
}

impl PythonReactionPoint {
    /// A point for a station with this line rate.
    pub(super) fn boxed(factory: &Py<PyAny>, line_rate: Rate, raised: &Arc<Raised>) -> Box<dyn React> {
        let point = raised.attempt(|py| Methods::make(py, factory, line_rate));
        let (timer, counted) = (None, Counters::default());
        Box::new(Self { raised: raised.clone(), point, line_rate, rate: line_rate, timer, counted })
    }

    /// Calls a method, and reads the rate and the timer after it.
    fn call(
        &mut self,
        after: After,
        entropy: &mut dyn Entropy,
        call: impl FnOnce(Python<'_>, &Methods) -> PyResult<()>,
    ) -> Update {
        let Some(point) = &self.point else { return Update::Unchanged };
        let before = self.rate;
        let read = self.raised.attempt(|py| {
            point.random.get().during(entropy, || call(py, point))?;
            let object = point.object.bind(py);
            let timer = match after {
                After::Event(now) => timer(object, now)?,
                After::Sent => self.timer,
            };
            Ok((rate(object, self.line_rate)?, timer))
        });
        if let Some((rate, timer)) = read {
            (self.rate, self.timer) = (rate, timer);
        } else {
            self.timer = None;
        }
        if self.rate == before { Update::Unchanged } else { Update::Changed }
    }
}

impl React for PythonReactionPoint {
    fn on_feedback(&mut self, now: Time, feedback: &Feedback, entropy: &mut dyn Entropy) -> Update {
        let before = self.rate;
        let (signal, from) = match *feedback {
            Feedback::Notification { from, content } => (Signal::Notification(content), from),
            Feedback::Stop { from } => (Signal::Stop, from),
            Feedback::Congestion | Feedback::Acknowledgement(_) => return Update::Unchanged,
        };
        let received = Notification::of(&(FlowKey(0), signal));
        let update = self.call(After::Event(now), entropy, |py, point| {
            let arguments = (received, now.as_picos(), from.0);
            point.on_notification.bind(py).call1(arguments).map(drop)
        });
        let (less, more) = (u64::from(self.rate < before), u64::from(self.rate > before));
        self.counted += [("decreases", less), ("increases", more)].into();
        update
    }

    fn on_sent(&mut self, frame: Bytes, entropy: &mut dyn Entropy) -> Update {
        if self.point.as_ref().is_none_or(|point| point.on_sent.is_none()) {
            return Update::Unchanged;
        }
        self.call(After::Sent, entropy, |py, point| match &point.on_sent {
            Some(method) => method.bind(py).call1((frame.get(),)).map(drop),
            None => Ok(()),
        })
    }

    fn on_timer(&mut self, now: Time, entropy: &mut dyn Entropy) -> Update {
        self.call(After::Event(now), entropy, |py, point| match &point.on_timer {
            Some(method) => method.bind(py).call1((now.as_picos(),)).map(drop),
            None => Err(PyAttributeError::new_err("timer_ps is set, but there is no method on_timer")),
        })
    }

    fn timer(&self) -> Option<Time> {
        self.timer
    }

    fn rate(&self) -> Rate {
        self.rate
    }

    fn line_rate(&self) -> Rate {
        self.line_rate
    }

    fn may_release(&self, backlog: Backlog) -> bool {
        if self.rate < self.line_rate {
            return false;
        }
        let Some(point) = &self.point else { return true };
        let Some(method) = &point.may_release else { return true };
        let waiting = backlog == Backlog::Waiting;
        self.raised.attempt(|py| method.bind(py).call1((waiting,))?.extract()).unwrap_or(true)
    }

    fn counters(&self) -> Counters {
        let object = self.point.as_ref().map(|point| &point.object);
        let read = object.and_then(|object| self.raised.attempt(|py| counters(object.bind(py))));
        let mut counters = self.counted.clone();
        for (name, value) in read.into_iter().flatten() {
            counters.set(interned(&name), value);
        }
        counters
    }

    fn state(&self, show: &mut dyn Show) {
        show.show("rate", Reading::Rate(self.rate));
    }
}

impl CloneReact for PythonReactionPoint {
    fn clone_box(&self) -> Box<dyn React> {
        unreachable!("only the points of groups are copied, and groups have no external points")
    }
}

/// The name of a counter, which lives as long as the program. Each name is kept once.
fn interned(name: &str) -> &'static str {
    static NAMES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = names.get(name) {
        return known;
    }
    let kept: &'static str = Box::leak(name.into());
    names.insert(kept);
    kept
}

/// The rate of the limiter, at most the line rate. A number with a fraction is rounded down.
fn rate(object: &Bound<'_, PyAny>, line_rate: Rate) -> PyResult<Rate> {
    let given = object.getattr("rate_bps")?;
    let bits = match given.extract::<u64>() {
        Ok(bits) => Some(bits),
        Err(_) => given.extract::<f64>().ok().filter(|bits| bits.is_finite()).map(|bits| bits as u64),
    };
    let rate = bits.and_then(Rate::new).ok_or_else(|| {
        let given = given.repr().map_or_else(|_| "unreadable".to_owned(), |repr| repr.to_string());
        PyValueError::new_err(format!(
            "rate_bps is {given}; expected a number of bits per second, at least 1"
        ))
    })?;
    Ok(rate.min(line_rate))
}

/// The next expiry of the timer, if the object has a timer that runs.
fn timer(object: &Bound<'_, PyAny>, now: Time) -> PyResult<Option<Time>> {
    let Some(given) = object.getattr_opt("timer_ps")?.filter(|given| !given.is_none()) else {
        return Ok(None);
    };
    let due = Time::from_picos(given.extract()?);
    if due <= now {
        return Err(PyValueError::new_err(format!(
            "timer_ps is {} at {}; it must be later, or None",
            due.as_picos(),
            now.as_picos()
        )));
    }
    Ok(Some(due))
}
