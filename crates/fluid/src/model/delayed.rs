//! Access to the current and delayed state, and to the signals of the link and queue at those
//! times.

use std::cell::Cell;

use super::plant::{Lag, Plant, Signals};
use crate::dde::Moment;

/// Reads the state at a lag.
#[derive(Clone, Copy)]
pub(super) struct Reader<'a> {
    moment: &'a Moment<'a>,
    lag: Lag,
    time: f64,
}

impl<'a> Reader<'a> {
    pub(super) fn new(moment: &'a Moment<'a>, lag: Lag, plant: &Plant) -> Self {
        Self { moment, lag, time: moment.time - plant.seconds(lag) }
    }

    pub(super) fn component(&self, index: usize) -> f64 {
        match self.lag {
            Lag::None => self.moment.state[index],
            Lag::Delay(delay) => self.moment.delayed(delay, index),
        }
    }

    /// A component some seconds before this time.
    pub(super) fn ago(&self, seconds: f64, component: usize) -> f64 {
        self.moment.ago(seconds + (self.moment.time - self.time), component)
    }

    pub(super) fn time(&self) -> f64 {
        self.time
    }
}

/// The signals at a moment and at lags before it, cached.
pub(super) struct Delayed<'a> {
    plant: &'a Plant,
    moment: &'a Moment<'a>,
    now: Signals,
    /// The last lag requested: neighbouring classes usually have the same one.
    last: Cell<Option<(Lag, Signals)>>,
}

impl<'a> Delayed<'a> {
    pub(super) fn new(plant: &'a Plant, moment: &'a Moment<'a>) -> Self {
        let now = plant.signals(&Reader::new(moment, Lag::None, plant));
        Self { plant, moment, now, last: Cell::new(None) }
    }

    pub(super) fn at(&self, lag: Lag) -> (Reader<'a>, Signals) {
        let reader = Reader::new(self.moment, lag, self.plant);
        if lag == Lag::None {
            return (reader, self.now);
        }
        let known = self.last.get().filter(|(known, _)| *known == lag);
        let signals = known.map_or_else(|| self.plant.signals(&reader), |(_, signals)| signals);
        self.last.set(Some((lag, signals)));
        (reader, signals)
    }
}
