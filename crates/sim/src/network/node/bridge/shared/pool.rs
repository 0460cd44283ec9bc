//! The pools of one bridge: the shared pool with its dynamic threshold, and the headroom pool.

use setpoint_units::Bytes;

use crate::lossless::SharedBudget;
use crate::outcome::SharedBufferOutcome;
use crate::spec::Alpha;

/// The buffer of a bridge.
#[derive(Clone, Debug)]
pub(super) struct Pool {
    budget: SharedBudget,
    /// The size of the shared pool.
    size: u64,
    /// Bytes of the shared pool in use.
    used: u64,
    headroom_used: u64,
    used_peak: u64,
    headroom_peak: u64,
    pub(super) pauses: u64,
    headroom_frames: u64,
    above_threshold: u64,
    full: u64,
}

/// The limit that refuses a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Limit {
    /// α times the free shared space.
    Threshold,
    /// The size of the shared pool.
    Pool,
}

/// A user of a pool: an input with a counter, or an output queue.
#[derive(Clone, Copy, Debug)]
pub(super) struct User {
    /// Bytes that it holds, without headroom.
    pub(super) held: u64,
    pub(super) reserve: u64,
    pub(super) alpha: Alpha,
}

impl User {
    /// The bytes that it holds in the shared pool.
    #[inline]
    pub(super) fn shared(&self) -> u64 {
        self.held.saturating_sub(self.reserve)
    }

    /// The same user with another number of bytes.
    #[inline]
    fn holding(self, held: u64) -> Self {
        Self { held, ..self }
    }
}

impl Pool {
    /// An empty buffer.
    pub(super) fn new(budget: SharedBudget) -> Self {
        Self {
            size: budget.shared().map_or(0, Bytes::get),
            budget,
            used: 0,
            headroom_used: 0,
            used_peak: 0,
            headroom_peak: 0,
            pauses: 0,
            headroom_frames: 0,
            above_threshold: 0,
            full: 0,
        }
    }

    /// Free bytes of the shared pool.
    #[inline]
    fn free(&self) -> u64 {
        self.size - self.used
    }

    /// The number of bytes of the shared pool that a user may hold now.
    #[inline]
    pub(super) fn threshold(&self, user: &User) -> u64 {
        user.alpha.of(self.free())
    }

    /// The threshold with the given number of bytes in use.
    pub(super) fn threshold_with(&self, alpha: Alpha, used: u64) -> u64 {
        alpha.of(self.size.saturating_sub(used))
    }

    /// Allocates space for a frame in the user's reserve and the shared pool.
    #[inline]
    pub(super) fn take(&mut self, user: &User, bytes: u64) -> Result<(), Limit> {
        let after = user.holding(user.held + bytes).shared();
        let growth = after - user.shared();
        if after > self.threshold(user) && after > 0 {
            return Err(Limit::Threshold);
        }
        if growth > self.free() {
            return Err(Limit::Pool);
        }
        self.used += growth;
        self.used_peak = self.used_peak.max(self.used);
        Ok(())
    }

    /// Frees space that a user holds.
    #[inline]
    pub(super) fn give_back(&mut self, user: &User, bytes: u64) {
        self.used -= user.shared() - user.holding(user.held - bytes).shared();
    }

    /// Allocates headroom for a frame. Returns whether there was enough.
    pub(super) fn take_headroom(&mut self, bytes: u64) -> bool {
        if self.headroom_used + bytes > self.budget.headroom_pool.get() {
            return false;
        }
        self.headroom_used += bytes;
        self.headroom_peak = self.headroom_peak.max(self.headroom_used);
        self.headroom_frames += 1;
        true
    }

    /// Frees headroom.
    #[inline]
    pub(super) fn give_headroom_back(&mut self, bytes: u64) {
        self.headroom_used -= bytes;
    }

    /// Counts a frame dropped because of the given limit.
    pub(super) fn count_drop(&mut self, limit: Limit) {
        match limit {
            Limit::Threshold => self.above_threshold += 1,
            Limit::Pool => self.full += 1,
        }
    }

    /// Bytes in use: of the shared pool, and of headroom.
    pub(super) fn in_use(&self) -> (u64, u64) {
        (self.used, self.headroom_used)
    }

    /// The results of the buffer.
    pub(super) fn outcome(&self) -> SharedBufferOutcome {
        SharedBufferOutcome {
            budget: self.budget,
            shared_peak: Bytes::new(self.used_peak),
            headroom_peak: Bytes::new(self.headroom_peak),
            pauses: self.pauses,
            headroom_frames: self.headroom_frames,
            dropped_above_threshold: self.above_threshold,
            dropped_by_full_pool: self.full,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::NodeId;

    /// A pool of 10 000 B shared and 1000 B of headroom.
    fn pool() -> Pool {
        Pool::new(SharedBudget {
            bridge: NodeId(0),
            size: Bytes::new(11_000),
            reserves: Bytes::ZERO,
            headroom_pool: Bytes::new(1_000),
            headroom_needed: Bytes::new(1_000),
            counters: 1,
            exhausted_by: None,
        })
    }

    fn user(alpha: f64, reserve: u64) -> User {
        User { held: 0, reserve, alpha: Alpha::new(alpha).unwrap() }
    }

    /// Adds one-byte frames for each user in turn until no user gets any more space.
    fn fill(pool: &mut Pool, users: &mut [User]) {
        loop {
            let mut grown = false;
            for user in users.iter_mut() {
                if pool.take(user, 1).is_ok() {
                    user.held += 1;
                    grown = true;
                }
            }
            if !grown {
                return;
            }
        }
    }

    /// Choudhury and Hahne: n users that want more each hold B α / (1 + n α).
    #[test]
    fn thresholds_fall_as_others_fill() {
        for (alpha, count, each) in
            [(1.0, 1, 5_000), (1.0, 2, 3_333), (1.0, 3, 2_500), (0.125, 2, 1_000), (2.0, 3, 2_857)]
        {
            let (mut pool, mut users) = (pool(), vec![user(alpha, 0); count]);
            fill(&mut pool, &mut users);
            let held: Vec<u64> = users.iter().map(|user| user.held).collect();
            assert!(held.iter().all(|held| held.abs_diff(each) <= 1), "{alpha} {held:?}");
            assert_eq!(pool.in_use(), (held.iter().sum(), 0));
        }
    }

    #[test]
    fn a_late_user_finds_less_than_its_share_until_others_drain() {
        let (mut pool, mut first, mut late) = (pool(), [user(2.0, 0)], user(2.0, 0));
        fill(&mut pool, &mut first);
        assert_eq!(first[0].held, 6_667);
        // The late user's threshold is 6666 B, but only 3333 B are free.
        assert_eq!(pool.take(&late, 6_000), Err(Limit::Pool));
        assert_eq!(pool.take(&late, 7_000), Err(Limit::Threshold));
        assert_eq!(pool.take(&late, 3_000), Ok(()));
        late.held = 3_000;
        assert_eq!((pool.threshold(&first[0]), pool.threshold(&late)), (666, 666));
        pool.give_back(&first[0], 6_667);
        assert_eq!(pool.threshold(&late), 14_000);
    }

    #[test]
    fn a_reserve_is_used_first_and_freed_last() {
        let (mut pool, mut user) = (pool(), user(1.0, 400));
        assert_eq!(pool.take(&user, 300), Ok(()));
        user.held = 300;
        assert_eq!((pool.in_use().0, user.shared()), (0, 0));
        assert_eq!(pool.take(&user, 300), Ok(()));
        user.held = 600;
        assert_eq!((pool.in_use().0, user.shared()), (200, 200));
        pool.give_back(&user, 500);
        assert_eq!(pool.in_use().0, 0);
    }

    #[test]
    fn headroom_ends_with_its_pool() {
        let mut pool = pool();
        assert_eq!([600, 400, 1].map(|bytes| pool.take_headroom(bytes)), [true, true, false]);
        pool.give_headroom_back(600);
        assert_eq!(pool.in_use(), (0, 400));
        assert_eq!(pool.outcome().headroom_peak, Bytes::new(1_000));
    }
}
