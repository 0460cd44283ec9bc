//! The parameters of AIMD.

use setpoint_units::{Bytes, Rate};

use crate::misfit::{Misfit, check_ranges, check_rates};
use crate::parameter::range::{JITTERS, RATES, SHARES, SIZES, WEIGHTS, sizes};
use crate::parameter::{Percent, Power, choice, parameters};

const TENTH: &str = "own choice: a tenth of the speed, as in BCN";

parameters! {
    /// The parameters of a congestion point and of its reaction points.
    pub struct Params {
        /// The parameters of a congestion point.
        cp: CpParams = "aimd.cp" {
            /// The queue length Qeq that the congestion point aims at.
            set_point: Bytes {
                default: Bytes::new(30_000), range: SIZES,
                origin: "Allerton 2008, section II: 30 kB is the occupancy it asks for, a fifth of 150 kB",
            }
            /// Bytes enqueued between two samples, whatever the state of the queue.
            sample_base: Bytes {
                default: Bytes::new(150_000), range: sizes(1_000),
                origin: "own choice, the sample base of IEEE 802.1Q; range: own choice",
            }
            /// Spread of the bytes between samples: each interval is multiplied by a uniform random factor
            /// this far below or above one, so that samples do not fall into step with periodic traffic.
            jitter: Percent {
                default: Percent::new(15), range: JITTERS,
                origin: "own choice, as in QCN",
            }
        }
        /// The parameters of a reaction point.
        rp: RpParams = "aimd.rp" {
            /// How much the growth of the queue since the last sample counts against its distance from the
            /// set point.
            weight: Power {
                default: Power::of_two(1), range: WEIGHTS,
                origin: "Allerton 2008, section II, of QCN: w = 2",
            }
            /// The queue length that the gains are made for: the largest feedback, which brings the largest
            /// decrease or increase, is 1 + 2w times as much. Larger feedback is held there. Meant to be the
            /// set point of the congestion points, which a source does not know.
            reference: Bytes {
                default: Bytes::new(30_000), range: SIZES,
                origin: "own choice: the set point",
            }
            /// How a negative feedback acts. With an additive decrease the change of the rate does not depend
            /// on the rate, so that the systems of theorem 1 see the same changes.
            decrease: Decrease {
                default: Decrease::Multiplicative,
                origin: "Allerton 2008, introduction; additive is for theorem 1, which is about a given sequence",
            }
            /// The part of the rate that the largest negative feedback takes away; smaller feedback takes in
            /// proportion. Not in use where the decrease is additive.
            largest_decrease: Percent {
                default: Percent::new(50), range: SHARES,
                origin: "own choice, as in BCN and QCN",
            }
            /// What the largest positive feedback adds to the rate; smaller feedback adds in proportion.
            /// Where the decrease is additive it is the largest decrease too.
            largest_increase: Rate {
                default: Rate::from_gbps(1), range: RATES,
                origin: TENTH,
                presets: [
                    OneG => Rate::from_mbps(100), TENTH;
                    FortyG => Rate::from_gbps(4), TENTH;
                    HundredG => Rate::from_gbps(10), TENTH;
                ],
            }
            /// Whether the Averaging Principle is used, which lets the loop bear longer lags, or what theorem
            /// 1 proves equal to it.
            averaging: Averaging {
                default: Averaging::Off,
                origin: "Allerton 2008, section III and theorem 1; plain AIMD by default",
            }
            /// With averaging, bytes that the limiter sends from a message to the averaging. Half of the
            /// sample base is half an interval: a flow is sampled once in a sample base of its own bytes on
            /// average.
            averaging_bytes: Bytes {
                default: Bytes::new(75_000), range: sizes(1_000),
                origin: "theorem 1: half a sampling interval; that it is counted in bytes is our own choice; range: own choice",
            }
            /// The rate is never lowered below this. A source must send to be sampled, and so to be sped up.
            min_rate: Rate {
                default: Rate::from_mbps(10), range: RATES,
                origin: "own choice, as in BCN",
            }
            /// The rate is never raised above this nor above the rate of the port. When it is reached and
            /// nothing waits the limiter is released.
            max_rate: Option<Rate> {
                default: None, range: RATES,
                origin: "own choice, as in QCN",
            }
        }
    }
}

choice! {
    /// How a negative feedback acts.
    Decrease {
        Multiplicative = "multiplicative", "It takes a part of the rate away.";
        Additive = "additive", "It takes away as much as a positive one of the same size would add, whatever the rate.";
    }
}

choice! {
    /// Whether the Averaging Principle is used.
    Averaging {
        Off = "off", "A message changes the rate, and that is all.";
        On = "on", "Half an interval later the rate goes half of the way back: system 1 of theorem 1.";
        Equivalent = "equivalent", "A message acts with 3/4 of its feedback less 1/4 of the one before: system 2 of theorem 1.";
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
        check_rates("aimd", self.rp.min_rate, self.rp.max_rate, line_rate)
    }
}
