//! The fixed point of patched TIMELY's fluid model.

use crate::Bottleneck;
use crate::gains::TimelyGains;
use crate::linear::{NoLoop, Point};
use crate::timely::Params;

/// The state in which all slopes are zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FixedPoint {
    /// R: the rate of each source.
    pub rate_bps: f64,
    /// q: the queue.
    pub queue_bytes: f64,
    /// τ′: the age of the queue length to which a source reacts, including the queueing delay.
    pub feedback_delay_s: f64,
    /// τ*: the time between two updates of a source.
    pub update_interval_s: f64,
}

/// Computes the fixed point of a bottleneck's controlled sources at equal shares: q = q′ (1 + N δ/(β C)), where
/// q′ = C T_low, or the reference of a proportional-integral controller.
///
/// With such a controller, the fixed point is not unique: there is one for any rates that add up to the link rate.
///
/// # Errors
/// Returns an error if there is no such point. The original TIMELY has none: the rates rise whenever the gradient is
/// zero.
pub fn fixed_point(bottleneck: &Bottleneck, params: &Params) -> Result<FixedPoint, NoLoop> {
    bottleneck.check()?;
    let gains = TimelyGains::new(params, bottleneck)?;
    let point = Point::of(bottleneck)?;
    let queue = point.check_timely(bottleneck, &gains)?;
    Ok(FixedPoint {
        rate_bps: bottleneck.bits_per_second(point.share),
        queue_bytes: queue * bottleneck.frame.get() as f64,
        feedback_delay_s: point.timely_delay(queue),
        update_interval_s: gains.update_interval(point.share),
    })
}
