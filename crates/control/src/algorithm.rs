//! The algorithms by name, and all their parameters together.
//!
//! Every algorithm keeps a struct of parameters and a table that describes them. [`Params`] holds one of
//! each, so that a table of keys, a preset or a page of documentation can be made without knowing which
//! algorithm it is about; an [`Algorithm`] says which tables it reads and makes its two points from them.
//! Some borrow another's point: AF-QCN's reaction point is QCN's, and takes QCN's parameters.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use setpoint_units::{Bytes, Rate};

use crate::parameter::{Parameter, ParameterError, Tunable, choice};
use crate::{CongestionPointParams, ReactionPointParams, qcn};

choice! {
    /// An algorithm of congestion control.
    Algorithm {
        None = "none", "No congestion control: every flow sends as fast as its port lets it.";
        Qcn = "qcn", "Quantised congestion notification, IEEE 802.1Qau.";
    }
}

/// The parameters of every algorithm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Params {
    /// Of QCN.
    pub qcn: qcn::Params,
}

/// Parameters of one algorithm as a part of [`Params`].
pub trait PartOf: Sized {
    /// The part.
    fn of(params: &Params) -> &Self;
    /// The part, to be changed.
    fn of_mut(params: &mut Params) -> &mut Self;
}

macro_rules! part {
    ($field:ident: $part:ty) => {
        impl PartOf for $part {
            fn of(params: &Params) -> &Self {
                &params.$field
            }
            fn of_mut(params: &mut Params) -> &mut Self {
                &mut params.$field
            }
        }
    };
}

part!(qcn: qcn::Params);

impl Algorithm {
    /// Every algorithm, in the order of the documentation.
    pub const ALL: [Self; 2] = [Self::None, Self::Qcn];

    /// Every parameter it reads, those of the congestion point first.
    #[must_use]
    pub fn parameters(self) -> Vec<&'static dyn Tunable> {
        match self {
            Self::None => Vec::new(),
            Self::Qcn => every(qcn::PARAMETERS),
        }
    }

    /// What its two points are made from.
    #[must_use]
    pub fn points(self, params: &Params) -> (CongestionPointParams, ReactionPointParams) {
        match self {
            Self::None => (CongestionPointParams::None, ReactionPointParams::None),
            Self::Qcn => (CongestionPointParams::Qcn(params.qcn.cp), ReactionPointParams::Qcn(params.qcn.rp)),
        }
    }

    /// Whether its congestion points talk to reaction points; otherwise they can only drop.
    #[must_use]
    pub fn notifies(self) -> bool {
        self.points(&Params::default()).1 != ReactionPointParams::None
    }

    /// Whether its congestion points divide a link by weights ([`crate::Tenant`]).
    #[must_use]
    pub fn divides(self) -> bool {
        self.points(&Params::default()).0.reads_tenants()
    }

    /// The queue length its congestion points aim at, if they do.
    #[must_use]
    pub fn set_point(self, params: &Params) -> Option<Bytes> {
        match self {
            Self::None => None,
            Self::Qcn => Some(params.qcn.cp.set_point),
        }
    }

    /// The smallest rate of its reaction points, if they limit rates.
    #[must_use]
    pub fn min_rate(self, params: &Params) -> Option<Rate> {
        match self {
            Self::None => None,
            Self::Qcn => Some(params.qcn.rp.min_rate),
        }
    }

    /// Whether its parameters are within their ranges and fit together, and fit a port of `line_rate` if it
    /// is known.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn check(self, params: &Params, line_rate: Option<Rate>) -> Result<(), Misfit> {
        match self {
            Self::None => Ok(()),
            Self::Qcn => params.qcn.check(line_rate).map_err(|error| Misfit::new(error.key(), &error)),
        }
    }
}

fn every<P: PartOf + Default + fmt::Debug>(table: &'static [Parameter<P>]) -> Vec<&'static dyn Tunable> {
    table.iter().map(|parameter| parameter as &dyn Tunable).collect()
}

/// Every parameter of every algorithm, each once.
#[must_use]
pub fn parameters() -> Vec<&'static dyn Tunable> {
    let mut all: Vec<&'static dyn Tunable> = Vec::new();
    for parameter in Algorithm::ALL.into_iter().flat_map(Algorithm::parameters) {
        if all.iter().all(|known| known.key() != parameter.key()) {
            all.push(parameter);
        }
    }
    all
}

/// Why parameters cannot be used together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// The parameter to point at.
    pub key: String,
    /// What is wrong, in a sentence.
    pub message: String,
}

impl Misfit {
    /// A misfit to be shown at a parameter.
    pub fn new(key: &str, message: &impl ToString) -> Self {
        Self { key: String::from(key), message: message.to_string() }
    }
}

impl From<ParameterError> for Misfit {
    fn from(error: ParameterError) -> Self {
        Self::new(error.key(), &error)
    }
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl core::error::Error for Misfit {}
