//! Parameters of TIMELY.

use super::dcqcn::seconds;
use super::{above_zero, part};
use crate::Bottleneck;
use crate::pi::PiGains;
use crate::refused::Refused;
use crate::timely::{Params, Variant};

/// TIMELY's parameters in frames and seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TimelyGains {
    pub(crate) variant: VariantGains,
    /// δ in frames per second.
    pub(crate) increase: f64,
    /// β.
    pub(crate) decrease: f64,
    /// α.
    pub(crate) smoothing: f64,
    /// T_low.
    pub(crate) low_s: f64,
    /// T_high.
    pub(crate) high_s: f64,
    /// D_minRTT.
    pub(crate) min_rtt_s: f64,
    /// The part of the measured delay that is not queueing.
    pub(crate) idle_rtt_s: f64,
    /// Seg in frames.
    segment: f64,
    /// The minimum rate in frames per second.
    pub(crate) min_rate: f64,
}

/// The rate computation between the thresholds, in frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum VariantGains {
    Original,
    Patched,
    PatchedPi(PiGains),
}

impl TimelyGains {
    pub(crate) fn new(params: &Params, bottleneck: &Bottleneck) -> Result<Self, Refused> {
        let positive = |value: f64, key| if value > 0.0 { Ok(value) } else { Err(Refused::Zero(key)) };
        if params.low > params.high {
            return Err(Refused::Delays { low: params.low, high: params.high });
        }
        Ok(Self {
            variant: match &params.variant {
                Variant::Original => VariantGains::Original,
                Variant::Patched => VariantGains::Patched,
                Variant::PatchedPi(pi) => VariantGains::PatchedPi(PiGains::new(pi, bottleneck)?),
            },
            increase: bottleneck.frames_per_second(params.increase),
            decrease: positive(part(params.decrease), "decrease")?,
            smoothing: positive(part(params.smoothing), "smoothing")?,
            low_s: seconds(params.low, "low")?,
            high_s: params.high.as_secs_f64(),
            min_rtt_s: seconds(params.min_rtt, "min_rtt")?,
            idle_rtt_s: params.idle_rtt.as_secs_f64(),
            segment: bottleneck.frames(above_zero(params.segment, "segment")?),
            min_rate: bottleneck.frames_per_second(params.min_rate),
        })
    }

    /// The thresholds as lengths of the queue: the delay is compared with them. They are negative if the idle path alone takes
    /// longer.
    pub(crate) fn thresholds(&self, capacity: f64) -> [f64; 2] {
        [self.low_s, self.high_s].map(|seconds| (seconds - self.idle_rtt_s) * capacity)
    }

    /// τ*: the time between two updates of a source.
    pub(crate) fn update_interval(&self, rate: f64) -> f64 {
        (self.segment / rate).max(self.min_rtt_s)
    }

    /// The offset at which increase and decrease cancel if the gradient is zero: δ/(β R).
    pub(crate) fn offset(&self, share: f64) -> f64 {
        self.increase / (self.decrease * share)
    }

    /// The queue at the fixed point; `None` if there is none.
    pub(crate) fn queue(&self, capacity: f64, share: f64) -> Option<f64> {
        match self.variant {
            VariantGains::Original => None,
            VariantGains::Patched => {
                Some(capacity * (self.low_s * (1.0 + self.offset(share)) - self.idle_rtt_s))
            }
            VariantGains::PatchedPi(pi) => Some(pi.reference),
        }
    }
}

/// w: the weight of the decrease for a gradient.
pub(crate) fn decrease_weight(gradient: f64) -> f64 {
    (WEIGHT_SLOPE * gradient + BALANCED).clamp(0.0, 1.0)
}

/// The slope of w.
pub(crate) const WEIGHT_SLOPE: f64 = 2.0;
/// w for a gradient of zero.
pub(crate) const BALANCED: f64 = 0.5;
