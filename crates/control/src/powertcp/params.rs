//! The parameters of PowerTCP. The defaults are those of its simulator.

use setpoint_units::Rate;

use super::choices::Measure;
use super::profiles::PROFILES;
use crate::acknowledging::batch_parameters;
use crate::misfit::{Misfit, check_rates};
use crate::parameter::range::{RATES, SHARES, percents};
use crate::parameter::{Percent, Profile};
use crate::path::BaseRtt;
use crate::scheme::Scheme;
use crate::telemetry::Fields;

const CODE: &str = "ns3-datacenter, rdma-hw.cc";
const LEAST: &str = "HPCC, run.py, whose scripts ns3-datacenter uses";

batch_parameters! {
    /// The parameters of PowerTCP.
    pub struct Params {
        /// The parameters of a PowerTCP notification point.
        np: NpParams = "powertcp.np", frames: "ns3-datacenter";
        /// The parameters of a PowerTCP reaction point.
        rp: RpParams = "powertcp.rp" {
            /// The measurement of power.
            measure: Measure {
                default: Measure::Telemetry,
                origin: CODE,
            }
            /// The precision of the reports of bridges.
            fields: Fields {
                default: Fields::Quantised,
                origin: "HPCC, int-header.h, which ns3-datacenter uses",
            }
            /// η, the share of a port's rate at which power counts as one, if bridges report.
            utilisation: Percent {
                default: Percent::new(95), range: SHARES,
                origin: "ns3-datacenter: U_TARGET 0.95",
            }
            /// The multiple of the base round-trip time at which power counts as one, if power is measured by delay.
            target_rtt: Percent {
                default: Percent::new(105), range: percents(Percent::new(50), Percent::new(500)),
                origin: CODE,
            }
            /// γ, the weight of a new rate in the average with the reference rate.
            weight: Percent {
                default: Percent::new(90), range: SHARES,
                origin: CODE,
            }
            /// β, the increment that is part of every change of the rate.
            increase: Rate {
                default: Rate::from_mbps(150), range: RATES,
                origin: "ns3-datacenter, rdma-hw.cc, at every speed",
                presets: [
                    OneG => Rate::from_mbps(15), "our choice: as for 10 Gb/s, in proportion";
                ],
            }
            /// T, the base round-trip time. The largest window is T times the line rate.
            base_rtt: BaseRtt {
                default: BaseRtt::Network,
                origin: "HPCC, GLOBAL_T 1, whose scripts ns3-datacenter uses",
            }
            /// The minimum rate.
            min_rate: Rate {
                default: Rate::from_mbps(100), range: RATES,
                origin: "our choice: a hundredth of the speed; ns3-datacenter gives none for 10 Gb/s",
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
    const EXPLANATION: &'static str = "Congestion control by power: the arrival rate at a port times the bytes on its link \
        and in its queue, relative to a full link without a queue. Bridges report their state in passing frames, and the \
        receiver returns the reports with its acknowledgements. The source divides its rate by the largest power on its \
        path. Since power includes the growth of the queue, the source reacts before the queue is long. θ-PowerTCP \
        computes power from the round-trip time and its gradient, without help from bridges.";
    const PROFILES: &'static [Profile] = PROFILES;

    fn fit(&self, line_rate: Option<Rate>) -> Result<(), Misfit> {
        check_rates("powertcp", self.rp.min_rate, None, line_rate)
    }

    fn min_rate(&self) -> Option<Rate> {
        Some(self.rp.min_rate)
    }
}
