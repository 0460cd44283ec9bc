//! Whether a claim holds.

use crate::rule::Agreement;

/// Whether a claim holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// We see what the paper saw.
    Holds,
    /// We see something else.
    Differs {
        /// What does not follow the rule.
        agreement: Agreement,
        /// The likely cause; none if it was not found.
        cause: Option<&'static str>,
    },
    /// It cannot be told.
    CannotBeJudged {
        /// Why not.
        why: String,
    },
    /// A short version was run, which gives no verdict.
    Quick {
        /// How its figures stand to the rule.
        agreement: Agreement,
        /// The likely cause if the full version differs.
        cause: Option<&'static str>,
    },
    /// A short version was run, in which what the claim is about cannot happen.
    TooShort {
        /// What is too short for what.
        why: String,
    },
}

const QUICK: &str = "quick run";

/// A verdict by its name as it is shown: of a quick run, with how many seeds follow the rule.
pub(crate) fn shown(name: &str, followers: usize, seeds: usize) -> String {
    match (name, seeds) {
        (QUICK, 1) if followers == 1 => format!("{QUICK}: follows"),
        (QUICK, 1) => format!("{QUICK}: does not follow"),
        (QUICK, _) => format!("{QUICK}: {followers} of {seeds} seeds follow"),
        _ => name.to_owned(),
    }
}

impl Verdict {
    /// The verdict in a few words.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Differs { .. } => "differs",
            Self::CannotBeJudged { .. } => "cannot be judged",
            Self::Quick { .. } => QUICK,
            Self::TooShort { .. } => "not judged in a quick run",
        }
    }

    /// Why it is not what was expected: the reason and the cause, in words; empty where the claim holds.
    #[must_use]
    pub fn why(&self) -> String {
        match self {
            Self::Holds | Self::Quick { agreement: Agreement::Follows, .. } => String::new(),
            Self::Differs { agreement, cause } => {
                let cause = cause.unwrap_or("the cause has not been found");
                match agreement {
                    Agreement::TooFewSeeds => format!("{}; {cause}", agreement.words()),
                    _ => cause.to_owned(),
                }
            }
            Self::CannotBeJudged { why } | Self::TooShort { why } => why.clone(),
            // What was found in full runs quotes their figures.
            Self::Quick { agreement, cause } => match cause {
                Some(cause) => format!("{}; full run: {cause}", agreement.words()),
                None => agreement.words().to_owned(),
            },
        }
    }
}
