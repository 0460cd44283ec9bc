//! The traits that an algorithm implements.
//!
//! An algorithm is a module with a struct of parameters, which implements [`Scheme`], and up to three points, which implement
//! [`BridgePart`], [`ReceiverPart`] and [`SourcePart`]. One entry in the list in `algorithm/mod.rs` adds it: a macro generates
//! [`Algorithm`](crate::Algorithm), [`Params`](crate::Params), and the enums of points and of their parameters with their dispatch.

use setpoint_units::{Bytes, Rate, TimeDelta};

use crate::parameter::Profile;
use crate::{
    Answer, Answers, Feedback, Misfit, Notification, Observe, Path, PointId, React, Replies, Signal,
};

/// An algorithm as a whole. The algorithm's own parameters implement this trait. If an algorithm extends another one,
/// the checks and values of the other one also apply.
pub(crate) trait Scheme {
    /// How it works, in a few sentences.
    const EXPLANATION: &'static str;
    /// Sets of parameters from different sources, starting with the one that equals the defaults; empty if there is only one.
    const PROFILES: &'static [Profile] = &[];

    /// Checks that the parameters are consistent with each other and, if `line_rate` is given, with a port of
    /// that rate.
    fn fit(&self, line_rate: Option<Rate>) -> Result<(), Misfit>;

    /// The queue length that its congestion points aim at, if there is one.
    fn set_point(&self) -> Option<Bytes> {
        None
    }

    /// The minimum rate of its reaction points, if it has any.
    fn min_rate(&self) -> Option<Rate> {
        None
    }
}

/// Services that a congestion point needs from the bridge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BridgeNeeds {
    /// It decides which frames enter the queue ([`Observe::admit`]).
    pub admission: bool,
    /// It reads [`Arrival::tenant`](crate::Arrival::tenant).
    pub tenants: bool,
    /// It can be sampled without a frame ([`Observe::on_clock`]), and the signal of a sample is the same for every flow.
    /// This excludes points whose feedback depends on accounts: AF-QCN weights the feedback by the tenant of the sampled
    /// frame, and FQCN divides it in proportion to the arrivals since the last sample. AFD does not notify.
    pub clock: bool,
    /// It marks frames that enter the queue ([`Observe::mark`]).
    pub marks: bool,
    /// It marks frames that leave the queue ([`Observe::on_dequeue`]).
    pub departures: bool,
}

impl BridgeNeeds {
    /// No services: it observes only the frames that enter the queue.
    pub const NONE: Self =
        Self { admission: false, tenants: false, clock: false, marks: false, departures: false };
}

/// Services that a reaction point needs from the network and from its station.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceNeeds {
    /// Its frames are tagged ([`React::tag`]).
    pub tags: bool,
    /// Bridges report their state in its frames ([`HopReport`](crate::HopReport)).
    pub telemetry: bool,
    /// Its limit is a window ([`Limit::Window`](crate::Limit::Window)), so that its station counts the bytes in flight.
    pub window: bool,
    /// When its limiter is created.
    pub start: Start,
}

/// When the limiter of a source is created.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Start {
    /// The limiter is created with the first feedback that limits the source (QCN, DCQCN).
    #[default]
    FirstFeedback,
    /// The limiter is created before the first frame of the source (TIMELY, HPCC).
    FirstFrame,
}

impl SourceNeeds {
    /// No services: it needs only feedback, and its limiter is created with the first feedback.
    pub const NONE: Self = Self { tags: false, telemetry: false, window: false, start: Start::FirstFeedback };
}

/// A congestion point, as part of an algorithm.
pub trait BridgePart: Observe + Sized {
    /// Its parameters.
    type Params: Copy;

    /// The services that a point with these parameters needs from the bridge.
    fn needs(params: &Self::Params) -> BridgeNeeds;

    /// A point in its initial state, with the id that identifies it in signals and tags.
    fn create(params: Self::Params, id: PointId) -> Self;

    /// The maximum heap memory of a point, in bytes.
    fn heap_bytes(_params: &Self::Params) -> usize {
        0
    }
}

/// A notification point, as part of an algorithm. Its parameters are the field `np` of its module's `Params`.
pub trait ReceiverPart: Answer + Sized {
    /// Its parameters.
    type Params: Copy;

    /// The deliveries that a point with these parameters observes.
    fn answers(params: &Self::Params) -> Answers;

    /// The replies of a point with these parameters.
    fn replies(params: &Self::Params) -> Replies;

    /// A point in its initial state.
    fn create(params: Self::Params) -> Self;
}

/// A reaction point, as part of an algorithm. Its parameters are the field `rp` of its module's `Params`, and it has
/// the method `set_params`.
pub trait SourcePart: React + Sized {
    /// Its parameters.
    type Params: Copy;

    /// The services that a point with these parameters needs.
    fn needs(_params: &Self::Params) -> SourceNeeds {
        SourceNeeds::NONE
    }

    /// Checks that receivers reply as a point with these parameters requires.
    fn check_replies(_params: &Self::Params, _replies: Replies) -> Result<(), Misfit> {
        Ok(())
    }

    /// The round-trip time that a point aims at while its source fills the idle path, and the parameter that sets it; none
    /// if the point does not compare round-trip times with a fixed target.
    fn aim(_params: &Self::Params, _path: &Path) -> Option<(&'static str, TimeDelta)> {
        None
    }

    /// A point at the full rate of its port, not yet limited.
    fn create(params: Self::Params, path: &Path) -> Self;

    /// Whether feedback limits a source that is not limited.
    fn limits(params: &Self::Params, feedback: &Feedback) -> bool;

    /// The signal that a notification frame with these fields carries.
    fn signal(fields: Notification) -> Signal {
        Signal::Notification(fields)
    }
}
