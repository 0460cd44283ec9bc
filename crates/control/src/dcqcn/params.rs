//! The parameters of DCQCN. The defaults are those of CoNEXT'16 for 40 Gb/s.

use setpoint_units::{Bytes, Rate, TimeDelta};

use super::choices::{AlphaOrder, Marking, Phases, Release, Reports, Rules, TargetUpdate};
use super::profiles::PROFILES;
use crate::misfit::{Misfit, check_rates};
use crate::parameter::range::{INTERVALS, RATES, SHARES, SIZES, counts, fractions, percents, sizes, times};
use crate::parameter::{Fraction, Percent, Profile, Range, Switch, parameters};
use crate::path::BaseRtt;
use crate::scheme::Scheme;
use crate::window::Window;

const MODEL: &str = "CoNEXT'16, fluidmodel/dcqcn/dcqcn2.m (40 Gb/s)";
const GAINS: Range = fractions(1, 1024);
const CLOCKS: Range = times(TimeDelta::from_nanos(100), TimeDelta::from_secs(1_000));

parameters! {
    /// The parameters of DCQCN.
    pub struct Params {
        /// The parameters of a DCQCN congestion point.
        cp: CpParams = "dcqcn.cp" {
            /// The queue length up to which no frame is marked.
            k_min: Bytes {
                default: Bytes::new(5_000), range: SIZES,
                origin: MODEL,
            }
            /// The queue length above which every frame is marked. Between the two thresholds, the probability grows
            /// linearly from zero to p_max. If they are equal, the probability jumps from zero to one at this length.
            k_max: Bytes {
                default: Bytes::new(200_000), range: SIZES,
                origin: "CoNEXT'16, section on stability",
            }
            /// The probability of a mark at k_max. Above k_max it jumps to one.
            p_max: Percent {
                default: Percent::new(1), range: SHARES,
                origin: MODEL,
            }
            /// Whether frames are marked as they enter or as they leave the queue. A frame marked on entry waits in
            /// the queue with its mark, so the loop's delay grows with the queue.
            marking: Marking {
                default: Marking::Dequeue,
                origin: "ns3-rdma, HPCC; CoNEXT'16 discusses both",
            }
        }
        /// The parameters of a DCQCN notification point.
        np: NpParams = "dcqcn.np" {
            /// How the receiver reports marked frames to the source.
            reports: Reports {
                default: Reports::Paced,
                origin: "CoNEXT'16, section on the protocol",
            }
            /// The minimum time between two CNPs of a flow, or the time between two polls.
            interval: TimeDelta {
                default: TimeDelta::from_micros(50), range: INTERVALS,
                origin: MODEL,
            }
        }
        /// The parameters of a DCQCN reaction point.
        rp: RpParams = "dcqcn.rp" {
            /// The version of the algorithm.
            rules: Rules {
                default: Rules::Paper,
                origin: "CoNEXT'16",
            }
            /// The gain g of the estimate α: a CNP moves α towards one by this fraction of the distance, and time
            /// without a CNP moves it towards zero. A smaller gain averages over a longer time.
            gain: Fraction {
                default: Fraction::of_1024(4), range: GAINS,
                origin: MODEL,
            }
            /// The value of α when the first CNP arrives. With a value of 1, the first cut halves the rate.
            initial_alpha: Fraction {
                default: Fraction::ONE, range: GAINS,
                origin: MODEL,
            }
            /// The time after which α decays if no CNP has arrived or, under the vendor's rules, the time between
            /// updates of α.
            alpha_interval: TimeDelta {
                default: TimeDelta::from_micros(55), range: CLOCKS,
                origin: "CoNEXT'16, section on convergence",
            }
            /// Whether a CNP cuts the rate with the old or with the new α, under the rules of the paper.
            alpha_order: AlphaOrder {
                default: AlphaOrder::AfterCut,
                origin: "CoNEXT'16, equation (1)",
            }
            /// The time between two checks for CNPs under the vendor's rules. A check after a CNP cuts the rate once,
            /// however many CNPs have arrived.
            decrease_interval: TimeDelta {
                default: TimeDelta::from_micros(4), range: CLOCKS,
                origin: "HPCC, run.py; ConnectX: rate_reduce_monitor_period",
            }
            /// The fraction of the rate that is kept when the first CNP arrives, under the vendor's rules.
            first_rate: Percent {
                default: Percent::WHOLE, range: percents(Percent::new(1), Percent::WHOLE),
                origin: "HPCC, attribute RateOnFirstCnp",
            }
            /// When a cut makes the current rate the target of recovery. Otherwise the previous target is kept, so
            /// that one recovery makes up for several successive cuts.
            target: TargetUpdate {
                default: TargetUpdate::EveryCut,
                origin: "CoNEXT'16, equation (1)",
            }
            /// The length of a timer cycle, which raises the rate.
            time_reset: TimeDelta {
                default: TimeDelta::from_micros(55), range: CLOCKS,
                origin: "CoNEXT'16, section on convergence",
            }
            /// Whether a count of the bytes sent completes cycles that raise the rate. The vendor's rules have none.
            byte_counter: Switch {
                default: Switch::On,
                origin: "CoNEXT'16",
            }
            /// Bytes sent in one cycle of the byte counter.
            byte_reset: Bytes {
                default: Bytes::new(10_000_000), range: sizes(1_000),
                origin: MODEL,
            }
            /// The number F of cycles in fast recovery, which halve the distance to the target without raising it.
            threshold: u32 {
                default: 5, range: counts(1, 1_000),
                origin: "CoNEXT'16, section on the model",
            }
            /// When recovery passes from one phase to the next, under the rules of the paper. Under the vendor's
            /// rules, F timer cycles of fast recovery are followed by one of additive increase and then by hyper
            /// increase.
            phases: Phases {
                default: Phases::Paper,
                origin: "CoNEXT'16, without hyper increase; DCQCN'15, figure 7",
            }
            /// The increment of the target in a cycle of additive increase.
            active_increase: Rate {
                default: Rate::from_mbps(40), range: RATES,
                origin: "CoNEXT'16, section on the model (40 Gb/s)",
            }
            /// The increment of the target in a cycle of hyper increase. Under the rules of the paper it is multiplied
            /// by the number of cycles that both clocks have completed in this phase.
            hyper_increase: Rate {
                default: Rate::from_mbps(200), range: RATES,
                origin: "ns3-rdma, mix/config.txt (40 Gb/s); CoNEXT'16 leaves hyper increase out",
            }
            /// Whether the target is limited to the line rate. Otherwise it rises forever while no CNP arrives.
            target_cap: Switch {
                default: Switch::On,
                origin: "HPCC; ns3-rdma and htsim limit only the rate",
            }
            /// Whether the first cycle after a cut divides a target above ten times the rate by eight.
            target_reduction: Switch {
                default: Switch::Off,
                origin: "off: CoNEXT'16; on: ns3-rdma, which took it from QCN",
            }
            /// The minimum rate.
            min_rate: Rate {
                default: Rate::from_mbps(100), range: RATES,
                origin: "ns3-rdma; CoNEXT'16 gives none",
            }
            /// The bound on the bytes in flight. A window needs receivers that acknowledge every frame, and a source with
            /// a window has a limiter from its first frame on, which is never released.
            window: Window {
                default: Window::None,
                origin: "CoNEXT'16, ns3-rdma; HPCC, run.py: HAS_WIN and VAR_WIN",
            }
            /// T, the base round-trip time from which the window follows.
            base_rtt: BaseRtt {
                default: BaseRtt::Network,
                origin: "HPCC, GLOBAL_T 1",
            }
            /// When the limiter is released.
            release: Release {
                default: Release::Never,
                origin: "ns3-rdma, HPCC, htsim",
            }
        }
    }
}

impl Scheme for Params {
    const EXPLANATION: &'static str = "Congestion control of RoCEv2. A bridge marks frames at random: none while its \
        queue is short, more as it grows, all when it is long (RED). The receiver reports marks to the source in \
        congestion notification packets, one per 50 us at most, or in acknowledgements. The source keeps an estimate α of \
        how often it is notified, cuts its rate by α/2, and recovers as in QCN: first to the rate before the cut, then \
        beyond. Several algorithms carry this name; `profile` selects the parameters of a paper, a simulator or a \
        network card.";
    const PROFILES: &'static [Profile] = PROFILES;

    fn fit(&self, line_rate: Option<Rate>) -> Result<(), Misfit> {
        let Self { cp, rp, .. } = self;
        if cp.k_min > cp.k_max {
            let message =
                alloc::format!("dcqcn.cp.k_min is {}, above dcqcn.cp.k_max, which is {}", cp.k_min, cp.k_max);
            return Err(Misfit::new("dcqcn.cp.k_min", &message));
        }
        check_rates("dcqcn", rp.min_rate, None, line_rate)
    }

    fn min_rate(&self) -> Option<Rate> {
        Some(self.rp.min_rate)
    }
}
