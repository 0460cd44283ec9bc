//! The parameters of QCN. IEEE 802.1Q gives the same defaults for any speed; they suit 10 Gb/s.

use setpoint_units::{Bytes, Rate, TimeDelta};

use super::choices::{
    FirstSample, HyperGrowth, OldQueue, Phases, Quantizer, RecoveryFeedback, Release, Rules, Sampling, Target,
};
use crate::misfit::{Misfit, check_rates};
use crate::parameter::range::{
    JITTERS, RATES, SHARES, SIZES, WEIGHTS, counts, percents, powers, sizes, times,
};
use crate::parameter::{FRAME_LENGTHS, FrameLength, Percent, Power, Switch, parameters};
use crate::scheme::Scheme;

/// With s = speed / 10 Gb/s: 5 Mb/s × s^0.477, 50 Mb/s × s^0.699 and 15 ms × s^-0.875, rounded to two significant
/// figures and to whole Mb/s. With these exponents, the values at 10 Gb/s scale to the values at 100 Gb/s.
const INTERPOLATED: &str =
    "our choice, no source: interpolated between 10G and 100G as a power of the speed, rounded";
const EXTRAPOLATED: &str =
    "our choice, no source: extrapolated from 10G and 100G as a power of the speed, rounded";
const RACK_FABRIC: &str =
    "Chrysos et al., \"Unbiased QCN for scalable server-fabrics\" (2014), section on 100G links";

parameters! {
    /// The parameters of QCN.
    pub struct Params {
        /// The parameters of a QCN congestion point.
        cp: CpParams = "qcn.cp" {
            /// The queue length that the congestion point aims at. While the queue is above it, the point
            /// notifies sources to slow down; below it, sources speed up by themselves. A larger set point
            /// keeps the link busy through larger oscillations of the queue, at the cost of delay.
            set_point: Bytes {
                default: Bytes::new(26_000), range: SIZES, managed_object: "cpQSp",
                origin: "IEEE 802.1Q 30.2 and 32.8.3 (CpQueueSizeSetPoint); 33 kB in the task group's simulations (unverified)",
            }
            /// The weight of the queue's growth since the last sample relative to its distance from the set
            /// point. Growth measures the excess of the arrival rate over the link's rate, so a larger weight
            /// reacts earlier and damps more, but bursts mislead it more easily.
            weight: Power {
                default: Power::of_two(1), range: WEIGHTS, managed_object: "cpW",
                origin: "IEEE 802.1Q 32.8.6 (CpFeedbackWeight, whose value is the exponent)",
            }
            /// Bytes enqueued between two samples of an uncongested queue. Under congestion the point samples
            /// up to eight times as often: the mark table (150, 75, 50, 37.5, 30, 25, 21.5 and 18.5 kB,
            /// indexed by the upper three bits of the last feedback) scales in proportion to this base.
            sample_base: Bytes {
                default: Bytes::new(150_000), range: sizes(10_000), managed_object: "cpSampleBase",
                origin: "IEEE 802.1Q 32.8.11 (CpMinSampleBase)",
            }
            /// Random spread of the bytes between samples: each interval of the mark table is multiplied by a
            /// uniform random factor that differs from one by at most this percentage. It keeps sampling
            /// from falling into step with periodic traffic. "0 %" makes sampling regular.
            jitter: Percent {
                default: Percent::new(15), range: JITTERS,
                origin: "ns-3-dcn; IEEE 802.1Q 32.9.1 and 32.9.2, Random and NewCpSampleBase (unverified)",
            }
            /// How the feedback is quantised to the six bits of a notification. The published descriptions differ: they
            /// scale by 63 or by 64, take the upper bits of the binary number, or count in another unit. A feedback of
            /// less than one step (2064, 2032, 2048 or 1500 bytes by default) sends no notification. With "fine", the
            /// notification carries more than six bits and a step has 256 parts, so that 8 bytes above the set point
            /// suffice.
            quantizer: Quantizer {
                default: Quantizer::Standard,
                origin: "HPE FlexFabric 5940 manual; IEEE 802.1Q 32.9.4 (unverified); rounding down is our own choice",
            }
            /// The queue length that is one step of feedback when the quantizer is "units". The default makes
            /// the feedback a number of full-length frames. F is still limited to Qeq(2w+1), so with a set
            /// point below 63 units divided by 2w+1 the feedback never reaches 63.
            feedback_unit: FrameLength {
                default: FrameLength::new(1_500), range: FRAME_LENGTHS,
                origin: "Mliki and others (2016), section 2.1, with queue lengths in frames and feedback of at most 63",
            }
            /// The frames that the congestion point samples: the frame that completes an interval, each frame
            /// with a fixed probability or one that grows with the feedback, or every frame. Only a sampled
            /// frame can cause a notification.
            sampling: Sampling {
                default: Sampling::Table,
                origin: "pseudo-code revision 2.2 (table); Allerton 2008, figure 2 (linear); \"linear-interval\": our choice, \
                    figure 2 without a random draw",
            }
            /// The probability of sampling a frame when sampling is "fixed".
            fixed_probability: Percent {
                default: Percent::new(1), range: SHARES,
                origin: "one frame of 1500 bytes in 150 kB, the sample base of IEEE 802.1Q; our choice",
            }
            /// The probability of sampling a frame when sampling is "linear" or "linear-interval" and there is
            /// no congestion. Under congestion, it grows linearly with the feedback.
            lowest_probability: Percent {
                default: Percent::new(1), range: SHARES,
                origin: "Allerton 2008, figure 2 (end points unverified)",
            }
            /// The probability of sampling a frame when sampling is "linear" or "linear-interval" and the
            /// feedback is at its maximum, Qeq(2w+1).
            highest_probability: Percent {
                default: Percent::new(10), range: SHARES,
                origin: "Allerton 2008, figure 2 (end points unverified)",
            }
            /// When the first sample is taken if sampling is "table", "regular" or "linear-interval". The
            /// sources disagree; it affects only the first hundred frames.
            first_sample: FirstSample {
                default: FirstSample::AfterSampleBase,
                origin: "our choice, as in the Linux queueing discipline; ns-3-dcn samples the first frame",
            }
            /// The queue length from which growth is measured. With "last-feedback", samples without a
            /// notification are ignored: after a long time below the set point, growth is still measured from
            /// the length at the last notification.
            old_queue: OldQueue {
                default: OldQueue::LastSample,
                origin: "pseudo-code revision 2.2 and the definitions of July 2007; Allerton 2008 uses the last feedback",
            }
        }
        /// The parameters of a QCN reaction point.
        rp: RpParams = "qcn.rp" {
            /// Whether the reaction point reacts to notifications. If off, it always sends at its maximum
            /// rate.
            enable: Switch {
                default: Switch::On, managed_object: "rpgEnable",
                origin: "IEEE 802.1Q 32.11.1",
            }
            /// The description to follow where they differ: when a clock leaves fast recovery, and when its
            /// cycles are halved. By default the sixth cycle is the first that raises the target; under
            /// clause 32 it is the fifth.
            rules: Rules {
                default: Rules::PseudoCode,
                origin: "pseudo-code revision 2.2; IEEE 802.1Q 32.15 as in ns3-rdma, but with both clocks treated alike",
            }
            /// Whether a count of the bytes sent completes cycles that raise the rate. Without the byte
            /// counter, slow and fast flows recover at the same pace, set by the timer, and there is no
            /// hyper-active increase, which needs both clocks unless phases are "in-sequence".
            byte_counter: Switch {
                default: Switch::On,
                origin: "both clocks run in every source; switching one off is our own choice, to study the other",
            }
            /// Bytes sent in one cycle of the byte counter. Shorter cycles let fast flows recover sooner.
            byte_reset: Bytes {
                default: Bytes::new(150_000), range: sizes(1_000), managed_object: "rpgByteReset",
                origin: "IEEE 802.1Q 32.11.3; range: our choice within 32 bits",
            }
            /// Whether elapsed time completes cycles that raise the rate. Without the timer, a flow cut to
            /// the minimum rate takes very long to send the bytes that let it recover, and there is no
            /// hyper-active increase, which needs both clocks unless phases are "in-sequence".
            timer: Switch {
                default: Switch::On,
                origin: "both clocks run in every source; Allerton 2008 analyses the byte counter alone",
            }
            /// The length of a timer cycle. It sets the pace at which slow flows recover and at which flows
            /// find bandwidth that has become free.
            time_reset: TimeDelta {
                default: TimeDelta::from_millis(15), range: times(TimeDelta::from_micros(1), TimeDelta::from_secs(1_000)), managed_object: "rpgTimeReset",
                origin: "IEEE 802.1Q 32.11.2; Allerton 2008 has 10 ms; range: our choice",
                presets: [
                    TwentyFiveG => TimeDelta::from_micros(6_700), INTERPOLATED;
                    FortyG => TimeDelta::from_micros(4_500), INTERPOLATED;
                    FiftyG => TimeDelta::from_micros(3_700), INTERPOLATED;
                    HundredG => TimeDelta::from_millis(2), RACK_FABRIC;
                    TwoHundredG => TimeDelta::from_micros(1_100), EXTRAPOLATED;
                    FourHundredG => TimeDelta::from_micros(590), EXTRAPOLATED;
                    EightHundredG => TimeDelta::from_micros(320), EXTRAPOLATED;
                ],
            }
            /// The number of fast-recovery cycles, for either clock. Each cycle halves the distance between
            /// the current rate and the target; later cycles raise the target itself.
            threshold: u32 {
                default: 5, range: counts(1, 1_000), managed_object: "rpgThreshold",
                origin: "IEEE 802.1Q 32.11.4; range: our choice",
            }
            /// The increment that a cycle of active increase adds to the target. Larger increments find free
            /// bandwidth sooner but disturb the queue more, in proportion to the number of flows.
            active_increase: Rate {
                default: Rate::from_mbps(5), range: RATES, managed_object: "rpgAiRate",
                origin: "IEEE 802.1Q 32.11.6; range: our choice",
                presets: [
                    OneG => Rate::from_mbps(1), "NetFPGA QCN (Kabbani and Yasuda 2010), as quoted by Jiang et al. (SMCC)";
                    TwentyFiveG => Rate::from_mbps(8), INTERPOLATED;
                    FortyG => Rate::from_mbps(10), INTERPOLATED;
                    FiftyG => Rate::from_mbps(11), INTERPOLATED;
                    HundredG => Rate::from_mbps(15), RACK_FABRIC;
                    TwoHundredG => Rate::from_mbps(21), EXTRAPOLATED;
                    FourHundredG => Rate::from_mbps(29), EXTRAPOLATED;
                    EightHundredG => Rate::from_mbps(40), EXTRAPOLATED;
                ],
            }
            /// The increment that a cycle of hyper-active increase adds to the target, multiplied by the
            /// number of cycles that both clocks have completed in this phase.
            hyper_increase: Rate {
                default: Rate::from_mbps(50), range: RATES, managed_object: "rpgHaiRate",
                origin: "IEEE 802.1Q 32.11.7; range: our choice",
                presets: [
                    OneG => Rate::from_mbps(10), "our choice: ten times the active increase, as at 10 Gb/s";
                    TwentyFiveG => Rate::from_mbps(95), INTERPOLATED;
                    FortyG => Rate::from_mbps(130), INTERPOLATED;
                    FiftyG => Rate::from_mbps(150), INTERPOLATED;
                    HundredG => Rate::from_mbps(250), RACK_FABRIC;
                    TwoHundredG => Rate::from_mbps(410), EXTRAPOLATED;
                    FourHundredG => Rate::from_mbps(660), EXTRAPOLATED;
                    EightHundredG => Rate::from_mbps(1_100), EXTRAPOLATED;
                ],
            }
            /// The fraction of the current rate that one step of feedback removes. With the default, the
            /// strongest feedback, 63, leaves 65/128 of the rate.
            gain: Power {
                default: Power::of_two(-7), range: powers(-20, 0), managed_object: "rpgGd",
                origin: "IEEE 802.1Q 32.11.8 (the managed object is the number of right shifts, 7); range: our choice",
            }
            /// The smallest fraction of the current rate that a notification leaves, whatever the feedback.
            /// With the default gain it never takes effect.
            min_decrease_factor: Percent {
                default: Percent::new(50), range: percents(Percent::new(1), Percent::WHOLE), managed_object: "rpgMinDecFac",
                origin: "IEEE 802.1Q 32.11.9",
            }
            /// The rate is never cut below this. If there are more flows than the link can carry at this
            /// rate, they cannot be controlled.
            min_rate: Rate {
                default: Rate::from_mbps(5), range: RATES, managed_object: "rpgMinRate",
                origin: "IEEE 802.1Q 32.11.10; 10 Mb/s in the task group's simulations (unverified); range: our choice",
            }
            /// The rate is never raised above this or above the port rate. The limiter can be released
            /// once the rate gets there.
            max_rate: Option<Rate> {
                default: None, range: RATES, managed_object: "rpgMaxRate",
                origin: "IEEE 802.1Q 32.11.5; range: our choice",
            }
            /// Whether a notification that arrives before the byte counter has completed a cycle keeps the
            /// previous target. A burst of notifications then cuts the rate several times, but the flow still
            /// recovers to its original rate. If off, every notification makes the current rate the target.
            extra_fast_recovery: Switch {
                default: Switch::On,
                origin: "pseudo-code revision 2.2 and ns3-rdma; Allerton 2008 leaves it out",
            }
            /// Whether a notification makes the current rate the target before or after it cuts the current
            /// rate. All sources describe the first order; equations (2) and (3) of Mliki and others, evaluated in
            /// the order in which they are printed, give the second.
            target: Target {
                default: Target::BeforeCut,
                origin: "pseudo-code revision 2.2, Allerton 2008 and others; \"after-cut\": a reading of Mliki and others (2016), section 2.3",
            }
            /// The effect of a notification during fast recovery, which lasts while a source is limited and neither
            /// clock has completed "threshold" cycles. With "off", the source ignores it. With "no-restart", it sets
            /// the target and cuts the rate, but the cycles continue; with "cut-only", the target stays as well. In
            /// both cases even a source that is notified continuously reaches active increase. The first notification
            /// of an unlimited source always has its full effect.
            recovery_feedback: RecoveryFeedback {
                default: RecoveryFeedback::On,
                origin: "pseudo-code revision 2.2; \"no-restart\", \"cut-only\" and \"off\": readings of Mliki and others (2016), section 2.3",
            }
            /// Whether a target more than ten times the current rate is divided by eight in the first cycle
            /// of either clock, so that a deeply cut flow does not jump back to half of its old rate.
            target_reduction: Switch {
                default: Switch::On,
                origin: "pseudo-code revision 2.2 and ns3-rdma; Allerton 2008 leaves it out",
            }
            /// Whether the target is limited to the maximum rate. If off, it grows beyond that while the current
            /// rate approaches it. The current rate then reaches the maximum in fewer cycles, but after a
            /// notification that keeps the target (extra fast recovery) the flow recovers towards a rate that
            /// the port cannot reach.
            target_cap: Switch {
                default: Switch::On,
                origin: "our choice; ns-3-dcn and ns3-rdma limit only the current rate to the line rate",
            }
            /// Whether a clock's cycles are halved after fast recovery.
            period_halving: Switch {
                default: Switch::On,
                origin: "pseudo-code revision 2.2; ns3-rdma halves in hyper-active increase only",
            }
            /// The phases that follow fast recovery. With "in-sequence", a single clock leads to hyper-active
            /// increase, so a source can reach it without a timer, or at a rate too low for its byte counter to
            /// reach it.
            phases: Phases {
                default: Phases::ByClocks,
                origin: "pseudo-code revision 2.2 and ns3-rdma; \"in-sequence\": Mliki and others (2016), sections 2.3.2 and 2.3.3",
            }
            /// Whether there is a phase of hyper-active increase. If off, active increase continues instead.
            hyper_phase: Switch {
                default: Switch::On,
                origin: "pseudo-code revision 2.2 and ns3-rdma; switching it off is our own choice",
            }
            /// How the increment of hyper-active increase grows from cycle to cycle.
            hyper_growth: HyperGrowth {
                default: HyperGrowth::ByStage,
                origin: "pseudo-code revision 2.2 and ns3-rdma",
            }
            /// When the rate limiter is released, so that its flows send without limit until the next
            /// notification.
            release: Release {
                default: Release::AtMaxRateAndEmpty,
                origin: "pseudo-code revision 2.2; mlxconfig and LiquidIO release at the maximum rate",
            }
            /// Random spread of the cycle length: every cycle except the first after a notification is
            /// multiplied by a uniform random factor that differs from one by at most this percentage, so that
            /// flows do not raise their rates in step.
            jitter: Percent {
                default: Percent::new(15), range: JITTERS,
                origin: "pseudo-code revision 2.2 as in ns-3-dcn; ns3-rdma has none",
            }
        }
    }
}

impl Params {
    fn check_sampling(&self) -> Result<(), Misfit> {
        let (lowest, highest) = (self.cp.lowest_probability, self.cp.highest_probability);
        let linear = matches!(self.cp.sampling, Sampling::Linear | Sampling::LinearInterval);
        if !linear || lowest <= highest {
            return Ok(());
        }
        let message = alloc::format!(
            "qcn.cp.lowest_probability is {lowest}, above qcn.cp.highest_probability, which is {highest}"
        );
        Err(Misfit::new("qcn.cp.lowest_probability", &message))
    }
}

impl Scheme for Params {
    const EXPLANATION: &'static str = "Quantised congestion notification, IEEE 802.1Qau. A congestion point at every bridge queue \
        samples about one frame in a hundred, more often under congestion. It measures the offset of \
        the queue from its set point and its growth since the last sample: Fb = -(q_off + w q_delta). \
        If Fb is negative, the congestion point sends it, quantised to six bits, to the source of the \
        sampled frame. The reaction point there cuts its rate in proportion, by at most half, and \
        remembers the previous rate as its target. A byte counter and a timer then raise the rate \
        again: fast recovery halves the distance to the target with each cycle, active increase raises \
        the target, and hyper-active increase raises it ever faster as long as no notification arrives.";

    fn fit(&self, line_rate: Option<Rate>) -> Result<(), Misfit> {
        self.check_sampling()?;
        check_rates("qcn", self.rp.min_rate, self.rp.max_rate, line_rate)?;
        if self.rp.byte_counter.is_on() || self.rp.timer.is_on() {
            return Ok(());
        }
        let message = "qcn.rp.byte_counter and qcn.rp.timer are both off, so no rate would ever rise";
        Err(Misfit::new("qcn.rp.timer", &message))
    }

    fn set_point(&self) -> Option<Bytes> {
        Some(self.cp.set_point)
    }

    fn min_rate(&self) -> Option<Rate> {
        Some(self.rp.min_rate)
    }
}
