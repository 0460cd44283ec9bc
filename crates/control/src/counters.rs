//! Counters of reaction points, named by their algorithms.

use alloc::vec::Vec;
use core::ops::AddAssign;

/// The counters of a reaction point.
///
/// ```
/// use setpoint_control::Counters;
///
/// let mut counters: Counters = [("decreases", 3), ("stops", 0)].into();
/// counters += [("decreases", 1), ("marks", 2)].into();
/// assert_eq!((counters.get("decreases"), counters.get("marks"), counters.get("unknown")), (4, 2, 0));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Counters(Vec<(&'static str, u64)>);

impl Counters {
    /// The heap memory that the counters of QCN and its relatives take, in bytes.
    pub const HEAP_BYTES: usize = size_of::<FamilyCounters>() / size_of::<u64>() * size_of::<(&str, u64)>();

    /// The value of a counter; zero if there is none with this name.
    pub fn get(&self, name: &str) -> u64 {
        self.0.iter().find(|(one, _)| *one == name).map_or(0, |(_, value)| *value)
    }

    /// Sets a counter.
    pub fn set(&mut self, name: &'static str, value: u64) {
        *self.entry(name) = value;
    }

    /// All counters with their names, in the order in which the algorithm lists them.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, u64)> + '_ {
        self.0.iter().copied()
    }

    fn entry(&mut self, name: &'static str) -> &mut u64 {
        let place = self.0.iter().position(|(one, _)| *one == name).unwrap_or_else(|| {
            // Flows keep their counters, so memory matters more than time.
            self.0.reserve_exact(1);
            self.0.push((name, 0));
            self.0.len() - 1
        });
        &mut self.0[place].1
    }
}

impl<const N: usize> From<[(&'static str, u64); N]> for Counters {
    fn from(counters: [(&'static str, u64); N]) -> Self {
        Self(counters.into())
    }
}

impl AddAssign for Counters {
    fn add_assign(&mut self, others: Self) {
        for (name, value) in others.0.into_iter().filter(|(_, value)| *value != 0) {
            *self.entry(name) += value;
        }
    }
}

/// A missing counter counts as zero.
impl PartialEq for Counters {
    fn eq(&self, other: &Self) -> bool {
        let agrees = |one: &Self, other: &Self| one.iter().all(|(name, value)| other.get(name) == value);
        agrees(self, other) && agrees(other, self)
    }
}

impl Eq for Counters {}

/// The counters that QCN and its relatives share. A cycle is one expiry of the byte counter or the timer.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FamilyCounters {
    /// Accepted notifications that requested a decrease. They cut the rate unless it was at its minimum.
    pub(crate) decreases: u64,
    /// Accepted notifications that requested an increase.
    pub(crate) increases: u64,
    /// Notifications ignored because another point limits the source.
    pub(crate) ignored: u64,
    /// Notifications that temporarily stopped the source.
    pub(crate) stops: u64,
    /// Cycles in fast recovery.
    pub(crate) fast_recovery_cycles: u64,
    /// Cycles in active increase.
    pub(crate) active_increase_cycles: u64,
    /// Cycles in hyper-active increase.
    pub(crate) hyper_increase_cycles: u64,
    /// Notifications that kept the old target (extra fast recovery).
    pub(crate) kept_targets: u64,
    /// Targets cut because they were far above the current rate.
    pub(crate) target_reductions: u64,
}

impl From<FamilyCounters> for Counters {
    fn from(counters: FamilyCounters) -> Self {
        [
            ("decreases", counters.decreases),
            ("increases", counters.increases),
            ("ignored", counters.ignored),
            ("stops", counters.stops),
            ("fast_recovery_cycles", counters.fast_recovery_cycles),
            ("active_increase_cycles", counters.active_increase_cycles),
            ("hyper_increase_cycles", counters.hyper_increase_cycles),
            ("kept_targets", counters.kept_targets),
            ("target_reductions", counters.target_reductions),
        ]
        .into()
    }
}
