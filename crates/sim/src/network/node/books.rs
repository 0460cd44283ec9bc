//! Counts of a flow's frames and bytes where they leave the network.

use setpoint_units::TimeDelta;

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

    pub(in crate::network) fn lose(&mut self, bytes: u16) {
        let rare = self.rare.get_or_insert_default();
        rare.dropped_frames += 1;
        rare.dropped += u64::from(bytes);
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
        self.delivered + self.rare().dropped
    }
}
