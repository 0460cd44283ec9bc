//! The past of a solution in progress.

use std::cell::Cell;

use super::system::Past;
use super::track::{Place, Track};

/// The number of cached positions. A system with more delays still works, with more lookups.
const REMEMBERED: usize = 4;

/// The past of a solution in progress: its track, and the given history before time zero.
///
/// Right-hand sides request many components at only a few times, and these times increase slowly. So the
/// latest positions are cached with their weights, and the search for a new one starts near them.
pub(super) struct Record<'a> {
    pub(super) track: Track,
    before: Option<&'a dyn Fn(f64, usize) -> f64>,
    times: [Cell<f64>; REMEMBERED],
    steps: [Cell<usize>; REMEMBERED],
    places: [Cell<Place>; REMEMBERED],
    latest: Cell<usize>,
}

impl<'a> Record<'a> {
    pub(super) fn new(track: Track, before: Option<&'a dyn Fn(f64, usize) -> f64>) -> Self {
        Self {
            track,
            before,
            times: std::array::from_fn(|_| Cell::new(f64::NAN)),
            steps: std::array::from_fn(|_| Cell::new(0)),
            places: std::array::from_fn(|_| Cell::new(Place::default())),
            latest: Cell::new(0),
        }
    }

    /// Discards the cached positions, which may belong to a step that has changed.
    pub(super) fn forget(&self) {
        for time in &self.times {
            time.set(f64::NAN);
        }
    }

    fn place(&self, time: f64) -> Place {
        let latest = self.latest.get();
        if self.times[latest].get() == time {
            return self.places[latest].get();
        }
        let slot = (0..REMEMBERED).find(|&slot| self.times[slot].get() == time);
        let slot = slot.unwrap_or_else(|| self.look_up(time));
        self.latest.set(slot);
        self.places[slot].get()
    }

    /// Finds the position of a time and caches it in the slot after the most recently used one.
    fn look_up(&self, time: f64) -> usize {
        let slot = (self.latest.get() + 1) % REMEMBERED;
        let step = self.track.locate_near(time, self.nearest_step(time));
        self.times[slot].set(time);
        self.steps[slot].set(step);
        self.places[slot].set(self.track.place(step, time));
        slot
    }

    /// The latest cached step that does not begin after the given time.
    fn nearest_step(&self, time: f64) -> usize {
        let begins = self.track.times();
        self.steps.iter().map(Cell::get).filter(|&step| begins[step] <= time).max().unwrap_or(0)
    }
}

impl Past for Record<'_> {
    fn value(&self, time: f64, component: usize) -> f64 {
        if time < 0.0 {
            return match self.before {
                Some(before) => before(time, component),
                None => self.track.state(0)[component],
            };
        }
        self.track.value(&self.place(time), component)
    }
}
