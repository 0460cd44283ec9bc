//! The parameters of AIMD.

use setpoint_units::{Bytes, Rate};

use crate::misfit::{Misfit, check_rates};
use crate::parameter::range::{JITTERS, RATES, SHARES, SIZES, WEIGHTS, sizes};
use crate::parameter::{Percent, Power, choice, parameters};
use crate::scheme::Scheme;

const TENTH: &str = "our choice: a tenth of the speed, as in BCN";

parameters! {
    /// The parameters of AIMD.
    pub struct Params {
        /// The parameters of an AIMD congestion point.
        cp: CpParams = "aimd.cp" {
            /// The queue length Qeq that the congestion point aims at.
            set_point: Bytes {
                default: Bytes::new(30_000), range: SIZES,
                origin: "Allerton 2008, section II: a desired occupancy of 30 kB, a fifth of 150 kB",
            }
            /// Bytes enqueued between two samples, regardless of the queue length.
            sample_base: Bytes {
                default: Bytes::new(150_000), range: sizes(1_000),
                origin: "our choice, the sample base of IEEE 802.1Q; range: our choice",
            }
            /// Random spread of the bytes between samples: each interval is multiplied by a uniform random
            /// factor that differs from one by at most this percentage, so that sampling does not fall
            /// into step with periodic traffic.
            jitter: Percent {
                default: Percent::new(15), range: JITTERS,
                origin: "our choice, as in QCN",
            }
        }
        /// The parameters of an AIMD reaction point.
        rp: RpParams = "aimd.rp" {
            /// The weight of the queue's growth since the last sample relative to its distance from the set
            /// point.
            weight: Power {
                default: Power::of_two(1), range: WEIGHTS,
                origin: "Allerton 2008, section II, on QCN: w = 2",
            }
            /// The queue length for which the gains are defined: the maximum feedback, which causes the
            /// largest decrease or increase, is 1 + 2w times the reference, and larger feedback is clamped to
            /// it. It should equal the set point of the congestion points, which is not available to a source.
            reference: Bytes {
                default: Bytes::new(30_000), range: SIZES,
                origin: "our choice: the set point",
            }
            /// How negative feedback reduces the rate. With an additive decrease the change does not depend
            /// on the rate, so that both systems of theorem 1 see the same changes.
            decrease: Decrease {
                default: Decrease::Multiplicative,
                origin: "Allerton 2008, introduction; additive decrease is for theorem 1, which assumes a given sequence",
            }
            /// The fraction of the rate that the maximum negative feedback removes; smaller feedback removes
            /// proportionally less. Unused if the decrease is additive.
            largest_decrease: Percent {
                default: Percent::new(50), range: SHARES,
                origin: "our choice, as in BCN and QCN",
            }
            /// The increment that the maximum positive feedback adds to the rate; smaller feedback adds
            /// proportionally less. If the decrease is additive, it is the largest decrease too.
            largest_increase: Rate {
                default: Rate::from_gbps(1), range: RATES,
                origin: TENTH,
                scaled: TENTH,
            }
            /// Whether to apply the Averaging Principle, which makes the loop tolerate longer delays, or the
            /// scheme that theorem 1 proves equivalent.
            averaging: Averaging {
                default: Averaging::Off,
                origin: "Allerton 2008, section III and theorem 1; plain AIMD by default",
            }
            /// With averaging, the bytes that the limiter sends between a message and the averaging step. Half of the
            /// sample base is half an interval: on average a flow is sampled once for every sample base of bytes that
            /// it sends.
            averaging_bytes: Bytes {
                default: Bytes::new(75_000), range: sizes(1_000),
                origin: "theorem 1: half a sampling interval; counting it in bytes is our own choice; range: our choice",
            }
            /// The rate is never lowered below this. A source that sends no frames is not sampled and could
            /// not be sped up.
            min_rate: Rate {
                default: Rate::from_mbps(10), range: RATES,
                origin: "our choice, as in BCN",
            }
            /// The rate is never raised above this or above the port rate. Once it gets there and no
            /// frame is waiting, the limiter is released.
            max_rate: Option<Rate> {
                default: None, range: RATES,
                origin: "our choice, as in QCN",
            }
        }
    }
}

choice! {
    /// How negative feedback reduces the rate.
    Decrease {
        Multiplicative = "multiplicative", "It removes a fraction of the rate.";
        Additive = "additive", "It removes the amount that positive feedback of the same size would add, whatever the rate.";
    }
}

choice! {
    /// Whether the Averaging Principle is applied.
    Averaging {
        Off = "off", "A message changes the rate once.";
        On = "on", "Half an interval later the rate moves halfway back: system 1 of theorem 1.";
        Equivalent = "equivalent", "A message acts with 3/4 of its feedback minus 1/4 of the previous one: system 2 of theorem 1.";
    }
}

impl Scheme for Params {
    const EXPLANATION: &'static str = "Additive increase and multiplicative decrease driven by feedback of both signs, as in the paper \
        on the theory of QCN (Alizadeh et al., Allerton 2008), with or without the Averaging \
        Principle: half a sampling interval after a change, the source reverses half of it. The loop is \
        then stable at longer delays. Feeding back the growth of the feedback as well \
        has the same effect (`averaging = \"equivalent\"`).";

    fn fit(&self, line_rate: Option<Rate>) -> Result<(), Misfit> {
        check_rates("aimd", self.rp.min_rate, self.rp.max_rate, line_rate)
    }

    fn set_point(&self) -> Option<Bytes> {
        Some(self.cp.set_point)
    }

    fn min_rate(&self) -> Option<Rate> {
        Some(self.rp.min_rate)
    }
}
