//! The fluid model over the grid, solved once.

use std::sync::OnceLock;

use setpoint_fluid::model::{Course, Start};
use setpoint_fluid::{Feedback, Increase, ModelOptions, Sampling, TargetUpdate};
use setpoint_lab::metrics::moments::Moments;

use super::cell::{CELLS, Cell};
use super::{END, STEADY};
use crate::allerton::TARGET;
use crate::allerton::measure::period;
use crate::allerton::theory::Theory;

/// A way to solve the equations.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    /// What it is called.
    pub(super) words: &'static str,
    reading: ModelOptions,
    start: Start,
}

/// All ways; the first is the one that claims are about.
pub(super) const WAYS: [Way; 5] = [
    Way {
        words: "equation (10) with the increase at the source, from line rates",
        reading: DEFAULT,
        start: Start::LineRates,
    },
    Way {
        words: "the increase as printed, a delay late",
        reading: ModelOptions { increase: Increase::AsPrinted, ..DEFAULT },
        start: Start::LineRates,
    },
    Way { words: "as the first, from near the equilibrium", reading: DEFAULT, start: Start::NearEquilibrium },
    Way {
        words: "messages for congestion only",
        reading: ModelOptions { feedback: Feedback::CongestionOnly, ..DEFAULT },
        start: Start::LineRates,
    },
    Way {
        words: "messages for congestion only, those in a row keep the target",
        reading: ModelOptions {
            feedback: Feedback::CongestionOnly,
            target: TargetUpdate::AfterACycle,
            ..DEFAULT
        },
        start: Start::LineRates,
    },
];

/// The default: equations (9) to (13) with the increase clocked at the source.
const DEFAULT: ModelOptions = ModelOptions {
    increase: Increase::AtSource,
    feedback: Feedback::BothSigns,
    sampling: Sampling::FollowsFeedback,
    target: TargetUpdate::EveryMessage,
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
    /// What the solution does in each of [`WAYS`]; none where the solver gave up.
    pub(super) ways: [Option<Figures>; 5],
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

    /// The first way.
    pub(super) fn fluid(&self) -> Option<Figures> {
        self.ways[0]
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
pub(super) fn course(cell: &Cell, sample_s: f64) -> Option<Course> {
    Theory::of(&cell.modelled())?.course(&DEFAULT, END, sample_s)
}

/// The exact margin with so many sources, in seconds.
pub(super) fn margin_with(sources: u32) -> Option<f64> {
    let case = CELLS.first()?.modelled().set(format!("topology.dumbbell.senders={sources}"));
    Some(Theory::of(&case)?.margin(&DEFAULT)?.delay_s)
}

fn solve(cell: &Cell) -> Option<Solved> {
    let theory = Theory::of(&cell.modelled())?;
    let figures = |way: Way| {
        let course = match way.start {
            Start::LineRates => theory.course(&way.reading, END, SAMPLE),
            Start::NearEquilibrium => theory.disturbed(&way.reading, END, SAMPLE),
        };
        figures(&course?)
    };
    Some(Solved {
        delay_s: theory.delay_s()?,
        margin_s: theory.margin(&DEFAULT)?.delay_s,
        ways: WAYS.map(figures),
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
