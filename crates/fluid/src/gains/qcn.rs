//! Parameters of QCN and AF-QCN.

use setpoint_control::qcn::{Params, Quantizer, Sampling};
use setpoint_control::{af_qcn, qcn};
use setpoint_units::Bytes;

use super::{above_zero, part, two_to};
use crate::refused::Refused;
use crate::{Bottleneck, TargetUpdate};

/// QCN's parameters in frames and frames per second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct QcnGains {
    /// Qeq.
    pub(crate) set_point: f64,
    /// w.
    pub(crate) weight: f64,
    /// Gd for feedback in frames: the fraction of the rate removed by a feedback of one frame.
    pub(crate) gain: f64,
    /// Gd for feedback in units of its six bits.
    pub(crate) unit: f64,
    /// The largest feedback: (2w + 1) Qeq, or 63 units if that is less.
    pub(crate) largest: f64,
    /// The largest fraction of the rate that one feedback can remove.
    pub(crate) largest_cut: f64,
    /// The probability that a frame is sampled.
    pub(crate) sampling: Probability,
    /// Frames in a cycle of the byte counter.
    pub(crate) cycle: f64,
    /// Frames in a cycle of active increase.
    pub(crate) increase_cycle: f64,
    /// Frames in all cycles of fast recovery together.
    pub(crate) recovery: f64,
    /// R_AI in frames per second.
    pub(crate) active_increase: f64,
    /// The minimum rate in frames per second.
    pub(crate) min_rate: f64,
}

/// The sampling probability Φ as a function of the feedback.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Probability {
    /// The probability without congestion.
    pub(crate) lowest: f64,
    /// The probability at the largest feedback.
    highest: f64,
    /// The value at zero feedback of a straight line through Φ. It is below the lowest probability for the
    /// mark table, which stays on its first step for an eighth of the largest feedback.
    at_zero: f64,
    /// The rise of that line from zero feedback to the largest.
    rise: f64,
}

impl QcnGains {
    pub(crate) fn new(params: &Params, bottleneck: &Bottleneck) -> Result<Self, Refused> {
        let Params { cp, rp } = params;
        if !rp.enable.is_on() {
            return Err(Refused::Disabled);
        }
        if !rp.byte_counter.is_on() {
            return Err(Refused::NoByteCounter);
        }
        let set_point = bottleneck.frames(above_zero(cp.set_point, "cp.set_point")?);
        let weight = two_to(cp.weight);
        let largest = largest((2.0 * weight + 1.0) * set_point, cp, bottleneck);
        let sampling = Probability::new(cp, bottleneck);
        if sampling.lowest >= 1.0 {
            return Err(Refused::EveryFrame);
        }
        let gain = two_to(rp.gain) * units_per_byte(cp) * bottleneck.frame.get() as f64;
        let cycle = bottleneck.frames(above_zero(rp.byte_reset, "rp.byte_reset")?);
        // In the pseudo-code, cycles of active increase are half as long; in the equations they have full
        // length.
        let halved = rp.period_halving.is_on() && rp.rules == qcn::Rules::PseudoCode;
        Ok(Self {
            set_point,
            weight,
            gain,
            unit: two_to(rp.gain),
            largest,
            largest_cut: (gain * largest).min(1.0 - part(rp.min_decrease_factor)),
            sampling,
            cycle,
            increase_cycle: if halved { cycle / 2.0 } else { cycle },
            recovery: cycle * f64::from(rp.threshold),
            active_increase: bottleneck.frames_per_second(rp.active_increase),
            min_rate: bottleneck.frames_per_second(rp.min_rate),
        })
    }
}

impl QcnGains {
    /// The same gains, except that the gain of the feedback is multiplied by a factor.
    pub(crate) fn scaled(self, part: f64) -> Self {
        Self { gain: self.gain * part, largest_cut: self.largest_cut * part, ..self }
    }

    /// The probability that the given number of frames pass without a message if each causes one
    /// with the given probability.
    pub(crate) fn undisturbed(&self, frames: f64, messages: f64) -> f64 {
        libm::exp(frames * libm::log1p(-messages.clamp(0.0, 0.999_999)))
    }

    /// The probability, at the equilibrium, that a frame which causes a message also sets the target.
    pub(crate) fn resets(&self, target: TargetUpdate) -> f64 {
        let p = self.sampling.lowest;
        match target {
            TargetUpdate::EveryMessage => p,
            TargetUpdate::AfterACycle => p * self.undisturbed(self.cycle, p),
        }
    }

    /// D = TR* - CR* at the equilibrium of equation (9): (1-p)^(5B) R_AI / (B' p).
    pub(crate) fn target_gap(&self, target: TargetUpdate) -> f64 {
        let raised = self.undisturbed(self.recovery, self.sampling.lowest) * self.active_increase;
        raised / (self.increase_cycle * self.resets(target))
    }
}

/// The feedback beyond which a message has no stronger effect, in frames, given (2w + 1) Qeq.
fn largest(by_set_point: f64, cp: &qcn::CpParams, bottleneck: &Bottleneck) -> f64 {
    match cp.quantizer {
        // Six bits can represent values up to 63.
        Quantizer::Units => by_set_point.min(63.0 * bottleneck.frames(cp.feedback_unit.bytes())),
        _ => by_set_point,
    }
}

/// Units of quantised feedback per byte of feedback.
pub(crate) fn units_per_byte(cp: &qcn::CpParams) -> f64 {
    let largest = (2.0 * two_to(cp.weight) + 1.0) * cp.set_point.get() as f64;
    match cp.quantizer {
        Quantizer::Standard => 63.0 / largest,
        Quantizer::SixtyFourSteps | Quantizer::Fine => 64.0 / largest,
        // The six most significant bits of a number with the width of the largest.
        Quantizer::TopBits => libm::exp2(5.0 - libm::floor(libm::log2(largest.max(1.0)))),
        Quantizer::Units => 1.0 / cp.feedback_unit.bytes().get() as f64,
    }
}

impl Probability {
    fn new(cp: &qcn::CpParams, bottleneck: &Bottleneck) -> Self {
        let base = 1.0 / bottleneck.frames(cp.sample_base).max(1.0);
        match cp.sampling {
            // p = base (1 + the upper three bits of the feedback): the midpoints of its steps lie on a
            // straight line.
            Sampling::Table => Self::line(base, 8.0 * base, 0.5 * base, 8.0 * base),
            Sampling::Regular => Self::constant(base),
            Sampling::Fixed => Self::constant(part(cp.fixed_probability)),
            Sampling::Linear | Sampling::LinearInterval => {
                let (lowest, highest) = (part(cp.lowest_probability), part(cp.highest_probability));
                // Intervals are counted in frames of 1500 bytes.
                let frames = match cp.sampling {
                    Sampling::LinearInterval => bottleneck.frames(Bytes::new(1_500)),
                    _ => 1.0,
                };
                let (lowest, highest) = (lowest / frames, highest / frames);
                Self::line(lowest, highest, lowest, highest - lowest)
            }
            Sampling::EveryFrame => Self::constant(1.0),
        }
    }

    fn constant(value: f64) -> Self {
        Self::line(value, value, value, 0.0)
    }

    fn line(lowest: f64, highest: f64, at_zero: f64, rise: f64) -> Self {
        Self { lowest, highest: highest.min(1.0), at_zero, rise }
    }

    /// Φ at a feedback given as a fraction of the largest.
    pub(crate) fn at(&self, share: f64) -> f64 {
        (self.at_zero + self.rise * share).clamp(self.lowest, self.highest.max(self.lowest))
    }
}

/// AF-QCN's parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct AfGains {
    /// α, the weight of the AF controller in the feedback.
    pub(crate) alpha: f64,
    /// How fast an estimate follows the arrivals, per second: β/Ts.
    pub(crate) follows_per_s: f64,
    /// QCN's contribution without congestion.
    pub(crate) uncongested: af_qcn::Uncongested,
}

impl AfGains {
    pub(crate) fn new(params: &af_qcn::Params) -> Self {
        let interval = params.interval.as_secs_f64();
        Self {
            alpha: part(params.alpha),
            // Between updates the estimate decays by (1 - β): modelled by a first-order lag with the same
            // decay.
            follows_per_s: -libm::log1p(-two_to(params.smoothing).min(0.999_999)) / interval,
            uncongested: params.uncongested,
        }
    }
}
