//! What a paper claims, and what we find.

use std::fmt;

use setpoint_lab::sweep::Spread;
use setpoint_report::quantity::Unit;

use crate::case::{Depth, Timing};
use crate::rule::{Agreement, Rule};
use crate::runs::{Runs, Seed};

mod verdict;

pub use verdict::Verdict;
pub(crate) use verdict::shown;

/// Something that a paper says is seen, in a form that can fail.
pub struct Claim {
    /// Short name, of lower-case letters, digits and hyphens.
    pub name: &'static str,
    /// What is claimed, in our words.
    pub statement: &'static str,
    /// How the paper's words are read as the rule; written down before the runs are looked at.
    pub reading: &'static str,
    /// Why we see something else, if we do: what was found when it was looked into.
    pub cause: Option<&'static str>,
    /// How long a part of the experiment must last for the claim to be judged, if that matters.
    pub needs: Option<Needs>,
    test: Test,
}

/// A part of an experiment that a claim looks at. In a short version it may be over before what the claim is about
/// can happen, since the times of the algorithms are not shortened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Needs {
    /// The part, in words.
    pub part: &'static str,
    /// How long the part lasts in the full version, in seconds.
    pub lasts: f64,
    /// How long it must last, in seconds.
    pub least: f64,
    /// What takes that long.
    pub what: &'static str,
}

impl Needs {
    /// Why the claim cannot be judged with times multiplied by a factor; none if it can.
    fn unmet(self, factor: f64) -> Option<String> {
        let lasts = self.lasts * factor;
        let text = |seconds| Unit::Seconds.text(seconds).replace('\u{a0}', " ");
        let why = || {
            format!(
                "{} lasts {} in a quick run, and {} takes {}",
                self.part,
                text(lasts),
                self.what,
                text(self.least)
            )
        };
        (lasts < self.least).then(why)
    }
}

/// How a claim is judged.
enum Test {
    Measured { unit: Unit, measure: Measure, rule: Rule },
    Impossible { why: &'static str },
}

type Measure = Box<dyn Fn(&Seed<'_>) -> Option<f64> + Send + Sync>;

/// What came of a claim.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// Whether it holds.
    pub verdict: Verdict,
    /// What was measured in each seed, in their order; empty if nothing was.
    pub values: Vec<f64>,
    /// What the values are.
    pub unit: Unit,
    /// The rule; none where there is nothing to measure.
    pub rule: Option<Rule>,
}

impl Claim {
    /// A claim on a figure that is measured in every seed, with the rule that it must follow. A seed in which
    /// there is nothing to measure makes the claim one that cannot be judged.
    pub fn new(
        name: &'static str,
        statement: &'static str,
        (unit, rule): (Unit, Rule),
        measure: impl Fn(&Seed<'_>) -> Option<f64> + Send + Sync + 'static,
    ) -> Self {
        let test = Test::Measured { unit, measure: Box::new(measure), rule };
        Self { name, statement, reading: "", cause: None, needs: None, test }
    }

    /// A claim that cannot be judged here, for a reason.
    #[must_use]
    pub fn impossible(name: &'static str, statement: &'static str, why: &'static str) -> Self {
        Self { name, statement, reading: "", cause: None, needs: None, test: Test::Impossible { why } }
    }

    /// The same with how the paper's words are read.
    #[must_use]
    pub fn read_as(mut self, reading: &'static str) -> Self {
        self.reading = reading;
        self
    }

    /// The same with the cause that was found for what we see instead. It is shown only where the claim differs.
    #[must_use]
    pub fn cause(mut self, cause: &'static str) -> Self {
        self.cause = Some(cause);
        self
    }

    /// The same with how long a part of the experiment must last.
    #[must_use]
    pub fn needs(mut self, needs: Needs) -> Self {
        self.needs = Some(needs);
        self
    }

    /// The rule in words.
    #[must_use]
    pub fn expected(&self) -> String {
        match &self.test {
            Test::Measured { unit, rule, .. } => rule.text(*unit),
            Test::Impossible { .. } => String::new(),
        }
    }

    /// Judges the claim. A short version gives no verdict: it says how many seeds follow the rule.
    #[must_use]
    pub fn judge(&self, runs: &Runs, timing: &Timing, depth: Depth) -> Judgement {
        match &self.test {
            Test::Impossible { why } => Judgement::open((*why).to_owned(), Unit::Count, None),
            Test::Measured { unit, rule, measure } => match measured(runs, measure) {
                Ok(values) => Judgement {
                    verdict: self.verdict(rule.agreement(&values), timing, depth),
                    values,
                    unit: *unit,
                    rule: Some(*rule),
                },
                Err(why) => Judgement::open(why, *unit, Some(*rule)),
            },
        }
    }

    fn verdict(&self, agreement: Agreement, timing: &Timing, depth: Depth) -> Verdict {
        let cause = self.cause;
        match (depth, agreement) {
            (Depth::Full, Agreement::Follows) => Verdict::Holds,
            (Depth::Full, _) => Verdict::Differs { agreement, cause },
            (Depth::Quick, _) => match self.needs.and_then(|needs| needs.unmet(timing.factor(depth))) {
                Some(why) => Verdict::TooShort { why },
                None => Verdict::Quick { agreement, cause },
            },
        }
    }
}

/// The figure of every seed, or why there is none.
fn measured(runs: &Runs, measure: &Measure) -> Result<Vec<f64>, String> {
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

    /// Mean and spread over seeds; none where nothing was measured.
    #[must_use]
    pub fn spread(&self) -> Option<Spread> {
        Spread::of(&self.values)
    }

    /// How many seeds follow the rule.
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
