//! Scenarios as the page sends them.

/// A scenario as sent by the page.
#[derive(Clone, Debug, serde::Deserialize)]
pub struct Scenario {
    pub(crate) text: String,
    /// Settings that override it, as `key=value`.
    #[serde(default)]
    pub(crate) settings: Vec<String>,
    /// The seed, if it differs from that of the scenario.
    #[serde(default)]
    pub(crate) seed: Option<u64>,
}
