//! The parameters of HPCC. The defaults are those of its simulator, for 10 Gb/s.

use setpoint_units::Rate;

use super::choices::{References, Updates};
use super::profiles::PROFILES;
use crate::acknowledging::batch_parameters;
use crate::misfit::{Misfit, check_rates};
use crate::parameter::range::{RATES, SHARES, counts};
use crate::parameter::{Percent, Profile};
use crate::path::BaseRtt;
use crate::scheme::Scheme;
use crate::telemetry::Fields;

const PROPORTIONAL: &str = "HPCC, run.py: 10 Mb/s per 25 Gb/s";
const LEAST: &str = "HPCC, run.py";

batch_parameters! {
    /// The parameters of HPCC.
    pub struct Params {
        /// The parameters of an HPCC notification point.
        np: NpParams = "hpcc.np", frames: "HPCC";
        /// The parameters of an HPCC reaction point.
        rp: RpParams = "hpcc.rp" {
            /// When the rate is changed.
            updates: Updates {
                default: Updates::Acknowledgement,
                origin: "HPCC, run.py: FAST_REACT 1",
            }
            /// The number of reference rates.
            references: References {
                default: References::One,
                origin: "HPCC, run.py: MULTI_RATE 0",
            }
            /// The precision of the reports of bridges.
            fields: Fields {
                default: Fields::Quantised,
                origin: "HPCC, int-header.h",
            }
            /// η, the share of every port's rate that the sources use together.
            utilisation: Percent {
                default: Percent::new(95), range: SHARES,
                origin: "HPCC, run.py: U_TARGET 0.95",
            }
            /// The number of windows with additive increase between two changes of the rate in proportion to η/U.
            max_stage: u32 {
                default: 0, range: counts(0, 1_000),
                origin: "HPCC, run.py: MI_THRESH 0; the default of its code and the paper (unverified): 5",
            }
            /// R_AI, the increment in every change of the rate. It makes the rates of flows converge and causes the
            /// remaining queue.
            increase: Rate {
                default: Rate::from_mbps(4), range: RATES,
                origin: PROPORTIONAL,
                scaled: PROPORTIONAL,
            }
            /// T, the base round-trip time. The largest window is T times the line rate.
            base_rtt: BaseRtt {
                default: BaseRtt::Network,
                origin: "HPCC, GLOBAL_T 1",
            }
            /// The minimum rate.
            min_rate: Rate {
                default: Rate::from_mbps(100), range: RATES,
                origin: "our choice: a hundredth of the speed; HPCC gives none below 25 Gb/s",
                presets: [
                    OneG => Rate::from_mbps(10), "our choice: a hundredth of the speed";
                    TwentyFiveG | FortyG | FiftyG | HundredG | TwoHundredG | FourHundredG | EightHundredG
                        => Rate::from_gbps(1), LEAST;
                ],
            }
        }
    }
}

impl Scheme for Params {
    const EXPLANATION: &'static str = "Congestion control by in-band telemetry. Every bridge writes its queue length and the \
        bytes that the port has sent into passing frames, and the receiver returns these reports with its \
        acknowledgements. The source computes how far each port of the path is used, including the bytes in its queue, and \
        divides its rate by the use of the busiest port relative to a target of 95 %, so that queues stay nearly empty. A \
        window limits the bytes in flight.";
    const PROFILES: &'static [Profile] = PROFILES;

    fn fit(&self, line_rate: Option<Rate>) -> Result<(), Misfit> {
        check_rates("hpcc", self.rp.min_rate, None, line_rate)
    }

    fn min_rate(&self) -> Option<Rate> {
        Some(self.rp.min_rate)
    }
}
