//! The interface of notification points, and the replies that they send.

use alloc::boxed::Box;
use core::fmt::Debug;

use setpoint_units::{Bytes, Time};

use crate::counters::Counters;
use crate::signal::{Acknowledgement, Feedback, HopReport, Mark};
use crate::state::Show;

/// The delivery of a frame to its receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delivery<'a> {
    /// The arrival time, never before an earlier arrival of the same flow.
    pub now: Time,
    /// The frame length.
    pub frame: Bytes,
    /// The time at which the frame left its source.
    pub sent_at: Time,
    /// Whether a bridge has marked the frame.
    pub mark: Mark,
    /// Bytes of the flow that have been delivered or lost, including this frame.
    pub settled: Bytes,
    /// The reports of the bridges on its path, in order; empty unless the source needs them.
    pub hops: &'a [HopReport],
}

/// A reply from a receiver to the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply<'a> {
    /// Frames of the flow were marked (CNP).
    Congestion,
    /// Frames have arrived.
    Acknowledgement(Acknowledgement<'a>),
}

impl<'a> Reply<'a> {
    /// The acknowledgement of a single frame, with all information from its delivery.
    pub const fn to(delivery: &Delivery<'a>) -> Self {
        let Delivery { sent_at, frame: bytes, settled, mark, hops, .. } = *delivery;
        Self::Acknowledgement(Acknowledgement { sent_at, bytes, settled, mark, hops })
    }

    /// The feedback that the source receives.
    pub const fn feedback(self) -> Feedback<'a> {
        match self {
            Self::Congestion => Feedback::Congestion,
            Self::Acknowledgement(content) => Feedback::Acknowledgement(content),
        }
    }
}

/// The deliveries that a notification point observes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Answers {
    /// None: the receiver never replies.
    #[default]
    Never,
    /// Deliveries of marked frames (DCQCN).
    MarkedFrames,
    /// All deliveries (TIMELY, HPCC).
    EveryFrame,
}

/// The replies of a notification point, as far as reaction points may depend on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Replies {
    /// The maximum number of frames that an acknowledgement covers; `None` if frames are not acknowledged.
    pub acknowledged_frames: Option<u32>,
    /// The name of its kind of reports.
    pub reports: &'static str,
}

impl Replies {
    /// No replies, because there is no notification point.
    pub const ABSENT: Self = Self { acknowledged_frames: None, reports: "absent" };
}

/// The interface of a notification point: one per flow, at its receiver.
///
/// ```
/// use setpoint_control::{Answer, Counters, Delivery, Mark, Reply, Show};
/// use setpoint_units::{Bytes, Time};
///
/// /// Acknowledges every frame.
/// #[derive(Clone, Debug)]
/// struct Echo;
///
/// impl Answer for Echo {
///     fn on_delivery<'a>(&mut self, delivery: &Delivery<'a>) -> Option<Reply<'a>> {
///         Some(Reply::to(delivery))
///     }
///
///     fn counters(&self) -> Counters {
///         Counters::default()
///     }
///
///     fn state(&self, _show: &mut dyn Show) {}
/// }
///
/// let frame = Bytes::new(1_000);
/// let delivery = Delivery { now: Time::ZERO, frame, sent_at: Time::ZERO, mark: Mark::Congested, settled: frame, hops: &[] };
/// let Some(Reply::Acknowledgement(reply)) = Echo.on_delivery(&delivery) else { panic!("it acknowledges every frame") };
/// assert_eq!((reply.bytes, reply.mark), (frame, Mark::Congested));
/// ```
pub trait Answer: CloneAnswer + Debug + Send + Sync {
    /// Handles the delivery of a frame, and returns the reply to it, if there is one.
    fn on_delivery<'a>(&mut self, delivery: &Delivery<'a>) -> Option<Reply<'a>>;

    /// Handles the expiry of the timer, and returns the reply that is due, if there is one. Does nothing if the timer has not
    /// expired.
    fn on_timer(&mut self, _now: Time) -> Option<Reply<'static>> {
        None
    }

    /// The next expiry of the timer, if it runs.
    fn timer(&self) -> Option<Time> {
        None
    }

    /// The counters of the point, with the names that the algorithm gives them.
    fn counters(&self) -> Counters;

    /// Shows the state of the point.
    fn state(&self, show: &mut dyn Show);
}

/// Copies a boxed point with its state. Implemented for every point that is [`Clone`].
pub trait CloneAnswer {
    /// A copy with the same state.
    fn clone_box(&self) -> Box<dyn Answer>;
}

impl<P: Answer + Clone + 'static> CloneAnswer for P {
    fn clone_box(&self) -> Box<dyn Answer> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn Answer> {
    fn clone(&self) -> Self {
        (**self).clone_box()
    }
}
