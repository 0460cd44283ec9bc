//! The cycles that the two clocks have completed since the last cut, and the phases that follow from them.

use super::super::{Phases, RpParams, Rules};

/// The phase of recovery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The rate returns to the target.
    FastRecovery,
    /// The target rises by a constant.
    AdditiveIncrease,
    /// The target rises by larger steps.
    HyperIncrease,
}

impl Phase {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::FastRecovery => "fast-recovery",
            Self::AdditiveIncrease => "additive-increase",
            Self::HyperIncrease => "hyper-increase",
        }
    }
}

/// A clock that completes cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Clock {
    Bytes,
    Time,
}

/// The cycles completed since the last cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stages {
    pub(super) bytes: u32,
    pub(super) time: u32,
    /// The phase of the last cycle.
    pub(super) phase: Option<Phase>,
}

impl Stages {
    pub(super) const ZERO: Self = Self { bytes: 0, time: 0, phase: None };

    /// Counts a cycle and returns its phase.
    pub(super) fn advance(&mut self, clock: Clock, params: &RpParams) -> Phase {
        let before = self.time;
        match clock {
            Clock::Bytes => self.bytes = self.bytes.saturating_add(1),
            Clock::Time => self.time = self.time.saturating_add(1),
        }
        let phase = match params.rules {
            Rules::Paper => self.phase_of_paper(clock, params),
            Rules::Vendor if before < params.threshold => Phase::FastRecovery,
            Rules::Vendor if before == params.threshold => Phase::AdditiveIncrease,
            Rules::Vendor => Phase::HyperIncrease,
        };
        self.phase = Some(phase);
        phase
    }

    fn phase_of_paper(self, clock: Clock, params: &RpParams) -> Phase {
        let threshold = params.threshold;
        let (least, most) = (self.bytes.min(self.time), self.bytes.max(self.time));
        let (recovers, hyper) = match params.phases {
            Phases::Paper => (most < threshold, least > threshold),
            Phases::Htsim => (most <= threshold, least > threshold),
            // Once recovery is in hyper increase, cycles of either clock keep it there; only a cycle of the
            // timer can start it.
            Phases::Ns3Rdma => {
                let enters = clock == Clock::Time || self.phase == Some(Phase::HyperIncrease);
                (most < threshold, least >= threshold && enters)
            }
        };
        match (recovers, hyper) {
            (true, _) => Phase::FastRecovery,
            (false, false) => Phase::AdditiveIncrease,
            (false, true) => Phase::HyperIncrease,
        }
    }

    /// The increment of the target in a cycle that has just been counted, in bits per second.
    pub(super) fn increment(self, phase: Phase, params: &RpParams) -> u64 {
        let beyond = u64::from(self.bytes.min(self.time).saturating_sub(params.threshold));
        let cycles = match (params.rules, params.phases) {
            (Rules::Vendor, _) => 1,
            (Rules::Paper, Phases::Ns3Rdma) => beyond + 1,
            (Rules::Paper, Phases::Paper | Phases::Htsim) => beyond,
        };
        match phase {
            Phase::FastRecovery => 0,
            Phase::AdditiveIncrease => params.active_increase.bits_per_second(),
            Phase::HyperIncrease => params.hyper_increase.bits_per_second().saturating_mul(cycles),
        }
    }

    /// The number by which the length of the next cycle is divided.
    pub(super) fn divisor(self, params: &RpParams) -> u64 {
        let halves = params.rules == Rules::Paper
            && params.phases == Phases::Ns3Rdma
            && self.phase == Some(Phase::HyperIncrease);
        if halves { 2 } else { 1 }
    }

    /// Whether one of the clocks has just completed its first cycle.
    pub(super) const fn any_is_first(self) -> bool {
        self.bytes == 1 || self.time == 1
    }
}
