//! The equilibrium of a bottleneck: equal shares, and the queue and the feedback that maintain them.

use super::linearise::{NoLoop, Point};
use crate::gains::{AfGains, DcqcnGains, DcqcnPoint, LinearGains, QcnGains, TimelyGains, VendorGains};
use crate::{Bottleneck, ModelOptions, Scheme};

/// The state in which all slopes are zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Equilibrium {
    /// The rate of each controlled source.
    pub rate_bps: f64,
    /// The queue.
    pub queue_bytes: f64,
    /// The probability that a frame is marked, if the algorithm marks frames.
    pub probability: Option<f64>,
    /// α, if sources have one.
    pub alpha: Option<f64>,
}

/// The equilibrium around which [`linearise`](super::linearise) analyses a loop.
///
/// # Errors
/// Returns an error that gives the reason if there is none. As for the linear loop, SMCC
/// has none.
pub fn equilibrium(
    bottleneck: &Bottleneck,
    scheme: &Scheme,
    options: &ModelOptions,
) -> Result<Equilibrium, NoLoop> {
    bottleneck.check()?;
    let point = Point::of(bottleneck)?;
    let of_queue = |queue: f64| Equilibrium {
        rate_bps: bottleneck.bits_per_second(point.share),
        queue_bytes: queue * bottleneck.frame.get() as f64,
        probability: None,
        alpha: None,
    };
    let marked = |at: DcqcnPoint| Equilibrium {
        probability: Some(at.probability),
        alpha: Some(at.alpha),
        ..of_queue(at.queue)
    };
    let held = |least: f64, queue: f64| {
        point.check(bottleneck, least, queue)?;
        Ok(of_queue(queue))
    };
    match scheme {
        Scheme::Qcn(params) => {
            let gains = QcnGains::new(params, bottleneck)?;
            Ok(of_queue(point.check_qcn(bottleneck, &gains, options)?))
        }
        Scheme::AfQcn(params, af) => {
            let gains = QcnGains::new(params, bottleneck)?.scaled(1.0 - AfGains::new(af).alpha);
            Ok(of_queue(point.check_qcn(bottleneck, &gains, options)?))
        }
        Scheme::Bcn(params) => {
            let gains = LinearGains::bcn(params, bottleneck)?;
            held(gains.min_rate, gains.set_point)
        }
        Scheme::Aimd(params) => {
            let gains = LinearGains::aimd(params, bottleneck)?;
            held(gains.min_rate, gains.set_point)
        }
        Scheme::Smcc(_) => Err(NoLoop::Switched("SMCC")),
        Scheme::Dcqcn(params) => {
            let gains = DcqcnGains::new(params, bottleneck)?;
            Ok(marked(point.check_dcqcn(bottleneck, &gains)?))
        }
        Scheme::DcqcnVendor(params) => {
            let gains = VendorGains::new(params, bottleneck)?;
            Ok(marked(point.check_vendor(bottleneck, &gains)?))
        }
        Scheme::Timely(params) => {
            let gains = TimelyGains::new(params, bottleneck)?;
            Ok(of_queue(point.check_timely(bottleneck, &gains)?))
        }
    }
}
