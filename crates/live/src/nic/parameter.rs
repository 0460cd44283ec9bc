//! The parameters of a card: names, managed objects and units.

use setpoint_control::parameter::Choice;
use setpoint_suggest::did_you_mean;
use thiserror::Error;

/// A parameter that a card has for each priority, in the order of `struct ieee_qcn`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Parameter {
    /// Whether the reaction points react to notifications.
    Enable,
    /// The largest number of reaction points.
    MaxReactionPoints,
    /// The length of a timer cycle.
    TimeReset,
    /// Bytes sent in one cycle of the byte counter.
    ByteReset,
    /// The number of fast-recovery cycles.
    Threshold,
    /// The maximum rate of a reaction point.
    MaxRate,
    /// The increment of active increase.
    ActiveIncrease,
    /// The increment of hyper-active increase.
    HyperIncrease,
    /// The fraction of the rate that one step of feedback removes.
    Gain,
    /// The smallest fraction of the rate that remains after a notification.
    MinDecreaseFactor,
    /// The minimum rate of a reaction point.
    MinRate,
    /// The state of the congestion notification domain defence.
    DefenceState,
}

/// How a card represents the values of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// 1 for on, 0 for off.
    Flag,
    /// A whole number.
    Count,
    /// Whole microseconds.
    Microseconds,
    /// Whole bytes.
    Bytes,
    /// Whole megabits per second.
    Megabits,
    /// n for the fraction 1/2^n.
    Shifts,
    /// Whole percent.
    Percent,
    /// A rate whose unit is uncertain: b/s in `linux/dcbnl.h`, Mb/s in IEEE 802.1Q.
    UncertainRate,
    /// A position in [`DEFENCE_STATES`].
    State,
}

/// The states of the defence state machine, IEEE 802.1Q 32.1.1, in the order of `enum dcbnl_cndd_states`.
pub const DEFENCE_STATES: &[Choice] = &[
    Choice { name: "reset", description: "The initial state." },
    Choice {
        name: "edge",
        description: "The neighbour is outside the domain, so its frames change priority.",
    },
    Choice {
        name: "interior",
        description: "The neighbour is inside the domain; frames to it have no CN-TAG.",
    },
    Choice { name: "interior-ready", description: "The neighbour is inside the domain and accepts CN-TAGs." },
];

/// The reason why a name is not a parameter.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown parameter {given:?}; {remedy}")]
pub struct UnknownParameter {
    given: String,
    remedy: String,
}

impl Parameter {
    /// All parameters.
    pub const ALL: [Self; 12] = [
        Self::Enable,
        Self::MaxReactionPoints,
        Self::TimeReset,
        Self::ByteReset,
        Self::Threshold,
        Self::MaxRate,
        Self::ActiveIncrease,
        Self::HyperIncrease,
        Self::Gain,
        Self::MinDecreaseFactor,
        Self::MinRate,
        Self::DefenceState,
    ];

    /// Finds a parameter by its name, its managed object or its field in `struct ieee_qcn`, in upper or lower case.
    ///
    /// # Errors
    /// Returns an error with the closest names if there is no such parameter.
    pub fn find(given: &str) -> Result<Self, UnknownParameter> {
        let name = given.strip_prefix("qcn.rp.").or_else(|| given.strip_prefix("rp.")).unwrap_or(given);
        let is_name = |other: &str| !other.is_empty() && other.eq_ignore_ascii_case(name);
        let found = Self::ALL.into_iter().find(|parameter| parameter.names().into_iter().any(is_name));
        found.ok_or_else(|| UnknownParameter { given: given.to_owned(), remedy: remedy(name) })
    }

    /// Its name, as in scenario files.
    pub fn name(self) -> &'static str {
        self.names()[0]
    }

    /// Its managed object in IEEE 802.1Q, if there is one.
    pub fn managed_object(self) -> Option<&'static str> {
        Some(self.names()[1]).filter(|name| !name.is_empty())
    }

    /// Its field in `struct ieee_qcn`.
    pub fn field(self) -> &'static str {
        self.names()[2]
    }

    /// How a card represents its values.
    pub fn encoding(self) -> Encoding {
        match self {
            Self::Enable => Encoding::Flag,
            Self::MaxReactionPoints | Self::Threshold => Encoding::Count,
            Self::TimeReset => Encoding::Microseconds,
            Self::ByteReset => Encoding::Bytes,
            Self::MaxRate | Self::ActiveIncrease | Self::HyperIncrease => Encoding::Megabits,
            Self::Gain => Encoding::Shifts,
            Self::MinDecreaseFactor => Encoding::Percent,
            Self::MinRate => Encoding::UncertainRate,
            Self::DefenceState => Encoding::State,
        }
    }

    /// Its position in [`Parameter::ALL`].
    pub(super) fn index(self) -> usize {
        self as usize
    }

    /// Its name, its managed object and its field; an empty string if there is none.
    fn names(self) -> [&'static str; 3] {
        match self {
            Self::Enable => ["enable", "rpgEnable", "rpg_enable"],
            Self::MaxReactionPoints => ["max_reaction_points", "rpppMaxRps", "rppp_max_rps"],
            Self::TimeReset => ["time_reset", "rpgTimeReset", "rpg_time_reset"],
            Self::ByteReset => ["byte_reset", "rpgByteReset", "rpg_byte_reset"],
            Self::Threshold => ["threshold", "rpgThreshold", "rpg_threshold"],
            Self::MaxRate => ["max_rate", "rpgMaxRate", "rpg_max_rate"],
            Self::ActiveIncrease => ["active_increase", "rpgAiRate", "rpg_ai_rate"],
            Self::HyperIncrease => ["hyper_increase", "rpgHaiRate", "rpg_hai_rate"],
            Self::Gain => ["gain", "rpgGd", "rpg_gd"],
            Self::MinDecreaseFactor => ["min_decrease_factor", "rpgMinDecFac", "rpg_min_dec_fac"],
            Self::MinRate => ["min_rate", "rpgMinRate", "rpg_min_rate"],
            Self::DefenceState => ["defence_state", "", "cndd_state_machine"],
        }
    }
}

/// The closest names. Only names of one kind are suggested, since all names of a parameter resemble each other.
fn remedy(given: &str) -> String {
    let of_kind = |kind: usize| did_you_mean(given, Parameter::ALL.map(|parameter| parameter.names()[kind]));
    let all = || format!("one of {}", Parameter::ALL.map(Parameter::name).join(", "));
    (0..3).find_map(of_kind).unwrap_or_else(all)
}
