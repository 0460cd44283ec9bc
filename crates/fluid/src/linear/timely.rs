//! Linearisation of patched TIMELY.

use super::closed::{Echo, Loop};
use super::linearise::{NoLoop, Point};
use super::polynomial::Polynomial;
use crate::Bottleneck;
use crate::gains::{BALANCED, TimelyGains, VariantGains, WEIGHT_SLOPE};

impl Point {
    /// The queue at the fixed point, if it lies between the thresholds.
    pub(crate) fn check_timely(&self, bottleneck: &Bottleneck, gains: &TimelyGains) -> Result<f64, NoLoop> {
        let Some(queue) = gains.queue(self.capacity, self.share) else { return Err(NoLoop::NoFixedPoint) };
        let [low, high] = gains.thresholds(self.capacity).map(|threshold| threshold.max(0.0));
        if queue <= low || queue >= high {
            let frame = bottleneck.frame.get() as f64;
            let [queue_bytes, low_bytes, high_bytes] = [queue, low, high].map(|frames| frames * frame);
            return Err(NoLoop::Thresholds { queue_bytes, low_bytes, high_bytes });
        }
        self.check(bottleneck, gains.min_rate, queue)?;
        Ok(queue)
    }

    /// τ′ for a queue: queueing, the transmission of a frame and the delay of the path.
    pub(crate) fn timely_delay(&self, queue: f64) -> f64 {
        (queue + 1.0) / self.capacity + self.delay_s
    }

    /// Patched TIMELY at its fixed point:
    ///
    /// ```text
    /// y' = -w β e/τ* y - w β R/τ* f - 2 (δ + β R e)/τ* z          y, z, q: deviations of R, g and the queue
    /// z' = -α/τ* z + α/τ* (q(t - τ′) - q(t - τ′ - τ*))/(C D)      w = 1/2, e = δ/(β R)
    /// q' = N y
    /// f  = q(t - τ′)/q′, or (K1 + K2/s) q(t - τ′)
    /// ```
    ///
    /// Both delays depend on the state, but at a fixed point their deviations have no effect: the queue is constant
    /// there, and the terms divided by τ* are zero.
    pub(super) fn timely(&self, gains: &TimelyGains, queue: f64) -> Loop {
        let n = f64::from(self.sources);
        let interval = gains.update_interval(self.share);
        let follow = gains.smoothing / interval;
        let damping = BALANCED * gains.increase / (self.share * interval);
        let strength = n * BALANCED * gains.decrease * self.share / interval;
        // δ + β R e = 2 δ
        let gradient =
            n * WEIGHT_SLOPE * 2.0 * gains.increase * follow / (interval * self.capacity * gains.min_rtt_s);
        let s = Polynomial::s();
        let (offset, sum) = match gains.variant {
            VariantGains::PatchedPi(pi) => (Polynomial::new([pi.integral, pi.proportional]), s.clone()),
            VariantGains::Original | VariantGains::Patched => {
                (Polynomial::new([1.0 / (self.capacity * gains.low_s)]), Polynomial::new([1.0]))
            }
        };
        let slow = Polynomial::shifted(follow);
        let echo = sum.scaled(-gradient);
        Loop {
            model: "patched TIMELY, exact derivatives at its fixed point",
            sources: self.sources,
            delay_s: self.timely_delay(queue),
            queueing_s: self.timely_delay(queue) - self.delay_s,
            numerator: offset.times(&slow).scaled(strength).plus(&sum.scaled(gradient)),
            denominator: s.times(&sum).times(&slow).times(&Polynomial::shifted(damping)),
            echo: Some(Echo { numerator: echo, delay_s: interval }),
            corners: None,
        }
    }
}
