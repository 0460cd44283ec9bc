//! Counts of a flow's frames and bytes where they leave the network.

use setpoint_units::{Time, TimeDelta};

/// Byte and frame counts of arrivals and losses.
#[derive(Clone, Debug, Default)]
pub(in crate::network) struct Books {
    pub(in crate::network) delivered_frames: u64,
    pub(in crate::network) delivered: u64,
    pub(in crate::network) delay_max: TimeDelta,
    /// The sum of delays in picoseconds, in two halves to avoid padding.
    delay_sum: [u64; 2],
    rare: Option<Box<Rare>>,
}

/// Counts that many flows do not need.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::network) struct Rare {
    /// Deliveries before measurement began.
    pub(in crate::network) unmeasured_frames: u64,
    pub(in crate::network) unmeasured: u64,
    pub(in crate::network) dropped_frames: u64,
    pub(in crate::network) dropped: u64,
    /// Losses on links that had failed.
    pub(in crate::network) failed_frames: u64,
    pub(in crate::network) failed: u64,
    /// The frames among them that were lost while no path to their destination was known.
    pub(in crate::network) unreachable_frames: u64,
}

/// The reason why a frame was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::network) enum LossCause {
    /// A buffer was full, or a congestion point dropped the frame.
    Congestion,
    /// Its link had failed.
    Failure,
    /// Its link had failed, and no path to its destination was known.
    Unreachable,
}

/// The loss of a data frame.
#[derive(Clone, Copy, Debug)]
pub(in crate::network) struct Loss {
    pub(in crate::network) sent_at: Time,
    pub(in crate::network) bytes: u16,
    pub(in crate::network) cause: LossCause,
}

impl Books {
    #[inline]
    pub(in crate::network) fn deliver(&mut self, bytes: u16, delay: TimeDelta) {
        self.delivered_frames += 1;
        self.delivered += u64::from(bytes);
        let (low, carry) = self.delay_sum[0].overflowing_add(delay.as_picos());
        self.delay_sum = [low, self.delay_sum[1] + u64::from(carry)];
        self.delay_max = self.delay_max.max(delay);
    }

    pub(in crate::network) fn lose(&mut self, bytes: u16, cause: LossCause) {
        let rare = self.rare.get_or_insert_default();
        let (frames, sum) = match cause {
            LossCause::Congestion => (&mut rare.dropped_frames, &mut rare.dropped),
            LossCause::Failure | LossCause::Unreachable => (&mut rare.failed_frames, &mut rare.failed),
        };
        *frames += 1;
        *sum += u64::from(bytes);
        rare.unreachable_frames += u64::from(cause == LossCause::Unreachable);
    }

    /// Resets the measured statistics.
    pub(in crate::network) fn restart(&mut self) {
        if self.delivered_frames > 0 {
            let rare = self.rare.get_or_insert_default();
            rare.unmeasured_frames = self.delivered_frames;
            rare.unmeasured = self.delivered;
        }
        self.delay_sum = [0; 2];
        self.delay_max = TimeDelta::ZERO;
    }

    /// The sum of delays in picoseconds.
    pub(in crate::network) fn delay_sum(&self) -> u128 {
        u128::from(self.delay_sum[1]) << 64 | u128::from(self.delay_sum[0])
    }

    /// Losses, and deliveries before measurement began.
    pub(in crate::network) fn rare(&self) -> Rare {
        self.rare.as_deref().copied().unwrap_or_default()
    }

    /// Bytes that have left the network, delivered or lost.
    pub(in crate::network) fn ended(&self) -> u64 {
        let Rare { dropped, failed, .. } = self.rare();
        self.delivered + dropped + failed
    }
}
