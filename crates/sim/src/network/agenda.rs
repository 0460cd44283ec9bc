//! Changes, samples and the start of the measurement, which affect the whole network. At equal times, changes come first,
//! then routes change, then the measurement begins, then a sample is taken. All of them come before the events of
//! components.

use setpoint_units::{Time, TimeDelta};

use crate::routing::route_changes;
use crate::spec::{Change, Spec, TimedChange};

/// The items that are still due.
#[derive(Clone, Debug)]
pub(in crate::network) struct Agenda {
    /// In reverse chronological order.
    changes: Vec<TimedChange>,
    /// The times at which routes change, in reverse chronological order.
    reroutes: Vec<Time>,
    /// The number of route changes so far.
    rerouted: usize,
    measure_from: Option<Time>,
    sample: Time,
    interval: TimeDelta,
    end: Time,
}

/// An item that affects the whole network.
#[derive(Clone, Copy, Debug)]
pub(in crate::network) enum Item {
    Change(Change),
    /// The route change with this index.
    Reroute(usize),
    MeasureFrom,
    Sample,
}

impl Agenda {
    /// The agenda of a run. Changes at the same time keep the spec's order.
    pub(in crate::network) fn new(spec: &Spec) -> Self {
        let mut changes = spec.changes.clone();
        changes.sort_by_key(|change| change.at);
        changes.reverse();
        let reroutes = route_changes(spec).iter().rev().map(|change| change.at).collect();
        let end = Time::ZERO + spec.duration;
        Self {
            changes,
            reroutes,
            rerouted: 0,
            measure_from: Some(spec.measure_from),
            sample: (Time::ZERO + spec.sample_interval).min(end),
            interval: spec.sample_interval,
            end,
        }
    }

    /// The time at which the next item is due.
    pub(in crate::network) fn next(&self) -> Time {
        let change = self.changes.last().map(|change| change.at);
        let reroute = self.reroutes.last().copied();
        change.into_iter().chain(reroute).chain(self.measure_from).fold(self.sample, Time::min)
    }

    /// Removes the next item. Removing a sample schedules the next one; the last sample is at the end of the run, even if
    /// the run's duration is not a multiple of the interval.
    pub(in crate::network) fn take(&mut self) -> Item {
        let now = self.next();
        if let Some(TimedChange { change, .. }) = self.changes.pop_if(|change| change.at <= now) {
            return Item::Change(change);
        }
        if self.reroutes.pop_if(|at| *at <= now).is_some() {
            self.rerouted += 1;
            return Item::Reroute(self.rerouted - 1);
        }
        if self.measure_from.take_if(|begin| *begin <= now).is_some() {
            return Item::MeasureFrom;
        }
        self.sample = self.sample.saturating_add(self.interval).min(self.end);
        Item::Sample
    }
}
