//! The fluid model for all cells of the grid, solved once.

use std::sync::OnceLock;

use setpoint_fluid::model::{Course, Start};
use setpoint_fluid::{Feedback, Increase, ModelOptions, Sampling, TargetUpdate};

use super::super::theory::Theory;
use super::super::{TARGET, period};
use super::cell::{Cell, cells};
use crate::prelude::*;

/// A reading of the equations with an initial state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Solution {
    pub(super) words: &'static str,
    reading: ModelOptions,
    start: Start,
}

/// All solutions. Claims are judged on those of [`Judged`].
pub(super) const SOLUTIONS: [Solution; 7] = [
    Solution {
        words: "equation (10) with the current rates in the increase term, starting at line rate",
        reading: DEFAULT,
        start: Start::LineRates,
    },
    Solution {
        words: "the increase term as printed, with delayed rates",
        reading: ModelOptions { increase: Increase::AsPrinted, ..DEFAULT },
        start: Start::LineRates,
    },
    Solution {
        words: "like the first, but starting near the equilibrium",
        reading: DEFAULT,
        start: Start::NearEquilibrium,
    },
    Solution {
        words: "messages only under congestion",
        reading: ModelOptions { feedback: Feedback::CongestionOnly, ..DEFAULT },
        start: Start::LineRates,
    },
    Solution {
        words: "messages only under congestion, consecutive messages leave the target rate unchanged",
        reading: ModelOptions {
            feedback: Feedback::CongestionOnly,
            target: TargetUpdate::AfterACycle,
            ..DEFAULT
        },
        start: Start::LineRates,
    },
    Solution {
        words: "like the first, but with a sampling probability that follows |Fb|",
        reading: MAGNITUDE,
        start: Start::LineRates,
    },
    Solution {
        words: "a sampling probability that follows |Fb|, starting near the equilibrium",
        reading: MAGNITUDE,
        start: Start::NearEquilibrium,
    },
];

/// The positions in [`SOLUTIONS`] of a solution that starts at line rate, and of one with the same reading that
/// starts near the equilibrium.
#[derive(Clone, Copy, Debug)]
pub(super) struct Judged {
    pub(super) at_line_rate: usize,
    pub(super) near_rest: usize,
}

impl Judged {
    /// Solutions in which the sampling probability is lowest without congestion.
    pub(super) const ONE_SIDED: Self = Self { at_line_rate: 0, near_rest: 2 };
    /// Solutions in which the sampling probability follows |Fb|.
    pub(super) const BY_MAGNITUDE: Self = Self { at_line_rate: 5, near_rest: 6 };
}

/// The default: equations (9) to (13) with the increase clocked at the source.
const DEFAULT: ModelOptions = ModelOptions {
    increase: Increase::AtSource,
    feedback: Feedback::BothSigns,
    sampling: Sampling::FollowsFeedback,
    target: TargetUpdate::EveryMessage,
};

/// The same with a sampling probability that follows |Fb|.
const MAGNITUDE: ModelOptions = ModelOptions { sampling: Sampling::FollowsMagnitude, ..DEFAULT };

/// The interval between samples of the solutions, in seconds.
const SAMPLE: f64 = 20e-6;

/// The fluid model's results for a cell.
#[derive(Clone, Debug)]
pub(super) struct Solved {
    /// The loop delay.
    pub(super) delay_s: f64,
    /// The exact margin of the linearised loop.
    pub(super) margin_s: f64,
    /// The figures for each of [`SOLUTIONS`]; none if the solver failed.
    pub(super) solutions: [Option<Figures>; 7],
}

/// Queue and rate figures in the steady part.
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

    /// Whether the solution at a position in [`SOLUTIONS`] settles.
    pub(super) fn settles(&self, solution: usize) -> bool {
        self.solutions[solution].is_some_and(|figures| figures.deviation < 0.01 * TARGET)
    }
}

/// The cells that have a fluid model, with its results.
pub(super) fn with_theory() -> impl Iterator<Item = (Cell, &'static Solved)> {
    static SOLVED: OnceLock<Vec<(Cell, Solved)>> = OnceLock::new();
    let solved = SOLVED.get_or_init(|| cells().filter_map(|cell| Some((cell, solve(cell)?))).collect());
    solved.iter().map(|(cell, solved)| (*cell, solved))
}

/// The solution at a position in [`SOLUTIONS`] for a cell over time.
pub(super) fn course(cell: Cell, solution: usize, sample_s: f64) -> Option<Course> {
    let Solution { start, reading, .. } = SOLUTIONS[solution];
    Theory::of(&cell.modelled())?.course(start, &reading, sample_s)
}

/// The exact margin for the given number of sources, in seconds.
pub(super) fn margin_with(sources: u32) -> Option<f64> {
    let case = cells().next()?.modelled().set(format!("topology.dumbbell.senders={sources}"));
    Some(Theory::of(&case)?.margin(&DEFAULT)?.delay_s)
}

fn solve(cell: Cell) -> Option<Solved> {
    let theory = Theory::of(&cell.modelled())?;
    let figures =
        |solution: Solution| figures(&theory, &theory.course(solution.start, &solution.reading, SAMPLE)?);
    Some(Solved {
        delay_s: theory.delay_s()?,
        margin_s: theory.margin(&DEFAULT)?.delay_s,
        solutions: SOLUTIONS.map(figures),
    })
}

fn figures(theory: &Theory, course: &Course) -> Option<Figures> {
    let from = theory.steady_from(course);
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
