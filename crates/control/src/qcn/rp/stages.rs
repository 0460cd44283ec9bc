//! How far a reaction point has come since its last notification, and what follows from it.
//!
//! The pseudo-code keeps two counts and tests them; clause 32 draws a state machine (FAST_BYTE, ACTIVE_TIME,
//! HYPER_INCREASE, ...). With both ACTIVE_BYTE and ACTIVE_TIME leading to ACTIVE_SELECT the machine's state
//! is a function of its two stages, and the descriptions differ in two points only:
//!
//! * A clock is past fast recovery when it has completed **more** cycles than the threshold (pseudo-code), or
//!   **as many** (clause 32, whose test is `stage < rpgThreshold`). By default the sixth cycle is the first to
//!   raise the target, or the fifth.
//! * A clock's cycles are halved once **it** is past fast recovery (pseudo-code), or in those states only
//!   that are entered from hyper-active increase, HYPER_BYTE and HYPER_TIME (clause 32).
//!
//! The simulator ns3-rdma takes ACTIVE_BYTE straight to ACTIVE_INCREASE, so that only the timer can lead to
//! hyper-active increase. We hold that for a slip and treat both clocks alike.

use super::super::{RpParams, Rules};
use setpoint_units::Rate;

/// Cycles completed since the last notification.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stages {
    /// By the byte counter (rpByteStage; `si_count` in the pseudo-code).
    pub bytes: u32,
    /// By the timer (rpTimeStage; `timer_scount` in the pseudo-code).
    pub time: u32,
}

/// Where a reaction point is on its way back to the full rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RpPhase {
    /// No notification has been heard.
    Unlimited,
    /// Back to the rate before the last notification.
    FastRecovery,
    /// One clock is past fast recovery: probing for more.
    ActiveIncrease,
    /// Both clocks are past fast recovery: probing ever faster.
    HyperIncrease,
}

impl RpPhase {
    /// Its name, in a word or two.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unlimited => "unlimited",
            Self::FastRecovery => "fast-recovery",
            Self::ActiveIncrease => "active-increase",
            Self::HyperIncrease => "hyper-increase",
        }
    }
}

impl Stages {
    pub(super) fn phase(self, params: &RpParams) -> RpPhase {
        let past = first_stage_past(params);
        if self.bytes.max(self.time) < past {
            RpPhase::FastRecovery
        } else if self.bytes.min(self.time) < past || !params.hyper_phase.is_on() {
            RpPhase::ActiveIncrease
        } else {
            RpPhase::HyperIncrease
        }
    }

    /// What a cycle adds to the target, in bits per second. The first cycle of hyper-active increase adds
    /// rpgHaiRate, the n-th stage reached by both clocks n times as much.
    pub(super) fn increment(self, phase: RpPhase, params: &RpParams) -> u64 {
        let times = |rate: Rate, factor: u32| rate.bits_per_second().saturating_mul(u64::from(factor));
        match phase {
            RpPhase::Unlimited | RpPhase::FastRecovery => 0,
            RpPhase::ActiveIncrease => times(params.active_increase, 1),
            RpPhase::HyperIncrease => {
                let beyond = self.bytes.min(self.time) - first_stage_past(params);
                times(params.hyper_increase, beyond.saturating_add(1))
            }
        }
    }

    /// Whether a clock has completed exactly one cycle, when a target far away is reduced.
    pub(super) fn any_is_first(self) -> bool {
        self.bytes == 1 || self.time == 1
    }
}

/// Whether the cycle that begins is halved, given the phase in which the last one ended and the stage that
/// its clock has now reached.
pub(super) fn period_is_halved(params: &RpParams, phase: RpPhase, own_stage: u32) -> bool {
    params.period_halving.is_on()
        && match params.rules {
            Rules::PseudoCode => own_stage >= first_stage_past(params),
            Rules::Clause32 => phase == RpPhase::HyperIncrease,
        }
}

/// The stage at which a clock is past fast recovery.
fn first_stage_past(params: &RpParams) -> u32 {
    match params.rules {
        Rules::PseudoCode => params.threshold.saturating_add(1),
        Rules::Clause32 => params.threshold,
    }
}
