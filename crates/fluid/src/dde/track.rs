//! The steps so far, and interpolation between them.

/// The ends of all steps with their values and slopes, in flat storage. Between two ends, each component is
/// the cubic with these values and slopes (Hermite interpolation).
///
/// Invariants: times are strictly increasing; every node has an arrival slope and a departure slope, which
/// share their storage unless the slope jumps there.
#[derive(Clone, Debug)]
pub(super) struct Track {
    dimension: usize,
    times: Vec<f64>,
    values: Vec<f64>,
    slopes: Vec<f64>,
    /// For each node, the rows of its arrival and departure slopes in `slopes`, in units of the dimension.
    arrivals: Vec<usize>,
    departures: Vec<usize>,
}

impl Track {
    /// A track with one node: the initial state and its departure slope.
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

    /// Adds the end of a step; its departure slope equals its arrival slope until [`depart`](Self::depart)
    /// changes it.
    pub(super) fn push(&mut self, time: f64, state: &[f64], slope: &[f64]) {
        let row = self.slopes.len() / self.dimension.max(1);
        self.times.push(time);
        self.values.extend_from_slice(state);
        self.slopes.extend_from_slice(slope);
        self.arrivals.push(row);
        self.departures.push(row);
    }

    /// Sets the departure slope of the last node.
    pub(super) fn depart(&mut self, slope: &[f64]) {
        let row = self.slopes.len() / self.dimension.max(1);
        self.slopes.extend_from_slice(slope);
        *self.departures.last_mut().expect("a track has a node") = row;
    }

    pub(super) fn times(&self) -> &[f64] {
        &self.times
    }

    /// The step that contains a time. A node belongs to the step that begins there, the last node to the step
    /// before.
    pub(super) fn locate(&self, time: f64) -> usize {
        self.times.partition_point(|&node| node <= time).saturating_sub(1).min(self.last_step())
    }

    /// The step that contains a time, searched for near a hint first.
    pub(super) fn locate_near(&self, time: f64, hint: usize) -> usize {
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

    /// The interpolation weights for a time within a step.
    pub(super) fn place(&self, step: usize, time: f64) -> Place {
        let begin = self.times[step];
        let Some(&end) = self.times.get(step + 1) else { return self.start_line(time - begin) };
        let length = end - begin;
        let (share, rest) = ((time - begin) / length, (end - time) / length);
        let rows = [step, step + 1].map(|node| node * self.dimension);
        // Measured from the nearer end, so that nodes and constants are reproduced exactly.
        let (nearer, rise) = if share > 0.5 {
            (rows[1], -rest * rest * (1.0 + 2.0 * share))
        } else {
            (rows[0], share * share * (3.0 - 2.0 * share))
        };
        Place {
            nearer,
            values: rows,
            slopes: [self.departures[step], self.arrivals[step + 1]].map(|row| row * self.dimension),
            rise,
            departure: length * share * rest * rest,
            arrival: -length * share * share * rest,
        }
    }

    /// The straight line used in place of the first step until the first step exists.
    fn start_line(&self, length: f64) -> Place {
        let slopes = [self.departures[0] * self.dimension; 2];
        Place { nearer: 0, values: [0; 2], slopes, rise: 0.0, departure: length, arrival: 0.0 }
    }

    pub(super) fn value(&self, place: &Place, component: usize) -> f64 {
        let [begin, end] = place.values.map(|row| self.values[row + component]);
        let [departure, arrival] = place.slopes.map(|row| self.slopes[row + component]);
        let nearer = self.values[place.nearer + component];
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

    pub(super) fn state(&self, node: usize) -> &[f64] {
        &self.values[node * self.dimension..(node + 1) * self.dimension]
    }
}

/// A time within a step: the position of the step's end values in storage, and their weights.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    nearer: usize,
    values: [usize; 2],
    slopes: [usize; 2],
    rise: f64,
    departure: f64,
    arrival: f64,
}
