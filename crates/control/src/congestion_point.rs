//! Congestion points of any algorithm.

use alloc::boxed::Box;
use core::fmt::Debug;

use setpoint_units::Bytes;

use crate::af_qcn;
use crate::afd;
use crate::aimd;
use crate::algorithm::{Algorithm, Params};
use crate::arrivals::Arrivals;
use crate::audience::{Audience, EveryFlow};
use crate::bcn;
use crate::fqcn;
use crate::misfit::Misfit;
use crate::qcn;
use crate::signal::{Admission, Arrival, Entropy, Outbox, PointId};
use crate::smcc;
use crate::state::Show;

/// The interface of a congestion point.
///
/// The caller passes in every frame, and the point sends its notifications to the [`Outbox`].
///
/// ```
/// use setpoint_control::{Arrival, FlowKey, Observe, Signal, aimd};
/// use setpoint_units::Bytes;
///
/// let mut point = aimd::CongestionPoint::new(aimd::CpParams::default());
/// let arrival = Arrival::of(Bytes::new(1_500), Bytes::new(40_000));
/// let mut outbox: Vec<(FlowKey, Signal)> = Vec::new();
/// for _ in 0..100 {
///     assert!(point.passes(arrival.frame), "150 kB are not yet exceeded");
/// }
/// point.on_enqueue(&arrival, &mut || 0, &mut outbox);
/// assert_eq!(outbox[0].1.fields().queue_offset, 30_000 - 40_000);
/// assert_eq!(point.counters().samples, 1);
/// ```
pub trait Observe: CloneObserve + Debug + Send + Sync {
    /// The fast path: if the point needs only the length of the frame, counts it and returns true. Otherwise returns
    /// false, and the caller calls [`Observe::on_enqueue`]. Points that sample by counting bytes return true for most
    /// frames.
    #[inline]
    fn passes(&mut self, _frame: Bytes) -> bool {
        false
    }

    /// Handles a frame that enters the queue, and sends the notifications that are due.
    fn on_enqueue(&mut self, arrival: &Arrival, entropy: &mut dyn Entropy, outbox: &mut dyn Outbox);

    /// Decides whether a frame may enter the queue. The queue length does not include the frame yet. Called only if
    /// [`CongestionPointParams::drops`].
    fn admit(&mut self, _arrival: &Arrival, _entropy: &mut dyn Entropy) -> Admission {
        Admission::Accept
    }

    /// Samples the queue without an arriving frame, in place of a frame that is held back upstream: `arrival` has
    /// length zero. Called only if [`CongestionPointParams::samples_by_clock`].
    fn on_clock(&mut self, _arrival: &Arrival, _entropy: &mut dyn Entropy, _outbox: &mut dyn Outbox) {}

    /// The counters of the point.
    fn counters(&self) -> CpCounters;

    /// Shows the state of the point.
    fn state(&self, show: &mut dyn Show);
}

/// Copies a boxed point with its state. Every point that is [`Clone`] has it.
pub trait CloneObserve {
    /// A copy with the same state.
    fn clone_box(&self) -> Box<dyn Observe>;
}

impl<P: Observe + Clone + 'static> CloneObserve for P {
    fn clone_box(&self) -> Box<dyn Observe> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn Observe> {
    fn clone(&self) -> Self {
        (**self).clone_box()
    }
}

/// The parameters of a congestion point, by algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CongestionPointParams {
    /// No congestion point.
    None,
    /// IEEE 802.1Qau.
    Qcn(qcn::CpParams),
    /// QCN with feedback by account.
    AfQcn(af_qcn::CpParams),
    /// Approximate fair dropping.
    Afd(afd::Params),
    /// QCN with feedback to every flow above its share.
    Fqcn(fqcn::CpParams),
    /// Sliding mode congestion control.
    Smcc(smcc::CpParams),
    /// Backward congestion notification (Bergamasco and Pan 2005).
    Bcn(bcn::CpParams),
    /// AIMD with feedback, with or without averaging (Alizadeh et al. 2008).
    Aimd(aimd::CpParams),
}

impl CongestionPointParams {
    /// The algorithm.
    #[must_use]
    pub const fn algorithm(&self) -> Algorithm {
        match self {
            Self::None => Algorithm::None,
            Self::Qcn(_) => Algorithm::Qcn,
            Self::AfQcn(_) => Algorithm::AfQcn,
            Self::Afd(_) => Algorithm::Afd,
            Self::Fqcn(_) => Algorithm::Fqcn,
            Self::Smcc(_) => Algorithm::Smcc,
            Self::Bcn(_) => Algorithm::Bcn,
            Self::Aimd(_) => Algorithm::Aimd,
        }
    }

    /// Checks that the parameters are within their ranges and fit together.
    ///
    /// # Errors
    /// Returns the first problem.
    pub fn check(&self) -> Result<(), Misfit> {
        let mut params = Params::default();
        match *self {
            Self::None => {}
            Self::Qcn(cp) => params.qcn.cp = cp,
            Self::AfQcn(cp) => (params.qcn.cp, params.af_qcn) = (cp.qcn, cp.af),
            Self::Afd(afd) => params.afd = afd,
            Self::Fqcn(cp) => (params.qcn.cp, params.fqcn) = (cp.qcn, cp.flows),
            Self::Smcc(cp) => params.smcc.cp = cp,
            Self::Bcn(cp) => params.bcn.cp = cp,
            Self::Aimd(cp) => params.aimd.cp = cp,
        }
        self.algorithm().check(&params, None)
    }

    /// Whether the point decides which frames enter the queue ([`Observe::admit`]).
    #[must_use]
    pub const fn drops(&self) -> bool {
        matches!(self, Self::Afd(_))
    }

    /// Whether the point can be sampled without a frame ([`Observe::on_clock`]).
    ///
    /// This excludes points whose feedback depends on accounts: AF-QCN weighs it by the tenant of the sampled frame, and
    /// FQCN divides it by the arrivals since the last sample. AFD does not notify.
    #[must_use]
    pub const fn samples_by_clock(&self) -> bool {
        matches!(self, Self::Qcn(_) | Self::Smcc(_) | Self::Bcn(_) | Self::Aimd(_))
    }

    /// Whether the notification of a sample is the same whichever flow it goes to, so that it can go to every flow
    /// ([`Audience::EveryFlow`]). This excludes points whose feedback depends on accounts.
    #[must_use]
    pub const fn notifies_alike(&self) -> bool {
        self.samples_by_clock()
    }

    /// The maximum heap memory of a point, in bytes.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        match self {
            Self::AfQcn(params) => {
                size_of::<af_qcn::CongestionPoint>() + Arrivals::most_heap_bytes(params.af.entries)
            }
            Self::Afd(params) => {
                size_of::<afd::CongestionPoint>() + Arrivals::most_heap_bytes(params.entries)
            }
            Self::Fqcn(params) => {
                size_of::<fqcn::CongestionPoint>() + Arrivals::most_heap_bytes(params.flows.entries)
            }
            _ => 0,
        }
    }

    /// Whether the point reads [`Arrival::tenant`].
    #[must_use]
    pub const fn reads_tenants(&self) -> bool {
        matches!(self, Self::AfQcn(_) | Self::Afd(_) | Self::Fqcn(_))
    }
}

/// A congestion point of any algorithm.
///
/// ```
/// use setpoint_control::{Algorithm, Arrival, CongestionPoint, FlowKey, Observe, Params, PointId, Signal};
/// use setpoint_units::Bytes;
///
/// let (params, _) = Algorithm::Qcn.points(&Params::default());
/// let mut point = CongestionPoint::new(&params, PointId(1));
/// let mut outbox: Vec<(FlowKey, Signal)> = Vec::new();
/// for _ in 0..101 {
///     point.on_enqueue(&Arrival::of(Bytes::new(1_500), Bytes::new(60_000)), &mut || 0, &mut outbox);
/// }
/// assert_eq!(outbox.len(), 1, "one sample in 150 kB");
/// assert_eq!(point.counters().notifications, 1);
/// ```
#[derive(Clone, Debug)]
pub enum CongestionPoint {
    /// Never notifies.
    None,
    /// IEEE 802.1Qau.
    Qcn(qcn::CongestionPoint),
    /// QCN with feedback by account. Boxed, so that the others stay within a cache line.
    AfQcn(Box<af_qcn::CongestionPoint>),
    /// Approximate fair dropping.
    Afd(Box<afd::CongestionPoint>),
    /// QCN with feedback to every flow above its share.
    Fqcn(Box<fqcn::CongestionPoint>),
    /// Sliding mode congestion control.
    Smcc(smcc::CongestionPoint),
    /// Backward congestion notification (Bergamasco and Pan 2005).
    Bcn(bcn::CongestionPoint),
    /// AIMD with feedback, with or without averaging (Alizadeh et al. 2008).
    Aimd(aimd::CongestionPoint),
    /// One of the others, with every flow as its audience.
    EveryFlow(Box<EveryFlow>),
    /// A point from outside this crate.
    Custom(Box<dyn Observe>),
}

/// Calls the algorithm's point; without one, returns the value after the semicolon.
macro_rules! each {
    ($self:expr, $point:ident => $call:expr; $none:expr) => {
        match $self {
            CongestionPoint::None => $none,
            CongestionPoint::Qcn($point) => $call,
            CongestionPoint::AfQcn($point) => $call,
            CongestionPoint::Afd($point) => $call,
            CongestionPoint::Fqcn($point) => $call,
            CongestionPoint::Smcc($point) => $call,
            CongestionPoint::Bcn($point) => $call,
            CongestionPoint::Aimd($point) => $call,
            CongestionPoint::EveryFlow($point) => $call,
            CongestionPoint::Custom($point) => $call,
        }
    };
}

impl CongestionPoint {
    /// Creates a congestion point in its initial state, with the id that identifies it in notifications and tags.
    #[must_use]
    pub fn new(params: &CongestionPointParams, id: PointId) -> Self {
        match params {
            CongestionPointParams::None => Self::None,
            CongestionPointParams::Qcn(params) => Self::Qcn(qcn::CongestionPoint::new(*params)),
            CongestionPointParams::AfQcn(params) => {
                Self::AfQcn(Box::new(af_qcn::CongestionPoint::new(*params)))
            }
            CongestionPointParams::Afd(params) => Self::Afd(Box::new(afd::CongestionPoint::new(*params))),
            CongestionPointParams::Fqcn(params) => Self::Fqcn(Box::new(fqcn::CongestionPoint::new(*params))),
            CongestionPointParams::Smcc(params) => Self::Smcc(smcc::CongestionPoint::new(*params)),
            CongestionPointParams::Bcn(params) => Self::Bcn(bcn::CongestionPoint::new(*params, id)),
            CongestionPointParams::Aimd(params) => Self::Aimd(aimd::CongestionPoint::new(*params)),
        }
    }

    /// Creates a congestion point that notifies the given audience. A point that never notifies has none.
    #[must_use]
    pub fn for_audience(params: &CongestionPointParams, id: PointId, audience: Audience) -> Self {
        let point = Self::new(params, id);
        match params {
            CongestionPointParams::None => point,
            _ => point.with_audience(audience),
        }
    }

    /// A congestion point from outside this crate that notifies the given audience.
    #[must_use]
    pub fn custom(point: Box<dyn Observe>, audience: Audience) -> Self {
        Self::Custom(point).with_audience(audience)
    }

    fn with_audience(self, audience: Audience) -> Self {
        match audience {
            Audience::Sampled => self,
            Audience::EveryFlow => Self::EveryFlow(EveryFlow::around(self)),
        }
    }
}

impl Observe for CongestionPoint {
    #[inline]
    fn passes(&mut self, frame: Bytes) -> bool {
        each!(self, point => point.passes(frame); true)
    }

    #[inline]
    fn on_enqueue(&mut self, arrival: &Arrival, entropy: &mut dyn Entropy, outbox: &mut dyn Outbox) {
        each!(self, point => point.on_enqueue(arrival, entropy, outbox); ());
    }

    fn admit(&mut self, arrival: &Arrival, entropy: &mut dyn Entropy) -> Admission {
        each!(self, point => point.admit(arrival, entropy); Admission::Accept)
    }

    fn on_clock(&mut self, arrival: &Arrival, entropy: &mut dyn Entropy, outbox: &mut dyn Outbox) {
        each!(self, point => point.on_clock(arrival, entropy, outbox); ());
    }

    fn counters(&self) -> CpCounters {
        each!(self, point => point.counters(); CpCounters::default())
    }

    fn state(&self, show: &mut dyn Show) {
        each!(self, point => point.state(show); ());
    }
}

/// Counters of a congestion point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CpCounters {
    /// Sampled frames.
    pub samples: u64,
    /// Notifications sent.
    pub notifications: u64,
}
