//! The two divisions of the league.

use serde::{Deserialize, Serialize};
use setpoint_control::Algorithm;
use setpoint_scenario::{Diagnostics, Override, Variant};

use super::Contestant;

/// A division of the league.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Division {
    /// The built-in scenarios unchanged, with PFC: no frame is lost.
    Lossless,
    /// The same scenarios without flow control.
    WithoutFlowControl,
}

impl Division {
    /// Both divisions, the main one first.
    pub const ALL: [Self; 2] = [Self::Lossless, Self::WithoutFlowControl];

    /// Its title.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Lossless => "Lossless",
            Self::WithoutFlowControl => "Without flow control",
        }
    }

    /// Its meaning, in one or two sentences.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Lossless => {
                "PFC is on, as in the networks for which these algorithms were designed: no frame is lost, and congestion \
                 that an algorithm does not prevent spreads as pauses."
            }
            Self::WithoutFlowControl => {
                "The same scenarios without PFC show how much loss each algorithm prevents by itself. The sources do not \
                 retransmit, so a lost frame reduces the load: a message that lost a frame counts as never completed, a \
                 percentile that depends on such messages is a lower bound, and an algorithm that loses frames is never \
                 marked best for completion."
            }
        }
    }

    /// The name of an algorithm in tables: without congestion control, a network in this division has only its flow
    /// control, or nothing.
    pub fn contestant(self, algorithm: &str) -> &str {
        match self {
            _ if algorithm != Algorithm::None.name() => algorithm,
            Self::Lossless => "PFC alone",
            Self::WithoutFlowControl => "no control",
        }
    }

    /// Whether an algorithm takes part: the lossless division excludes algorithms that drop frames.
    pub(super) fn admits(self, contestant: Contestant) -> bool {
        let (congestion_point, _) = contestant.algorithm.points(&setpoint_control::Params::default());
        self == Self::WithoutFlowControl || !congestion_point.needs().admission
    }

    /// The overrides of a scenario for an algorithm.
    pub(super) fn overrides(self, contestant: Contestant) -> Result<Vec<Override>, Diagnostics> {
        let mut settings = contestant.settings();
        if self == Self::WithoutFlowControl {
            settings.push("flow_control=none".to_owned());
        }
        settings.iter().map(|setting| setting.parse()).collect()
    }

    /// The values of the sweep's axes.
    pub(super) fn values(self, scenario: &str, contestant: Contestant) -> [String; 3] {
        [scenario.to_owned(), self.flow_control().to_owned(), contestant.to_string()]
    }

    /// The division to which a variant of the league belongs.
    pub(super) fn of(variant: &Variant) -> Self {
        let lossy = ("flow_control".to_owned(), Self::WithoutFlowControl.flow_control().to_owned());
        if variant.assignments.contains(&lossy) { Self::WithoutFlowControl } else { Self::Lossless }
    }

    const fn flow_control(self) -> &'static str {
        match self {
            Self::Lossless => "pfc",
            Self::WithoutFlowControl => "none",
        }
    }
}
