//! A flow: its traffic, its route and its books.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use setpoint_control::{RpCounters, Tenant};
use setpoint_units::{Rate, Time, TimeDelta};

use crate::outcome::Fate;
use crate::random::RandomStream;
use crate::spec::Reaction;
use crate::traffic::source::{Message, Source};

/// The fields accessed for every frame come first, in whole cache lines.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(super) struct Flow {
    pub(super) source: Source,
    /// The lane it currently sends in. Its home lane has the flow's own index.
    pub(super) lane: u32,
    /// The route-table index of the port after its station's; the station's port precedes it.
    pub(super) second_step: u32,
    /// The length of its route.
    pub(super) steps: u32,
    pub(super) weight: u32,
    pub(super) class: u8,
    pub(super) reaction: Reaction,
    pub(super) books: Books,
    pub(super) cap: Option<Rate>,
    /// The tenant that its frames count for, at congestion points that use it.
    pub(super) tenant: Tenant,
    /// State that outlives its limiters; boxed, since it is rarely accessed.
    pub(super) limiters: Box<Limiters>,
}

/// State that a flow's successive limiters share.
#[derive(Clone, Debug)]
pub(super) struct Limiters {
    /// The random stream of all its limiters.
    pub(super) entropy: RandomStream,
    /// Counters of released reaction points.
    pub(super) past: RpCounters,
    /// When the flow received its first notification.
    pub(super) first_notified: Option<Time>,
}

impl Flow {
    /// Records the loss of a frame that was sent at `sent_at`. The time matters only for messages.
    pub(super) fn lose(&mut self, bytes: u16, sent_at: Time) {
        self.books.dropped_frames += 1;
        self.books.dropped += u64::from(bytes);
        if self.source.sends_messages() {
            self.books.lost.get_or_insert_default().push(Reverse((sent_at, bytes)));
        }
    }
}

/// Send times and lengths of lost frames; the one sent earliest is on top. Frames lost at several
/// bridges need not be lost in the order in which they were sent.
pub(super) type LostFrames = BinaryHeap<Reverse<(Time, u16)>>;

/// Byte and frame counts of a flow.
#[derive(Clone, Debug, Default)]
#[repr(C)]
pub(super) struct Books {
    pub(super) sent_frames: u64,
    pub(super) sent: u64,
    pub(super) delivered_frames: u64,
    pub(super) delivered: u64,
    /// Bytes of messages, in sending order, whose fate is known: delivered or lost.
    pub(super) settled: u64,
    pub(super) delay_max: TimeDelta,
    pub(super) delay_sum: u128,
    /// Lost frames that were sent after the last delivered one.
    pub(super) lost: Option<Box<LostFrames>>,
    /// Deliveries before measurement began.
    pub(super) unmeasured_frames: u64,
    pub(super) unmeasured: u64,
    pub(super) dropped_frames: u64,
    pub(super) dropped: u64,
    pub(super) notifications: u64,
}

impl Books {
    #[inline]
    pub(super) fn deliver(&mut self, bytes: u16, delay: TimeDelta) {
        self.delivered_frames += 1;
        self.delivered += u64::from(bytes);
        self.delay_sum += u128::from(delay.as_picos());
        self.delay_max = self.delay_max.max(delay);
        self.settled += u64::from(bytes);
    }

    /// Resets the measured statistics.
    pub(super) fn restart(&mut self) {
        self.unmeasured_frames = self.delivered_frames;
        self.unmeasured = self.delivered;
        self.delay_sum = 0;
        self.delay_max = TimeDelta::ZERO;
    }
}

/// A message whose fate is known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ended {
    pub(super) flow: u32,
    pub(super) fate: Fate,
    pub(super) size: u64,
    pub(super) offered: Time,
    /// When its last byte arrived; valid only for a completed message.
    pub(super) completed: Time,
}

impl Ended {
    /// A message that was not delivered completely.
    pub(super) fn incomplete(flow: u32, message: &Message, fate: Fate) -> Self {
        let Message { size, offered, .. } = *message;
        Self { flow, fate, size, offered, completed: Time::MAX }
    }
}
