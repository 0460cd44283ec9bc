//! A paper's claim, and how it is judged.

use std::fmt;

use setpoint_lab::sweep::Spread;
use setpoint_units::quantity::Unit;

use crate::case::Depth;
use crate::rule::{Agreement, Rule};
use crate::runs::{Runs, Seed};
use crate::timeline::Window;

mod verdict;

pub use verdict::Verdict;
pub(crate) use verdict::shown;

/// A statement of a paper in testable form: a figure that is measured for every seed, and a rule for it.
pub struct Claim {
    /// Short name of lower-case letters, digits and hyphens.
    pub name: String,
    /// The statement, in our words.
    pub statement: String,
    /// How we derived the rule from the paper's words; written before we looked at the runs.
    pub reading: String,
    /// Why we observe something else, if we do.
    pub cause: Option<String>,
    /// The part of the experiment that must last for a minimum time for the claim to make sense.
    pub needs: Option<Needs>,
    test: Test,
}

/// A part of an experiment that must last for a minimum time.
///
/// In a short version it may end before the claimed behaviour can occur, since times of the algorithms are not shortened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Needs {
    /// The part, in words.
    pub part: &'static str,
    /// The part.
    pub window: Window,
    /// The minimum time that it must last, in seconds.
    pub least: f64,
    /// The process that takes this time, in words.
    pub process: &'static str,
}

/// How a claim is judged.
enum Test {
    Measured { unit: Unit, rule: Rule, measure: Measure },
    Impossible { why: &'static str },
}

type Measure = Box<dyn Fn(&Seed<'_>) -> Option<f64> + Send + Sync>;

/// The outcome of a claim.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// The verdict.
    pub verdict: Verdict,
    /// The figure for each seed, in the order of the seeds; empty if nothing was measured.
    pub values: Vec<f64>,
    /// The unit of the values.
    pub unit: Unit,
    /// The rule; none if nothing can be measured.
    pub rule: Option<Rule>,
}

impl Claim {
    /// A claim without a measurement, which cannot be judged; see [`Claim::measure`].
    pub fn new(name: impl Into<String>, statement: impl Into<String>) -> Self {
        let (name, statement) = (name.into(), statement.into());
        let test = Test::Impossible { why: "nothing is measured" };
        Self { name, statement, reading: String::new(), cause: None, needs: None, test }
    }

    /// Sets the figure to measure for every seed and the rule that must hold for it. If there is nothing to measure
    /// for a seed, the claim cannot be judged.
    #[must_use]
    pub fn measure(
        self,
        unit: Unit,
        rule: Rule,
        measure: impl Fn(&Seed<'_>) -> Option<f64> + Send + Sync + 'static,
    ) -> Self {
        Self { test: Test::Measured { unit, rule, measure: Box::new(measure) }, ..self }
    }

    /// Declares that the claim cannot be judged, for a reason.
    #[must_use]
    pub fn cannot_be_judged(self, why: &'static str) -> Self {
        Self { test: Test::Impossible { why }, ..self }
    }

    /// Explains how we derived the rule from the paper's words.
    #[must_use]
    pub fn read_as(self, reading: impl Into<String>) -> Self {
        Self { reading: reading.into(), ..self }
    }

    /// Explains why we observe something else. Pages show it only if the claim differs.
    #[must_use]
    pub fn cause(self, cause: impl Into<String>) -> Self {
        Self { cause: Some(cause.into()), ..self }
    }

    /// Requires that a part of the experiment lasts for a minimum time.
    #[must_use]
    pub fn needs(self, needs: Needs) -> Self {
        Self { needs: Some(needs), ..self }
    }

    /// The rule in words.
    #[must_use]
    pub fn expected(&self) -> String {
        match &self.test {
            Test::Measured { unit, rule, .. } => rule.text(*unit),
            Test::Impossible { .. } => String::new(),
        }
    }

    /// Judges the claim. A short version gives no verdict: it counts the seeds for which the rule holds.
    #[must_use]
    pub fn judge(&self, runs: &Runs, depth: Depth) -> Judgement {
        match &self.test {
            Test::Impossible { why } => Judgement::open((*why).to_owned(), Unit::Count, None),
            Test::Measured { unit, rule, measure } => match values(runs, measure) {
                Ok(values) => Judgement {
                    verdict: self.verdict(rule.agreement(&values), runs, depth),
                    values,
                    unit: *unit,
                    rule: Some(*rule),
                },
                Err(why) => Judgement::open(why, *unit, Some(*rule)),
            },
        }
    }

    fn verdict(&self, agreement: Agreement, runs: &Runs, depth: Depth) -> Verdict {
        let cause = self.cause.clone();
        match (depth, agreement) {
            (Depth::Full, Agreement::Follows) => Verdict::Holds,
            (Depth::Full, _) => Verdict::Differs { agreement, cause },
            (Depth::Quick, _) => match self.needs.and_then(|needs| needs.unmet(runs)) {
                Some(why) => Verdict::TooShort { why },
                None => Verdict::Quick { agreement, cause },
            },
        }
    }
}

impl Needs {
    /// Why the claim cannot be judged in a short version; none if it can be judged.
    fn unmet(self, runs: &Runs) -> Option<String> {
        let (from, to) = runs.first().first_run()?.timeline.range(self.window);
        let text = |seconds| Unit::Seconds.text(seconds).replace('\u{a0}', " ");
        let Self { part, process, least, .. } = self;
        // Rounding of times must not affect the result.
        ((to - from) * (1.0 + 1e-9) < least).then(|| {
            format!("{part} lasts {} in a quick run, and {process} takes {}", text(to - from), text(least))
        })
    }
}

/// The figure for every seed, or the reason why there is none.
fn values(runs: &Runs, measure: &Measure) -> Result<Vec<f64>, String> {
    if let Some(failure) = runs.failures().first() {
        return Err(failure.clone());
    }
    let figure = |seed: Seed<'_>| {
        let value = measure(&seed).filter(|value| value.is_finite());
        value.ok_or_else(|| format!("there was nothing to measure with seed {}", seed.number()))
    };
    runs.seeds().map(figure).collect()
}

impl Judgement {
    fn open(why: String, unit: Unit, rule: Option<Rule>) -> Self {
        Self { verdict: Verdict::CannotBeJudged { why }, values: Vec::new(), unit, rule }
    }

    /// Mean and spread over seeds; none if nothing was measured.
    #[must_use]
    pub fn spread(&self) -> Option<Spread> {
        Spread::of(&self.values)
    }

    /// The number of seeds for which the rule holds.
    #[must_use]
    pub fn followers(&self) -> usize {
        self.rule.map_or(0, |rule| rule.followers(&self.values))
    }
}

impl fmt::Debug for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Claim")
            .field("name", &self.name)
            .field("expected", &self.expected())
            .finish_non_exhaustive()
    }
}
