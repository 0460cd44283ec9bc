//! The parameters of TIMELY. The defaults are those that CoNEXT'16 gives for 10 Gb/s.

use setpoint_units::{Bytes, Rate, TimeDelta};

use super::choices::{Delay, HyperIncrease, Rule, Steady, Updates};
use super::profiles::PROFILES;
use crate::acknowledging::{Batch, Batches};
use crate::misfit::{Misfit, check_rates};
use crate::parameter::range::{RATES, SHARES, counts, percents, sizes, times};
use crate::parameter::{Percent, Profile, Range, parameters};
use crate::path::BaseRtt;
use crate::scheme::Scheme;
use crate::window::Window;

const MODEL: &str = "CoNEXT'16, section on TIMELY (10 Gb/s)";
const PROPORTIONAL: &str = "HPCC, run.py: proportional to the speed";
const DELAYS: Range = times(TimeDelta::from_nanos(1), TimeDelta::from_secs(1));

parameters! {
    /// The parameters of TIMELY.
    pub struct Params {
        /// The parameters of a TIMELY notification point.
        np: NpParams = "timely.np" {
            /// The number of frames after which the receiver sends an acknowledgement. With one, every frame is
            /// acknowledged.
            frames: u32 {
                default: 1_000, range: counts(1, 1_000_000),
                origin: "our choice: large, so that the number of bytes applies",
            }
            /// The number of bytes after which the receiver sends an acknowledgement, unless the number of frames is
            /// reached first: the segment of TIMELY.
            bytes: Bytes {
                default: Bytes::new(16_000), range: sizes(1),
                origin: "CoNEXT'16: segments of 16 kB or 64 kB",
            }
        }
        /// The parameters of a TIMELY reaction point.
        rp: RpParams = "timely.rp" {
            /// How the rate changes while the delay is between the thresholds.
            rule: Rule {
                default: Rule::Gradient,
                origin: "TIMELY'15, CoNEXT'16",
            }
            /// The delay that is compared with the thresholds.
            delay: Delay {
                default: Delay::RoundTrip,
                origin: "TIMELY'15, section 3.1",
            }
            /// How often the rate is updated.
            updates: Updates {
                default: Updates::Acknowledgement,
                origin: "TIMELY'15, section 3.2",
            }
            /// T_low, the delay below which the rate always rises. Patched TIMELY also measures the distance of the
            /// delay from here.
            low: TimeDelta {
                default: TimeDelta::from_micros(50), range: DELAYS,
                origin: MODEL,
            }
            /// T_high, the delay above which the rate always falls.
            high: TimeDelta {
                default: TimeDelta::from_micros(500), range: DELAYS,
                origin: MODEL,
            }
            /// D_minRTT, the unit of the gradient: a gradient of one is a growth by this time per update.
            min_rtt: TimeDelta {
                default: TimeDelta::from_micros(20), range: DELAYS,
                origin: MODEL,
            }
            /// The weight of a new difference in the average from which the gradient is computed.
            smoothing: Percent {
                default: Percent::from_hundredths(8_750), range: SHARES,
                origin: MODEL,
            }
            /// β, the factor of every decrease.
            decrease: Percent {
                default: Percent::new(80), range: SHARES,
                origin: MODEL,
            }
            /// δ, the increment of an increase.
            increase: Rate {
                default: Rate::from_mbps(10), range: RATES,
                origin: MODEL,
                scaled: PROPORTIONAL,
            }
            /// When increases become larger.
            hyper: HyperIncrease {
                default: HyperIncrease::AfterDeclines,
                origin: "TIMELY'15, section 4.3",
            }
            /// The number of consecutive increases before hyper increase.
            threshold: u32 {
                default: 5, range: counts(0, 1_000),
                origin: "TIMELY'15, section 4.3; HPCC",
            }
            /// The increment of a hyper increase.
            hyper_increase: Rate {
                default: Rate::from_mbps(50), range: RATES,
                origin: "TIMELY'15, section 4.3: 5 δ; HPCC, run.py",
                scaled: PROPORTIONAL,
            }
            /// The effect of a gradient of zero.
            steady: Steady {
                default: Steady::Increase,
                origin: "CoNEXT'16, HPCC",
            }
            /// The rate at which a source starts.
            first_rate: Option<Rate> {
                default: None, range: RATES,
                origin: "HPCC; CoNEXT'16: C/(N + 1)",
            }
            /// The maximum rate, as a part of the line rate.
            max_share: Percent {
                default: Percent::WHOLE, range: percents(Percent::new(1), Percent::WHOLE),
                origin: "HPCC; ns3-rdma: 96 %",
            }
            /// The minimum rate.
            min_rate: Rate {
                default: Rate::from_mbps(100), range: RATES,
                origin: "ns3-rdma: 1 % of 10 Gb/s; CoNEXT'16 gives none",
            }
            /// The bound on the bytes in flight. A window needs receivers that acknowledge every frame.
            window: Window {
                default: Window::None,
                origin: "CoNEXT'16, ns3-rdma; HPCC, run.py: HAS_WIN and VAR_WIN",
            }
            /// T, the base round-trip time from which the window follows.
            base_rtt: BaseRtt {
                default: BaseRtt::Network,
                origin: "HPCC, GLOBAL_T 1",
            }
        }
    }
}

impl Batches for NpParams {
    fn batch(&self) -> Batch {
        Batch { frames: self.frames, bytes: self.bytes, delay: None }
    }
}

impl Scheme for Params {
    const EXPLANATION: &'static str = "Congestion control by the round-trip time. The receiver acknowledges every 16 kB, \
        and the source measures the time until the acknowledgement arrives. Below a lower threshold the rate rises, above \
        an upper one it falls, and in between it follows the gradient of the delay. Bridges take no part. The gradient \
        alone has no unique fixed point: the rates need not become equal. Patched TIMELY uses the delay's distance from the \
        lower threshold instead. `profile` selects the parameters of a paper or a simulator.";
    const PROFILES: &'static [Profile] = PROFILES;

    fn fit(&self, line_rate: Option<Rate>) -> Result<(), Misfit> {
        let rp = self.rp;
        if rp.low > rp.high {
            let message =
                alloc::format!("timely.rp.low is {}, above timely.rp.high, which is {}", rp.low, rp.high);
            return Err(Misfit::new("timely.rp.low", &message));
        }
        check_rates("timely", rp.min_rate, None, line_rate)
    }

    fn min_rate(&self) -> Option<Rate> {
        Some(self.rp.min_rate)
    }
}
