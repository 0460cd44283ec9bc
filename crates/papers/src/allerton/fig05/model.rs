//! The fluid model over the grid, solved once.

use std::sync::OnceLock;

use setpoint_fluid::model::Course;
use setpoint_fluid::{Feedback, Increase, Reading};
use setpoint_lab::metrics::moments::Moments;

use super::cell::{CELLS, Cell};
use super::{END, STEADY};
use crate::allerton::TARGET;
use crate::allerton::measure::period;
use crate::allerton::theory::Theory;

/// A reading of the equations, with what it is called.
pub(super) const READINGS: [(&str, Reading); 3] = [
    ("increase by the rates of now", DEFAULT),
    ("increase as printed, by the rates a delay ago", Reading { increase: Increase::AsPrinted, ..DEFAULT }),
    ("messages for congestion only", Reading { feedback: Feedback::CongestionOnly, ..DEFAULT }),
];

/// The default: equations (9) to (13) with the increase clocked at the source.
pub(super) const DEFAULT: Reading = Reading {
    increase: Increase::AtSource,
    feedback: Feedback::BothSigns,
    sampling: setpoint_fluid::Sampling::FollowsFeedback,
    target: setpoint_fluid::Target::EveryMessage,
};

/// Samples of the solutions, in seconds.
const SAMPLE: f64 = 20e-6;

/// What theory says of a cell.
#[derive(Clone, Debug)]
pub(super) struct Solved {
    /// The delay of the loop.
    pub(super) delay_s: f64,
    /// The exact margin of the linearised loop.
    pub(super) margin_s: f64,
    /// What the solution of each reading does; none where the solver gave up.
    pub(super) readings: [Option<Figures>; 3],
}

/// What a queue and the rates do in the steady part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Figures {
    pub(super) mean: f64,
    pub(super) deviation: f64,
    /// The mean rate of one source.
    pub(super) rate: f64,
    pub(super) period_s: Option<f64>,
}

impl Solved {
    /// Whether the linearised loop is stable.
    pub(super) fn is_stable(&self) -> bool {
        self.delay_s < self.margin_s
    }

    /// The default reading.
    pub(super) fn fluid(&self) -> Option<Figures> {
        self.readings[0]
    }

    /// Whether the solution, from the start of all sources at line rate, comes to rest.
    pub(super) fn rests(&self) -> bool {
        self.fluid().is_some_and(|figures| figures.deviation < 0.01 * TARGET)
    }
}

/// All cells, in the order of [`CELLS`]; none where theory has nothing to say.
pub(super) fn solved() -> &'static [Option<Solved>] {
    static SOLVED: OnceLock<Vec<Option<Solved>>> = OnceLock::new();
    SOLVED.get_or_init(|| CELLS.iter().map(solve).collect())
}

/// A cell with what theory says of it.
pub(super) fn with_theory() -> impl Iterator<Item = (&'static Cell, &'static Solved)> {
    CELLS.iter().zip(solved()).filter_map(|(cell, solved)| Some((cell, solved.as_ref()?)))
}

/// The solution for a cell over time.
pub(super) fn course(cell: &Cell, reading: &Reading, sample_s: f64) -> Option<Course> {
    Theory::of(&cell.modelled())?.course(reading, END, sample_s)
}

fn solve(cell: &Cell) -> Option<Solved> {
    let theory = Theory::of(&cell.modelled())?;
    let figures = |(_, reading): &(&str, Reading)| figures(&theory.course(reading, END, SAMPLE)?);
    Some(Solved {
        delay_s: theory.delay_s()?,
        margin_s: theory.margin(&DEFAULT)?.delay_s,
        readings: [figures(&READINGS[0]), figures(&READINGS[1]), figures(&READINGS[2])],
    })
}

fn figures(course: &Course) -> Option<Figures> {
    let from = course.time_s.partition_point(|time| *time <= STEADY.0);
    let queue = course.queue_bytes.get(from..)?;
    let moments = Moments::of(queue.iter().copied());
    let rate = Moments::of(course.rates_bps.first()?.get(from..)?.iter().copied()).mean;
    Some(Figures {
        mean: moments.mean,
        deviation: moments.deviation(),
        rate,
        period_s: period(queue, SAMPLE),
    })
}
