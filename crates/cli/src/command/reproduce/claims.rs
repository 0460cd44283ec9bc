//! The claims of experiments in the terminal: the statement, its verdict, and the expected and the measured value.

use setpoint_papers::{ClaimRecord, Experiment, VerdictKind};

use crate::terminal::{Paint, Screen, Unit, indented, mean_and_spread, quantity};

/// Maximum length of lines, for legibility.
const LONGEST_LINE: usize = 110;
/// Indentation of statements and figures.
const INDENT: usize = 2;

/// The claims under the titles of their experiments.
pub(super) fn render(records: &[ClaimRecord], chosen: &[&Experiment], screen: Screen) -> String {
    let mut text = String::new();
    for of_experiment in records.chunk_by(|one, next| one.experiment == next.experiment) {
        let id = &of_experiment[0].experiment;
        let experiment = chosen.iter().find(|experiment| experiment.id == *id);
        let title = experiment.map_or("", |experiment| experiment.title);
        text += &format!("{} {title}\n", screen.paint.strong(id));
        for record in of_experiment {
            text += &claim(record, statement(record, experiment.copied()), screen);
        }
        text.push('\n');
    }
    text
}

/// The claim as worded in the paper or in our own check, or just its name if the experiment is unknown.
fn statement<'a>(record: &'a ClaimRecord, experiment: Option<&'a Experiment>) -> &'a str {
    let found = experiment.and_then(|one| one.claims.iter().find(|claim| claim.name == record.claim));
    found.map_or(&record.claim, |claim| &claim.statement)
}

fn claim(record: &ClaimRecord, statement: &str, screen: Screen) -> String {
    let width = screen.width.min(LONGEST_LINE);
    let origin: &str = if record.is_of_paper() { &record.place } else { "our check" };
    let first = indented(&format!("{}: {statement} ({origin})", outcome(record)), INDENT, width);
    let figures = format!("expected {}, measured {}", record.expected, measured(record));
    let seeds = match seeds(record) {
        Some(seeds) if record.kind() != Some(VerdictKind::Quick) => format!(" ({seeds})"),
        _ => String::new(),
    };
    painted(&first, record, screen.paint) + &indented(&(figures + &seeds), 2 * INDENT, width)
}

/// The verdict; a quick run has none, only the number of seeds for which the rule holds.
fn outcome(record: &ClaimRecord) -> String {
    match seeds(record) {
        Some(seeds) if record.kind() == Some(VerdictKind::Quick) => format!("holds for {seeds}"),
        _ => record.verdict.clone(),
    }
}

fn painted(line: &str, record: &ClaimRecord, paint: Paint) -> String {
    let verdict = &record.verdict;
    match record.kind() {
        Some(kind) if kind.holds() => line.replacen(verdict, &paint.good(verdict), 1),
        Some(VerdictKind::Differs) => line.replacen(verdict, &paint.bad(verdict), 1),
        _ => line.to_owned(),
    }
}

/// Number of seeds, or share of the bootstrap samples, for which the rule holds; `None` if nothing was measured.
fn seeds(record: &ClaimRecord) -> Option<String> {
    match record.samples_following {
        Some(share) => Some(format!("{} of samples", quantity(Unit::Share, share))),
        None if record.seeds == 0 => None,
        None => Some(format!("{} of {} seeds", record.seeds_following, record.seeds)),
    }
}

/// Mean and deviation over seeds, or the figure for all seeds together.
fn measured(record: &ClaimRecord) -> String {
    let (Some(mean), Some(spread)) = (record.measured, record.spread) else { return "nothing".to_owned() };
    let spread = setpoint_record::confidence::Spread {
        count: record.seeds,
        mean,
        deviation: spread.deviation.filter(|_| record.interval.is_none()),
        interval: None,
        min: spread.min,
        max: spread.max,
        is_lower_bound: false,
    };
    mean_and_spread(record.quantity(), &spread)
}

#[cfg(test)]
mod tests {
    use super::*;
    use setpoint_scenario::Colour;

    /// A claim whose rule holds for three of eight seeds.
    fn record(origin: &str, verdict: &str, depth: &str) -> ClaimRecord {
        serde_json::from_value(serde_json::json!({
            "experiment": "small/sharing", "claim": "one", "origin": origin, "place": "figure 3", "inputs": "",
            "verdict": verdict, "measured": 26_400.0, "published": null, "expected": "at most 26 kB",
            "spread": { "deviation": 310.0, "min": 26_000.0, "max": 27_000.0 },
            "interval": null, "values": [], "seeds": 8, "seeds_following": 3, "unit": "B", "why": "",
            "beside": [], "depth": depth,
        }))
        .unwrap()
    }

    #[test]
    fn a_claim_shows_statement_expectation_and_measurement() {
        let screen = Screen { width: 80, paint: Paint::new(Colour::Off) };
        let said = "the queue stays below its set point";
        assert_eq!(
            claim(&record("paper", "differs", "full"), said, screen),
            "  differs: the queue stays below its set point (figure 3)\n    \
             expected at most 26 kB, measured 26.40 kB ± 0.31 kB (3 of 8 seeds)\n"
        );
        assert_eq!(
            claim(&record("ours", "quick run", "quick"), said, screen),
            "  holds for 3 of 8 seeds: the queue stays below its set point (our check)\n    \
             expected at most 26 kB, measured 26.40 kB ± 0.31 kB\n"
        );
    }
}
