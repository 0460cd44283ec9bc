//! A flow: its traffic, its route and its books.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use setpoint_control::{RpCounters, Tenant};
use setpoint_units::{Rate, Time, TimeDelta};

use crate::outcome::Fate;
use crate::random::RandomStream;
use crate::spec::Reaction;
use crate::traffic::source::{Message, Source};

/// What every frame touches comes first, in whole cache lines.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(super) struct Flow {
    pub(super) source: Source,
    /// The lane it sends in; its home has its own index.
    pub(super) lane: u32,
    /// Where in the table of routes the port after its station's stands; the station's is before it.
    pub(super) second_step: u32,
    /// Entries of its route there.
    pub(super) steps: u32,
    pub(super) weight: u32,
    pub(super) class: u8,
    pub(super) reaction: Reaction,
    pub(super) books: Books,
    pub(super) cap: Option<Rate>,
    /// On whose account its frames are, at congestion points that ask.
    pub(super) tenant: Tenant,
    /// What outlives its limiters; apart, since it is seldom looked at.
    pub(super) limiters: Box<Limiters>,
}

/// What the limiters of a flow leave to those that come after them.
#[derive(Clone, Debug)]
pub(super) struct Limiters {
    /// What they draw from, one after the other.
    pub(super) entropy: RandomStream,
    /// What reaction points did that are no more.
    pub(super) past: RpCounters,
    /// When the flow first heard of congestion.
    pub(super) first_notified: Option<Time>,
}

impl Flow {
    /// A frame that was sent at `sent_at` is lost. Which one matters only to messages.
    pub(super) fn lose(&mut self, bytes: u16, sent_at: Time) {
        self.books.dropped_frames += 1;
        self.books.dropped += u64::from(bytes);
        if self.source.sends_messages() {
            self.books.lost.get_or_insert_default().push(Reverse((sent_at, bytes)));
        }
    }
}

/// When frames were sent and how many bytes they had, the first sent on top: of frames lost at several
/// bridges, one that was sent later may be lost earlier.
pub(super) type LostFrames = BinaryHeap<Reverse<(Time, u16)>>;

/// What went in and what came out.
#[derive(Clone, Debug, Default)]
#[repr(C)]
pub(super) struct Books {
    pub(super) sent_frames: u64,
    pub(super) sent: u64,
    pub(super) delivered_frames: u64,
    pub(super) delivered: u64,
    /// Bytes of messages, in the order of sending, whose fate is known: delivered or lost.
    pub(super) settled: u64,
    pub(super) delay_max: TimeDelta,
    pub(super) delay_sum: u128,
    /// Lost frames that were sent after the last delivered one.
    pub(super) lost: Option<Box<LostFrames>>,
    /// What was delivered before measurement began.
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

    /// Forgets what was measured so far.
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
    /// When its last byte arrived; only of one that was completed.
    pub(super) completed: Time,
}

impl Ended {
    /// A message that did not arrive in full.
    pub(super) fn incomplete(flow: u32, message: &Message, fate: Fate) -> Self {
        let Message { size, offered, .. } = *message;
        Self { flow, fate, size, offered, completed: Time::MAX }
    }
}
