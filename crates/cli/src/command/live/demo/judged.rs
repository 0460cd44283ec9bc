//! Judges a claim from measurements on real frames, by the same rule as for simulations.

use setpoint_papers::{Claim, Experiment, Rule, papers};
use setpoint_record::results::{QueueSummary, RunRecord};
use setpoint_report::LiveClaim;
use setpoint_units::quantity::Unit;

use super::experiment::Claimed;

/// A figure of a run to which a claim refers.
#[derive(Clone, Copy)]
pub(super) enum Figure {
    /// The largest relative difference between a flow's rate and its weighted share of the total rate of all flows.
    FromShares,
    /// The mean length of the longest queue, in bytes.
    MeanQueue,
    /// The share of the time during which the busiest port transmitted.
    Utilisation,
    /// The share of samples of the longest queue in a range of lengths, in bytes.
    QueueBetween(f64, f64),
}

impl Figure {
    /// The measured quantity.
    pub(super) fn words(self) -> String {
        match self {
            Self::FromShares => "largest deviation of a flow from its weighted share".to_owned(),
            Self::MeanQueue => "mean queue".to_owned(),
            Self::Utilisation => "utilisation of the busiest link".to_owned(),
            Self::QueueBetween(low, high) => {
                format!("samples with {} to {} in the queue", Unit::Bytes.text(low), Unit::Bytes.text(high))
            }
        }
    }

    fn of(self, record: &RunRecord, weights: &[u32]) -> Option<f64> {
        match self {
            Self::FromShares => from_shares(record, weights),
            Self::MeanQueue => Some(longest(record)?.mean_bytes),
            Self::Utilisation => {
                let shares = record.summary.ports.iter().map(|port| port.utilisation_share);
                shares.max_by(f64::total_cmp)
            }
            Self::QueueBetween(low, high) => samples_between(record, low, high),
        }
    }
}

/// A judged claim, and whether it differs.
pub(super) struct Judged {
    pub(super) claim: LiveClaim,
    /// The figure used to judge it, and its value on real frames.
    pub(super) figure: Figure,
    pub(super) measured: String,
    pub(super) live: Verdict,
    pub(super) simulated: Verdict,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Holds,
    Differs,
    NotMeasured,
}

impl Verdict {
    fn of(value: Option<f64>, rule: Rule) -> Self {
        match value {
            Some(value) if rule.allows(value) => Self::Holds,
            Some(_) => Self::Differs,
            None => Self::NotMeasured,
        }
    }

    /// The verdict with the value of the figure.
    fn with(self, value: Option<f64>, unit: Unit) -> String {
        let figure = value.map_or_else(String::new, |value| unit.text(value));
        match self {
            Self::Holds => format!("holds: {figure}"),
            Self::Differs => format!("differs: {figure}"),
            Self::NotMeasured => "not measured".to_owned(),
        }
    }
}

/// The weighted share of each flow, in bits per second.
pub(super) fn shares(record: &RunRecord, weights: &[u32]) -> Vec<f64> {
    let total: f64 = record.summary.flows.iter().map(|flow| flow.rate_bps).sum();
    let all: f64 = weights.iter().copied().map(f64::from).sum();
    weights.iter().map(|weight| total * f64::from(*weight) / all).collect()
}

fn from_shares(record: &RunRecord, weights: &[u32]) -> Option<f64> {
    let flows = record.summary.flows.iter().zip(shares(record, weights));
    flows.map(|(flow, share)| (flow.rate_bps / share - 1.0).abs()).max_by(f64::total_cmp)
}

/// The queue with the largest mean length.
pub(super) fn longest(record: &RunRecord) -> Option<&QueueSummary> {
    record.summary.queues.iter().max_by(|one, other| one.mean_bytes.total_cmp(&other.mean_bytes))
}

/// The share of samples in the range. Counts only samples in the measurement interval, since a run on real
/// frames starts with the announcements of its nodes.
fn samples_between(record: &RunRecord, low: f64, high: f64) -> Option<f64> {
    let name = &longest(record)?.name;
    let series = record.series.queues.iter().find(|series| series.name == *name)?;
    let measured = record.series.time_s.iter().map(|time| *time > record.summary.measure_from_s);
    let lengths = || series.length_bytes.iter().zip(measured.clone()).filter(|(_, measured)| *measured);
    let inside = lengths().filter(|(length, _)| (low..=high).contains(*length)).count();
    Some(inside as f64 / lengths().count().max(1) as f64)
}

/// A claim in words, with its rule.
struct Stated {
    name: String,
    statement: String,
    rule: Rule,
    unit: Unit,
}

impl Claimed {
    /// The claim; `None` if the paper has no such claim, or if the claim has no rule.
    fn stated(self) -> Option<Stated> {
        let (experiment, claim) = match self {
            Self::Paper(experiment, claim) => (experiment, claim),
            Self::Own { name, statement, rule, unit } => {
                return Some(Stated { name: name.to_owned(), statement: statement.to_owned(), rule, unit });
            }
        };
        let papers = papers();
        let mut experiments = papers.iter().flat_map(|paper| &paper.experiments);
        let found: &Experiment = experiments.find(|found| found.id == experiment)?;
        let claim: &Claim = found.claims.iter().find(|found| found.name == claim)?;
        let (name, statement) = (format!("{experiment} {}", claim.name), claim.statement.clone());
        Some(Stated { name, statement, rule: claim.rule()?, unit: claim.unit() })
    }
}

/// The judgement of a claim.
pub(super) fn judge(
    (claim, figure): (Claimed, Figure),
    weights: &[u32],
    live: &RunRecord,
    simulated: &RunRecord,
) -> Option<Judged> {
    let Stated { name, statement, rule, unit } = claim.stated()?;
    let said = |record| {
        let value = figure.of(record, weights);
        let verdict = Verdict::of(value, rule);
        (verdict, verdict.with(value, unit))
    };
    let measured = figure.of(live, weights).map_or_else(String::new, |value| unit.text(value));
    let ((live, live_text), (simulated, simulated_text)) = (said(live), said(simulated));
    let expected = rule.text(unit);
    let claim = LiveClaim { name, statement, expected, live: live_text, simulated: simulated_text };
    Some(Judged { claim, figure, measured, live, simulated })
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::super::experiment::Experiment;

    /// The claims by which demonstrations are judged exist in their papers, and have a rule.
    #[test]
    fn the_claims_exist() {
        for part in Experiment::value_variants().iter().copied().flat_map(Experiment::parts) {
            assert!(!part.claims.is_empty());
            for (claim, figure) in part.claims {
                assert!(claim.stated().is_some(), "{}: {}", part.name, figure.words());
            }
        }
    }
}
