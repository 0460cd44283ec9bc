//! The present and past signals of the link and its queue.

use std::cell::Cell;

use super::plant::{Plant, Signals};
use super::reader::{Lag, Reader};
use crate::dde::Moment;

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
        let now = plant.signals(&Reader::new(moment, Lag::None, 0.0));
        Self { plant, moment, now, last: Cell::new(None) }
    }

    pub(super) fn at(&self, lag: Lag) -> (Reader<'a>, Signals) {
        let reader = Reader::new(self.moment, lag, self.plant.seconds(lag));
        if lag == Lag::None {
            return (reader, self.now);
        }
        let known = self.last.get().filter(|(known, _)| *known == lag);
        let signals = known.map_or_else(|| self.plant.signals(&reader), |(_, signals)| signals);
        self.last.set(Some((lag, signals)));
        (reader, signals)
    }
}
