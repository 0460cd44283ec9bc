//! The league: algorithms on standard scenarios, compared metric by metric.
//!
//! The scenarios of the league are built in ([`SCENARIOS`]), with PFC on; each [`Contestant`], an algorithm with its
//! defaults or with a profile, replaces their `control`. The same scenarios without flow control form the second
//! [`Division`]. Each is short, so that the whole league takes only minutes. The runs form a sweep
//! ([`crate::sweep`]): they are stored, can be resumed, do not depend on the number of threads, and
//! are compared on the same queue in all runs of a scenario.
//!
//! Algorithms are compared in the [`DISCIPLINES`], seed by seed ([`setpoint_record::confidence`]). In each, the best mean is
//! marked, together with the next best up to the first that clearly differs from it; the worst means are marked in the same
//! way. A mark that at least half of the algorithms would share is omitted. Each interval is widened to account for the
//! number of other algorithms, so that the truly best algorithm is found clearly worse than another in at most 5 % of
//! columns (multiple comparisons with the best, Hsu 1984, with Bonferroni's inequality). With fewer than three seeds nothing
//! is marked. The following algorithms are never marked best; they are marked worst if all runs agree and there are at least
//! [`UNANIMOUS`]:
//!
//! * an algorithm that has a value in only some of its runs, such as a settling time if it settled in
//!   three of its five runs, or in none;
//! * for message completion, an algorithm whose value is only a lower bound because messages were not
//!   completed, or that lost frames: these are not retransmitted, so lost frames shorten the
//!   completion times of other messages.

mod contestant;
mod division;
mod marks;
mod row;
mod standing;

use std::sync::LazyLock;

use setpoint_control::Algorithm;
use setpoint_record::catalogue::{self, Metric};
use setpoint_scenario::{Diagnostics, Scenario, Source, Variant};
use setpoint_suggest::did_you_mean;

use contestant::in_order;

pub use contestant::Contestant;
pub use division::Division;
pub use row::{Mark, Row, Score, Verdict};
pub use standing::{Standing, to_csv};

/// The standard scenarios, by their built-in names.
pub const SCENARIOS: [&str; 13] = [
    "league-few",
    "league-many",
    "league-far",
    "league-change",
    "league-parking-lot",
    "league-weights",
    "league-mice",
    "league-incast",
    "league-fabric",
    "league-data-mining",
    "league-hadoop",
    "league-storage",
    "league-rpc",
];

/// A standard scenario in a few words, for headings; its name if it is not a standard scenario.
pub fn title(scenario: &str) -> &str {
    match scenario {
        "league-few" => "Few senders",
        "league-many" => "Many senders",
        "league-far" => "Long round trip",
        "league-change" => "Changing link rate",
        "league-parking-lot" => "Parking lot",
        "league-weights" => "Weighted flows",
        "league-mice" => "Short messages among long flows",
        "league-incast" => "Incast",
        "league-fabric" => "Web search on a fabric",
        "league-data-mining" => "Data mining on a fabric",
        "league-hadoop" => "Hadoop on a fabric",
        "league-storage" => "Storage on a fabric",
        "league-rpc" => "Remote procedure calls on a fabric",
        other => other,
    }
}

/// Number of runs that must agree for a mark: five runs agree by chance in one case in 32, which is below 5 %.
pub const UNANIMOUS: usize = 5;

/// The metrics by which algorithms are compared, in the order of the columns.
pub static DISCIPLINES: LazyLock<Vec<&'static Metric>> = LazyLock::new(catalogue::of_league);

/// The scenarios and algorithms of a league.
#[derive(Clone, Debug)]
pub struct League {
    /// Some of the [`SCENARIOS`].
    pub scenarios: Vec<&'static str>,
    /// The algorithms, in the order of the tables.
    pub algorithms: Vec<Contestant>,
    /// The algorithm from which differences are computed.
    pub baseline: Contestant,
}

impl League {
    /// A league of the scenarios with these names, with or without the leading `league-`, and of these algorithms; if none are
    /// given, of all scenarios or of the [usual](Contestant::usual) algorithms. The usual baseline is QCN or, if QCN is not among the algorithms, the first of them.
    ///
    /// # Errors
    /// If there is no such scenario, or if the baseline is not among the algorithms: a message with a remedy.
    pub fn of(
        scenarios: &[String],
        algorithms: &[Contestant],
        baseline: Option<Contestant>,
    ) -> Result<Self, String> {
        let is = |name: &'static str, given: &String| given == name || given == short(name);
        if let Some(given) = scenarios.iter().find(|given| !SCENARIOS.iter().any(|name| is(name, given))) {
            let remedy = did_you_mean(given, SCENARIOS.iter().map(|name| short(name)))
                .unwrap_or_else(|| format!("the scenarios are {}", SCENARIOS.map(short).join(", ")));
            return Err(format!("the league has no scenario {given:?}; {remedy}"));
        }
        let qcn = Contestant::from(Algorithm::Qcn);
        let first = algorithms.first().copied().filter(|_| !algorithms.contains(&qcn));
        let baseline = baseline.or(first).unwrap_or(qcn);
        let algorithms = match algorithms {
            [] => Contestant::usual(),
            given => in_order(given.iter().copied()),
        };
        if !algorithms.contains(&baseline) {
            let names: Vec<String> = algorithms.iter().map(ToString::to_string).collect();
            return Err(format!(
                "the baseline {baseline} is not among the algorithms {}; add it to them, or choose one of them as the baseline",
                names.join(", ")
            ));
        }
        let is_chosen =
            |name: &&'static str| scenarios.is_empty() || scenarios.iter().any(|given| is(name, given));
        Ok(Self { scenarios: SCENARIOS.into_iter().filter(is_chosen).collect(), algorithms, baseline })
    }

    /// The algorithms on the scenarios in every division, as variants of one sweep over scenario, flow control and control,
    /// excluding algorithms that cannot run in a division.
    ///
    /// # Errors
    /// If there is no such scenario, or it is invalid.
    pub fn variants(&self) -> Result<Vec<Variant>, Diagnostics> {
        let mut variants = Vec::new();
        for division in Division::ALL {
            for scenario in &self.scenarios {
                let source = Source::builtin(scenario)?;
                for algorithm in self.algorithms.iter().copied().filter(|one| division.admits(*one)) {
                    let overrides = division.overrides(algorithm)?;
                    let values = division.values(scenario, algorithm);
                    variants.push(Variant {
                        index: variants.len(),
                        assignments: AXES.map(str::to_owned).into_iter().zip(values).collect(),
                        scenario: Scenario::load(&source, &overrides)?,
                    });
                }
            }
        }
        Ok(variants)
    }
}

/// The name of a scenario without the prefix that all of them have.
fn short(name: &str) -> &str {
    name.strip_prefix("league-").unwrap_or(name)
}

/// The axes of the sweep.
const AXES: [&str; 3] = ["scenario", "flow_control", "control"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_baseline_takes_part() {
        let of = |algorithms: &[Contestant], baseline| League::of(&["few".to_owned()], algorithms, baseline);
        let baseline = |algorithms: &[Contestant]| of(algorithms, None).unwrap().baseline;
        let [none, qcn, window] = ["none", "qcn", "dcqcn:hpcc-window"].map(|name| name.parse().unwrap());
        let some = [window, none];
        assert_eq!([baseline(&[]), baseline(&some)], [qcn, window]);
        let league = of(&some, Some(none)).unwrap();
        assert_eq!((league.scenarios, league.algorithms), (vec!["league-few"], vec![none, window]));
        let message = of(&some, Some(qcn)).unwrap_err();
        assert_eq!(
            message,
            "the baseline qcn is not among the algorithms none, dcqcn:hpcc-window; add it to them, or choose one of them as the baseline"
        );
    }

    #[test]
    fn every_scenario_has_a_title() {
        for scenario in SCENARIOS {
            assert_ne!(title(scenario), scenario);
        }
    }
}
