//! The league: every algorithm on every standard scenario, compared figure by figure.
//!
//! A scenario of the league is a built-in scenario like any other ([`SCENARIOS`]); only its `control` is
//! replaced, by each algorithm with its defaults. Each is short, so that the whole league takes minutes. The
//! runs are those of a sweep ([`crate::sweep`]): stored, resumed, independent of the number of threads.
//!
//! What is compared are the [`DISCIPLINES`]. In each the best and the worst mean over seeds is marked, unless
//! half of the entrants or more share it (a loss of nothing is no distinction). An entrant that has a figure in
//! some of its runs only, such as a settling time where it settled in three runs of five, is placed after all
//! that have it in every run.

mod standing;

use setpoint_control::Algorithm;

use crate::scenario::{Diagnostics, Override, Scenario, Source, Variant};

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
pub const DISCIPLINES: [Discipline; 9] = [
    discipline(
        "jain_index_windowed_mean",
        "fairness",
        "Jain's index of the flows' rates per weight in short windows, mean over windows.",
        Better::Higher,
    ),
    discipline(
        "queue_error_bytes",
        "queue deviation",
        "Root mean square distance of the busiest queue from its set point, where it has one.",
        Better::Lower,
    ),
    discipline(
        "utilisation_share",
        "utilisation",
        "Share of the time the busiest port sends.",
        Better::Higher,
    ),
    discipline(
        "settling_s",
        "settling",
        "Time until queue and throughput stay within their bands after the last event.",
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
    discipline("fct_mean_s", "completion", "Mean completion time of messages.", Better::Lower),
    discipline(
        "slowdown_p99",
        "slowdown p99",
        "Slowdown that one message in a hundred exceeds.",
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

/// Every algorithm on some of the [`SCENARIOS`], as variants of one sweep over scenario and control; algorithms
/// that cannot run on a scenario are left out there.
///
/// # Errors
/// If there is no such scenario, or it is wrong.
pub fn variants(scenarios: &[&str]) -> Result<Vec<Variant>, Diagnostics> {
    let mut variants = Vec::new();
    for scenario in scenarios {
        let source = Source::builtin(scenario)?;
        for algorithm in entrants(&source)? {
            let chosen: Override = format!("control={}", algorithm.name()).parse()?;
            let values = [("scenario", *scenario), ("control", algorithm.name())];
            variants.push(Variant {
                index: variants.len(),
                assignments: values.map(|(key, value)| (key.to_owned(), value.to_owned())).into(),
                scenario: Scenario::load(&source, &[chosen])?,
            });
        }
    }
    Ok(variants)
}

/// The algorithms that can run on a scenario: where nothing may be lost, none that drops.
fn entrants(source: &Source) -> Result<Vec<Algorithm>, Diagnostics> {
    let lossless = Scenario::load(source, &[])?.prepare(0)?.lossless;
    let fits = |algorithm: &Algorithm| {
        let (congestion_point, _) = algorithm.points(&setpoint_control::Params::default());
        !(lossless && congestion_point.drops())
    };
    Ok(Algorithm::ALL.into_iter().filter(fits).collect())
}
