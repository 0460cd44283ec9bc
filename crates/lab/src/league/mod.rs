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

/// Which values of a figure are good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// Large ones.
    Higher,
    /// Small ones.
    Lower,
}

/// Something to be good at.
#[derive(Clone, Copy, Debug)]
pub struct Discipline {
    /// The figure of [`crate::sweep::FIGURES`].
    pub figure: &'static str,
    /// Its name in tables.
    pub title: &'static str,
    /// What it says, in a sentence.
    pub meaning: &'static str,
    /// Which values are good.
    pub better: Better,
}

/// What entrants are compared by.
pub const DISCIPLINES: [Discipline; 10] = [
    discipline(
        "jain_index_windowed_mean",
        "fairness",
        "Jain's index of the flows' rates per weight in short windows, mean over windows.",
        Better::Higher,
    ),
    discipline(
        "queue_error_bytes",
        "distance from set point",
        "Root mean square distance of the watched queue from its set point, where it has one.",
        Better::Lower,
    ),
    discipline(
        "utilisation_share",
        "utilisation",
        "Share of the time in which the port of the watched queue sends.",
        Better::Higher,
    ),
    discipline(
        "settling_s",
        "settling",
        "Time from the last event until the watched queue stays within 10 % of its set point, with its port loaded and \
         its buffer not full.",
        Better::Lower,
    ),
    discipline("loss_share", "loss", "Frames dropped over frames sent.", Better::Lower),
    discipline("paused_s", "paused", "Time in which ports were paused, summed over ports.", Better::Lower),
    discipline(
        "notifications_per_frame",
        "notifications",
        "Notifications over data frames sent.",
        Better::Lower,
    ),
    discipline(
        "fct_p50_s",
        "median completion",
        "Median completion time of messages; those not completed count as slower than all others.",
        Better::Lower,
    ),
    discipline(
        "slowdown_p99",
        "slowdown p99",
        "99th percentile of the slowdown of messages: completion time over that on an empty network.",
        Better::Lower,
    ),
    discipline(
        "messages_not_completed_share",
        "not completed",
        "Share of messages that were unfinished at the end or lost a frame.",
        Better::Lower,
    ),
];

const fn discipline(
    figure: &'static str,
    title: &'static str,
    meaning: &'static str,
    better: Better,
) -> Discipline {
    Discipline { figure, title, meaning, better }
}

impl Discipline {
    /// Whether it is about the completion of messages, at which those who lose frames cannot win.
    fn is_completion(&self) -> bool {
        matches!(self.figure, "fct_p50_s" | "slowdown_p99")
    }
}

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
