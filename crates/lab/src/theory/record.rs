//! Stored theory records. The name of each quantity ends in its unit.

use serde::{Deserialize, Serialize};
use setpoint_fluid::linear::Equilibrium;

/// The fluid solution of a scenario.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FluidRecord {
    /// The scenario's name.
    pub name: String,
    /// A short description of the model, with its source.
    pub model: String,
    /// Simplifications of the model, as sentences.
    pub leaves_out: Vec<String>,
    /// The modelled queue, as named in results.
    pub queue: String,
    /// The set point of the queue, or the length that takes its place.
    pub set_point_bytes: f64,
    /// The name of that length: `set point` or, with DCQCN and TIMELY, `equilibrium`; without one, `Kmax` and `T_low`.
    #[serde(default = "set_point")]
    pub set_point_name: String,
    /// The equilibrium of the model, if there is one.
    #[serde(default)]
    pub equilibrium: Option<EquilibriumRecord>,
    /// Capacity of the queue.
    pub buffer_bytes: f64,
    /// The loop delay without queueing, for the class with the longest delay.
    pub delay_s: f64,
    /// Start of the measurement interval.
    pub measured_from_s: f64,
    /// Times of the samples.
    pub time_s: Vec<f64>,
    /// Queue length.
    pub queue_bytes: Vec<f64>,
    /// The classes of sources.
    pub classes: Vec<ClassCourse>,
    /// Mean queue length.
    pub queue_mean_bytes: f64,
    /// Its standard deviation.
    pub queue_deviation_bytes: f64,
    /// Its oscillation period; `None` if it does not oscillate.
    pub period_s: Option<f64>,
    /// The packet run of the same scenario, if requested.
    pub packets: Option<Overlay>,
}

fn set_point() -> String {
    "set point".to_owned()
}

/// The equilibrium of a model: all slopes are zero.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct EquilibriumRecord {
    /// The rate of each controlled source.
    pub rate_bps: f64,
    /// The queue length.
    pub queue_bytes: f64,
    /// The probability of a mark, if the algorithm marks frames.
    pub marking_share: Option<f64>,
    /// DCQCN's α.
    pub alpha: Option<f64>,
}

impl From<Equilibrium> for EquilibriumRecord {
    fn from(found: Equilibrium) -> Self {
        let Equilibrium { rate_bps, queue_bytes, probability, alpha } = found;
        Self { rate_bps, queue_bytes, marking_share: probability, alpha }
    }
}

/// The rate of a class over time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClassCourse {
    /// Name of the class.
    pub name: String,
    /// Number of sources.
    pub sources: u32,
    /// Rate of one source.
    pub rate_bps: Vec<f64>,
    /// Its mean.
    pub rate_mean_bps: f64,
}

/// A packet run for comparison with a fluid solution, sampled at the same times.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Overlay {
    /// Queue length.
    pub queue_bytes: Vec<f64>,
    /// Its mean.
    pub queue_mean_bytes: f64,
    /// Its standard deviation.
    pub queue_deviation_bytes: f64,
    /// Its oscillation period; `None` if it does not oscillate.
    pub period_s: Option<f64>,
    /// The classes, in the order of the fluid solution.
    pub classes: Vec<PacketClass>,
}

/// The flows of a class in a packet run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PacketClass {
    /// Mean rate of the flows in the class.
    pub rate_bps: Vec<f64>,
    /// Its mean over time.
    pub rate_mean_bps: f64,
}

/// The linearised loop of a scenario.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LoopRecord {
    /// A short description of the model, with its source.
    pub model: String,
    /// The equilibrium around which the loop is linear.
    #[serde(default)]
    pub equilibrium: Option<EquilibriumRecord>,
    /// Number of controlled sources.
    pub sources: u32,
    /// The loop delay.
    pub delay_s: f64,
    /// Whether the loop delay contains the queueing at the equilibrium: TIMELY acts on the delays of frames that have left the
    /// queue.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub delay_has_queueing: bool,
    /// The longest delay at which the loop is stable; `None` if it is unstable even without delay.
    pub margin_s: Option<f64>,
    /// The sufficient bound, if there is a formula for one.
    pub bound_s: Option<f64>,
    /// The bound without the Averaging Principle, if there is a formula for one.
    pub bound_without_averaging_s: Option<f64>,
    /// The angular frequency of unit gain that determines the margin.
    pub crossover_rad_per_s: Option<f64>,
    /// Growth rate of the slowest mode at the loop delay; negative if it decays.
    pub growth_per_s: f64,
    /// Angular frequency of that mode.
    pub mode_rad_per_s: f64,
    /// Number of characteristic roots with a positive real part at the loop delay.
    pub unstable_roots: usize,
    /// The open loop including its delay: angular frequency, real and imaginary parts, for Bode and Nyquist plots.
    pub response: Vec<(f64, f64, f64)>,
}

/// The result of `setpoint stability`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StabilityRecord {
    /// The scenario's name.
    pub name: String,
    /// The loop of the scenario itself.
    pub here: LoopRecord,
    /// A map over two keys, if requested.
    pub map: Option<MapRecord>,
}

/// Margins over two keys of a scenario.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MapRecord {
    /// The horizontal axis.
    pub x: MapAxis,
    /// The vertical axis.
    pub y: MapAxis,
    /// The ratio of delay margin to loop delay by row (y) and column (x): above one the loop is stable. `None` if
    /// there is no margin; see `reasons`.
    pub stability: Vec<Vec<Option<f64>>>,
    /// Reasons why cells have no value, without duplicates.
    pub reasons: Vec<String>,
    /// Packet runs at some of the points.
    pub packets: Vec<MapPoint>,
}

/// An axis of a map.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MapAxis {
    /// The key of the scenario.
    pub key: String,
    /// Its values as written in a scenario, in order.
    pub values: Vec<String>,
    /// The values as numbers, in seconds, bits per second or bytes, or without a unit.
    pub numbers: Vec<f64>,
}

/// A packet run on a map.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MapPoint {
    /// Column.
    pub x: usize,
    /// Row.
    pub y: usize,
    /// Standard deviation of the queue relative to the set point.
    pub swing: f64,
    /// Fraction of the time that the queue was empty.
    pub empty_share: f64,
    /// Oscillation period of the queue; `None` if it does not oscillate.
    pub period_s: Option<f64>,
}

/// Trajectories in the plane of queue offset and rate excess.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PhaseRecord {
    /// The scenario's name.
    pub name: String,
    /// A short description of the model, with its source.
    pub model: String,
    /// Simplifications of the model, as sentences.
    pub leaves_out: Vec<String>,
    /// The switching delay.
    pub delay_s: f64,
    /// Switching lines.
    pub lines: Vec<PhaseLine>,
    /// Their sliding segments.
    pub sliding: Vec<SlidingSegment>,
    /// Trajectories.
    pub trajectories: Vec<Trajectory>,
    /// Conclusions of the theorems for this scenario, as sentences.
    pub findings: Vec<String>,
}

/// A switching line, from one point to another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PhaseLine {
    /// Its name, such as `Fb = 0`.
    pub name: String,
    /// Queue offset in bytes and rate excess in bits per second at both ends.
    pub ends: [(f64, f64); 2],
}

/// A sliding segment of a switching line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SlidingSegment {
    /// Both ends, as in [`PhaseLine`].
    pub ends: [(f64, f64); 2],
}

/// A trajectory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trajectory {
    /// Times.
    pub time_s: Vec<f64>,
    /// Queue offset from the set point.
    pub offset_bytes: Vec<f64>,
    /// Excess of the total rate over the available bandwidth.
    pub excess_bps: Vec<f64>,
    /// How it ends, in a few words.
    pub end: String,
}
