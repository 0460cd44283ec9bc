//! What points see and say: arriving frames, notifications, and who is meant.

use setpoint_units::{Bytes, Rate, Time};

/// A source of uniform random numbers, owned by the caller.
pub trait Entropy {
    /// The next 32 random bits.
    fn next_u32(&mut self) -> u32;
}

/// A flow, as the caller numbers them: whom a notification is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FlowKey(pub u32);

/// A congestion point, as the caller numbers them: what the standard's CPID is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PointId(pub u32);

/// On whose account a frame is: a single flow, or a class of flows that share an allotment.
///
/// Points that divide a link (AF-QCN, AFD) count arrivals by it; the others do not look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tenant {
    /// Its number; equal numbers are one account.
    pub id: u32,
    /// Its weight Wᵢ in the division of a link. Zero counts as one.
    pub weight: u32,
    /// The most it is to get, Maxᵢ; none for no bound.
    pub max: Option<Rate>,
}

impl Tenant {
    /// Number zero, of weight one, without a bound: where accounts do not matter.
    pub const ANYONE: Self = Self { id: 0, weight: 1, max: None };
}

/// A frame has come to the queue a congestion point watches.
///
/// Whoever drops frames decides whether the point sees those too; it cannot tell them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// When. Never before an earlier arrival at the same point.
    pub now: Time,
    /// Length of the frame.
    pub frame: Bytes,
    /// Length of the queue with the frame in it, unless it was dropped.
    pub queue: Bytes,
    /// The flow it belongs to.
    pub flow: FlowKey,
    /// On whose account it is.
    pub tenant: Tenant,
    /// The point its source obeys, if the frame says so (BCN's rate-regulation tag).
    pub tag: Option<PointId>,
}

impl Arrival {
    /// A frame of flow zero at time zero, untagged and on nobody's account: all that a point needs which
    /// looks at the queue alone.
    #[must_use]
    pub const fn of(frame: Bytes, queue: Bytes) -> Self {
        Self { now: Time::ZERO, frame, queue, flow: FlowKey(0), tenant: Tenant::ANYONE, tag: None }
    }
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

/// What a congestion point tells a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Notification {
    /// The quantised feedback; zero where an algorithm does not quantise.
    pub feedback: QuantizedFeedback,
    /// Set point minus queue length, in bytes: negative when congested (the pseudo-code's sign).
    pub queue_offset: i64,
    /// Queue length minus the old queue length, in bytes.
    pub queue_delta: i64,
}

/// Takes the notifications that an arrival gives rise to: mostly none, with most algorithms at most one,
/// for the source of the frame that arrived.
pub trait Outbox {
    /// A notification for the source of a flow.
    fn send(&mut self, to: FlowKey, notification: Notification);
}

impl Outbox for alloc::vec::Vec<(FlowKey, Notification)> {
    fn send(&mut self, to: FlowKey, notification: Notification) {
        self.push((to, notification));
    }
}

/// Whether a frame may enter the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Admission {
    /// It may, if there is room.
    Accept,
    /// It is dropped, room or not.
    Drop,
}

/// What an input did to the rate of a reaction point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Update {
    /// The rate is what it was.
    Unchanged,
    /// The rate has changed: a departure that is pending must be timed anew.
    Changed,
}

impl Update {
    /// Whether a rate has changed.
    #[must_use]
    pub fn between(before: Rate, after: Rate) -> Self {
        if before == after { Self::Unchanged } else { Self::Changed }
    }
}

/// Whether frames wait behind a rate limiter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backlog {
    /// Nothing waits.
    Empty,
    /// At least one frame waits.
    Waiting,
}
