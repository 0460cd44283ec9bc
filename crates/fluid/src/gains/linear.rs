//! Parameters of schemes whose sources compute a rate change from the queue's offset and
//! difference: BCN, AIMD, SMCC.

use setpoint_control::aimd::{Averaging, Decrease};
use setpoint_control::{aimd, bcn, smcc};
use setpoint_units::{Bytes, Rate};

use super::{above_zero, part, two_to};
use crate::Bottleneck;
use crate::refused::Refused;

/// BCN's and AIMD's parameters in frames and frames per second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LinearGains {
    /// Qeq.
    pub(crate) set_point: f64,
    /// w.
    pub(crate) weight: f64,
    /// The largest feedback, (2w + 1) times the reference.
    pub(crate) largest: f64,
    /// The probability that a frame is sampled.
    pub(crate) probability: f64,
    /// The decrease under congestion.
    pub(crate) decrease: Change,
    /// The increase for the largest feedback without congestion, in frames per second.
    pub(crate) increase: f64,
    /// Whether the Averaging Principle is used.
    pub(crate) averages: bool,
    /// The minimum rate in frames per second.
    pub(crate) min_rate: f64,
}

/// The rate change for the largest feedback.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Change {
    /// A fraction of the rate.
    Part(f64),
    /// A fixed number of frames per second, independent of the rate.
    Amount(f64),
}

impl LinearGains {
    pub(crate) fn bcn(params: &bcn::Params, bottleneck: &Bottleneck) -> Result<Self, Refused> {
        let bcn::Params { cp, rp } = params;
        let weight = two_to(rp.weight);
        Ok(Self {
            set_point: bottleneck.frames(cp.set_point),
            weight,
            largest: (2.0 * weight + 1.0) * bottleneck.frames(above_zero(rp.reference, "rp.reference")?),
            probability: probability(cp.sample_base, bottleneck)?,
            decrease: Change::Part(part(rp.largest_decrease)),
            increase: bottleneck.frames_per_second(rp.largest_increase),
            averages: false,
            min_rate: bottleneck.frames_per_second(rp.min_rate),
        })
    }

    pub(crate) fn aimd(params: &aimd::Params, bottleneck: &Bottleneck) -> Result<Self, Refused> {
        let aimd::Params { cp, rp } = params;
        let weight = two_to(rp.weight);
        let increase = bottleneck.frames_per_second(rp.largest_increase);
        Ok(Self {
            set_point: bottleneck.frames(cp.set_point),
            weight,
            largest: (2.0 * weight + 1.0) * bottleneck.frames(above_zero(rp.reference, "rp.reference")?),
            probability: probability(cp.sample_base, bottleneck)?,
            decrease: match rp.decrease {
                Decrease::Multiplicative => Change::Part(part(rp.largest_decrease)),
                Decrease::Additive => Change::Amount(increase),
            },
            increase,
            // The queue integrates the rates, so systems 1 and 2 of theorem 1 have the same effect on it.
            averages: rp.averaging != Averaging::Off,
            min_rate: bottleneck.frames_per_second(rp.min_rate),
        })
    }

    /// The rate change for a feedback, in frames per second; positive feedback means congestion.
    pub(crate) fn change(&self, feedback: f64, rate: f64) -> f64 {
        let share = (feedback / self.largest).clamp(-1.0, 1.0);
        match self.decrease {
            Change::Part(part) if share > 0.0 => -part * share * rate,
            Change::Amount(amount) if share > 0.0 => -amount * share,
            _ => -self.increase * share,
        }
    }

    /// The steeper of the two slopes at the equilibrium: frames per second for a feedback of one frame.
    pub(crate) fn steepest(&self, rate: f64) -> f64 {
        self.change(self.largest * 1e-3, rate).abs().max(self.change(-self.largest * 1e-3, rate).abs())
            / (self.largest * 1e-3)
    }
}

/// SMCC's parameters in frames and frames per second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SmccGains {
    /// q0.
    pub(crate) set_point: f64,
    /// The probability that a frame is sampled.
    pub(crate) probability: f64,
    /// a, in frames per second for an offset of one frame; with two stages, the large one.
    pub(crate) a: f64,
    /// With two stages, the small a, and T1 in frames.
    pub(crate) small: Option<(f64, f64)>,
    /// b, in frames per second for a difference of one frame.
    pub(crate) b: f64,
    /// The minimum rate in frames per second.
    pub(crate) min_rate: f64,
}

impl SmccGains {
    pub(crate) fn new(params: &smcc::Params, bottleneck: &Bottleneck) -> Result<Self, Refused> {
        let smcc::Params { cp, rp } = params;
        let reference = bottleneck.frames(above_zero(rp.reference, "rp.reference")?);
        let per_frame = |largest: Rate| bottleneck.frames_per_second(largest) / reference;
        Ok(Self {
            set_point: bottleneck.frames(cp.set_point),
            probability: probability(cp.sample_base, bottleneck)?,
            a: per_frame(rp.state_a),
            small: rp
                .two_stage
                .is_on()
                .then(|| (per_frame(rp.state_a_small), bottleneck.frames(rp.threshold))),
            b: per_frame(rp.state_b),
            min_rate: bottleneck.frames_per_second(rp.min_rate),
        })
    }
}

fn probability(sample_base: Bytes, bottleneck: &Bottleneck) -> Result<f64, Refused> {
    Ok((1.0 / bottleneck.frames(above_zero(sample_base, "cp.sample_base")?)).min(1.0))
}
