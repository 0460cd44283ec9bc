//! A claim, and how it is judged.

use std::fmt;

use setpoint_units::quantity::Unit;

use crate::case::Depth;
use crate::choice::Setup;
use crate::rule::{Agreement, Rule};
use crate::runs::{Runs, Seed};
use crate::timeline::Window;

mod measured;
mod verdict;

pub(crate) use measured::share_of_samples;
pub use measured::{Measured, Pooled};
pub use verdict::{Judgement, Verdict, VerdictKind, WithinSpread};

/// A statement in testable form: a figure that is measured for every seed, and a rule for it.
pub struct Claim {
    /// Who makes the statement.
    pub origin: Origin,
    /// Short name of lower-case letters, digits and hyphens.
    pub name: String,
    /// The statement, in our words.
    pub statement: String,
    /// How we derived the rule from the paper's wording; written before we looked at the runs.
    pub reading: String,
    /// Why we observe something else, if we do.
    pub cause: Option<String>,
    /// The single value that the paper gives, in the base unit of the figure.
    pub published: Option<f64>,
    /// The part of the experiment that must last for a minimum time for the claim to make sense.
    pub needs: Option<Needs>,
    test: Test,
}

/// Who makes a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The paper, at a place such as "section 5.2" or "figure 16".
    Paper(&'static str),
    /// We do: the statement checks or extends the paper.
    Ours,
}

/// A statement of ours.
pub const OURS: Origin = Origin::Ours;

/// A statement that the paper makes at the given place.
#[must_use]
pub const fn at(place: &'static str) -> Origin {
    Origin::Paper(place)
}

/// A part of an experiment that must last for a minimum time.
///
/// In a short version it may end before the claimed behaviour can occur, since the algorithms' own times are
/// not shortened.
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
    PerSeed { unit: Unit, rule: Rule, measure: Measure },
    Pooled { unit: Unit, rule: Rule, measure: PooledMeasure },
    Impossible { why: &'static str },
}

type Measure = Box<dyn Fn(&Seed<'_>) -> Option<f64> + Send + Sync>;
/// Measures the parts of all seeds; none if a seed has none.
type PooledMeasure = Box<dyn Fn(&[Seed<'_>]) -> Option<Combine> + Send + Sync>;
/// The figure of some seeds, by their positions.
type Combine = Box<dyn Fn(&[usize]) -> Option<f64>>;

impl Claim {
    /// A claim without a measurement, which cannot be judged; see [`Claim::measure`].
    pub fn new(origin: Origin, name: impl Into<String>, statement: impl Into<String>) -> Self {
        Self {
            origin,
            name: name.into(),
            statement: statement.into(),
            reading: String::new(),
            cause: None,
            published: None,
            needs: None,
            test: Test::Impossible { why: "nothing is measured" },
        }
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
        Self { test: Test::PerSeed { unit, rule, measure: Box::new(measure) }, ..self }
    }

    /// Sets a figure of several seeds together, such as a quotient of sums over messages: `part` is measured
    /// once for each seed, and `figure` combines the parts of any seeds. It suits heavy-tailed quantities,
    /// whose figures vary widely from seed to seed. The spread of the figure is estimated by resampling the
    /// seeds.
    #[must_use]
    pub fn measure_pooled<P: 'static>(
        self,
        unit: Unit,
        rule: Rule,
        part: impl Fn(&Seed<'_>) -> Option<P> + Send + Sync + 'static,
        figure: impl Fn(&[&P]) -> Option<f64> + Copy + Send + Sync + 'static,
    ) -> Self {
        let measure = move |seeds: &[Seed<'_>]| {
            let parts: Vec<P> = seeds.iter().map(&part).collect::<Option<_>>()?;
            let combine = move |chosen: &[usize]| {
                let chosen: Vec<&P> = chosen.iter().map(|place| &parts[*place]).collect();
                figure(&chosen)
            };
            Some(Box::new(combine) as Combine)
        };
        Self { test: Test::Pooled { unit, rule, measure: Box::new(measure) }, ..self }
    }

    /// Declares that the claim cannot be judged, for a reason.
    #[must_use]
    pub fn cannot_be_judged(self, why: &'static str) -> Self {
        Self { test: Test::Impossible { why }, ..self }
    }

    /// Explains how we derived the rule from the paper's wording.
    #[must_use]
    pub fn read_as(self, reading: impl Into<String>) -> Self {
        Self { reading: reading.into(), ..self }
    }

    /// Gives the paper's single value, in the base unit of the figure.
    #[must_use]
    pub fn published(self, value: f64) -> Self {
        Self { published: Some(value), ..self }
    }

    /// Explains why we observe something else. Pages show it only if the claim does not hold.
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
        self.rule().map_or_else(String::new, |rule| rule.text(self.unit()))
    }

    /// The rule; none if the claim cannot be judged.
    #[must_use]
    pub fn rule(&self) -> Option<Rule> {
        match &self.test {
            Test::PerSeed { rule, .. } | Test::Pooled { rule, .. } => Some(*rule),
            Test::Impossible { .. } => None,
        }
    }

    /// The unit of the figure.
    #[must_use]
    pub fn unit(&self) -> Unit {
        match &self.test {
            Test::PerSeed { unit, .. } | Test::Pooled { unit, .. } => *unit,
            Test::Impossible { .. } => Unit::Count,
        }
    }

    /// Measures the claim's figures.
    #[must_use]
    pub fn measured(&self, runs: &Runs) -> Measured {
        let measured = match &self.test {
            Test::Impossible { why } => Measured::none((*why).to_owned()),
            Test::PerSeed { measure, .. } => Measured::per_seed(runs, measure),
            Test::Pooled { measure, .. } => Measured::pooled(runs, measure),
        };
        let too_short = runs.depth() == Depth::Quick && runs.failures().is_empty();
        let too_short = self.needs.filter(|_| too_short).and_then(|needs| needs.unmet(runs));
        Measured { too_short, ..measured }
    }

    /// Judges the claim by its figures in the leading set-up and in others. A short version gives no verdict: it counts
    /// the seeds for which the rule holds.
    #[must_use]
    pub fn judge(&self, measured: Measured, beside: Vec<(Setup, Measured)>, depth: Depth) -> Judgement {
        let verdict = self.verdict(&measured, &beside, depth);
        Judgement { verdict, measured, beside, unit: self.unit(), rule: self.rule() }
    }

    fn verdict(&self, measured: &Measured, beside: &[(Setup, Measured)], depth: Depth) -> Verdict {
        if let (Depth::Quick, Some(why)) = (depth, &measured.too_short) {
            return Verdict::TooShort { why: why.clone() };
        }
        let rule = match (&measured.why_not, self.rule()) {
            (Some(why), _) => return Verdict::CannotBeJudged { why: why.clone() },
            (None, None) => return Verdict::CannotBeJudged { why: "nothing is measured".to_owned() },
            (None, Some(rule)) => rule,
        };
        let cause = self.cause.clone();
        let agreement = measured.agreement(rule);
        if depth == Depth::Quick {
            return Verdict::Quick { agreement, cause };
        }
        if agreement == Agreement::Follows {
            return Verdict::Holds;
        }
        let within = match self.published {
            Some(published) => measured.range().is_some_and(|(low, high)| (low..=high).contains(&published)),
            None => agreement == Agreement::TooFewSeeds,
        };
        if within {
            let spread =
                WithinSpread { published: self.published.is_some(), pooled: measured.pooled.is_some() };
            return Verdict::WithinSpread { spread, cause };
        }
        // Other set-ups are run with fewer seeds. It is no merit of theirs if the leading one follows with these seeds.
        let follows = |(_, other): &&(Setup, Measured)| {
            other.agreement(rule) == Agreement::Follows
                && measured.first(other.values.len()).agreement(rule) != Agreement::Follows
        };
        let holding = |(setup, other): &(Setup, Measured)| (setup.clone(), other.support(rule));
        let setups: Vec<(Setup, String)> = beside.iter().filter(follows).map(holding).collect();
        match beside.iter().find_map(|(_, other)| other.failure()) {
            Some(why) if setups.is_empty() => Verdict::CannotBeJudged { why: why.to_owned() },
            None if setups.is_empty() => Verdict::Differs { cause },
            _ => Verdict::HoldsIf { setups, cause },
        }
    }
}

impl Origin {
    /// `paper` or `ours`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Paper(_) => "paper",
            Self::Ours => "ours",
        }
    }

    /// The place in the paper; empty for a statement of ours.
    #[must_use]
    pub fn place(self) -> &'static str {
        match self {
            Self::Paper(place) => place,
            Self::Ours => "",
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
            format!("{part} lasts {} in a quick run, but {process} takes {}", text(to - from), text(least))
        })
    }
}

impl fmt::Debug for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Claim")
            .field("name", &self.name)
            .field("origin", &self.origin)
            .field("expected", &self.expected())
            .finish_non_exhaustive()
    }
}
