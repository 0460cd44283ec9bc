//! A claim, and how it is judged.

use std::fmt;

use setpoint_units::quantity::Unit;

use crate::case::Depth;
use crate::rule::{Agreement, Rule};
use crate::runs::{Runs, Seed};
use crate::setup::Setup;
use crate::timeline::Window;

mod measured;
mod verdict;

pub use measured::{Measured, Pooled};
pub(crate) use measured::{Sample, share_of_samples};
pub use verdict::{Judgement, Verdict, VerdictKind};

/// A statement in testable form: a figure that is measured for every seed, and a rule for it.
#[must_use]
pub struct Claim {
    /// Who makes the statement.
    pub origin: Origin,
    /// Short name of lower-case letters, digits and hyphens.
    pub name: String,
    /// The statement, in our words.
    pub statement: String,
    /// How we derived the rule from the paper's wording; written before we saw any results.
    pub reading: String,
    /// The reason why our observation differs, if it does.
    pub cause: Option<String>,
    /// The single value that the paper gives, in the base unit of the figure.
    pub published: Option<f64>,
    /// The part of the experiment that must last for a minimum time for the claim to be meaningful.
    pub needs: Option<Needs>,
    /// The premise of the statement. If it does not hold, the claim cannot be judged.
    premise: Option<Premise>,
    /// For a figure that is computed: an outcome of the same computation that violates the rule.
    counterexample: Option<Counterexample>,
    test: Test,
}

/// Who makes a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The paper, at a place such as "section 5.2" or "figure 16".
    Paper(&'static str),
    /// Our own statement, which checks or extends the paper.
    Ours,
}

/// The origin of our own statements.
pub const OURS: Origin = Origin::Ours;

/// A statement that the paper makes at the given place.
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

/// The premise of a claim, in testable form.
struct Premise {
    /// The premise as a clause, such as "the queue is stable without a delay".
    words: &'static str,
    unit: Unit,
    rule: Rule,
    measure: Measure,
}

/// The subject of a computation, in words, and the function that computes its figure.
type Counterexample = (&'static str, Box<dyn Fn() -> Option<f64> + Send + Sync>);

/// How a claim is judged.
enum Test {
    PerSeed { unit: Unit, rule: Rule, measure: Measure },
    Pooled { unit: Unit, rule: Rule, measure: PooledMeasure },
    Impossible { why: &'static str },
}

type Measure = Box<dyn Fn(&Seed<'_>) -> Option<f64> + Send + Sync>;
/// Measures a part for every seed and returns the function that combines the parts; none if a seed has no part.
type PooledMeasure = Box<dyn Fn(&[Seed<'_>]) -> Option<Combine> + Send + Sync>;
/// Computes the figure for the seeds at the given positions.
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
            premise: None,
            counterexample: None,
            test: Test::Impossible { why: "nothing is measured" },
        }
    }

    /// Sets the figure to measure for every seed and the rule that must hold for it. If there is nothing to measure
    /// for a seed, the claim cannot be judged.
    pub fn measure(
        self,
        unit: Unit,
        rule: Rule,
        measure: impl Fn(&Seed<'_>) -> Option<f64> + Send + Sync + 'static,
    ) -> Self {
        Self { test: Test::PerSeed { unit, rule, measure: Box::new(measure) }, ..self }
    }

    /// Sets a figure for several seeds together, such as a quotient of sums over messages: `part` is measured once
    /// for each seed, and `figure` combines the parts of any subset of seeds. It suits heavy-tailed quantities, whose
    /// figures vary widely from seed to seed. The spread of the figure is estimated by resampling the seeds.
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

    /// Declares that the claim cannot be judged, and why.
    pub fn cannot_be_judged(self, why: &'static str) -> Self {
        Self { test: Test::Impossible { why }, ..self }
    }

    /// Explains how we derived the rule from the paper's wording.
    pub fn read_as(self, reading: impl Into<String>) -> Self {
        Self { reading: reading.into(), ..self }
    }

    /// Gives the paper's single value, in the base unit of the figure.
    pub fn published(self, value: f64) -> Self {
        Self { published: Some(value), ..self }
    }

    /// Explains why our observation differs. Pages show it only if the claim does not hold.
    pub fn cause(self, cause: impl Into<String>) -> Self {
        Self { cause: Some(cause.into()), ..self }
    }

    /// Requires that a part of the experiment lasts for a minimum time.
    pub fn needs(self, needs: Needs) -> Self {
        Self { needs: Some(needs), ..self }
    }

    /// States the premise of the claim: a figure and the rule that must hold for it, in words that form a clause. If
    /// the rule does not hold, the claim cannot be judged.
    pub fn given(
        self,
        words: &'static str,
        (unit, rule): (Unit, Rule),
        measure: impl Fn(&Seed<'_>) -> Option<f64> + Send + Sync + 'static,
    ) -> Self {
        Self { premise: Some(Premise { words, unit, rule, measure: Box::new(measure) }), ..self }
    }

    /// Adds a counterexample: a case in which the same computation gives a figure that violates the rule. Claims
    /// about runs need none, since runs that violate their rules are easily produced.
    pub fn fails_for(
        self,
        words: &'static str,
        figure: impl Fn() -> Option<f64> + Send + Sync + 'static,
    ) -> Self {
        Self { counterexample: Some((words, Box::new(figure))), ..self }
    }

    /// The counterexample, in words, and its figure, for which the rule does not hold.
    pub fn counterexample(&self) -> Option<(&'static str, f64)> {
        let (words, figure) = self.counterexample.as_ref()?;
        Some((words, figure()?))
    }

    /// The premise of the claim, as a clause; empty if there is none.
    pub fn premise(&self) -> &'static str {
        self.premise.as_ref().map_or("", |premise| premise.words)
    }

    /// The premise with its rule, for fingerprints; empty if there is none.
    pub(crate) fn premise_text(&self) -> String {
        self.premise.as_ref().map_or_else(String::new, |one| format!("{} {:?}", one.words, one.rule))
    }

    /// The rule in words.
    pub fn expected(&self) -> String {
        self.rule().map_or_else(String::new, |rule| rule.text(self.unit()))
    }

    /// The rule; none if the claim cannot be judged.
    pub fn rule(&self) -> Option<Rule> {
        match &self.test {
            Test::PerSeed { rule, .. } | Test::Pooled { rule, .. } => Some(*rule),
            Test::Impossible { .. } => None,
        }
    }

    /// Whether its figure is computed from all seeds together.
    pub fn is_pooled(&self) -> bool {
        matches!(self.test, Test::Pooled { .. })
    }

    /// The unit of the figure.
    pub fn unit(&self) -> Unit {
        match &self.test {
            Test::PerSeed { unit, .. } | Test::Pooled { unit, .. } => *unit,
            Test::Impossible { .. } => Unit::Count,
        }
    }

    /// Measures the claim's figures.
    pub fn measured(&self, runs: &Runs) -> Measured {
        self.given_premise(&self.sample(runs))
    }

    /// Measures the claim's figures and its premise.
    pub(crate) fn sample(&self, runs: &Runs) -> Sample {
        let figures = match &self.test {
            Test::Impossible { why } => Measured::none((*why).to_owned()),
            Test::PerSeed { measure, .. } => Measured::per_seed(runs, measure),
            Test::Pooled { measure, .. } => Measured::pooled(runs, measure),
        };
        let too_short = runs.depth() == Depth::Quick && runs.failures().is_empty();
        let too_short = self.needs.filter(|_| too_short).and_then(|needs| needs.unmet(runs));
        let premise = self.premise.as_ref().map(|premise| Measured::per_seed(runs, &premise.measure));
        Sample { figures: Measured { too_short, ..figures }, premise }
    }

    /// The claim's figures, or the reason why its premise does not hold.
    pub(crate) fn given_premise(&self, sample: &Sample) -> Measured {
        let absent = self.premise.as_ref().zip(sample.premise.as_ref());
        match absent.and_then(|(premise, measured)| premise.absent(measured)) {
            Some(why) => Measured { too_short: sample.figures.too_short.clone(), ..Measured::none(why) },
            None => sample.figures.clone(),
        }
    }

    /// Whether figures satisfy the rule, so that the claim holds in their set-up.
    pub fn follows(&self, measured: &Measured) -> bool {
        self.rule().is_some_and(|rule| measured.agreement(rule) == Agreement::Follows)
    }

    /// Whether a set-up must be run with all seeds before the claim is judged, given the claim's figures in that set-up
    /// with a few seeds. This is the case if the claim may hold in only one of the two set-ups and the verdict may
    /// depend on it. A rule that holds for none of the first few seeds is assumed not to hold for most of a larger
    /// number.
    pub(crate) fn needs_all_seeds(&self, leading: &Measured, few: &Measured) -> bool {
        let Some(rule) = self.rule().filter(|_| leading.why_not.is_none()) else { return false };
        match leading.agreement(rule) {
            Agreement::Follows => few.agreement(rule) != Agreement::Follows && !self.fails_clearly(few),
            agreement => {
                few.figure().is_some_and(|figure| rule.allows(figure))
                    && !self.is_within_spread(leading, rule, agreement)
            }
        }
    }

    /// Whether a few seeds show that the claim depends on the reading: it holds in the leading set-up, but for none
    /// of these seeds in another one.
    pub(crate) fn depends(&self, leading: &Measured, few: &Measured) -> bool {
        self.follows(leading) && self.fails_clearly(few)
    }

    /// Whether the rule holds for none of a few seeds.
    fn fails_clearly(&self, few: &Measured) -> bool {
        self.rule().is_some_and(|rule| few.why_not.is_none() && !few.holds_for_some(rule))
    }

    /// Judges the claim by its figures in the leading set-up and in others. A short version gives no verdict, only
    /// the number of seeds for which the rule holds.
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
        let supported = |(setup, other): &(Setup, Measured)| (setup.clone(), other.support(rule));
        if agreement == Agreement::Follows {
            let fails = |(_, other): &&(Setup, Measured)| other.agreement(rule) != Agreement::Follows;
            return Verdict::Holds { except: beside.iter().filter(fails).map(supported).collect() };
        }
        if self.is_within_spread(measured, rule, agreement) {
            return Verdict::WithinSpread { published: self.published.is_some(), cause };
        }
        let turns = |(_, other): &&(Setup, Measured)| other.turns(measured, rule, beside.len());
        let setups: Vec<(Setup, String)> = beside.iter().filter(turns).map(supported).collect();
        match beside.iter().find_map(|(_, other)| other.failure()) {
            Some(why) if setups.is_empty() => Verdict::CannotBeJudged { why: why.to_owned() },
            None if setups.is_empty() => Verdict::Differs { cause },
            _ => Verdict::HoldsIf { setups, cause },
        }
    }

    /// Whether a single run, such as the paper's, could have shown what the claim states.
    fn is_within_spread(&self, measured: &Measured, rule: Rule, agreement: Agreement) -> bool {
        measured.prediction().is_some_and(|(low, high)| match self.published {
            Some(published) => (low..=high).contains(&published),
            // The interval assumes a normal distribution, and may contain values that no run can have.
            None if measured.values.iter().any(|value| rule.allows(*value)) => rule.meets((low, high)),
            // A figure for all seeds together may satisfy the rule where single runs do not.
            None => agreement == Agreement::TooFewSeeds,
        })
    }
}

impl Origin {
    /// `paper` or `ours`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Paper(_) => "paper",
            Self::Ours => "ours",
        }
    }

    /// The place in the paper; empty for our own statements.
    pub fn place(self) -> &'static str {
        match self {
            Self::Paper(place) => place,
            Self::Ours => "",
        }
    }
}

impl Premise {
    /// The reason why the claim cannot be judged; none if the premise holds, or if runs failed, because the failure
    /// is then reported as the reason.
    fn absent(&self, measured: &Measured) -> Option<String> {
        if measured.failure().is_some() || measured.agreement(self.rule) == Agreement::Follows {
            return None;
        }
        let plain = |text: String| text.replace('\u{a0}', " ");
        let figure = measured.figure().map_or_else(
            || "nothing was measured".to_owned(),
            |figure| format!("measured {}", plain(self.unit.text(figure))),
        );
        let expected = plain(self.rule.text(self.unit));
        Some(format!("its premise is absent: {} ({expected}, {figure})", self.words))
    }
}

impl Needs {
    /// The reason why the claim cannot be judged in a short version; none if it can be judged.
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
