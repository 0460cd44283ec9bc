//! The times of a scenario's events, and windows relative to them.
//!
//! Claims and panels use the events of a scenario to specify the part of a run that they evaluate, so the code does
//! not repeat any times from the scenario: `starts("background").plus(0.5).until(change(1))`.

use setpoint_sim::Spec;
use setpoint_units::Time;

/// The times of the events of a run, in seconds, taken from its prepared scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct Timeline {
    end: f64,
    measured: f64,
    /// The distinct times of changes, in order.
    changes: Vec<f64>,
    flows: Vec<FlowTimes>,
    /// Factor by which the times of the scenario were multiplied.
    factor: f64,
}

#[derive(Clone, Debug, PartialEq)]
struct FlowTimes {
    name: String,
    start: f64,
    stop: Option<f64>,
}

/// An instant relative to an event of the scenario.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    event: Event,
    /// Seconds after the event, in the full version.
    offset: f64,
}

/// The part of a run between two instants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    from: Moment,
    to: Moment,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Event {
    Start,
    Measured,
    End,
    Change(usize),
    FlowStarts(&'static str),
    FlowStops(&'static str),
}

/// The start of the run.
pub const START: Moment = at(Event::Start);
/// The scenario's `measure_from`.
pub const MEASURED: Moment = at(Event::Measured);
/// The end of the run.
pub const END: Moment = at(Event::End);
/// The whole run.
pub const WHOLE_RUN: Window = START.until(END);

/// The first, second, … time at which an `[[at]]` entry makes a change, counted from 1.
pub const fn change(number: usize) -> Moment {
    at(Event::Change(number))
}

/// The start of a flow.
pub const fn starts(flow: &'static str) -> Moment {
    at(Event::FlowStarts(flow))
}

/// The end of a flow.
pub const fn stops(flow: &'static str) -> Moment {
    at(Event::FlowStops(flow))
}

const fn at(event: Event) -> Moment {
    Moment { event, offset: 0.0 }
}

impl Moment {
    /// The instant that is the given number of seconds later, in seconds of the full version.
    pub const fn plus(self, seconds: f64) -> Self {
        Self { event: self.event, offset: self.offset + seconds }
    }

    /// The window from here to another instant.
    pub const fn until(self, to: Self) -> Window {
        Window { from: self, to }
    }
}

impl Window {
    /// The instant at which it begins.
    pub const fn from(self) -> Moment {
        self.from
    }
}

impl Timeline {
    /// The events of a scenario whose times were multiplied by a factor.
    pub fn new(spec: &Spec, factor: f64) -> Self {
        let mut changes: Vec<_> = spec.changes.iter().map(|change| change.at).collect();
        changes.sort_unstable();
        changes.dedup();
        let flow = |flow: &setpoint_sim::FlowSpec| FlowTimes {
            name: flow.name.clone(),
            start: flow.start.as_secs_f64(),
            stop: flow.stop.map(Time::as_secs_f64),
        };
        Self {
            end: spec.duration.as_secs_f64(),
            measured: spec.measure_from.as_secs_f64(),
            changes: changes.into_iter().map(Time::as_secs_f64).collect(),
            flows: spec.flows.iter().map(flow).collect(),
            factor,
        }
    }

    /// Converts seconds of the full version to seconds of this run.
    pub fn scaled(&self, seconds: f64) -> f64 {
        seconds * self.factor
    }

    /// The time of an instant in this run, in seconds.
    ///
    /// # Panics
    /// If the scenario has no such event, which is a mistake in the experiment.
    pub fn time(&self, moment: Moment) -> f64 {
        let event = self.event(moment.event);
        let event = event.unwrap_or_else(|| panic!("the scenario has no event {:?}", moment.event));
        event + self.scaled(moment.offset)
    }

    /// The start and the end of a window, in seconds.
    ///
    /// # Panics
    /// As for [`Timeline::time`].
    pub fn range(&self, window: Window) -> (f64, f64) {
        (self.time(window.from), self.time(window.to))
    }

    fn event(&self, event: Event) -> Option<f64> {
        let flow = |name: &str| self.flows.iter().find(|flow| flow.name == name);
        match event {
            Event::Start => Some(0.0),
            Event::Measured => Some(self.measured),
            Event::End => Some(self.end),
            Event::Change(number) => self.changes.get(number.checked_sub(1)?).copied(),
            Event::FlowStarts(name) => Some(flow(name)?.start),
            Event::FlowStops(name) => flow(name)?.stop,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timeline(factor: f64) -> Timeline {
        let flow = |name: &str, start, stop| FlowTimes { name: name.to_owned(), start, stop };
        Timeline {
            end: 8.0 * factor,
            measured: 2.0 * factor,
            changes: vec![3.0 * factor, 4.0 * factor],
            flows: vec![flow("f1", 0.0, None), flow("f2", factor, Some(6.0 * factor))],
            factor,
        }
    }

    #[test]
    fn windows_follow_the_events_and_shrink_with_the_run() {
        let windows = [
            (WHOLE_RUN, (0.0, 8.0)),
            (MEASURED.plus(0.5).until(change(1)), (2.5, 3.0)),
            (change(2).until(stops("f2").plus(1.0)), (4.0, 7.0)),
            (starts("f2").plus(0.5).plus(0.25).until(END), (1.75, 8.0)),
        ];
        for (window, (from, to)) in windows {
            assert_eq!(timeline(1.0).range(window), (from, to));
            assert_eq!(timeline(0.25).range(window), (from / 4.0, to / 4.0));
        }
        assert_eq!(timeline(0.25).scaled(2.0), 0.5);
    }

    #[test]
    #[should_panic(expected = "the scenario has no event FlowStops(\"f1\")")]
    fn an_event_that_the_scenario_lacks_is_a_mistake() {
        let _ = timeline(1.0).time(stops("f1"));
    }
}
