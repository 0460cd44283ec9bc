//! Congestion points and reaction points of lossless Ethernet.
//!
//! An algorithm is a pair of state machines. The **congestion point** sits at a queue, watches
//! frames being enqueued and now and then returns a [`Notification`] for the source of the frame
//! it sampled. The **reaction point** sits at the source, in front of one rate limiter, and turns
//! notifications, bytes sent and its own timer into a rate.
//!
//! Nothing here has a clock, a random generator, a socket or an allocation: time and randomness
//! ([`Entropy`]) are arguments, arithmetic is on integers, so the same code runs in the simulator
//! and on real frames and gives the same numbers.
//!
//! One algorithm is one folder. [`CongestionPoint`] and [`ReactionPoint`] are the closed sets the
//! callers hold; `None` is an algorithm too, so that flow control alone is a case and not an
//! option everywhere.
#![no_std]

extern crate alloc;

mod jitter;
pub mod parameter;
pub mod qcn;

use setpoint_units::{Bytes, Rate, Time};

/// A source of uniform random numbers, owned by the caller.
pub trait Entropy {
    /// The next 32 random bits.
    fn next_u32(&mut self) -> u32;
}

/// A frame has come to the queue a congestion point watches.
///
/// Whoever drops frames decides whether the point sees those too; it cannot tell them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// Length of the frame.
    pub frame: Bytes,
    /// Length of the queue with the frame in it, unless it was dropped.
    pub queue: Bytes,
}

/// Congestion feedback in the six bits of a notification frame: 0 (none) to 63 (most).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct QuantizedFeedback(u8);

impl QuantizedFeedback {
    /// The strongest feedback.
    pub const MAX: Self = Self(63);

    /// A feedback of at most 63; larger values are held at 63.
    #[must_use]
    pub const fn saturating(value: u64) -> Self {
        if value > 63 { Self::MAX } else { Self(value as u8) }
    }

    /// The six bits.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }
}

/// What a congestion point tells the source of a sampled frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Notification {
    /// The quantised feedback.
    pub feedback: QuantizedFeedback,
    /// Set point minus queue length, in bytes: negative when congested (the pseudo-code's sign).
    pub queue_offset: i64,
    /// Queue length minus the old queue length, in bytes.
    pub queue_delta: i64,
}

/// What an input did to the rate of a reaction point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Update {
    /// The rate is what it was.
    Unchanged,
    /// The rate has changed: a departure that is pending must be timed anew.
    Changed,
}

/// Whether frames wait behind a rate limiter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backlog {
    /// Nothing waits.
    Empty,
    /// At least one frame waits.
    Waiting,
}

/// The parameters of a congestion point, by algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CongestionPointParams {
    /// No congestion point.
    None,
    /// IEEE 802.1Qau.
    Qcn(qcn::CpParams),
}

/// A congestion point of any algorithm.
#[derive(Clone, Debug)]
pub enum CongestionPoint {
    /// Never notifies.
    None,
    /// IEEE 802.1Qau.
    Qcn(qcn::CongestionPoint),
}

impl CongestionPoint {
    /// A congestion point in its initial state.
    #[must_use]
    pub fn new(params: &CongestionPointParams) -> Self {
        match params {
            CongestionPointParams::None => Self::None,
            CongestionPointParams::Qcn(params) => Self::Qcn(qcn::CongestionPoint::new(*params)),
        }
    }

    /// Sees a frame enter the queue; returns a notification for its source, if one is due.
    #[inline]
    pub fn on_enqueue(&mut self, arrival: Arrival, entropy: &mut impl Entropy) -> Option<Notification> {
        match self {
            Self::None => None,
            Self::Qcn(point) => point.on_enqueue(arrival, entropy),
        }
    }

    /// What the point has done so far.
    #[must_use]
    pub fn counters(&self) -> CpCounters {
        match self {
            Self::None => CpCounters::default(),
            Self::Qcn(point) => point.counters(),
        }
    }
}

/// Counters that show a congestion point at work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CpCounters {
    /// Frames that were sampled.
    pub samples: u64,
    /// Samples that gave a notification.
    pub notifications: u64,
}

/// The parameters of a reaction point, by algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReactionPointParams {
    /// Ignores every notification.
    None,
    /// IEEE 802.1Qau.
    Qcn(qcn::RpParams),
}

/// A reaction point of any algorithm.
#[derive(Clone, Debug)]
pub enum ReactionPoint {
    /// Sends at line rate whatever it hears.
    None(Rate),
    /// IEEE 802.1Qau.
    Qcn(qcn::ReactionPoint),
}

impl ReactionPoint {
    /// A reaction point at the full rate of its port, not yet limited.
    #[must_use]
    pub fn new(params: &ReactionPointParams, line_rate: Rate) -> Self {
        match params {
            ReactionPointParams::None => Self::None(line_rate),
            ReactionPointParams::Qcn(params) => Self::Qcn(qcn::ReactionPoint::new(*params, line_rate)),
        }
    }

    /// Hears from a congestion point.
    pub fn on_notification(&mut self, now: Time, heard: &Notification, entropy: &mut impl Entropy) -> Update {
        match self {
            Self::None(_) => Update::Unchanged,
            Self::Qcn(point) => point.on_notification(now, heard, entropy),
        }
    }

    /// Counts a frame that was sent through the limiter.
    #[inline]
    pub fn on_sent(&mut self, frame: Bytes, entropy: &mut impl Entropy) -> Update {
        match self {
            Self::None(_) => Update::Unchanged,
            Self::Qcn(point) => point.on_sent(frame, entropy),
        }
    }

    /// Acts on its timer, which must be due ([`ReactionPoint::timer`] is at or before `now`).
    pub fn on_timer(&mut self, now: Time, entropy: &mut impl Entropy) -> Update {
        match self {
            Self::None(_) => Update::Unchanged,
            Self::Qcn(point) => point.on_timer(now, entropy),
        }
    }

    /// Gives it other parameters and keeps its state; a point that is given another algorithm starts anew,
    /// with its counters at zero.
    pub fn set_params(&mut self, params: &ReactionPointParams) -> Update {
        if let (Self::Qcn(point), ReactionPointParams::Qcn(params)) = (&mut *self, params) {
            return point.set_params(*params);
        }
        let before = self.rate();
        *self = Self::new(params, self.line_rate());
        if self.rate() == before { Update::Unchanged } else { Update::Changed }
    }

    /// When the timer is due next, if it runs.
    #[must_use]
    #[inline]
    pub fn timer(&self) -> Option<Time> {
        match self {
            Self::None(_) => None,
            Self::Qcn(point) => point.timer(),
        }
    }

    /// The rate at which the limiter sends now.
    #[must_use]
    #[inline]
    pub fn rate(&self) -> Rate {
        match self {
            Self::None(rate) => *rate,
            Self::Qcn(point) => point.rate(),
        }
    }

    /// The rate that the present one recovers towards.
    #[must_use]
    pub fn target_rate(&self) -> Rate {
        match self {
            Self::None(rate) => *rate,
            Self::Qcn(point) => point.target_rate(),
        }
    }

    /// The rate of the port.
    #[must_use]
    pub fn line_rate(&self) -> Rate {
        match self {
            Self::None(rate) => *rate,
            Self::Qcn(point) => point.line_rate(),
        }
    }

    /// Whether the limiter is no longer needed and its flows may send freely.
    #[must_use]
    #[inline]
    pub fn may_release(&self, backlog: Backlog) -> bool {
        match self {
            Self::None(_) => true,
            Self::Qcn(point) => point.may_release(backlog),
        }
    }

    /// What the point has done so far.
    #[must_use]
    pub fn counters(&self) -> RpCounters {
        match self {
            Self::None(_) => RpCounters::default(),
            Self::Qcn(point) => point.counters(),
        }
    }
}

/// Counters that show a reaction point at work. A cycle is one expiry of the byte counter or timer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RpCounters {
    /// Notifications that were obeyed. They cut the rate, unless it was at its minimum.
    pub decreases: u64,
    /// Cycles in fast recovery.
    pub fast_recovery_cycles: u64,
    /// Cycles in active increase.
    pub active_increase_cycles: u64,
    /// Cycles in hyper-active increase.
    pub hyper_increase_cycles: u64,
    /// Notifications that kept the old target (extra fast recovery).
    pub kept_targets: u64,
    /// Target rates cut because they were far above the current rate.
    pub target_reductions: u64,
}

impl RpCounters {
    /// The counter of a phase's cycles.
    pub(crate) fn cycles_in(&mut self, phase: qcn::RpPhase) -> &mut u64 {
        match phase {
            qcn::RpPhase::Unlimited | qcn::RpPhase::FastRecovery => &mut self.fast_recovery_cycles,
            qcn::RpPhase::ActiveIncrease => &mut self.active_increase_cycles,
            qcn::RpPhase::HyperIncrease => &mut self.hyper_increase_cycles,
        }
    }
}

impl core::ops::AddAssign for RpCounters {
    fn add_assign(&mut self, other: Self) {
        self.decreases += other.decreases;
        self.fast_recovery_cycles += other.fast_recovery_cycles;
        self.active_increase_cycles += other.active_increase_cycles;
        self.hyper_increase_cycles += other.hyper_increase_cycles;
        self.kept_targets += other.kept_targets;
        self.target_reductions += other.target_reductions;
    }
}
