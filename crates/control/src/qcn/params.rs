//! The parameters of QCN's two points.
//!
//! What each of them does, its range, its managed object and where its default comes from is written in
//! [`PARAMETERS`](super::PARAMETERS), once. The defaults here are those of IEEE 802.1Q for any speed, which
//! are meant for 10 Gb/s.

use setpoint_units::{Bytes, Rate, TimeDelta};

use crate::parameter::{Percent, Power, Switch, choice};

/// The parameters of a congestion point and of the reaction points it talks to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Params {
    /// Of the congestion point.
    pub cp: CpParams,
    /// Of the reaction point.
    pub rp: RpParams,
}

/// The parameters of a congestion point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CpParams {
    /// The queue length that is aimed at (cpQSp).
    pub set_point: Bytes,
    /// Weight of the queue's growth against its offset (cpW).
    pub weight: Power,
    /// Bytes between samples of an uncongested queue (cpSampleBase).
    pub sample_base: Bytes,
    /// Spread of the bytes between samples to either side.
    pub jitter: Percent,
    /// How feedback becomes six bits.
    pub quantizer: Quantizer,
    /// Which frames are sampled.
    pub sampling: Sampling,
    /// Chance of a frame to be sampled under [`Sampling::Fixed`].
    pub fixed_probability: Percent,
    /// Chance of a frame to be sampled without congestion under [`Sampling::Linear`].
    pub lowest_probability: Percent,
    /// Chance of a frame to be sampled at the largest feedback under [`Sampling::Linear`].
    pub highest_probability: Percent,
    /// When the first sample is taken.
    pub first_sample: FirstSample,
    /// Which earlier queue length the growth is counted from.
    pub old_queue: OldQueue,
}

/// The parameters of a reaction point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RpParams {
    /// Whether notifications are obeyed at all (rpgEnable).
    pub enable: Switch,
    /// Which description of the algorithm is followed where they differ.
    pub rules: Rules,
    /// Whether bytes sent raise the rate.
    pub byte_counter: Switch,
    /// Bytes sent in a cycle of the byte counter (rpgByteReset).
    pub byte_reset: Bytes,
    /// Whether time passing raises the rate.
    pub timer: Switch,
    /// Length of a cycle of the timer (rpgTimeReset).
    pub time_reset: TimeDelta,
    /// Cycles of fast recovery (rpgThreshold).
    pub threshold: u32,
    /// What a cycle of active increase adds to the target (rpgAiRate).
    pub active_increase: Rate,
    /// What the first cycle of hyper-active increase adds to the target (rpgHaiRate).
    pub hyper_increase: Rate,
    /// Part of the rate that one unit of feedback takes away (rpgGd, as the power of two it stands for).
    pub gain: Power,
    /// Part of the rate that any notification leaves (rpgMinDecFac).
    pub min_decrease_factor: Percent,
    /// The rate is never below this (rpgMinRate).
    pub min_rate: Rate,
    /// The rate is never above this; none is the rate of the port (rpgMaxRate).
    pub max_rate: Option<Rate>,
    /// Whether a second notification in a row keeps the old target.
    pub extra_fast_recovery: Switch,
    /// Whether a target far above the rate is lowered in the first cycle.
    pub target_reduction: Switch,
    /// Whether the target is held at the largest rate.
    pub target_cap: Switch,
    /// Whether cycles are shorter past fast recovery.
    pub period_halving: Switch,
    /// Whether there is a phase of hyper-active increase.
    pub hyper_phase: Switch,
    /// When the limiter is no longer needed.
    pub release: Release,
    /// Spread of the length of cycles to either side.
    pub jitter: Percent,
}

choice! {
    /// How feedback becomes six bits. F is the feedback's magnitude, m = Qeq(2w+1) the largest there is.
    Quantizer {
        Standard = "standard", "floor(63 F / m), as in the HPE FlexFabric 5940 manual and, we believe, clause 32.9.4.";
        SixtyFourSteps = "64-steps", "min(63, floor(64 F / m)), as in ns-3-dcn.";
        TopBits = "top-bits", "The six most significant bits of F in the width of m, the pseudo-code's words.";
    }
}

choice! {
    /// Which frames a congestion point samples.
    Sampling {
        Table = "table", "One frame each time a number of bytes from the mark table has been enqueued.";
        Regular = "regular", "One frame each time the sample base has been enqueued, whatever the feedback.";
        Fixed = "fixed", "Each frame with the same probability.";
        Linear = "linear", "Each frame with a probability that grows linearly with the feedback (Allerton 2008, figure 2).";
        EveryFrame = "every-frame", "Every frame.";
    }
}

choice! {
    /// When a congestion point takes its first sample.
    FirstSample {
        AfterSampleBase = "after-sample-base", "Once the sample base has been enqueued, as in the Linux queueing discipline.";
        FirstFrame = "first-frame", "At the first frame, as in ns-3-dcn.";
    }
}

choice! {
    /// Which earlier queue length a congestion point counts the queue's growth from.
    OldQueue {
        LastSample = "last-sample", "The one at the last sample, whether or not it gave a notification (pseudo-code 2.2).";
        LastFeedback = "last-feedback", "The one at the last notification (Allerton 2008).";
    }
}

choice! {
    /// Which description of the reaction point is followed where they differ.
    Rules {
        PseudoCode = "pseudo-code", "Revision 2.2 of the pseudo-code: a counter is past fast recovery after more cycles than the threshold, and its own cycles are then halved.";
        Clause32 = "clause-32", "The state machine of clause 32 as ns3-rdma has it: past fast recovery at the threshold, cycles halved in hyper-active increase only.";
    }
}

choice! {
    /// When a rate limiter is no longer needed.
    Release {
        AtMaxRateAndEmpty = "at-max-rate-and-empty", "When the rate is the largest and no frame waits (pseudo-code 2.2).";
        AtMaxRate = "at-max-rate", "As soon as the rate is the largest (rpgMaxRate as adapters read it).";
    }
}

impl Default for CpParams {
    fn default() -> Self {
        Self {
            set_point: Bytes::new(26_000),
            weight: Power::of_two(1),
            sample_base: Bytes::new(150_000),
            jitter: Percent::new(15),
            quantizer: Quantizer::Standard,
            sampling: Sampling::Table,
            fixed_probability: Percent::new(1),
            lowest_probability: Percent::new(1),
            highest_probability: Percent::new(10),
            first_sample: FirstSample::AfterSampleBase,
            old_queue: OldQueue::LastSample,
        }
    }
}

impl Default for RpParams {
    fn default() -> Self {
        Self {
            enable: Switch::On,
            rules: Rules::PseudoCode,
            byte_counter: Switch::On,
            byte_reset: Bytes::new(150_000),
            timer: Switch::On,
            time_reset: TimeDelta::from_millis(15),
            threshold: 5,
            active_increase: Rate::from_mbps(5),
            hyper_increase: Rate::from_mbps(50),
            gain: Power::of_two(-7),
            min_decrease_factor: Percent::new(50),
            min_rate: Rate::from_mbps(5),
            max_rate: None,
            extra_fast_recovery: Switch::On,
            target_reduction: Switch::On,
            target_cap: Switch::On,
            period_halving: Switch::On,
            hyper_phase: Switch::On,
            release: Release::AtMaxRateAndEmpty,
            jitter: Percent::new(15),
        }
    }
}
