//! What a paper claims, and what we find.

use std::fmt;

use setpoint_lab::sweep::Spread;
use setpoint_report::quantity::Unit;

use crate::rule::Rule;
use crate::runs::{Runs, Seed};

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
    test: Test,
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

/// Whether a claim holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// We see what the paper saw.
    Holds,
    /// We see something else.
    Differs {
        /// The likely cause; none if it was not found.
        cause: Option<&'static str>,
    },
    /// It cannot be told.
    CannotBeJudged {
        /// Why not.
        why: String,
    },
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
        Self { name, statement, reading: "", cause: None, test }
    }

    /// A claim that cannot be judged here, for a reason.
    #[must_use]
    pub fn impossible(name: &'static str, statement: &'static str, why: &'static str) -> Self {
        Self { name, statement, reading: "", cause: None, test: Test::Impossible { why } }
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

    /// The rule in words.
    #[must_use]
    pub fn expected(&self) -> String {
        match &self.test {
            Test::Measured { unit, rule, .. } => rule.text(*unit),
            Test::Impossible { .. } => String::new(),
        }
    }

    /// Judges the claim.
    #[must_use]
    pub fn judge(&self, runs: &Runs) -> Judgement {
        match &self.test {
            Test::Impossible { why } => Judgement::open((*why).to_owned(), Unit::Count, None),
            Test::Measured { unit, rule, measure } => match measured(runs, measure) {
                Ok(values) => Judgement {
                    verdict: self.verdict(*rule, &values),
                    values,
                    unit: *unit,
                    rule: Some(*rule),
                },
                Err(why) => Judgement::open(why, *unit, Some(*rule)),
            },
        }
    }

    fn verdict(&self, rule: Rule, values: &[f64]) -> Verdict {
        if rule.holds(values) { Verdict::Holds } else { Verdict::Differs { cause: self.cause } }
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

impl Verdict {
    /// The verdict in one or two words.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Differs { .. } => "differs",
            Self::CannotBeJudged { .. } => "cannot be judged",
        }
    }

    /// Why it is not what was expected: the cause or the reason, in words; empty where the claim holds.
    #[must_use]
    pub fn why(&self) -> &str {
        match self {
            Self::Holds => "",
            Self::Differs { cause } => cause.unwrap_or("the cause has not been found"),
            Self::CannotBeJudged { why } => why,
        }
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
