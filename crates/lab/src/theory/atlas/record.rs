//! The stored atlas.

use serde::{Deserialize, Serialize};

use crate::theory::record::EquilibriumRecord;

/// Where algorithms are stable, as a function of the number of flows, the delay and the speed of the link.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AtlasRecord {
    /// The version of Setpoint.
    pub version: String,
    /// Length of a frame.
    pub frame_bytes: f64,
    /// The buffer that the queue must fit into.
    pub buffer_bytes: f64,
    /// The delay at which settling times are computed.
    pub delay_s: f64,
    /// Speeds of the link and of the senders' ports.
    pub speeds_bps: Vec<f64>,
    /// Numbers of flows.
    pub flows: Vec<u32>,
    /// The algorithms with their parameters.
    pub schemes: Vec<SchemeRecord>,
    /// One cell for each algorithm, speed and number of flows, in this order.
    pub cells: Vec<AtlasCell>,
    /// Packet simulations.
    pub packets: Vec<AtlasRun>,
    /// Packet simulations without a result, each with the reason.
    pub failed: Vec<String>,
}

/// An algorithm with its parameters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SchemeRecord {
    /// Its name, such as `dcqcn hpcc`.
    pub name: String,
    /// A short description of the model, with its source; none without a model.
    pub model: Option<String>,
    /// Simplifications of the model, as sentences.
    pub leaves_out: Vec<String>,
    /// The reason why there is no model.
    pub reason: Option<String>,
}

/// The loop for one algorithm, speed and number of flows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AtlasCell {
    /// The algorithm.
    pub scheme: String,
    /// The speed of the link and of the senders' ports.
    pub speed_bps: f64,
    /// The number of flows.
    pub flows: u32,
    /// The delays at which the loop is stable.
    pub stability: Stability,
    /// The longest network delay at which the loop is stable, excluding queueing and the time for which hosts wait; none unless
    /// the loop is stable up to some delay.
    pub margin_s: Option<f64>,
    /// The mean time for which hosts wait before they look for marks, which is part of the loop's delay.
    pub waiting_s: f64,
    /// The period of the oscillation at the longest stable delay.
    pub period_s: Option<f64>,
    /// The equilibrium.
    pub equilibrium: Option<EquilibriumRecord>,
    /// The time in which a small disturbance falls to 2 % at the delay of the atlas; none if it does not.
    pub settling_s: Option<f64>,
    /// The total queue at which PFC with its default thresholds would pause the senders, if each had its own input.
    pub pauses_from_bytes: Option<f64>,
    /// The reason why there is no loop.
    pub reason: Option<String>,
    /// The category of this reason.
    pub limit: Option<Limit>,
}

/// The reason why a network has no loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Limit {
    /// Equal shares are below the minimum rate: the queue is always full.
    MinRate,
    /// The equilibrium needs more marks than the congestion point sets up to Kmax: the queue oscillates around Kmax.
    BeyondKmax,
    /// The feedback or the buffer cannot hold the equilibrium: the queue is always full.
    Full,
    /// The algorithm has no model.
    NoModel,
    /// Another reason.
    Other,
}

/// The delays at which a loop is stable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stability {
    /// The loop is stable up to a delay.
    Bounded,
    /// The loop is unstable at every delay, even without delay.
    Never,
    /// The loop is stable at every delay.
    Always,
    /// There is no loop.
    NoLoop,
}

impl Stability {
    /// Its name in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bounded => "bounded",
            Self::Never => "never",
            Self::Always => "always",
            Self::NoLoop => "no-loop",
        }
    }
}

/// A packet simulation at a point of the atlas.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AtlasRun {
    /// The algorithm.
    pub scheme: String,
    /// The speed of the link and of the senders' ports.
    pub speed_bps: f64,
    /// The number of flows.
    pub flows: u32,
    /// The delay of the network, without queueing.
    pub delay_s: f64,
    /// Whether the model is stable at this delay; none without a model.
    pub model_is_stable: Option<bool>,
    /// The seed.
    pub seed: u64,
    /// The behaviour of the queue.
    pub verdict: Verdict,
    /// The reason why the verdict is unclear.
    pub why: Option<String>,
    /// The mean queue.
    pub queue_mean_bytes: f64,
    /// Its standard deviation.
    pub queue_deviation_bytes: f64,
    /// The part of the time during which the queue was empty.
    pub empty_share: f64,
    /// The relative deviation of the queue, divided by that of a network with a quarter of the flows; none for algorithms for
    /// which the fluid model is not the same in such a network.
    pub deviation_ratio: Option<f64>,
    /// The measured time.
    pub measured_s: f64,
}

/// The behaviour of a queue in packet simulations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Its variation is noise.
    Stable,
    /// Its variation is an oscillation.
    Oscillates,
    /// The simulation allows no verdict.
    Unclear,
}

impl Verdict {
    /// Its name in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Stable => "stable",
            Self::Oscillates => "oscillates",
            Self::Unclear => "unclear",
        }
    }
}
