//! Inputs and outputs of the points: arriving frames, feedback, and the ids of flows and points.

use alloc::boxed::Box;

use setpoint_units::{Bytes, Rate, Time};

use crate::QuantizedFeedback;
use crate::limit::Limit;

/// A source of uniform random numbers, owned by the caller. A closure that returns a `u32` is one.
pub trait Entropy {
    /// The next 32 random bits.
    fn next_u32(&mut self) -> u32;

    /// An independent copy that gives the same numbers, if the source can be copied. A point that cannot borrow the
    /// source draws from the copy and afterwards draws as many values from the source itself.
    fn fork(&self) -> Option<Box<dyn Entropy + Send>> {
        None
    }
}

impl<F: FnMut() -> u32> Entropy for F {
    fn next_u32(&mut self) -> u32 {
        self()
    }
}

/// A flow, as numbered by the caller. Notifications are addressed to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FlowKey(pub u32);

/// A congestion point, as numbered by the caller: the standard's CPID.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PointId(pub u32);

/// The account of a frame: a single flow, or a class of flows that share an allotment.
///
/// Points that divide a link among tenants (AF-QCN, AFD) count arrivals by tenant; FQCN reads only the weight,
/// and the others ignore the tenant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tenant {
    /// Its number. Frames with the same number belong to the same account.
    pub id: u32,
    /// Its weight Wᵢ when a link is shared. Zero counts as one.
    pub weight: u32,
    /// Its bound Maxᵢ, if it has one.
    pub max: Option<Rate>,
}

impl Tenant {
    /// Number zero, weight one, no bound: for callers without accounts.
    pub const ANYONE: Self = Self { id: 0, weight: 1, max: None };
}

/// The arrival of a frame at the queue of a congestion point.
///
/// The caller decides whether the point also sees dropped frames; the point cannot distinguish them from the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// The arrival time, never before an earlier arrival at the same point.
    pub now: Time,
    /// The frame length.
    pub frame: Bytes,
    /// The queue length, including the frame unless it was dropped.
    pub queue: Bytes,
    /// The flow of the frame.
    pub flow: FlowKey,
    /// The account of the frame.
    pub tenant: Tenant,
    /// The point that limits its source, if the frame carries BCN's rate-regulation tag.
    pub tag: Option<PointId>,
}

impl Arrival {
    /// Creates an arrival of flow zero at time zero, untagged and without an account: enough for a point that considers
    /// only the queue.
    pub const fn of(frame: Bytes, queue: Bytes) -> Self {
        Self { now: Time::ZERO, frame, queue, flow: FlowKey(0), tenant: Tenant::ANYONE, tag: None }
    }
}

/// The departure of a frame from the queue of a congestion point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Departure {
    /// The time at which its transmission begins.
    pub now: Time,
    /// The frame length.
    pub frame: Bytes,
    /// The queue length, including the frame.
    pub queue: Bytes,
    /// The flow of the frame.
    pub flow: FlowKey,
}

/// The congestion mark of a frame: in IP, the ECN code point CE.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mark {
    /// No bridge has marked the frame.
    #[default]
    Clear,
    /// At least one bridge has marked the frame.
    Congested,
}

/// The measurements that a congestion point sends to a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Notification {
    /// The quantised feedback; zero if the algorithm does not quantise.
    pub feedback: QuantizedFeedback,
    /// Set point minus queue length, in bytes: negative when congested (the pseudo-code's sign).
    pub queue_offset: i64,
    /// Queue length minus the previous queue length, in bytes.
    pub queue_delta: i64,
}

/// A message from a congestion point to a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// Its measurements.
    Notification(Notification),
    /// The source must stop sending for a while (BCN).
    Stop,
}

impl Signal {
    /// The measurements; `None` for a stop.
    pub const fn notification(self) -> Option<Notification> {
        match self {
            Self::Notification(content) => Some(content),
            Self::Stop => None,
        }
    }

    /// The fields of a notification frame. A stop is BCN(0,0): all of them are zero.
    pub const fn fields(self) -> Notification {
        match self {
            Self::Notification(content) => content,
            Self::Stop => Notification::ZERO,
        }
    }

    /// The feedback that the source receives.
    pub const fn sent_by(self, from: PointId) -> Feedback<'static> {
        match self {
            Self::Notification(content) => content.sent_by(from),
            Self::Stop => Feedback::Stop { from },
        }
    }
}

impl Notification {
    /// Every field is zero.
    const ZERO: Self = Self { feedback: QuantizedFeedback::saturating(0), queue_offset: 0, queue_delta: 0 };

    /// Whether every field is zero: with BCN, a stop.
    pub(crate) fn is_zero(&self) -> bool {
        *self == Self::ZERO
    }

    /// The feedback that the source receives.
    pub const fn sent_by(self, from: PointId) -> Feedback<'static> {
        Feedback::Notification { from, content: self }
    }
}

impl From<Notification> for Signal {
    fn from(notification: Notification) -> Self {
        Self::Notification(notification)
    }
}

/// Information about the network that reaches a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feedback<'a> {
    /// A congestion point reports its measurements.
    Notification {
        /// The congestion point.
        from: PointId,
        /// Its measurements.
        content: Notification,
    },
    /// A congestion point requests that the source stop sending for a while (BCN).
    Stop {
        /// The congestion point.
        from: PointId,
    },
    /// The receiver reports that frames of the flow were marked: DCQCN's congestion notification packet (CNP).
    Congestion,
    /// The receiver acknowledges frames.
    Acknowledgement(Acknowledgement<'a>),
}

impl Feedback<'_> {
    /// The congestion point that sent it; `None` if the receiver did.
    pub const fn point(&self) -> Option<PointId> {
        match *self {
            Self::Notification { from, .. } | Self::Stop { from } => Some(from),
            Self::Congestion | Self::Acknowledgement(_) => None,
        }
    }

    /// The measurements of a congestion point; `None` for any other feedback.
    pub const fn notification(&self) -> Option<&Notification> {
        match self {
            Self::Notification { content, .. } => Some(content),
            _ => None,
        }
    }
}

/// The state of an output when a frame left it: HPCC's in-band telemetry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HopReport {
    /// The time at which the transmission of the frame began.
    pub at: Time,
    /// The queue length without the frame.
    pub queue: Bytes,
    /// Bytes that the port has sent so far, including this frame.
    pub sent: Bytes,
    /// The rate of the port.
    pub rate: Rate,
}

/// The acknowledgement of frames by their receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Acknowledgement<'a> {
    /// The time at which the frame that caused it left the source.
    pub sent_at: Time,
    /// Bytes that it acknowledges: those delivered since the previous acknowledgement.
    pub bytes: Bytes,
    /// Bytes of the flow that have been delivered or lost so far.
    pub settled: Bytes,
    /// Whether it reports a mark.
    pub mark: Mark,
    /// The reports of the bridges on the path of the frame that caused it.
    pub hops: &'a [HopReport],
}

/// Receives the signals that an arrival causes. Most arrivals cause none; with most algorithms an arrival causes at most
/// one, for the source of the arriving frame.
pub trait Outbox {
    /// Sends a signal to the source of a flow.
    fn send(&mut self, to: FlowKey, signal: Signal);
}

impl Outbox for alloc::vec::Vec<(FlowKey, Signal)> {
    fn send(&mut self, to: FlowKey, signal: Signal) {
        self.push((to, signal));
    }
}

/// Whether a frame may enter the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Admission {
    /// The frame may enter if there is buffer space.
    Accept,
    /// The frame is dropped even if there is buffer space.
    Drop,
}

/// The effect of an event on the limit that a reaction point sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Update {
    /// The limit has not changed.
    Unchanged,
    /// The limit has changed: a pending departure must be rescheduled.
    Changed,
}

impl Update {
    /// Whether the limit changed from `before` to `after`.
    pub fn between(before: Limit, after: Limit) -> Self {
        if before == after { Self::Unchanged } else { Self::Changed }
    }
}

/// Whether frames are waiting behind a rate limiter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backlog {
    /// No frame is waiting.
    Empty,
    /// At least one frame is waiting.
    Waiting,
}
