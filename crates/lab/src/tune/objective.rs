//! Objectives: metrics that a tuner minimises or maximises.

use std::fmt;
use std::str::FromStr;

use setpoint_record::catalogue::{self, Better, Metric};
use setpoint_suggest::did_you_mean;

use crate::sweep::RunSummary;

/// A metric, and which of its values are better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Objective {
    /// The metric.
    pub metric: &'static Metric,
    /// Whether smaller values are better.
    pub smaller: bool,
}

/// The text is not an objective.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
#[error("{0}")]
pub struct NotAnObjective(String);

impl Objective {
    /// The cost of a run: smaller is better. Infinite if the run failed, has no value, or has only a lower bound on a
    /// value that should be small.
    pub(super) fn cost(self, run: &RunSummary) -> f64 {
        match run.value(self.metric) {
            Some(value) if self.smaller && value.is_lower_bound => f64::INFINITY,
            Some(value) if self.smaller => value.value,
            Some(value) => -value.value,
            None => f64::INFINITY,
        }
    }

    /// The figure that corresponds to a cost; none if it is infinite.
    pub(super) fn figure(self, cost: f64) -> Option<f64> {
        cost.is_finite().then_some(if self.smaller { cost } else { -cost })
    }
}

impl fmt::Display for Objective {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.metric.name, if self.smaller { "min" } else { "max" })
    }
}

impl FromStr for Objective {
    type Err = NotAnObjective;

    /// Reads `METRIC`, `METRIC:min` or `METRIC:max`.
    fn from_str(text: &str) -> Result<Self, NotAnObjective> {
        let (name, direction) = text.split_once(':').map_or((text, None), |(name, way)| (name, Some(way)));
        let metric = catalogue::all().find(|metric| metric.name == name).ok_or_else(|| unknown(name))?;
        let smaller = match (direction, metric.better) {
            (Some("min"), _) | (None, Better::Smaller) => true,
            (Some("max"), _) | (None, Better::Larger) => false,
            (Some(other), _) => {
                return Err(NotAnObjective(format!("{other:?} is not a direction: write `min` or `max`")));
            }
            (None, Better::Neither) => {
                return Err(NotAnObjective(format!(
                    "`{name}` has no preferred direction: write `{name}:min` or `{name}:max`"
                )));
            }
        };
        Ok(Self { metric, smaller })
    }
}

fn unknown(name: &str) -> NotAnObjective {
    let near = did_you_mean(name, catalogue::all().map(|metric| metric.name)).or_else(|| by_title(name));
    let near = near.map_or_else(String::new, |near| format!("{near} "));
    NotAnObjective(format!("there is no metric `{name}`; {near}`setpoint list metrics` lists all"))
}

/// The metrics whose titles contain a word, such as "fairness".
fn by_title(word: &str) -> Option<String> {
    let word = word.replace('_', " ").to_lowercase();
    let titled = |metric: &&Metric| word.len() > 2 && metric.title.to_lowercase().contains(&word);
    let names: Vec<&str> = catalogue::all().filter(titled).map(|metric| metric.name).collect();
    let (first, rest) = names.split_first()?;
    Some(match rest {
        [] => format!("did you mean `{first}`?"),
        [second, ..] => format!("did you mean `{first}` or `{second}`?"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_are_those_of_the_metric_or_given() {
        let read = |text: &str| text.parse::<Objective>().map(|one| one.to_string());
        assert_eq!(read("settling_s").unwrap(), "settling_s:min");
        assert_eq!(read("utilisation_share").unwrap(), "utilisation_share:max");
        assert_eq!(read("queue_deviation_bytes:min").unwrap(), "queue_deviation_bytes:min");
        assert!(read("queue_deviation_bytes").unwrap_err().to_string().contains(":min"));
        assert!(read("setling_s").unwrap_err().to_string().contains("settling_s"));
        assert!(read("settling_s:up").is_err());
        assert_eq!(
            read("fairness").unwrap_err().to_string(),
            "there is no metric `fairness`; did you mean `jain_index` or `jain_index_windowed_mean`? \
             `setpoint list metrics` lists all"
        );
        assert_eq!(
            read("xyz").unwrap_err().to_string(),
            "there is no metric `xyz`; `setpoint list metrics` lists all"
        );
    }
}
