//! The parameters of SMCC.

use setpoint_units::{Bytes, Rate};

use crate::misfit::{Misfit, check_rates};
use crate::parameter::range::{JITTERS, RATES, SHARES, SIZES, sizes};
use crate::parameter::{Percent, Range, Switch, Value, choice, parameters};
use crate::scheme::Scheme;

const PAPER: &str = "Jiang et al. (SMCC), section 5.4: recommended for 1 Gb/s";
const SCALED: &str = "our choice: the values for 1 Gb/s, scaled in proportion to the link speed";

const RATE_STEPS: Range = Range::Between(Value::Rate(Rate::MIN), Value::Rate(Rate::from_gbps(10)));

parameters! {
    /// The parameters of SMCC.
    pub struct Params {
        /// The parameters of an SMCC congestion point.
        cp: CpParams = "smcc.cp" {
            /// The queue length q0 that the congestion point aims at. The paper gives the queue a buffer of
            /// twice this size.
            set_point: Bytes {
                default: Bytes::new(64_000), range: SIZES,
                origin: "SMCC paper, section 5.2",
            }
            /// The frames that the congestion point samples. Counting bytes spreads the samples evenly; with
            /// "fixed", the distance between two samples varies widely.
            sampling: Sampling {
                default: Sampling::Regular,
                origin: "SMCC paper, section 4.5 (\"one feedback packet is generated until 100 packets passing\"); \
                    \"fixed\": section 2.2 (\"with probability p\")",
            }
            /// The probability of sampling a frame when sampling is "fixed".
            fixed_probability: Percent {
                default: Percent::new(1), range: SHARES,
                origin: "SMCC paper, section 5.2: one in 100 frames",
            }
            /// Bytes enqueued between two samples, regardless of the queue length: the inverse of the
            /// paper's sampling probability p.
            sample_base: Bytes {
                default: Bytes::new(150_000), range: sizes(1_000),
                origin: "our choice, the sample base of IEEE 802.1Q: one in 100 frames of 1.5 kB; range: our choice",
                presets: [
                    OneG => Bytes::new(100_000), "Jiang et al. (SMCC), section 5.2: one in 100 frames of 1 kB";
                ],
            }
            /// Random spread of the bytes between samples: each interval is multiplied by a uniform random
            /// factor that differs from one by at most this percentage, so that sampling does not fall
            /// into step with periodic traffic.
            jitter: Percent {
                default: Percent::new(15), range: JITTERS,
                origin: "our choice, as in QCN; the paper gives a probability but does not say how it is implemented",
            }
        }
        /// The parameters of an SMCC reaction point.
        rp: RpParams = "smcc.rp" {
            /// The rate change in state A, where the queue is off its target and not returning, for an offset
            /// equal to the reference: a = state_a / reference. With a larger value the loop reacts faster,
            /// but it oscillates once the value exceeds the available bandwidth; with too small a value the
            /// queue settles below its target (Remark 1). With two stages it is the larger of the two.
            state_a: Rate {
                default: Rate::from_mbps(2_560), range: RATES,
                origin: "our choice: ten times the paper's value for 1 Gb/s (section 5.4)",
                presets: [
                    OneG => Rate::from_mbps(256), PAPER;
                ],
                scaled: SCALED,
            }
            /// The rate change in state B, where the queue is returning to its target, for a difference
            /// between samples equal to the reference: b = state_b / reference.
            state_b: Rate {
                default: Rate::from_mbps(640), range: RATES,
                origin: "our choice: ten times the paper's value for 1 Gb/s (section 5.4)",
                presets: [
                    OneG => Rate::from_mbps(64), PAPER;
                ],
                scaled: SCALED,
            }
            /// The offset or difference for which the rate changes by exactly state_a or state_b. The change
            /// is proportional, so larger offsets change the rate by more.
            reference: Bytes {
                default: Bytes::new(64_000), range: SIZES,
                origin: "our choice: the paper gives the largest changes instead of a and b; the set point is \
                    the largest offset in its buffer of 128 kB",
            }
            /// Whether state A uses a smaller rate change while the queue moves slowly.
            two_stage: Switch {
                default: Switch::Off,
                origin: "SMCC paper, section 4.4, which calls it optional; used in its figures 19, 22 and 23",
            }
            /// T1: with two stages, state A uses state_a if the queue has changed by more than this between
            /// samples, in either direction, and state_a_small otherwise.
            threshold: Bytes {
                default: Bytes::new(8_000), range: sizes(0),
                origin: "SMCC paper, section 5.4",
            }
            /// With two stages, the rate change that replaces state_a while the queue changes by at most the
            /// threshold.
            state_a_small: Rate {
                default: Rate::from_mbps(1_280), range: RATES,
                origin: "our choice: ten times the paper's value for 1 Gb/s (section 5.4)",
                presets: [
                    OneG => Rate::from_mbps(128), PAPER;
                ],
                scaled: SCALED,
            }
            /// The congestion points that a source follows. Uncongested points on a flow's path send
            /// notifications too, and nearly always request a higher rate.
            association: Association {
                default: Association::Congested,
                origin: "SMCC paper, section 4.2 (\"needs to identify the congestion point similar to BCN\"); \
                    the details are our own reading",
            }
            /// The smallest step of a rate: after every change the rate is rounded down to a multiple of this,
            /// but not below the minimum rate; the maximum rate can be reached even if it is not a multiple.
            /// An increase of less than one step is lost, whereas a decrease never is, so with a large step the queue
            /// settles below its set point.
            rate_step: Rate {
                default: Rate::MIN, range: RATE_STEPS,
                origin: "our choice: no rounding beyond whole bits per second; the paper does not mention a step",
            }
            /// The rate is never lowered below this. A source that sends no frames is not sampled and could
            /// not be sped up.
            min_rate: Rate {
                default: Rate::from_mbps(5), range: RATES,
                origin: "our choice, as in QCN; the paper has none",
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
    /// The frames that a congestion point samples.
    Sampling {
        Regular = "regular", "One frame each time the sample base has been enqueued.";
        Fixed = "fixed", "Each frame with the same probability.";
    }
}

choice! {
    /// The congestion points that a source follows.
    Association {
        Congested = "congested", "Only the last point that slowed the source down while its queue was above the set point: BCN's rule.";
        LastSlowed = "last-slowed", "For a decrease, any point; for an increase, only the last one that slowed the source down.";
        Off = "off", "Every point, for decreases and increases.";
    }
}

impl Scheme for Params {
    const EXPLANATION: &'static str = "Sliding mode congestion control (Jiang et al. 2015). The congestion point sends the offset of the queue from its \
        set point and its change since the last sample as two numbers, even without congestion. If both have the same sign, \
        the queue is moving away from its set point, and the source changes its rate in proportion to the offset; otherwise \
        the queue is returning, and the source changes its rate in proportion to the change. Only the congestion point that \
        last slowed a source down may raise its rate.";

    fn fit(&self, line_rate: Option<Rate>) -> Result<(), Misfit> {
        check_rates("smcc", self.rp.min_rate, self.rp.max_rate, line_rate)?;
        let (small, large) = (self.rp.state_a_small, self.rp.state_a);
        if self.rp.two_stage.is_on() && small > large {
            let message = alloc::format!(
                "smcc.rp.state_a_small is {small}, above smcc.rp.state_a, which is {large}; it is meant for \
                 small changes of the queue"
            );
            return Err(Misfit::new("smcc.rp.state_a_small", &message));
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
