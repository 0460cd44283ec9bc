//! The steps taken so far, and the values between them.

use std::cell::Cell;

use super::system::Past;

/// The ends of all steps with their values and slopes, in flat storage: between two ends, each component is the cubic
/// with these values and slopes (Hermite interpolation).
///
/// Invariants: times rise strictly; every node has a slope of arrival and one of departure, which share their storage
/// unless the slope jumps there.
#[derive(Clone, Debug)]
pub(super) struct Track {
    dimension: usize,
    times: Vec<f64>,
    values: Vec<f64>,
    slopes: Vec<f64>,
    /// For each node, where in `slopes` its arrival and its departure are, in units of the dimension.
    arrivals: Vec<usize>,
    departures: Vec<usize>,
}

impl Track {
    /// A track of one node: the initial state and the slope at which it is left.
    pub(super) fn new(time: f64, state: &[f64], slope: &[f64]) -> Self {
        Self {
            dimension: state.len(),
            times: vec![time],
            values: state.to_vec(),
            slopes: slope.to_vec(),
            arrivals: vec![0],
            departures: vec![0],
        }
    }

    /// Adds the end of a step; the slope of departure is that of arrival until told otherwise.
    pub(super) fn push(&mut self, time: f64, state: &[f64], slope: &[f64]) {
        let row = self.slopes.len() / self.dimension.max(1);
        self.times.push(time);
        self.values.extend_from_slice(state);
        self.slopes.extend_from_slice(slope);
        self.arrivals.push(row);
        self.departures.push(row);
    }

    /// The last node is left at another slope than it was reached.
    pub(super) fn depart(&mut self, slope: &[f64]) {
        let row = self.slopes.len() / self.dimension.max(1);
        self.slopes.extend_from_slice(slope);
        *self.departures.last_mut().expect("a track has a node") = row;
    }

    pub(super) fn times(&self) -> &[f64] {
        &self.times
    }

    /// The step that a time lies in; a node belongs to the step that begins there, the last one to the step before.
    pub(super) fn locate(&self, time: f64) -> usize {
        self.times.partition_point(|&node| node <= time).saturating_sub(1).min(self.last_step())
    }

    /// The step that a time lies in, looked for near a step first.
    fn locate_near(&self, time: f64, hint: usize) -> usize {
        let last = self.last_step();
        (hint..=(hint + 2).min(last))
            .find(|&step| self.holds(step, time))
            .unwrap_or_else(|| self.locate(time))
    }

    fn holds(&self, step: usize, time: f64) -> bool {
        self.times[step] <= time && (step == self.last_step() || time < self.times[step + 1])
    }

    fn last_step(&self) -> usize {
        self.times.len().saturating_sub(2)
    }

    /// The weights of a time within a step.
    pub(super) fn place(&self, step: usize, time: f64) -> Place {
        let begin = self.times[step];
        let Some(&end) = self.times.get(step + 1) else {
            return Place {
                time,
                step,
                end: step,
                rise: 0.0,
                departure: time - begin,
                arrival: 0.0,
                from_end: false,
            };
        };
        let (length, from_end) = (end - begin, time - begin > 0.5 * (end - begin));
        let share = (time - begin) / length;
        let rest = (end - time) / length;
        Place {
            time,
            step,
            end: step + 1,
            // Measured from the nearer end, so that nodes and constants are met exactly.
            rise: if from_end {
                -rest * rest * (1.0 + 2.0 * share)
            } else {
                share * share * (3.0 - 2.0 * share)
            },
            departure: length * share * rest * rest,
            arrival: -length * share * share * rest,
            from_end,
        }
    }

    /// A component at a place.
    pub(super) fn value(&self, place: &Place, component: usize) -> f64 {
        let begin = self.values[place.step * self.dimension + component];
        let end = self.values[place.end * self.dimension + component];
        let departure = self.slopes[self.departures[place.step] * self.dimension + component];
        let arrival = self.slopes[self.arrivals[place.end] * self.dimension + component];
        let nearer = if place.from_end { end } else { begin };
        nearer + (place.rise * (end - begin) + (place.departure * departure + place.arrival * arrival))
    }

    /// The slope of a component within a step.
    pub(super) fn slope(&self, step: usize, time: f64, component: usize) -> f64 {
        let departure = self.slopes[self.departures[step] * self.dimension + component];
        if step + 1 >= self.times.len() || time <= self.times[step] {
            return departure;
        }
        let (begin, end) = (self.times[step], self.times[step + 1]);
        let arrival = self.slopes[self.arrivals[step + 1] * self.dimension + component];
        let values = |node: usize| self.values[node * self.dimension + component];
        let share = (time - begin) / (end - begin);
        let secant = (values(step + 1) - values(step)) / (end - begin);
        6.0 * share * (1.0 - share) * secant
            + (1.0 - share) * (1.0 - 3.0 * share) * departure
            + share * (3.0 * share - 2.0) * arrival
    }

    /// The state at a node.
    pub(super) fn state(&self, node: usize) -> &[f64] {
        &self.values[node * self.dimension..(node + 1) * self.dimension]
    }
}

/// A time within a step and the weights of what bounds the step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    time: f64,
    step: usize,
    end: usize,
    rise: f64,
    departure: f64,
    arrival: f64,
    from_end: bool,
}

/// How many places are remembered: a system of more delays than this still works, but looks up more.
const REMEMBERED: usize = 4;

/// The past of a running solution: its track, and the given history before time zero.
///
/// Right-hand sides ask for many components at few times, and for times that rise slowly: the last places are
/// remembered with their weights.
pub(super) struct Record<'a> {
    pub(super) track: Track,
    before: Option<&'a dyn Fn(f64, usize) -> f64>,
    places: [Cell<Place>; REMEMBERED],
    oldest: Cell<usize>,
}

impl<'a> Record<'a> {
    pub(super) fn new(track: Track, before: Option<&'a dyn Fn(f64, usize) -> f64>) -> Self {
        let nowhere = Place {
            time: f64::NAN,
            step: 0,
            end: 0,
            rise: 0.0,
            departure: 0.0,
            arrival: 0.0,
            from_end: false,
        };
        Self { track, before, places: std::array::from_fn(|_| Cell::new(nowhere)), oldest: Cell::new(0) }
    }

    /// Forgets the remembered places, whose weights may be of a step that has changed.
    pub(super) fn forget(&self) {
        for place in &self.places {
            place.set(Place { time: f64::NAN, ..place.get() });
        }
    }

    fn remembered(&self, time: f64) -> Option<Place> {
        self.places.iter().map(Cell::get).find(|place| place.time == time)
    }

    fn look_up(&self, time: f64) -> Place {
        let slot = self.oldest.get();
        self.oldest.set((slot + 1) % REMEMBERED);
        let hint = self.nearest_step(time);
        let place = self.track.place(self.track.locate_near(time, hint), time);
        self.places[slot].set(place);
        place
    }

    /// The remembered step that begins last, but not after a time.
    fn nearest_step(&self, time: f64) -> usize {
        let steps = self.places.iter().map(|place| place.get().step);
        steps.filter(|&step| self.track.times[step] <= time).max().unwrap_or(0)
    }
}

impl Past for Record<'_> {
    fn value(&self, time: f64, component: usize) -> f64 {
        if time < 0.0 {
            return match self.before {
                Some(before) => before(time, component),
                None => self.track.values[component],
            };
        }
        let place = self.remembered(time).unwrap_or_else(|| self.look_up(time));
        self.track.value(&place, component)
    }
}
