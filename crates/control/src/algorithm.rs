//! The algorithms by name, and all their parameters together.
//!
//! Every algorithm declares a struct of parameters and a table that describes them. [`Params`] holds the structs of
//! all algorithms, so that keys, presets and documentation can be generated without knowing the algorithm. An
//! [`Algorithm`] knows which tables it reads and creates its two points from them. Some algorithms share a point:
//! AF-QCN and FQCN use QCN's reaction point with QCN's parameters.

use alloc::vec::Vec;

use setpoint_units::{Bytes, Rate};

use crate::parameter::{Parameter, Preset, PresetChange, choice};
use crate::{
    CongestionPointParams, Misfit, ReactionPointParams, Role, af_qcn, afd, aimd, bcn, fqcn, qcn, smcc,
};

choice! {
    /// A congestion control algorithm.
    ///
    /// ```
    /// use setpoint_control::{Algorithm, Params};
    /// use setpoint_units::Bytes;
    ///
    /// let algorithm = Algorithm::from_name("af-qcn").expect("it exists");
    /// assert_eq!(algorithm, Algorithm::AfQcn);
    /// assert_eq!(algorithm.set_point(&Params::default()), Some(Bytes::new(26_000)));
    /// assert!(algorithm.notifies() && algorithm.divides());
    /// ```
    Algorithm {
        None = "none", "No congestion control: every flow sends as fast as its port allows.";
        Qcn = "qcn", "Quantised congestion notification, IEEE 802.1Qau.";
        AfQcn = "af-qcn", "QCN with stronger feedback for flows above their share, Kabbani et al. (2010).";
        Afd = "afd", "Approximate fair dropping: frames of flows above their share are dropped before they are queued, Pan et al. (2003).";
        Fqcn = "fqcn", "QCN with feedback to every flow above the equal share, in proportion to its contribution to the congestion, Zhang and Ansari (2011).";
        Smcc = "smcc", "Sliding mode congestion control (Jiang et al. 2015).";
        Bcn = "bcn", "Backward congestion notification (Bergamasco and Pan 2005).";
        Aimd = "aimd", "Additive increase, multiplicative decrease driven by feedback, with or without averaging (Alizadeh et al. 2008).";
    }
}

/// The parameters of every algorithm.
///
/// ```
/// use setpoint_control::{Algorithm, Params};
/// use setpoint_units::{Bytes, Rate};
///
/// let mut params = Params::default();
/// params.bcn.cp.set_point = Bytes::new(200_000);
/// let error = Algorithm::Bcn.check(&params, Some(Rate::from_gbps(10))).expect_err("it is beyond the threshold");
/// assert_eq!(error.key, "bcn.cp.severe_threshold");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Params {
    /// QCN.
    pub qcn: qcn::Params,
    /// The parameters that AF-QCN adds to QCN's.
    pub af_qcn: af_qcn::Params,
    /// AFD.
    pub afd: afd::Params,
    /// The parameters that FQCN adds to QCN's.
    pub fqcn: fqcn::Params,
    /// SMCC.
    pub smcc: smcc::Params,
    /// BCN.
    pub bcn: bcn::Params,
    /// AIMD with feedback.
    pub aimd: aimd::Params,
}

impl Algorithm {
    /// Every algorithm, in documentation order.
    pub const ALL: [Self; 8] =
        [Self::None, Self::Qcn, Self::AfQcn, Self::Afd, Self::Fqcn, Self::Smcc, Self::Bcn, Self::Aimd];

    /// Every parameter that the algorithm reads, starting with those of the congestion point.
    pub fn parameters(self) -> impl Iterator<Item = &'static Parameter> + Clone {
        let tables: &'static [&'static [Parameter]] = match self {
            Self::None => &[],
            Self::Qcn => &[qcn::PARAMETERS],
            Self::AfQcn => &[qcn::PARAMETERS, af_qcn::PARAMETERS],
            Self::Afd => &[afd::PARAMETERS],
            Self::Fqcn => &[qcn::PARAMETERS, fqcn::PARAMETERS],
            Self::Smcc => &[smcc::PARAMETERS],
            Self::Bcn => &[bcn::PARAMETERS],
            Self::Aimd => &[aimd::PARAMETERS],
        };
        tables.iter().flat_map(|table| table.iter())
    }

    /// The parameters that one of its roles reads.
    pub fn parameters_of(self, role: Role) -> impl Iterator<Item = &'static Parameter> + Clone {
        self.parameters().filter(move |parameter| parameter.role == role)
    }

    /// The parameters of its two points.
    #[must_use]
    pub fn points(self, params: &Params) -> (CongestionPointParams, ReactionPointParams) {
        match self {
            Self::None => (CongestionPointParams::None, ReactionPointParams::None),
            Self::Qcn => (CongestionPointParams::Qcn(params.qcn.cp), ReactionPointParams::Qcn(params.qcn.rp)),
            Self::AfQcn => {
                let cp = af_qcn::CpParams { qcn: params.qcn.cp, af: params.af_qcn };
                (CongestionPointParams::AfQcn(cp), ReactionPointParams::Qcn(params.qcn.rp))
            }
            Self::Afd => (CongestionPointParams::Afd(params.afd), ReactionPointParams::None),
            Self::Fqcn => {
                let cp = fqcn::CpParams { qcn: params.qcn.cp, flows: params.fqcn };
                (CongestionPointParams::Fqcn(cp), ReactionPointParams::Qcn(params.qcn.rp))
            }
            Self::Smcc => {
                (CongestionPointParams::Smcc(params.smcc.cp), ReactionPointParams::Smcc(params.smcc.rp))
            }
            Self::Bcn => (CongestionPointParams::Bcn(params.bcn.cp), ReactionPointParams::Bcn(params.bcn.rp)),
            Self::Aimd => {
                (CongestionPointParams::Aimd(params.aimd.cp), ReactionPointParams::Aimd(params.aimd.rp))
            }
        }
    }

    /// Whether its congestion points notify reaction points; otherwise they can only drop frames.
    #[must_use]
    pub fn notifies(self) -> bool {
        self.points(&Params::default()).1 != ReactionPointParams::None
    }

    /// Whether its congestion points divide a link by weights ([`crate::Tenant`]).
    #[must_use]
    pub fn divides(self) -> bool {
        self.points(&Params::default()).0.reads_tenants()
    }

    /// The queue length that its congestion points aim at, if there is one.
    #[must_use]
    pub fn set_point(self, params: &Params) -> Option<Bytes> {
        match self {
            Self::None => None,
            Self::Qcn | Self::AfQcn | Self::Fqcn => Some(params.qcn.cp.set_point),
            Self::Afd => Some(params.afd.set_point),
            Self::Smcc => Some(params.smcc.cp.set_point),
            Self::Bcn => Some(params.bcn.cp.set_point),
            Self::Aimd => Some(params.aimd.cp.set_point),
        }
    }

    /// The minimum rate of its reaction points, if it has any.
    #[must_use]
    pub fn min_rate(self, params: &Params) -> Option<Rate> {
        match self {
            Self::None | Self::Afd => None,
            Self::Qcn | Self::AfQcn | Self::Fqcn => Some(params.qcn.rp.min_rate),
            Self::Smcc => Some(params.smcc.rp.min_rate),
            Self::Bcn => Some(params.bcn.rp.min_rate),
            Self::Aimd => Some(params.aimd.rp.min_rate),
        }
    }

    /// Checks that its parameters are within their ranges, and that they fit together and fit a port of
    /// `line_rate` if it is known.
    ///
    /// # Errors
    /// Returns the first problem.
    pub fn check(self, params: &Params, line_rate: Option<Rate>) -> Result<(), Misfit> {
        self.parameters().try_for_each(|parameter| parameter.check(parameter.read(params)))?;
        match self {
            Self::None => Ok(()),
            Self::Qcn | Self::Fqcn => params.qcn.fit(line_rate),
            Self::AfQcn => {
                params.qcn.fit(line_rate)?;
                params.af_qcn.fit(line_rate)
            }
            Self::Afd => params.afd.fit(),
            Self::Smcc => params.smcc.fit(line_rate),
            Self::Bcn => params.bcn.fit(line_rate),
            Self::Aimd => params.aimd.fit(line_rate),
        }
    }
}

/// Every parameter of every algorithm, listed once each.
#[must_use]
pub fn parameters() -> Vec<&'static Parameter> {
    let mut all: Vec<&'static Parameter> = Vec::new();
    for parameter in Algorithm::ALL.into_iter().flat_map(Algorithm::parameters) {
        if all.iter().all(|known| known.key != parameter.key) {
            all.push(parameter);
        }
    }
    all
}

impl Preset {
    /// The differences from the defaults, for all algorithms.
    pub fn changes(self) -> impl Iterator<Item = PresetChange> {
        parameters().into_iter().filter_map(move |parameter| parameter.preset(self))
    }
}

impl Params {
    /// The parameters of a preset.
    #[must_use]
    pub fn preset(preset: Preset) -> Self {
        let mut params = Self::default();
        for parameter in parameters() {
            if let Some(change) = parameter.preset(preset) {
                parameter.write(&mut params, change.value).expect("presets are within the ranges");
            }
        }
        params
    }
}
