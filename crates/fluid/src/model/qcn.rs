//! QCN: equations (9) to (13) of the Allerton paper, and AF-QCN.
//!
//! ```text
//! dTR/dt = -(TR - CR) CR_τ m_τ + (1 - m_τ)^(5B) R_AI CR_τ / B'                            (9)
//! dCR/dt = -Gd Fb_τ CR CR_τ p_τ + (TR - CR)/2 CR_τ m_τ / ((1 - m_τ)^-B - 1)               (10)
//! dq/dt  = Σ CR - C                                                                       (11)
//! Fb     = q - Qeq + w (Σ CR - C) / (C p)                                                 (12)
//! dp/dt  = 500 (Φ(Fb) - p)                                                                (13)
//! ```
//!
//! Here Fb > 0 means congestion, B is the number of frames in a cycle, and B' is the number in a cycle of
//! active increase. In the paper, m = p: every sample causes a message, whatever its sign, so feedback
//! without congestion raises the rate ([`Feedback::BothSigns`]). In packet networks, only congestion causes
//! messages. Our own model of that ([`Feedback::CongestionOnly`]) is:
//!
//! * Only positive Fb_τ counts.
//! * m, the probability that a frame causes a message, follows Φ(Fb) as p does under congestion, and zero
//!   otherwise: dm/dt = 500 (u Φ(Fb) - m), where u rises from 0 to 1 over the first unit of the six-bit
//!   feedback, below which nothing is sent.
//! * As m goes to zero, (10) has a recovery step every B frames, and (9) an increase step every B'.
//!
//! The growth in (12) is the actual queue growth: it is zero for an empty queue, which cannot shrink, and for
//! a full one, which cannot grow. Feedback is limited to ±(2w + 1) Qeq, like feedback in six bits.
//! [`Increase`] selects the increase term of (10). Rates stay between the minimum rate and the line rate; the
//! paper has no such bounds.
//!
//! **AF-QCN** is derived here, since its paper has no fluid model. Each class has one more state: M, the
//! estimate of a source's arrival rate, which decays by 1 - β every Ts, so dM/dt = -ln(1 - β)/Ts (CR - M) at
//! the congestion point. With D = (1 - Mfair/M)⁺, where Mfair is a weighted share of the sum of all M,
//! equation (4) of that paper gives a source the feedback (1 - α) Fb + α 64 D in units of six bits, in place
//! of Fb. Whether there is feedback to send then depends on the class, and so does m. All sources count as
//! active: the model has no threshold for small estimates.

use setpoint_control::af_qcn::Uncongested;

use super::coupled::{Context, Law, rate_bounds};
use super::plant::{Layout, Signals};
use super::reader::Reader;
use crate::dde::Bounds;
use crate::gains::{AfGains, QcnGains};
use crate::{Feedback, Increase, ModelOptions, Sampling, TargetUpdate};

/// How fast probabilities follow the feedback, per second: the 500 of equation (13).
const FOLLOWS_PER_S: f64 = 500.0;
/// The full scale of the AF controller, in units of the six-bit feedback.
const AF_UNITS: f64 = 64.0;

/// Components of a class.
const CURRENT: usize = 0;
const TARGET: usize = 1;
const MESSAGES: usize = 2;
const ESTIMATE: usize = 3;

/// QCN or AF-QCN.
#[derive(Clone, Debug)]
pub(super) struct Qcn {
    pub(super) gains: QcnGains,
    pub(super) fairness: Option<AfGains>,
    pub(super) options: ModelOptions,
}

impl Qcn {
    /// Equation (12), in frames; positive values mean congestion.
    fn feedback(&self, signals: &Signals, probability: f64) -> f64 {
        let growth = signals.growth / (signals.capacity * probability.max(1e-9));
        let feedback = signals.queue - self.gains.set_point + self.gains.weight * growth;
        feedback.clamp(-self.gains.largest, self.gains.largest)
    }

    fn sampled(&self, feedback: f64) -> f64 {
        match self.options.sampling {
            Sampling::FollowsFeedback => self.gains.sampling.at(feedback / self.gains.largest),
            Sampling::FollowsMagnitude => self.gains.sampling.at(feedback.abs() / self.gains.largest),
            Sampling::Constant => self.gains.sampling.lowest,
        }
    }

    /// The fraction by which a source must reduce its rate: Gd Fb, including the AF controller's part.
    fn cut(&self, feedback: f64, unfairness: f64) -> f64 {
        let effective = match self.options.feedback {
            Feedback::BothSigns => feedback,
            Feedback::CongestionOnly => feedback.max(0.0),
        };
        let cut = match &self.fairness {
            None => self.gains.gain * effective,
            Some(af) => self.combined(af, effective, feedback, unfairness),
        };
        cut.min(self.gains.largest_cut)
    }

    /// Equation (4) of the AF-QCN paper.
    fn combined(&self, af: &AfGains, effective: f64, feedback: f64, unfairness: f64) -> f64 {
        // Gd per unit, times the units of both controllers.
        let unit = self.gains.unit;
        let of_af = af.alpha * AF_UNITS * unit * unfairness;
        match af.uncongested {
            Uncongested::Silent if feedback <= 0.0 => 0.0,
            Uncongested::Signed => {
                ((1.0 - af.alpha) * self.gains.gain * feedback + of_af).max(match self.options.feedback {
                    Feedback::BothSigns => f64::NEG_INFINITY,
                    Feedback::CongestionOnly => 0.0,
                })
            }
            _ => (1.0 - af.alpha) * self.gains.gain * effective + of_af,
        }
    }

    /// D of the AF controller: how far a class exceeds its fair share.
    fn unfairness(&self, estimate: f64, weight: f64, signals: &Signals) -> f64 {
        if self.fairness.is_none() || estimate <= 0.0 || signals.weights <= 0.0 {
            return 0.0;
        }
        let fair = signals.estimated * weight / signals.weights;
        (1.0 - fair / estimate).max(0.0)
    }

    /// The probability that a frame causes a message, which m follows if only congestion causes messages.
    fn message_chance(&self, signals: &Signals, probability: f64, unfairness: f64) -> f64 {
        let feedback = self.feedback(signals, probability);
        let units = self.cut(feedback, unfairness) / self.gains.unit;
        self.sampled(feedback) * units.clamp(0.0, 1.0)
    }

    /// m / ((1 - m)^-B - 1): recovery steps per frame.
    fn recoveries(&self, messages: f64) -> f64 {
        if messages < 1e-9 {
            return 1.0 / self.gains.cycle;
        }
        // (1 - m)^-B - 1, without cancellation for small m.
        messages / libm::expm1(-self.gains.cycle * libm::log1p(-messages.min(0.999_999)))
    }
}

impl Law for Qcn {
    fn layout(&self) -> Layout {
        let estimate = self.fairness.is_some().then_some(ESTIMATE);
        Layout { shared: 1, own: 3 + usize::from(estimate.is_some()), estimate, ..Layout::default() }
    }

    fn shared_slope(&self, now: &Reader<'_>, signals: &Signals, slope: &mut [f64]) {
        let probability = now.component(1);
        slope[0] = FOLLOWS_PER_S * (self.sampled(self.feedback(signals, probability)) - probability);
    }

    fn own_slope(&self, context: &Context<'_>, slope: &mut [f64]) {
        let Context { received, rate_then, .. } = context;
        let (current, target) = (context.own(CURRENT), context.own(TARGET));
        let gap = match self.options.increase {
            Increase::AtSource => target - current,
            Increase::AsPrinted => context.own_then(TARGET) - context.own_then(CURRENT),
        };
        let probability = context.shared_then(0);
        let messages = match self.options.feedback {
            Feedback::BothSigns => probability,
            Feedback::CongestionOnly => context.own_then(MESSAGES),
        };
        let unfairness = match self.fairness {
            None => 0.0,
            Some(_) => self.unfairness(context.own_then(ESTIMATE), context.weight, received),
        };
        let cut = self.cut(self.feedback(received, probability), unfairness);
        let gains = &self.gains;
        let increase =
            gains.undisturbed(gains.recovery, messages) * gains.active_increase / gains.increase_cycle;
        let resets = match self.options.target {
            TargetUpdate::EveryMessage => messages,
            TargetUpdate::AfterACycle => messages * gains.undisturbed(gains.cycle, messages),
        };
        slope[TARGET] = rate_then * (increase - (target - current) * resets);
        slope[CURRENT] = rate_then * (gap / 2.0 * self.recoveries(messages) - cut * current * probability);
        self.congestion_point_slope(context, slope);
    }

    fn shared_bounds(&self, _component: usize) -> Bounds {
        Bounds { least: 0.0, most: 1.0 }
    }

    fn own_bounds(&self, component: usize, line_rate: f64) -> Bounds {
        match component {
            CURRENT | TARGET => rate_bounds(self.gains.min_rate, line_rate),
            MESSAGES => Bounds { least: 0.0, most: 1.0 },
            _ => Bounds::NONE,
        }
    }

    fn shared_scale(&self, _component: usize) -> f64 {
        self.gains.sampling.lowest
    }

    fn own_scale(&self, component: usize, line_rate: f64) -> f64 {
        if component == MESSAGES { self.gains.sampling.lowest } else { line_rate }
    }

    fn shared_start(&self, state: &mut [f64]) {
        state[0] = self.gains.sampling.lowest;
    }

    fn own_start(&self, rate: f64, state: &mut [f64]) {
        state[CURRENT] = rate;
        state[TARGET] = rate;
        state[MESSAGES] = 0.0;
    }

    fn own_equilibrium(&self, share: f64, state: &mut [f64]) {
        let share = share.max(self.gains.min_rate);
        state[CURRENT] = share;
        state[TARGET] = share + self.gains.target_gap(self.options.target);
        state[MESSAGES] = self.gains.sampling.lowest;
        if let Some(estimate) = state.get_mut(ESTIMATE) {
            *estimate = share;
        }
    }

    fn set_point(&self) -> f64 {
        self.gains.set_point
    }

    fn min_rate(&self) -> f64 {
        self.gains.min_rate
    }
}

impl Qcn {
    /// Slopes of a class's components at the congestion point: its message probability and its rate estimate.
    fn congestion_point_slope(&self, context: &Context<'_>, slope: &mut [f64]) {
        let signals = &context.at_point;
        let mut unfairness = 0.0;
        if let Some(af) = &self.fairness {
            let estimate = context.own(ESTIMATE);
            unfairness = self.unfairness(estimate, context.weight, signals);
            slope[ESTIMATE] = af.follows_per_s * (context.own(CURRENT) - estimate);
        }
        if self.options.feedback == Feedback::CongestionOnly {
            let chance = self.message_chance(signals, context.now.component(1), unfairness);
            slope[MESSAGES] = FOLLOWS_PER_S * (chance - context.own(MESSAGES));
        }
    }
}

#[cfg(test)]
mod tests {
    use setpoint_control::qcn::{CpParams, Params, Sampling as Rule};
    use setpoint_units::{Bytes, Rate, Time};

    use super::*;
    use crate::Bottleneck;

    /// With Φ from 1 % to 10 %, half of the largest feedback gives 5.5 %.
    #[test]
    fn the_probability_follows_the_feedback_or_its_magnitude() {
        let params =
            Params { cp: CpParams { sampling: Rule::Linear, ..CpParams::default() }, ..Params::default() };
        let bottleneck = Bottleneck {
            frame: Bytes::new(1_500),
            overhead: Bytes::ZERO,
            capacity: vec![(Time::ZERO, Rate::from_gbps(10))],
            buffer: Bytes::new(1_000_000),
            classes: Vec::new(),
        };
        let gains = QcnGains::new(&params, &bottleneck).expect("QCN has a fluid model");
        let sampled = |sampling, share: f64| {
            let options = ModelOptions { sampling, ..ModelOptions::default() };
            let percent = 100.0 * Qcn { gains, fairness: None, options }.sampled(share * gains.largest);
            (percent * 1e9).round() / 1e9
        };
        let of = |sampling| [-1.0, -0.5, 0.0, 0.5, 1.0].map(|share| sampled(sampling, share));
        assert_eq!(of(Sampling::FollowsFeedback), [1.0, 1.0, 1.0, 5.5, 10.0]);
        assert_eq!(of(Sampling::FollowsMagnitude), [10.0, 5.5, 1.0, 5.5, 10.0]);
        assert_eq!(of(Sampling::Constant), [1.0; 5]);
    }
}
