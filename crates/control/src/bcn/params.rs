//! The parameters of BCN.

use setpoint_units::{Bytes, Rate, TimeDelta};

use crate::misfit::{Misfit, check_ranges, check_rates};
use crate::parameter::range::{JITTERS, RATES, SHARES, SIZES, WEIGHTS, powers, sizes, times};
use crate::parameter::{Percent, Power, Range, Switch, parameters};

const BASELINE: &str = "802.1au baseline: a tenth of the speed (unverified)";

const TIMES: Range = times(TimeDelta::from_nanos(100), TimeDelta::from_secs(1_000));

parameters! {
    /// The parameters of a congestion point and of its reaction points.
    pub struct Params {
        /// The parameters of a congestion point.
        cp: CpParams = "bcn.cp" {
            /// The queue length Qeq that the congestion point aims at. A queue above it slows sources down,
            /// and one below speeds those up that the point has slowed down before.
            set_point: Bytes {
                default: Bytes::new(24_000), range: SIZES,
                origin: "802.1au baseline, 375 pages of 64 bytes (unverified)",
            }
            /// How much the growth of the queue since the last sample counts against its distance from the
            /// set point. The congestion point needs it for the sign of the feedback and the reaction point
            /// for all of it; one value is given to both.
            weight: Power {
                default: Power::of_two(1), range: WEIGHTS,
                origin: "802.1au baseline and the papers on BCN, w = 2 (unverified)",
                copied_to: rp.weight,
            }
            /// Bytes enqueued between two samples, whatever the state of the queue.
            sample_base: Bytes {
                default: Bytes::new(150_000), range: sizes(1_000),
                origin: "802.1au baseline (unverified); range: own choice",
            }
            /// Spread of the bytes between samples: each interval is multiplied by a uniform random factor
            /// this far below or above one, so that samples do not fall into step with periodic traffic.
            jitter: Percent {
                default: Percent::new(15), range: JITTERS,
                origin: "own choice, as in QCN; that BCN's interval is spread is remembered, by how much is not",
            }
            /// Whether the source of a frame that is sampled while the queue is beyond the severe threshold
            /// is stopped for a while, by the message BCN(0,0).
            severe_stop: Switch {
                default: Switch::On,
                origin: "Bergamasco and Pan, BCN 2.0 (unverified)",
            }
            /// The queue length Qsc beyond which sources are stopped. It must be above the set point.
            severe_threshold: Bytes {
                default: Bytes::new(102_400), range: SIZES,
                origin: "802.1au baseline, 1600 pages of 64 bytes (unverified)",
            }
        }
        /// The parameters of a reaction point.
        rp: RpParams = "bcn.rp" with (
            /// The weight of the congestion points.
            weight: Power = CpParams::default().weight
        ) {
            /// The queue length that the gains are made for: the largest feedback, which brings the largest
            /// decrease or increase, is 1 + 2w times as much. Larger feedback is held there. Meant to be the
            /// set point of the congestion points, which a source does not know.
            reference: Bytes {
                default: Bytes::new(24_000), range: SIZES,
                origin: "802.1au baseline: the set point (unverified)",
            }
            /// The part of the rate that the largest negative feedback takes away; smaller feedback takes in
            /// proportion.
            largest_decrease: Percent {
                default: Percent::new(50), range: SHARES,
                origin: "SMCC paper, section 2.2: Gd |Fb max| = 1/2; 802.1au baseline, Gd = 2.667e-4 per page (unverified)",
            }
            /// What the largest positive feedback adds to the rate; smaller feedback adds in proportion.
            largest_increase: Rate {
                default: Rate::from_gbps(1), range: RATES,
                origin: "802.1au baseline: a tenth of the speed, Gi = 0.5333 per page and Ru = 1 Mb/s (unverified); the papers have Gi = 4 and Ru = 8 Mb/s",
                presets: [
                    OneG => Rate::from_mbps(100), BASELINE;
                    FortyG => Rate::from_gbps(4), BASELINE;
                    HundredG => Rate::from_gbps(10), BASELINE;
                ],
            }
            /// The longest a first stop lasts. A stop is of a uniform random length up to this.
            stop_time: TimeDelta {
                default: TimeDelta::from_micros(100), range: TIMES,
                origin: "own choice: about the time that 10 Gb/s takes to drain the severe threshold; Tmax in dcbnl",
            }
            /// How far the range of stops grows: each stop doubles that of the next, up to so many times
            /// stop_time, until a positive message tells of recovery. "2^0" is no back-off.
            back_off: Power {
                default: Power::of_two(4), range: powers(0, 10),
                origin: "own choice; that there is a back-off is remembered (unverified)",
            }
            /// Whether the rate rises by itself while no feedback comes. It brings sources back whose point
            /// no longer speaks, as after a change of path.
            drift: Switch {
                default: Switch::Off,
                origin: "own choice; the ixgbe driver can be told to (td, rd), and equation (2) knows nothing of it",
            }
            /// How long no message must have been obeyed for the rate to drift, and the time from one rise to
            /// the next.
            drift_interval: TimeDelta {
                default: TimeDelta::from_millis(1), range: TIMES,
                origin: "own choice; td in dcbnl",
            }
            /// What a drift adds to the rate.
            drift_increase: Rate {
                default: Rate::from_mbps(10), range: RATES,
                origin: "own choice; rd in dcbnl",
            }
            /// The rate is never lowered below this, and is this after a stop. A source must send to be
            /// sampled, and so to be sped up.
            min_rate: Rate {
                default: Rate::from_mbps(10), range: RATES,
                origin: "own choice, 10 Mb/s as in the task group's simulations of QCN (unverified)",
            }
            /// The rate is never raised above this nor above the rate of the port. When it is reached and
            /// nothing waits the limiter is released, and with it the tag.
            max_rate: Option<Rate> {
                default: None, range: RATES,
                origin: "own choice, as in QCN",
            }
        }
    }
}

impl Params {
    /// Whether every parameter is within its range and they fit together, and fit a port of `line_rate` if
    /// it is known.
    ///
    /// # Errors
    /// The first thing that is wrong, parameters out of range before those that do not fit each other.
    pub fn check(&self, line_rate: Option<Rate>) -> Result<(), Misfit> {
        check_ranges(PARAMETERS, self)?;
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
}
