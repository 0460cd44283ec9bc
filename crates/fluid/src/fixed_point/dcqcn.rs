//! The fixed point of DCQCN's fluid model.

use crate::Bottleneck;
use crate::dcqcn::Params;
use crate::gains::DcqcnGains;
use crate::linear::{NoLoop, Point};

/// The state in which all slopes are zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FixedPoint {
    /// R_C: the rate of each source.
    pub rate_bps: f64,
    /// R_T: the target rate of each source.
    pub target_bps: f64,
    /// α.
    pub alpha: f64,
    /// p: the marking probability.
    pub probability: f64,
    /// q: the queue.
    pub queue_bytes: f64,
    /// The paper's approximation of the same point.
    pub approximation: Approximation,
}

/// The paper's approximation of the fixed point, from the first term of a series in p. It is accurate only if
/// a source rarely receives a mark while it sends the bytes of one counter cycle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Approximation {
    /// p: the marking probability. It may lie outside the range of marking probabilities.
    pub probability: f64,
    /// q: the queue on the straight line through Kmin and Kmax, even beyond Kmax; the reference for a
    /// proportional-integral controller.
    pub queue_bytes: f64,
}

/// Computes the fixed point of a bottleneck's controlled sources at equal shares.
///
/// ```
/// use setpoint_fluid::dcqcn::Params;
/// use setpoint_fluid::fixed_point::dcqcn::fixed_point;
/// # use setpoint_fluid::{Bottleneck, Class, Sending};
/// # use setpoint_units::{Bytes, Rate, Time, TimeDelta};
/// #
/// # let bottleneck = Bottleneck {
/// #     frame: Bytes::new(1_000),
/// #     overhead: Bytes::ZERO,
/// #     capacity: vec![(Time::ZERO, Rate::from_gbps(40))],
/// #     buffer: Bytes::new(10_000_000),
/// #     classes: vec![Class {
/// #         name: "senders".to_owned(),
/// #         sources: 2,
/// #         delay: TimeDelta::from_micros(4),
/// #         line_rate: Rate::from_gbps(40),
/// #         start: Time::ZERO,
/// #         stop: None,
/// #         sending: Sending::Controlled { weight: 1 },
/// #     }],
/// # };
///
/// // `bottleneck`: two sources on a 40 Gb/s link, with frames of 1000 bytes.
/// let point = fixed_point(&bottleneck, &Params::default())?;
/// assert_eq!(format!("{:.5} {:.0} B", point.probability, point.queue_bytes), "0.00078 20151 B");
/// assert_eq!(format!("{:.5}", point.approximation.probability), "0.00092");
/// # Ok::<(), setpoint_fluid::linear::NoLoop>(())
/// ```
///
/// # Errors
/// Returns an error if there is no such point, in particular if it needs a higher marking probability than Pmax: the
/// queue then oscillates around Kmax.
pub fn fixed_point(bottleneck: &Bottleneck, params: &Params) -> Result<FixedPoint, NoLoop> {
    bottleneck.check()?;
    let gains = DcqcnGains::new(params, bottleneck)?;
    let point = Point::of(bottleneck)?;
    let found = point.check_dcqcn(bottleneck, &gains)?;
    let frame = bottleneck.frame.get() as f64;
    let approximate = gains.approximate_probability(point.share);
    Ok(FixedPoint {
        rate_bps: bottleneck.bits_per_second(point.share),
        target_bps: bottleneck.bits_per_second(point.share + found.gap),
        alpha: found.alpha,
        probability: found.probability,
        queue_bytes: frame * found.queue,
        approximation: Approximation {
            probability: approximate,
            queue_bytes: frame * gains.marking.queue(approximate),
        },
    })
}
