//! Changes, samples and the start of the measurement, which affect the whole network. At equal times, changes come first,
//! then the measurement begins, then a sample is taken. All of them come before the events of components.

use setpoint_units::{Time, TimeDelta};

use crate::spec::{Change, Spec, TimedChange};

/// The items that are still due.
#[derive(Clone, Debug)]
pub(in crate::network) struct Agenda {
    /// In reverse chronological order.
    changes: Vec<TimedChange>,
    measure_from: Option<Time>,
    sample: Time,
    interval: TimeDelta,
    end: Time,
}

/// An item that affects the whole network.
#[derive(Clone, Copy, Debug)]
pub(in crate::network) enum Item {
    Change(Change),
    MeasureFrom,
    Sample,
}

impl Agenda {
    /// The agenda of a run. Changes at the same time keep the spec's order.
    pub(in crate::network) fn new(spec: &Spec) -> Self {
        let mut changes = spec.changes.clone();
        changes.sort_by_key(|change| change.at);
        changes.reverse();
        let end = Time::ZERO + spec.duration;
        let sample = (Time::ZERO + spec.sample_interval).min(end);
        Self { changes, measure_from: Some(spec.measure_from), sample, interval: spec.sample_interval, end }
    }

    /// The time at which the next item is due.
    pub(in crate::network) fn next(&self) -> Time {
        let change = self.changes.last().map(|change| change.at);
        change.into_iter().chain(self.measure_from).fold(self.sample, Time::min)
    }

    /// Removes the next item. Removing a sample schedules the next one; the last sample is at the end of the run, even if
    /// the run is not a multiple of the interval.
    pub(in crate::network) fn take(&mut self) -> Item {
        let now = self.next();
        if let Some(TimedChange { change, .. }) = self.changes.pop_if(|change| change.at <= now) {
            return Item::Change(change);
        }
        if self.measure_from.take_if(|begin| *begin <= now).is_some() {
            return Item::MeasureFrom;
        }
        self.sample = self.sample.saturating_add(self.interval).min(self.end);
        Item::Sample
    }
}
