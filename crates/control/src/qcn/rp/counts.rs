//! The counters of a QCN reaction point: the fields of [`FamilyCounters`] that it uses, so that the point stays within
//! its cache lines.

use super::RpPhase;
use crate::counters::FamilyCounters;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) decreases: u64,
    pub(super) kept_targets: u64,
    pub(super) target_reductions: u64,
    fast_recovery: u64,
    active_increase: u64,
    hyper_increase: u64,
}

impl Counts {
    /// The cycle counter of a phase.
    pub(super) fn cycles_in(&mut self, phase: RpPhase) -> &mut u64 {
        match phase {
            RpPhase::Unlimited | RpPhase::FastRecovery => &mut self.fast_recovery,
            RpPhase::ActiveIncrease => &mut self.active_increase,
            RpPhase::HyperIncrease => &mut self.hyper_increase,
        }
    }
}

impl From<Counts> for FamilyCounters {
    fn from(counts: Counts) -> Self {
        Self {
            decreases: counts.decreases,
            fast_recovery_cycles: counts.fast_recovery,
            active_increase_cycles: counts.active_increase,
            hyper_increase_cycles: counts.hyper_increase,
            kept_targets: counts.kept_targets,
            target_reductions: counts.target_reductions,
            ..Self::default()
        }
    }
}
