//! The verdict on a claim.

use setpoint_record::confidence::Spread;
use setpoint_units::quantity::Unit;

use super::measured::Measured;
use crate::rule::{Agreement, Rule};
use crate::setup::Setup;

/// The outcome of a claim.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// The verdict.
    pub verdict: Verdict,
    /// The figures in the leading set-up.
    pub measured: Measured,
    /// The figures in the set-ups that differ in one choice.
    pub beside: Vec<(Setup, Measured)>,
    /// The unit of the figures.
    pub unit: Unit,
    /// The rule; none if nothing can be measured.
    pub rule: Option<Rule>,
}

/// Whether a claim holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// We observe what the claim states.
    Holds {
        /// The set-ups that differ in one choice and in which it does not hold, and for how many seeds the rule holds in
        /// each. If there are none, the claim is robust.
        except: Vec<(Setup, String)>,
    },
    /// A single run, such as the paper's, could produce the result that the claim states.
    WithinSpread {
        /// The paper gives a single value, which such a run could produce. Otherwise, such a run could satisfy the rule.
        published: bool,
        /// The likely cause.
        cause: Option<String>,
    },
    /// The claim holds in set-ups other than the leading one.
    HoldsIf {
        /// The set-ups in which the claim holds, and for how many seeds the rule holds in each.
        setups: Vec<(Setup, String)>,
        /// The likely cause.
        cause: Option<String>,
    },
    /// We do not observe what the claim states.
    Differs {
        /// The likely cause; none if it was not found.
        cause: Option<String>,
    },
    /// The claim cannot be judged.
    CannotBeJudged {
        /// The reason.
        why: String,
    },
    /// A short version was run, which gives no verdict.
    Quick {
        /// How the figures relate to the rule.
        agreement: Agreement,
        /// The likely cause if the full version differs.
        cause: Option<String>,
    },
    /// A short version was run, in which the claimed behaviour cannot occur.
    TooShort {
        /// The part that is too short, and the time it would need.
        why: String,
    },
}

/// The kinds of verdicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum VerdictKind {
    /// See [`Verdict::Holds`]: in every set-up that differs in one choice.
    Robust,
    /// See [`Verdict::Holds`]: not in every set-up that differs in one choice.
    DependsOnReading,
    /// See [`Verdict::WithinSpread`].
    WithinSpread,
    /// See [`Verdict::HoldsIf`].
    HoldsIf,
    /// See [`Verdict::Differs`].
    Differs,
    /// See [`Verdict::CannotBeJudged`].
    CannotBeJudged,
    /// See [`Verdict::Quick`].
    Quick,
    /// See [`Verdict::TooShort`].
    TooShort,
}

impl VerdictKind {
    /// All kinds; those of full runs come first.
    pub const ALL: [Self; 8] = [
        Self::Robust,
        Self::DependsOnReading,
        Self::WithinSpread,
        Self::HoldsIf,
        Self::Differs,
        Self::CannotBeJudged,
        Self::Quick,
        Self::TooShort,
    ];
    /// The kinds of full runs.
    pub const FULL: [Self; 6] = [
        Self::Robust,
        Self::DependsOnReading,
        Self::WithinSpread,
        Self::HoldsIf,
        Self::Differs,
        Self::CannotBeJudged,
    ];

    /// Whether the claim holds in the leading set-up.
    pub const fn holds(self) -> bool {
        matches!(self, Self::Robust | Self::DependsOnReading)
    }

    /// Name in results.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Robust => "holds (robust)",
            Self::DependsOnReading => "holds (depends on the reading)",
            Self::WithinSpread => "within spread",
            Self::HoldsIf => "holds if",
            Self::Differs => "differs",
            Self::CannotBeJudged => "cannot be judged",
            Self::Quick => "quick run",
            Self::TooShort => "too short to judge",
        }
    }

    /// The predicate of a sentence about the given number of claims: "hold", "differs".
    pub fn predicate(self, number: usize) -> &'static str {
        match (self, number == 1) {
            (Self::Robust, true) => "holds (robust)",
            (Self::Robust, false) => "hold (robust)",
            (Self::DependsOnReading, true) => "holds (depends on the reading)",
            (Self::DependsOnReading, false) => "hold (depends on the reading)",
            (Self::WithinSpread, true) => "is within spread",
            (Self::WithinSpread, false) => "are within spread",
            (Self::HoldsIf, true) => "holds with another reading",
            (Self::HoldsIf, false) => "hold with another reading",
            (Self::Differs, true) => "differs",
            (Self::Differs, false) => "differ",
            (Self::CannotBeJudged, _) => "cannot be judged",
            (Self::Quick, _) => "without a verdict",
            (Self::TooShort, _) => "too short to judge",
        }
    }

    /// The kind with the given name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Its meaning, without a capital letter or full stop.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Robust => "in the leading set-up and in every set-up that differs in one choice",
            Self::DependsOnReading => {
                "in the leading set-up, but not in every set-up that differs in one choice"
            }
            Self::WithinSpread => "a single run, such as the paper’s, could show it",
            Self::HoldsIf => "the claim holds if one open point is read differently",
            Self::Differs => "we observe something else",
            Self::CannotBeJudged => "its premise is absent, there is nothing to measure, or a run failed",
            Self::Quick => "a quick run gives no verdict",
            Self::TooShort => "the claimed behaviour cannot occur in a quick run",
        }
    }
}

impl Verdict {
    /// Its kind.
    pub fn kind(&self) -> VerdictKind {
        match self {
            Self::Holds { except } if except.is_empty() => VerdictKind::Robust,
            Self::Holds { .. } => VerdictKind::DependsOnReading,
            Self::WithinSpread { .. } => VerdictKind::WithinSpread,
            Self::HoldsIf { .. } => VerdictKind::HoldsIf,
            Self::Differs { .. } => VerdictKind::Differs,
            Self::CannotBeJudged { .. } => VerdictKind::CannotBeJudged,
            Self::Quick { .. } => VerdictKind::Quick,
            Self::TooShort { .. } => VerdictKind::TooShort,
        }
    }

    /// The reason why the claim does not hold, or holds only with reservations, with the likely cause; empty if it
    /// holds.
    pub fn why(&self) -> String {
        let with = |text: String, relation: &str, cause: &Option<String>| match cause {
            Some(cause) => format!("{text}. {relation}: {cause}"),
            None => text,
        };
        match self {
            Self::Quick { agreement: Agreement::Follows, .. } => String::new(),
            Self::Holds { except } if except.is_empty() => String::new(),
            Self::Holds { except } => format!("it does not hold with {}", alternatives(except)),
            Self::WithinSpread { published, cause } => {
                let could = match published {
                    true => "the paper’s value lies in the 95 % prediction interval of one more run",
                    false => {
                        "the rule holds for some seeds, and for values in the 95 % prediction interval of one more run"
                    }
                };
                with(could.to_owned(), "Likely cause", cause)
            }
            Self::HoldsIf { setups, cause } => {
                with(format!("it holds with {}", alternatives(setups)), "In the leading set-up", cause)
            }
            Self::Differs { cause } => {
                cause.clone().unwrap_or_else(|| "the cause has not been found".to_owned())
            }
            Self::CannotBeJudged { why } | Self::TooShort { why } => why.clone(),
            // A cause applies only to full runs.
            Self::Quick { agreement, cause } => match cause {
                Some(cause) => format!("{}; if the full run differs: {cause}", agreement.words()),
                None => agreement.words().to_owned(),
            },
        }
    }
}

/// Set-ups in words, as alternatives.
fn alternatives(setups: &[(Setup, String)]) -> String {
    let words = |(setup, support): &(Setup, String)| match support.as_str() {
        "" => setup.words(),
        support => format!("{} ({support})", setup.words()),
    };
    setups.iter().map(words).collect::<Vec<_>>().join(", or with ")
}

impl Judgement {
    /// Mean and spread over seeds; none if nothing was measured.
    pub fn spread(&self) -> Option<Spread> {
        self.measured.spread()
    }

    /// The number of seeds for which the rule holds.
    pub fn followers(&self) -> usize {
        self.rule.map_or(0, |rule| rule.followers(&self.measured.values))
    }
}
