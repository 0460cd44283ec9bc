//! The parameters of PowerTCP. The defaults are those of its simulator.

use setpoint_units::{Bytes, Rate, TimeDelta};

use super::choices::Measure;
use super::profiles::PROFILES;
use crate::acknowledging::{Batch, Batches};
use crate::misfit::{Misfit, check_rates};
use crate::parameter::range::{INTERVALS, RATES, SHARES, counts, percents, sizes};
use crate::parameter::{Percent, Profile, parameters};
use crate::path::BaseRtt;
use crate::scheme::Scheme;
use crate::telemetry::Fields;

const CODE: &str = "ns3-datacenter, rdma-hw.cc";
const LEAST: &str = "HPCC, run.py, whose scripts ns3-datacenter uses";

parameters! {
    /// The parameters of PowerTCP.
    pub struct Params {
        /// The parameters of a PowerTCP notification point.
        np: NpParams = "powertcp.np" {
            /// The number of frames after which the receiver sends an acknowledgement. With one, every frame is
            /// acknowledged.
            frames: u32 {
                default: 1, range: counts(1, 1_000_000),
                origin: "ns3-datacenter",
            }
            /// The number of bytes after which the receiver sends an acknowledgement, unless the number of frames is
            /// reached first.
            bytes: Bytes {
                default: Bytes::new(16_000), range: sizes(1),
                origin: "our choice: larger than a frame, so that the number of frames applies",
            }
            /// The longest time that a delivered frame waits for its acknowledgement. An acknowledgement that is sent for
            /// this reason contains no reports; without it, a window smaller than a batch would stop the source.
            delay: TimeDelta {
                default: TimeDelta::from_micros(50), range: INTERVALS,
                origin: "our choice",
            }
        }
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
                    TwentyFiveG => Rate::from_gbps(1), LEAST;
                    FortyG => Rate::from_gbps(1), LEAST;
                    FiftyG => Rate::from_gbps(1), LEAST;
                    HundredG => Rate::from_gbps(1), LEAST;
                    TwoHundredG => Rate::from_gbps(1), LEAST;
                    FourHundredG => Rate::from_gbps(1), LEAST;
                    EightHundredG => Rate::from_gbps(1), LEAST;
                ],
            }
        }
    }
}

impl Batches for NpParams {
    fn batch(&self) -> Batch {
        Batch { frames: self.frames, bytes: self.bytes, delay: Some(self.delay) }
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
