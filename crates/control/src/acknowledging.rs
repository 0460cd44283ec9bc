//! The notification point of algorithms whose sources need acknowledgements.
//!
//! It acknowledges after a number of frames or of bytes, whichever comes first. An acknowledgement shows the send time and
//! the reports of the frame that caused it, and whether any of the frames that it covers was marked. Frames that do not
//! complete a batch may be acknowledged after a delay, without reports.

use core::marker::PhantomData;

use setpoint_units::{Bytes, Time, TimeDelta};

use crate::scheme::ReceiverPart;
use crate::{
    Acknowledgement, Answer, Answers, Counters, Delivery, HopReport, Mark, Reading, Replies, Reply, Show,
};

/// How often a receiver acknowledges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Batch {
    /// An acknowledgement follows this many frames …
    pub frames: u32,
    /// … or this many bytes, whichever comes first.
    pub bytes: Bytes,
    /// The longest time that the first of several frames waits for its acknowledgement; `None` if it may wait forever.
    pub delay: Option<TimeDelta>,
}

/// Parameters that determine how often a receiver acknowledges.
pub trait Batches: Copy + core::fmt::Debug + Send + Sync + 'static {
    /// How often it acknowledges.
    fn batch(&self) -> Batch;
}

/// Declares the parameters of an algorithm whose receivers acknowledge in batches: those of the notification point, which are
/// the same for every such algorithm except for the origin of `frames`, and those given for the reaction point.
macro_rules! batch_parameters {
    (
        $(#[$outer:meta])*
        pub struct Params {
            $(#[$np_doc:meta])*
            np: NpParams = $prefix:literal, frames: $origin:literal;
            $($rest:tt)*
        }
    ) => {
        $crate::parameter::parameters! {
            $(#[$outer])*
            pub struct Params {
                $(#[$np_doc])*
                np: NpParams = $prefix {
                    /// The number of frames after which the receiver sends an acknowledgement. With one, every frame is
                    /// acknowledged.
                    frames: u32 {
                        default: 1, range: $crate::parameter::range::counts(1, 1_000_000),
                        origin: $origin,
                    }
                    /// The number of bytes after which the receiver sends an acknowledgement, unless the number of frames is
                    /// reached first.
                    bytes: setpoint_units::Bytes {
                        default: setpoint_units::Bytes::new(16_000), range: $crate::parameter::range::sizes(1),
                        origin: "our choice: larger than a frame, so that the number of frames applies",
                    }
                    /// The longest time after which a delivered frame is acknowledged even if the batch is incomplete. Such an
                    /// acknowledgement contains no reports. Without it, a source whose window is smaller than a batch would stop sending.
                    delay: setpoint_units::TimeDelta {
                        default: setpoint_units::TimeDelta::from_micros(50), range: $crate::parameter::range::INTERVALS,
                        origin: "our choice",
                    }
                }
                $($rest)*
            }
        }

        impl $crate::acknowledging::Batches for NpParams {
            fn batch(&self) -> $crate::acknowledging::Batch {
                let Self { frames, bytes, delay } = *self;
                $crate::acknowledging::Batch { frames, bytes, delay: Some(delay) }
            }
        }
    };
}
pub(crate) use batch_parameters;

/// The notification point of a flow whose frames are acknowledged. `P` are the parameters of the algorithm.
///
/// ```
/// use setpoint_control::{Answer, Delivery, Mark, Reply, timely};
/// use setpoint_units::{Bytes, Time};
///
/// let frame = Bytes::new(1_000);
/// let params = timely::NpParams { frames: 2, ..timely::NpParams::default() };
/// let mut point = timely::NotificationPoint::new(params);
/// let mut deliver = |mark, settled| {
///     let settled = Bytes::new(settled);
///     let delivery = Delivery { now: Time::ZERO, frame, sent_at: Time::ZERO, mark, settled, hops: &[] };
///     point.on_delivery(&delivery)
/// };
/// assert_eq!(deliver(Mark::Congested, 1_000), None);
/// let Some(Reply::Acknowledgement(reply)) = deliver(Mark::Clear, 2_000) else { panic!("two frames") };
/// assert_eq!((reply.bytes, reply.mark), (Bytes::new(2_000), Mark::Congested));
/// ```
#[derive(Clone, Debug)]
pub struct Acknowledger<P> {
    batch: Batch,
    /// Frames and bytes since the last acknowledgement, and whether one of these frames was marked.
    frames: u32,
    bytes: Bytes,
    mark: Mark,
    /// The send time of the last of these frames, and the bytes of the flow that were settled with it.
    last: (Time, Bytes),
    /// The time at which these frames are acknowledged even if the batch is incomplete.
    due: Option<Time>,
    marked_frames: u64,
    acknowledgements: u64,
    algorithm: PhantomData<P>,
}

impl<P: Batches> Acknowledger<P> {
    /// Creates a notification point that has not received a frame.
    pub fn new(params: P) -> Self {
        Self {
            batch: params.batch(),
            frames: 0,
            bytes: Bytes::ZERO,
            mark: Mark::Clear,
            last: (Time::ZERO, Bytes::ZERO),
            due: None,
            marked_frames: 0,
            acknowledgements: 0,
            algorithm: PhantomData,
        }
    }

    /// The acknowledgement of the frames since the last one.
    fn acknowledge<'a>(&mut self, hops: &'a [HopReport]) -> Reply<'a> {
        self.acknowledgements += 1;
        let ((sent_at, settled), bytes, mark) = (self.last, self.bytes, self.mark);
        (self.frames, self.bytes, self.mark, self.due) = (0, Bytes::ZERO, Mark::Clear, None);
        Reply::Acknowledgement(Acknowledgement { sent_at, bytes, settled, mark, hops })
    }
}

impl<P: Batches> ReceiverPart for Acknowledger<P> {
    type Params = P;

    fn answers(_params: &P) -> Answers {
        Answers::EveryFrame
    }

    fn replies(params: &P) -> Replies {
        Replies { acknowledged_frames: Some(params.batch().frames), reports: "acknowledged" }
    }

    fn create(params: P) -> Self {
        Self::new(params)
    }
}

impl<P: Batches> Answer for Acknowledger<P> {
    fn on_delivery<'a>(&mut self, delivery: &Delivery<'a>) -> Option<Reply<'a>> {
        self.frames += 1;
        self.bytes += delivery.frame;
        if delivery.mark == Mark::Congested {
            self.mark = Mark::Congested;
            self.marked_frames += 1;
        }
        self.last = (delivery.sent_at, delivery.settled);
        if self.frames < self.batch.frames && self.bytes < self.batch.bytes {
            self.due = self.due.or(self.batch.delay.map(|delay| delivery.now + delay));
            return None;
        }
        Some(self.acknowledge(delivery.hops))
    }

    fn on_timer(&mut self, now: Time) -> Option<Reply<'static>> {
        self.due.filter(|due| *due <= now)?;
        Some(self.acknowledge(&[]))
    }

    fn timer(&self) -> Option<Time> {
        self.due
    }

    fn counters(&self) -> Counters {
        [("marked_frames", self.marked_frames), ("reports", self.acknowledgements)].into()
    }

    fn state(&self, show: &mut dyn Show) {
        show.show("frames", Reading::Number(self.frames.into()));
        show.show("bytes", Reading::bytes(self.bytes));
        show.show("timer", Reading::time(self.due));
        show.show("marked_frames", Reading::Number(self.marked_frames as i64));
        show.show("reports", Reading::Number(self.acknowledgements as i64));
    }
}
