//! The league: every algorithm on every standard scenario, compared figure by figure.
//!
//! A scenario of the league is a built-in scenario like any other ([`SCENARIOS`]), with PFC on; only its `control` is
//! replaced, by each algorithm with its defaults. The same scenarios without flow control are the second
//! [`Division`]. Each is short, so that the whole league takes minutes. The
//! runs are those of a sweep ([`crate::sweep`]): stored, resumed, independent of the number of threads, compared by
//! the same queue in all runs of a scenario.
//!
//! Entrants are compared by the [`DISCIPLINES`]. In each the best and the worst mean over seeds is marked, unless
//! half of the entrants or more share it (a loss of nothing is no distinction). These come last, and are never the best:
//!
//! * an entrant that has a figure in some of its runs only, such as a settling time where it settled in three runs of five;
//! * at the completion of messages, an entrant with a figure that is only a lower bound, because messages were not
//!   completed, or one that lost frames: nobody sends them again, and what is lost does not have to be waited for.

mod division;
mod marks;
mod standing;

use std::sync::LazyLock;

use crate::catalogue::{self, Metric};
use crate::scenario::{Diagnostics, Scenario, Source, Variant};

pub use division::Division;
pub use standing::{Mark, Row, Score, Standing, standings, to_csv};

/// The standard scenarios, by the names under which they are built in.
pub const SCENARIOS: [&str; 9] = [
    "league-few",
    "league-many",
    "league-far",
    "league-change",
    "league-parking-lot",
    "league-weights",
    "league-mice",
    "league-incast",
    "league-fabric",
];

/// The metrics by which algorithms are compared, in the order of the columns.
pub static DISCIPLINES: LazyLock<Vec<&'static Metric>> = LazyLock::new(catalogue::of_league);

/// Every algorithm on some of the [`SCENARIOS`] in every division, as variants of one sweep over scenario, flow control and
/// control; algorithms that cannot run on a scenario are left out there.
///
/// # Errors
/// If there is no such scenario, or it is wrong.
pub fn variants(scenarios: &[&str]) -> Result<Vec<Variant>, Diagnostics> {
    let mut variants = Vec::new();
    for division in Division::ALL {
        for scenario in scenarios {
            let source = Source::builtin(scenario)?;
            for algorithm in division.entrants() {
                let overrides = division.overrides(algorithm)?;
                let values = division.values(scenario, algorithm);
                let assignments = AXES.iter().zip(values);
                variants.push(Variant {
                    index: variants.len(),
                    assignments: assignments
                        .map(|(key, value)| ((*key).to_owned(), value.to_owned()))
                        .collect(),
                    scenario: Scenario::load(&source, &overrides)?,
                });
            }
        }
    }
    Ok(variants)
}

/// The axes of the sweep.
const AXES: [&str; 3] = ["scenario", "flow_control", "control"];
