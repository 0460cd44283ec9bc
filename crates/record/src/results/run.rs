//! A finished run and its origin.

use setpoint_scenario::{Check, ParameterRow, Warning};

use super::keyed::{Form, Key, Keyed, keyed};
use super::{Build, MessageRecord, PauseRecord, Series, Summary, TopologyView};

/// One complete run: everything that is stored and drawn.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct RunRecord {
    /// The origin of the run.
    pub manifest: Manifest,
    /// The figures.
    pub summary: Summary,
    /// The curves.
    pub series: Series,
    /// The network, for drawing.
    pub topology: TopologyView,
    /// Retained messages: first the completed ones, in order of completion, then the others, in the order in which they
    /// were offered. If there are more than a million, those offered outside the measurement interval are left out; if
    /// there are still more, a random million is kept. Empty if no flow sends messages.
    #[serde(default)]
    pub messages: Vec<MessageRecord>,
    /// The changes of the paused priorities of ports, in chronological order. None unless the scenario sets `record_pauses`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pauses: Option<Vec<PauseRecord>>,
}

impl RunRecord {
    /// The sample interval in seconds; zero if there are no samples.
    pub fn sample_interval(&self) -> f64 {
        self.series.time_s.first().copied().unwrap_or(0.0)
    }
}

keyed! {
    /// The origin of a result: enough to reproduce it byte for byte.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Manifest {
        /// Version of Setpoint.
        pub version: String,
        /// The build that computed it.
        #[serde(default)]
        pub build: Build,
        /// Name of the scenario.
        pub scenario: String,
        /// One or two sentences from the scenario file.
        pub description: String,
        /// The scenario as read; if the file `extends` others, the merged text.
        pub scenario_text: String,
        /// Values set on the command line and by a sweep, as pairs of key and value, in order.
        pub overrides: Vec<(String, String)>,
        /// The seed.
        pub seed: u64,
        /// Origin of the frames: `simulated`; `real`, measured by every node of a network; or real frames as one
        /// `bridge` or one `station` saw them.
        #[serde(default)]
        pub frames: Frames,
        /// External controllers, which replaced those of the scenario. The scenario and the seed alone do not
        /// determine such a result. Omitted for other results.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub controllers: Option<ControllerRecord>,
        /// SHA-256 in hexadecimal: see below.
        pub digest: String,
        /// The parameters in effect.
        pub parameters: Vec<ParameterRow>,
        /// Warnings of plausibility checks (docs/checks.md) about the scenario and about the finished run. Omitted if there are
        /// none.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub warnings: Vec<WarningRecord>,
    }
}

keyed! {
    /// A warning about a scenario that can run but is implausible.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct WarningRecord {
        /// Code of the check, such as `reserved-above-buffer`.
        pub check: String,
        /// The implausible value or combination, in a sentence.
        pub message: String,
        /// Suggested remedies.
        pub remedies: Vec<String>,
    }
}

impl WarningRecord {
    /// Whether it is about a finished run, not about its scenario.
    pub fn is_of_run(&self) -> bool {
        Check::OF_RUNS.iter().any(|check| check.code == self.check)
    }

    /// Whether it is about the same as another warning: about the same mechanism or, except for inactive mechanisms, from the
    /// same check.
    pub fn is_like(&self, other: &Self) -> bool {
        let is_inactive = self.check == Check::INACTIVE_MECHANISM.code;
        let subject = |one: &Self| one.message.split([':', ',']).next().map(str::to_owned);
        self.check == other.check && (!is_inactive || subject(self) == subject(other))
    }
}

impl Manifest {
    /// The warnings about the finished run, without those about its scenario.
    pub fn warnings_of_run(&self) -> impl Iterator<Item = &WarningRecord> {
        self.warnings.iter().filter(|warning| warning.is_of_run())
    }
}

impl From<&Warning> for WarningRecord {
    fn from(warning: &Warning) -> Self {
        Self {
            check: warning.check().code.to_owned(),
            message: warning.message().to_owned(),
            remedies: warning.problem().remedies().to_vec(),
        }
    }
}

keyed! {
    /// The names of controllers from outside Setpoint, such as classes of a Python program.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct ControllerRecord {
        /// The congestion point; `null` if it is that of the scenario.
        pub congestion_point: Option<String>,
        /// The reaction point; `null` if it is that of the scenario.
        pub reaction_point: Option<String>,
    }
}

impl Keyed for ParameterRow {
    const IS_OBJECT: bool = true;

    fn describe(key: Key, keys: &mut Vec<Key>) {
        let inside = |name: &str, form: Form, meaning: &str| key.inside(name, None, meaning).holding(form);
        keys.extend([
            key.clone(),
            inside("key", Form::Text, "Its key in a scenario file, such as `control.qcn.cp.set_point`."),
            inside("managed_object", Form::Text, "Its managed object in IEEE 802.1Q, if there is one."),
            inside("value", Form::Text, "Its value, with unit."),
            inside("default", Form::Text, "Its default, with unit."),
            inside("origin", Form::Text, "Origin of the default: clause, paper or table."),
            inside("changed", Form::Flag, "Whether the value differs from the default."),
        ]);
    }
}

/// The frames of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Frames {
    /// They were simulated.
    #[default]
    Simulated,
    /// They were real, and were measured at every node of the network.
    Real,
    /// They were real, as observed at one bridge: without the stations' limiters and pauses.
    Bridge,
    /// They were real, as observed at one station: its own flows as they left it, and no bridge queues.
    Station,
}

impl Frames {
    /// Whether the frames were real.
    pub fn are_real(self) -> bool {
        self != Self::Simulated
    }
}

impl Keyed for Frames {}
