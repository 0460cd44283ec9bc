//! The parameters of BCN.

use setpoint_units::{Bytes, Rate, TimeDelta};

use crate::misfit::{Misfit, check_rates};
use crate::parameter::range::{JITTERS, RATES, SHARES, SIZES, WEIGHTS, powers, sizes, times};
use crate::parameter::{Percent, Power, Range, Switch, parameters};
use crate::scheme::Scheme;

const BASELINE: &str = "802.1au baseline: a tenth of the speed (unverified)";

const TIMES: Range = times(TimeDelta::from_nanos(100), TimeDelta::from_secs(1_000));

parameters! {
    /// The parameters of BCN.
    pub struct Params {
        /// The parameters of a BCN congestion point.
        cp: CpParams = "bcn.cp" {
            /// The queue length Qeq that the congestion point aims at. A queue above it slows sources down; a
            /// queue below it speeds up the sources that the point has slowed down earlier.
            set_point: Bytes {
                default: Bytes::new(24_000), range: SIZES,
                origin: "802.1au baseline, 375 pages of 64 bytes (unverified)",
            }
            /// The weight of the queue's growth since the last sample relative to its distance from the set
            /// point. The congestion point needs it for the sign of the feedback, the reaction point for its
            /// value; both use this one value.
            weight: Power {
                default: Power::of_two(1), range: WEIGHTS,
                origin: "802.1au baseline and the papers on BCN, w = 2 (unverified)",
                copied_to: rp.weight,
            }
            /// Bytes enqueued between two samples, regardless of the queue length.
            sample_base: Bytes {
                default: Bytes::new(150_000), range: sizes(1_000),
                origin: "802.1au baseline (unverified); range: our choice",
            }
            /// Random spread of the bytes between samples: each interval is multiplied by a uniform random
            /// factor that differs from one by at most this percentage, so that sampling does not fall
            /// into step with periodic traffic.
            jitter: Percent {
                default: Percent::new(15), range: JITTERS,
                origin: "our choice, as in QCN; BCN does spread its interval, but by an unknown amount (from memory)",
            }
            /// Whether a source is stopped for a while, by the message BCN(0,0), if one of its frames is
            /// sampled while the queue is above the severe threshold.
            severe_stop: Switch {
                default: Switch::On,
                origin: "Bergamasco and Pan, BCN 2.0 (unverified)",
            }
            /// The queue length Qsc above which sources are stopped. It must be above the set point.
            severe_threshold: Bytes {
                default: Bytes::new(102_400), range: SIZES,
                origin: "802.1au baseline, 1600 pages of 64 bytes (unverified)",
            }
        }
        /// The parameters of a BCN reaction point.
        rp: RpParams = "bcn.rp" with (
            /// The weight of the congestion points.
            weight: Power = CpParams::default().weight
        ) {
            /// The queue length for which the gains are defined: the maximum feedback, which causes the
            /// largest decrease or increase, is 1 + 2w times the reference, and larger feedback is clamped to
            /// it. It should equal the set point of the congestion points, which is not available to a source.
            reference: Bytes {
                default: Bytes::new(24_000), range: SIZES,
                origin: "802.1au baseline: the set point (unverified)",
            }
            /// The fraction of the rate that the maximum negative feedback removes; smaller feedback removes
            /// proportionally less.
            largest_decrease: Percent {
                default: Percent::new(50), range: SHARES,
                origin: "SMCC paper, section 2.2: Gd |Fb max| = 1/2; 802.1au baseline, Gd = 2.667e-4 per page (unverified)",
            }
            /// The increment that the maximum positive feedback adds to the rate; smaller feedback adds
            /// proportionally less.
            largest_increase: Rate {
                default: Rate::from_gbps(1), range: RATES,
                origin: "802.1au baseline: a tenth of the speed, Gi = 0.5333 per page and Ru = 1 Mb/s (unverified); \
                    the papers use Gi = 4 and Ru = 8 Mb/s",
                scaled: BASELINE,
            }
            /// The maximum length of a first stop. The length of a stop is drawn uniformly up to this.
            stop_time: TimeDelta {
                default: TimeDelta::from_micros(100), range: TIMES,
                origin: "our choice: about the time that 10 Gb/s takes to drain a queue at the severe \
                    threshold; Tmax in dcbnl",
            }
            /// The largest factor by which the range of stops grows: each stop doubles the range of the next,
            /// up to this factor times stop_time, until a positive message ends the back-off. "2^0" disables
            /// it.
            back_off: Power {
                default: Power::of_two(4), range: powers(0, 10),
                origin: "our choice; the back-off itself is from memory (unverified)",
            }
            /// Whether the rate rises by itself in the absence of feedback. Drift lets a source recover when
            /// its congestion point no longer sends messages, for example after a path change.
            drift: Switch {
                default: Switch::Off,
                origin: "our choice; an option of the ixgbe driver (td, rd), absent from equation (2)",
            }
            /// The time without an accepted message after which the rate drifts, and the time between two
            /// increments.
            drift_interval: TimeDelta {
                default: TimeDelta::from_millis(1), range: TIMES,
                origin: "our choice; td in dcbnl",
            }
            /// The increment that a drift step adds to the rate.
            drift_increase: Rate {
                default: Rate::from_mbps(10), range: RATES,
                origin: "our choice; rd in dcbnl",
            }
            /// The rate is never lowered below this, and restarts at it after a stop. A source that sends no
            /// frames is not sampled and could not be sped up.
            min_rate: Rate {
                default: Rate::from_mbps(10), range: RATES,
                origin: "our choice, 10 Mb/s as in the task group's simulations of QCN (unverified)",
            }
            /// The rate is never raised above this or above the port rate. Once it gets there and no
            /// frame is waiting, the limiter is released and its tag removed.
            max_rate: Option<Rate> {
                default: None, range: RATES,
                origin: "our choice, as in QCN",
            }
        }
    }
}

impl Scheme for Params {
    const EXPLANATION: &'static str = "Backward congestion notification (Bergamasco and Pan 2005), the predecessor of QCN. Feedback has both signs: the source \
        lowers its rate in proportion when Fb = -(q_off + w q_delta) is negative and raises it when Fb is positive. Frames of \
        a rate-limited source are tagged with the congestion point that limits it, and only that point may raise its rate. A \
        queue far above its set point stops sources for a random time.";

    fn fit(&self, line_rate: Option<Rate>) -> Result<(), Misfit> {
        check_rates("bcn", self.rp.min_rate, self.rp.max_rate, line_rate)?;
        let (severe, set_point) = (self.cp.severe_threshold, self.cp.set_point);
        if self.cp.severe_stop.is_on() && severe <= set_point {
            let message = alloc::format!(
                "bcn.cp.severe_threshold is {severe}, not above bcn.cp.set_point, which is {set_point}"
            );
            return Err(Misfit::new("bcn.cp.severe_threshold", &message));
        }
        Ok(())
    }

    fn set_point(&self) -> Option<Bytes> {
        Some(self.cp.set_point)
    }

    fn min_rate(&self) -> Option<Rate> {
        Some(self.rp.min_rate)
    }
}
