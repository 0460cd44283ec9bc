//! Theory errors.

use setpoint_fluid::linear::NoLoop;
use setpoint_fluid::model::ModelError;
use setpoint_fluid::phase::NoPlane;
use setpoint_record::run::RunError;
use setpoint_scenario::Diagnostics;

use super::form::NoFluidForm;
use crate::store::StoreError;

/// The reason why a scenario could not be solved, linearised or drawn in the phase plane.
#[derive(Debug, thiserror::Error)]
pub enum TheoryError {
    /// The scenario is invalid with the given values.
    #[error(transparent)]
    Scenario(#[from] Diagnostics),
    /// The scenario has no fluid form.
    #[error(transparent)]
    NoForm(#[from] NoFluidForm),
    /// The equations could not be solved.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// There is no linear loop.
    #[error(transparent)]
    NoLoop(#[from] NoLoop),
    /// There is no phase plane.
    #[error(transparent)]
    NoPlane(#[from] NoPlane),
    /// The packet run stopped.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The map is too large.
    #[error("a map of {width} x {height} has {} cells; at most {most} are allowed", width.saturating_mul(*height))]
    TooManyCells {
        /// Columns.
        width: usize,
        /// Rows.
        height: usize,
        /// The limit.
        most: usize,
    },
    /// Shards have not simulated all points.
    #[error("{} of {runs} packet runs are missing", .missing.len())]
    Missing {
        /// The settings of the missing points.
        missing: Vec<String>,
        /// The total number of points.
        runs: usize,
    },
    /// A note cannot be written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Both axes are the same key.
    #[error("both axes are `{0}`, which can have only one value at a time")]
    SameKey(String),
    /// More packet runs are requested than the map has points.
    #[error("{} x {} packet runs exceed the {} x {} cells of the map", .asked.0, .asked.1, .cells.0, .cells.1)]
    TooManyRuns {
        /// Columns and rows of packet runs.
        asked: (usize, usize),
        /// Columns and rows of the map.
        cells: (usize, usize),
    },
    /// A trajectory has too many steps.
    #[error("a trajectory of {until_s} s in steps of {step_s} s has more than {most} steps")]
    TooManySteps {
        /// Duration of the trajectory.
        until_s: f64,
        /// The shortest step: of the integration, or the switching delay.
        step_s: f64,
        /// The limit.
        most: u32,
    },
    /// The monitor requested a stop.
    #[error("stopped after {done} of {all} {what}")]
    Stopped {
        /// Number of completed items.
        done: usize,
        /// The total number of items.
        all: usize,
        /// The kind of item.
        what: &'static str,
    },
    /// The system could not provide threads.
    #[error("cannot start threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

impl TheoryError {
    /// A remedy, if there is one.
    #[must_use]
    pub fn remedy(&self) -> Option<String> {
        match self {
            Self::NoForm(error) => Some(error.remedy()),
            Self::NoLoop(NoLoop::Switched(_)) => Some("`setpoint phase` shows its phase plane".to_owned()),
            Self::TooManyCells { .. } => Some("give a smaller --size, or shorter lists".to_owned()),
            Self::SameKey(_) => Some("give --x and --y different keys".to_owned()),
            Self::TooManySteps { .. } => {
                Some("use a shorter --until or a longer --delay; `--delay 0s` switches at once".to_owned())
            }
            Self::TooManyRuns { .. } => Some("give fewer --packets, or `--packets all`".to_owned()),
            _ => None,
        }
    }

    /// Whether it was stopped by the user.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        match self {
            Self::Stopped { .. } => true,
            Self::Run(error) => error.is_stopped(),
            _ => false,
        }
    }
}
