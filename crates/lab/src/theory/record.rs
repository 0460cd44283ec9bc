//! What is stored of theory. All quantities are in the unit that their name ends in.

use serde::{Deserialize, Serialize};

/// A scenario solved as a fluid.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FluidRecord {
    /// The scenario's name.
    pub name: String,
    /// The model in a few words, with its source.
    pub model: String,
    /// What the model leaves out of this scenario, a sentence each.
    pub leaves_out: Vec<String>,
    /// The queue that is modelled, as results name it.
    pub queue: String,
    /// The queue length that is aimed at.
    pub set_point_bytes: f64,
    /// Room of the queue.
    pub buffer_bytes: f64,
    /// The loop's delay without the queue, of the class with the longest.
    pub delay_s: f64,
    /// Statistics are taken from here on.
    pub measured_from_s: f64,
    /// Times of the samples.
    pub time_s: Vec<f64>,
    /// Length of the queue.
    pub queue_bytes: Vec<f64>,
    /// The classes of sources.
    pub classes: Vec<ClassCourse>,
    /// Mean of the queue.
    pub queue_mean_bytes: f64,
    /// Its deviation.
    pub queue_deviation_bytes: f64,
    /// Period of its oscillation; none where it does not oscillate.
    pub period_s: Option<f64>,
    /// The packet run of the same scenario, where one was asked for.
    pub packets: Option<Overlay>,
}

/// What one source of a class does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClassCourse {
    /// The class.
    pub name: String,
    /// How many sources there are.
    pub sources: u32,
    /// Rate of one of them.
    pub rate_bps: Vec<f64>,
    /// Mean of it.
    pub rate_mean_bps: f64,
}

/// A packet run beside a fluid solution, sampled at the same times.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Overlay {
    /// Length of the queue.
    pub queue_bytes: Vec<f64>,
    /// Mean of it.
    pub queue_mean_bytes: f64,
    /// Its deviation.
    pub queue_deviation_bytes: f64,
    /// Period of its oscillation; none where it does not oscillate.
    pub period_s: Option<f64>,
    /// The classes, in the order of the fluid's.
    pub classes: Vec<PacketClass>,
}

/// The flows of a class in a packet run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PacketClass {
    /// Mean of the rate over the flows of the class.
    pub rate_bps: Vec<f64>,
    /// Mean of it.
    pub rate_mean_bps: f64,
}

/// The linearised loop of a scenario.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LoopRecord {
    /// The model in a few words, with its source.
    pub model: String,
    /// Sources under control.
    pub sources: u32,
    /// The loop's delay without the queue.
    pub delay_s: f64,
    /// The longest delay at which the loop is stable; none where it is stable at no delay at all.
    pub margin_s: Option<f64>,
    /// The sufficient bound, where there is a formula for one.
    pub bound_s: Option<f64>,
    /// The bound without the Averaging Principle's part, where there is a formula for one.
    pub bound_without_averaging_s: Option<f64>,
    /// The angular frequency at which the loop's gain is one; the one that gives the margin.
    pub crossover_rad_per_s: Option<f64>,
    /// Growth rate of the slowest mode at the loop's delay; negative where it dies away.
    pub growth_per_s: f64,
    /// Angular frequency of that mode.
    pub mode_rad_per_s: f64,
    /// Characteristic roots with a positive real part at the loop's delay.
    pub unstable_roots: usize,
    /// The open loop with its delay: angular frequency, real and imaginary part, for Bode and Nyquist plots.
    pub response: Vec<(f64, f64, f64)>,
}

/// What `setpoint stability` finds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StabilityRecord {
    /// The scenario's name.
    pub name: String,
    /// The loop of the scenario as it stands.
    pub here: LoopRecord,
    /// A map over two parameters, where one was asked for.
    pub map: Option<MapRecord>,
}

/// Margins over two keys of a scenario.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MapRecord {
    /// The horizontal axis.
    pub x: MapAxis,
    /// The vertical axis.
    pub y: MapAxis,
    /// The delay margin over the loop's delay by row (y) and column (x): above one is stable. None where there is no
    /// margin, with `reasons` saying why.
    pub stability: Vec<Vec<Option<f64>>>,
    /// Why cells have no value, each once.
    pub reasons: Vec<String>,
    /// Packet runs at some of the points.
    pub packets: Vec<MapPoint>,
}

/// An axis of a map.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MapAxis {
    /// The key of the scenario.
    pub key: String,
    /// Its values as the scenario would have them, in order.
    pub values: Vec<String>,
    /// The same as numbers: seconds, bits per second, bytes or bare.
    pub numbers: Vec<f64>,
}

/// A packet run on a map.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MapPoint {
    /// Column.
    pub x: usize,
    /// Row.
    pub y: usize,
    /// Deviation of the queue over the set point.
    pub swing: f64,
    /// Share of the time in which the queue is empty.
    pub empty_share: f64,
    /// Period of the queue's oscillation; none where it does not oscillate.
    pub period_s: Option<f64>,
}

/// Trajectories in the plane of queue offset and rate excess.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PhaseRecord {
    /// The scenario's name.
    pub name: String,
    /// The model in a few words, with its source.
    pub model: String,
    /// What the model leaves out of this scenario, a sentence each.
    pub leaves_out: Vec<String>,
    /// The delay with which the system switches.
    pub delay_s: f64,
    /// Switching lines.
    pub lines: Vec<PhaseLine>,
    /// Where on them the motion slides.
    pub sliding: Vec<SlidingSegment>,
    /// Trajectories.
    pub trajectories: Vec<Trajectory>,
    /// What the theorems say of this setting, a sentence each.
    pub findings: Vec<String>,
}

/// A switching line, from one point to another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PhaseLine {
    /// What it is, such as `Fb = 0`.
    pub name: String,
    /// Offset of the queue in bytes and excess of the rate in bits per second, at both ends.
    pub ends: [(f64, f64); 2],
}

/// A part of a switching line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SlidingSegment {
    /// Both ends, as of a line.
    pub ends: [(f64, f64); 2],
}

/// A trajectory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trajectory {
    /// Times.
    pub time_s: Vec<f64>,
    /// Offset of the queue from the set point.
    pub offset_bytes: Vec<f64>,
    /// Excess of the sources' rates over the available bandwidth.
    pub excess_bps: Vec<f64>,
    /// How it ends, in a few words.
    pub end: String,
}
