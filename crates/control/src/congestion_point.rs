//! Congestion points of any algorithm.

use alloc::boxed::Box;

use crate::af_qcn;
use crate::algorithm::{Algorithm, Misfit, Params};
use crate::bcn;
use crate::qcn;
use crate::signal::{Admission, Arrival, Entropy, Outbox, PointId};
use crate::smcc;
use crate::state::Show;

/// What a congestion point does.
pub trait Observe {
    /// Sees a frame enter the queue, and sends the notifications that are due.
    fn on_enqueue(&mut self, arrival: &Arrival, entropy: &mut impl Entropy, outbox: &mut impl Outbox);

    /// Sees a frame before it enters the queue, whose length is then without it, and says whether it may.
    /// Only asked where [`CongestionPointParams::drops`].
    fn admit(&mut self, _arrival: &Arrival, _entropy: &mut impl Entropy) -> Admission {
        Admission::Accept
    }

    /// What the point has done so far.
    fn counters(&self) -> CpCounters;

    /// Its state.
    fn state(&self, show: &mut dyn Show);
}

impl<P: Observe> Observe for Box<P> {
    #[inline]
    fn on_enqueue(&mut self, arrival: &Arrival, entropy: &mut impl Entropy, outbox: &mut impl Outbox) {
        P::on_enqueue(self, arrival, entropy, outbox);
    }

    fn admit(&mut self, arrival: &Arrival, entropy: &mut impl Entropy) -> Admission {
        P::admit(self, arrival, entropy)
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
    /// Sliding mode congestion control.
    Smcc(smcc::CpParams),
    /// Backward congestion notification (Bergamasco and Pan 2005).
    Bcn(bcn::CpParams),
}

impl CongestionPointParams {
    /// Whether the parameters are within their ranges and fit together.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn check(&self) -> Result<(), Misfit> {
        let mut params = Params::default();
        let algorithm = match *self {
            Self::None => return Ok(()),
            Self::Qcn(cp) => {
                params.qcn.cp = cp;
                Algorithm::Qcn
            }
            Self::AfQcn(cp) => {
                (params.qcn.cp, params.af_qcn) = (cp.qcn, cp.af);
                Algorithm::AfQcn
            }
            Self::Smcc(cp) => {
                params.smcc.cp = cp;
                Algorithm::Smcc
            }
            Self::Bcn(cp) => {
                params.bcn.cp = cp;
                Algorithm::Bcn
            }
        };
        algorithm.check(&params, None)
    }

    /// Whether the point decides which frames enter the queue ([`Observe::admit`]).
    #[must_use]
    pub const fn drops(&self) -> bool {
        false
    }

    /// Whether the point looks at [`Arrival::tenant`].
    #[must_use]
    pub const fn reads_tenants(&self) -> bool {
        matches!(self, Self::AfQcn(_))
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
    /// Sliding mode congestion control.
    Smcc(smcc::CongestionPoint),
    /// Backward congestion notification (Bergamasco and Pan 2005).
    Bcn(bcn::CongestionPoint),
}

/// Calls the algorithm's point; without one, gives the value after the semicolon.
macro_rules! each {
    ($self:expr, $point:ident => $call:expr; $none:expr) => {
        match $self {
            CongestionPoint::None => $none,
            CongestionPoint::Qcn($point) => $call,
            CongestionPoint::AfQcn($point) => $call,
            CongestionPoint::Smcc($point) => $call,
            CongestionPoint::Bcn($point) => $call,
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
            CongestionPointParams::Smcc(params) => Self::Smcc(smcc::CongestionPoint::new(*params)),
            CongestionPointParams::Bcn(params) => Self::Bcn(bcn::CongestionPoint::new(*params, id)),
        }
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
