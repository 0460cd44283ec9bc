//! The progress of a reaction point since its last notification, and its consequences.
//!
//! The pseudo-code keeps two counts and tests them; clause 32 draws a state machine (FAST_BYTE, ACTIVE_TIME,
//! HYPER_INCREASE, ...). If both ACTIVE_BYTE and ACTIVE_TIME lead to ACTIVE_SELECT, the machine's state is a
//! function of its two stages, and the descriptions differ in only two respects:
//!
//! * A clock leaves fast recovery when it has completed **more** cycles than the threshold (pseudo-code), or when it
//!   has completed **the threshold** (clause 32, whose test is `stage < rpgThreshold`). By default, the first cycle
//!   to raise the target is therefore the sixth (pseudo-code) or the fifth (clause 32).
//! * A clock's cycles are halved once **it** has left fast recovery (pseudo-code), or only in the states that are
//!   entered from hyper-active increase, HYPER_BYTE and HYPER_TIME (clause 32).
//!
//! The simulator ns3-rdma goes directly from ACTIVE_BYTE to ACTIVE_INCREASE, so that only the timer can lead
//! to hyper-active increase. We consider this an error and treat both clocks alike.

use super::super::{HyperGrowth, Phases, RpParams, Rules};
use setpoint_units::Rate;

/// The cycles completed since the last notification.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stages {
    /// By the byte counter (rpByteStage; `si_count` in the pseudo-code).
    pub bytes: u32,
    /// By the timer (rpTimeStage; `timer_scount` in the pseudo-code).
    pub time: u32,
}

/// The phase of a reaction point's recovery to the full rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RpPhase {
    /// No notification has arrived.
    Unlimited,
    /// Recovering to the rate before the last notification.
    FastRecovery,
    /// One clock has left fast recovery: probing for more bandwidth.
    ActiveIncrease,
    /// Both clocks have left fast recovery: probing ever faster.
    HyperIncrease,
}

impl RpPhase {
    /// Its name.
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
        if self.bytes.max(self.time) < first_stage_past(params) {
            RpPhase::FastRecovery
        } else if self.hyper_cycles(params).is_none() || !params.hyper_phase.is_on() {
            RpPhase::ActiveIncrease
        } else {
            RpPhase::HyperIncrease
        }
    }

    /// The cycles completed since hyper-active increase began; none before it.
    fn hyper_cycles(self, params: &RpParams) -> Option<u32> {
        let past = first_stage_past(params);
        match params.phases {
            Phases::ByClocks => self.bytes.min(self.time).checked_sub(past),
            Phases::InSequence => self.bytes.max(self.time).checked_sub(past.saturating_add(1)),
        }
    }

    /// The increment of the target in a cycle, in bits per second. By default, the n-th stage of hyper-active increase
    /// that both clocks have reached adds n times rpgHaiRate.
    pub(super) fn increment(self, phase: RpPhase, params: &RpParams) -> u64 {
        let times = |rate: Rate, factor: u32| rate.bits_per_second().saturating_mul(u64::from(factor));
        match phase {
            RpPhase::Unlimited | RpPhase::FastRecovery => 0,
            RpPhase::ActiveIncrease => times(params.active_increase, 1),
            RpPhase::HyperIncrease => {
                let beyond = self.hyper_cycles(params).unwrap_or(0);
                let factor = match params.hyper_growth {
                    HyperGrowth::ByStage => beyond.saturating_add(1),
                    HyperGrowth::FromZero => beyond,
                    HyperGrowth::Constant => 1,
                };
                times(params.hyper_increase, factor)
            }
        }
    }

    /// Whether a clock has completed exactly one cycle; a distant target is then reduced.
    pub(super) fn any_is_first(self) -> bool {
        self.bytes == 1 || self.time == 1
    }
}

/// Whether the next cycle is halved, given the phase at the end of the last one and the stage that its clock has
/// reached.
pub(super) fn period_is_halved(params: &RpParams, phase: RpPhase, own_stage: u32) -> bool {
    params.period_halving.is_on()
        && match (params.phases, params.rules) {
            (Phases::InSequence, _) => own_stage.saturating_add(1) >= first_stage_past(params),
            (Phases::ByClocks, Rules::PseudoCode) => own_stage >= first_stage_past(params),
            (Phases::ByClocks, Rules::Clause32) => phase == RpPhase::HyperIncrease,
        }
}

/// The first stage at which a clock has left fast recovery.
fn first_stage_past(params: &RpParams) -> u32 {
    match params.rules {
        Rules::PseudoCode => params.threshold.saturating_add(1),
        Rules::Clause32 => params.threshold,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both clocks have completed two cycles beyond the fifth.
    #[test]
    fn hyper_increase_grows_as_chosen() {
        let stages = Stages { bytes: 7, time: 8 };
        for (hyper_growth, expected) in [
            (HyperGrowth::ByStage, 100_000_000),
            (HyperGrowth::FromZero, 50_000_000),
            (HyperGrowth::Constant, 50_000_000),
        ] {
            let params = RpParams { hyper_growth, ..RpParams::default() };
            assert_eq!(stages.increment(RpPhase::HyperIncrease, &params), expected, "{hyper_growth:?}");
        }
        let first = Stages { bytes: 6, time: 6 };
        let from_zero = RpParams { hyper_growth: HyperGrowth::FromZero, ..RpParams::default() };
        assert_eq!(first.increment(RpPhase::HyperIncrease, &from_zero), 0);
    }

    /// Mliki and others (2016), sections 2.3.1 to 2.3.3: five cycles of 150 kB, one of 75 kB that adds 5 Mb/s, and then
    /// cycles that add 50 Mb/s.
    #[test]
    fn phases_in_sequence_need_one_clock() {
        let params = RpParams {
            phases: Phases::InSequence,
            hyper_growth: HyperGrowth::Constant,
            ..RpParams::default()
        };
        let of = |bytes: u32, time: u32| {
            let stages = Stages { bytes, time };
            let phase = stages.phase(&params);
            (phase, stages.increment(phase, &params))
        };
        assert_eq!(of(5, 5), (RpPhase::FastRecovery, 0));
        assert_eq!([of(6, 0), of(0, 6), of(6, 6)], [(RpPhase::ActiveIncrease, 5_000_000); 3]);
        assert_eq!([of(7, 0), of(3, 7), of(8, 8)], [(RpPhase::HyperIncrease, 50_000_000); 3]);
        // The sixth cycle, which follows stage 5, is the first short one.
        let halved = |stage| period_is_halved(&params, RpPhase::FastRecovery, stage);
        assert_eq!([halved(4), halved(5), halved(6)], [false, true, true]);
        // The increment grows from the first cycle of hyper-active increase, the seventh.
        let growing = RpParams { hyper_growth: HyperGrowth::ByStage, ..params };
        let increment =
            |bytes| Stages { bytes, time: 0 }.increment(RpPhase::HyperIncrease, &growing) / 50_000_000;
        assert_eq!([7, 8, 9].map(increment), [1, 2, 3]);
    }
}
