//! Congestion points of any algorithm.

use alloc::boxed::Box;

use setpoint_units::Bytes;

use crate::af_qcn;
use crate::afd;
use crate::aimd;
use crate::algorithm::{Algorithm, Params};
use crate::arrivals::Arrivals;
use crate::bcn;
use crate::fqcn;
use crate::misfit::Misfit;
use crate::qcn;
use crate::signal::{Admission, Arrival, Entropy, Outbox, PointId};
use crate::smcc;
use crate::state::Show;

/// What a congestion point does.
pub trait Observe {
    /// Counts a frame of which the point needs to know no more than its length, and says that it was one: then
    /// [`Observe::on_enqueue`] need not be called. Most frames are, at points that sample by a count of bytes.
    #[inline]
    fn passes(&mut self, _frame: Bytes) -> bool {
        false
    }

    /// Sees a frame enter the queue, and sends the notifications that are due.
    fn on_enqueue(&mut self, arrival: &Arrival, entropy: &mut impl Entropy, outbox: &mut impl Outbox);

    /// Sees a frame before it enters the queue, whose length is then without it, and says whether it may.
    /// Only asked where [`CongestionPointParams::drops`].
    fn admit(&mut self, _arrival: &Arrival, _entropy: &mut impl Entropy) -> Admission {
        Admission::Accept
    }

    /// Samples the queue although no frame has come, as one that is kept from coming would have been: `arrival` has no
    /// length. Only asked where [`CongestionPointParams::samples_by_clock`].
    fn on_clock(&mut self, _arrival: &Arrival, _entropy: &mut impl Entropy, _outbox: &mut impl Outbox) {}

    /// What the point has done so far.
    fn counters(&self) -> CpCounters;

    /// Its state.
    fn state(&self, show: &mut dyn Show);
}

impl<P: Observe> Observe for Box<P> {
    #[inline]
    fn passes(&mut self, frame: Bytes) -> bool {
        P::passes(self, frame)
    }

    #[inline]
    fn on_enqueue(&mut self, arrival: &Arrival, entropy: &mut impl Entropy, outbox: &mut impl Outbox) {
        P::on_enqueue(self, arrival, entropy, outbox);
    }

    fn admit(&mut self, arrival: &Arrival, entropy: &mut impl Entropy) -> Admission {
        P::admit(self, arrival, entropy)
    }

    fn on_clock(&mut self, arrival: &Arrival, entropy: &mut impl Entropy, outbox: &mut impl Outbox) {
        P::on_clock(self, arrival, entropy, outbox);
    }

    fn counters(&self) -> CpCounters {
        P::counters(self)
    }

    fn state(&self, show: &mut dyn Show) {
        P::state(self, show);
    }
}

/// The parameters of a congestion point, by algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CongestionPointParams {
    /// No congestion point.
    None,
    /// IEEE 802.1Qau.
    Qcn(qcn::CpParams),
    /// QCN with an eye on who brings how much.
    AfQcn(af_qcn::CpParams),
    /// Drops by fair shares.
    Afd(afd::Params),
    /// QCN that tells all culprits.
    Fqcn(fqcn::CpParams),
    /// Sliding mode congestion control.
    Smcc(smcc::CpParams),
    /// Backward congestion notification (Bergamasco and Pan 2005).
    Bcn(bcn::CpParams),
    /// Additive increase, multiplicative decrease by feedback, with or without averaging (Alizadeh and others 2008).
    Aimd(aimd::CpParams),
}

impl CongestionPointParams {
    /// The algorithm whose point they are of.
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

    /// Whether the parameters are within their ranges and fit together.
    ///
    /// # Errors
    /// The first thing that is wrong.
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
    /// Not where feedback depends on who brings how much: AF-QCN weighs it by the tenant of the frame that was sampled,
    /// FQCN divides it by what came since the last sample, and without a frame there is neither. AFD notifies nobody.
    #[must_use]
    pub const fn samples_by_clock(&self) -> bool {
        matches!(self, Self::Qcn(_) | Self::Smcc(_) | Self::Bcn(_) | Self::Aimd(_))
    }

    /// The most bytes that a point takes on the heap.
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

    /// Whether the point looks at [`Arrival::tenant`].
    #[must_use]
    pub const fn reads_tenants(&self) -> bool {
        matches!(self, Self::AfQcn(_) | Self::Afd(_) | Self::Fqcn(_))
    }
}

/// A congestion point of any algorithm.
#[derive(Clone, Debug)]
pub enum CongestionPoint {
    /// Never notifies.
    None,
    /// IEEE 802.1Qau.
    Qcn(qcn::CongestionPoint),
    /// QCN with an eye on who brings how much. Elsewhere, so that the others keep to their cache line.
    AfQcn(Box<af_qcn::CongestionPoint>),
    /// Drops by fair shares.
    Afd(Box<afd::CongestionPoint>),
    /// QCN that tells all culprits.
    Fqcn(Box<fqcn::CongestionPoint>),
    /// Sliding mode congestion control.
    Smcc(smcc::CongestionPoint),
    /// Backward congestion notification (Bergamasco and Pan 2005).
    Bcn(bcn::CongestionPoint),
    /// Additive increase, multiplicative decrease by feedback, with or without averaging (Alizadeh and others 2008).
    Aimd(aimd::CongestionPoint),
}

/// Calls the algorithm's point; without one, gives the value after the semicolon.
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
        }
    };
}

impl CongestionPoint {
    /// A congestion point in its initial state, with the name it has in notifications and tags.
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

    /// Whether the point needs to see no more of a frame than its length, which it then has counted.
    #[inline]
    pub fn passes(&mut self, frame: Bytes) -> bool {
        each!(self, point => point.passes(frame); true)
    }

    /// Sees a frame enter the queue, and sends the notifications that are due.
    #[inline]
    pub fn on_enqueue(&mut self, arrival: &Arrival, entropy: &mut impl Entropy, outbox: &mut impl Outbox) {
        each!(self, point => Observe::on_enqueue(point, arrival, entropy, outbox); ());
    }

    /// Sees a frame before it enters the queue, and says whether it may.
    pub fn admit(&mut self, arrival: &Arrival, entropy: &mut impl Entropy) -> Admission {
        each!(self, point => point.admit(arrival, entropy); Admission::Accept)
    }

    /// Samples the queue although no frame has come.
    pub fn on_clock(&mut self, arrival: &Arrival, entropy: &mut impl Entropy, outbox: &mut impl Outbox) {
        each!(self, point => Observe::on_clock(point, arrival, entropy, outbox); ());
    }

    /// What the point has done so far.
    #[must_use]
    pub fn counters(&self) -> CpCounters {
        each!(self, point => point.counters(); CpCounters::default())
    }

    /// Its state.
    pub fn state(&self, show: &mut dyn Show) {
        each!(self, point => point.state(show); ());
    }
}

/// Counters that show a congestion point at work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CpCounters {
    /// Frames that were sampled.
    pub samples: u64,
    /// Notifications that were sent.
    pub notifications: u64,
}
