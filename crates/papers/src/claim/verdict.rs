//! The verdict on a claim.

use crate::rule::Agreement;

/// Whether a claim holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// We observe what the paper states.
    Holds,
    /// We observe something else.
    Differs {
        /// How the figures relate to the rule.
        agreement: Agreement,
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

const QUICK: &str = "quick run";

/// The text of a verdict; for a quick run, with the number of seeds for which the rule holds.
pub(crate) fn shown(name: &str, followers: usize, seeds: usize) -> String {
    match (name, seeds) {
        (QUICK, 1) if followers == 1 => format!("{QUICK}: rule holds"),
        (QUICK, 1) => format!("{QUICK}: rule does not hold"),
        (QUICK, _) => format!("{QUICK}: rule holds for {followers} of {seeds} seeds"),
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

    /// Why the claim does not hold, with the likely cause; empty if it holds.
    #[must_use]
    pub fn why(&self) -> String {
        match self {
            Self::Holds | Self::Quick { agreement: Agreement::Follows, .. } => String::new(),
            Self::Differs { agreement, cause } => {
                let cause = cause.as_deref().unwrap_or("the cause has not been found");
                match agreement {
                    Agreement::TooFewSeeds => format!("{}; {cause}", agreement.words()),
                    _ => cause.to_owned(),
                }
            }
            Self::CannotBeJudged { why } | Self::TooShort { why } => why.clone(),
            // Causes quote figures of full runs.
            Self::Quick { agreement, cause } => match cause {
                Some(cause) => format!("{}; full run: {cause}", agreement.words()),
                None => agreement.words().to_owned(),
            },
        }
    }
}
