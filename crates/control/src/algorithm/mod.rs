//! The algorithms by name, and all their parameters together.
//!
//! Every algorithm declares a struct of parameters and a table that describes them. [`Params`] holds the structs of
//! all algorithms, so that keys, presets and documentation can be generated without any knowledge of the algorithm.
//! An [`Algorithm`] lists the tables that it reads and creates its points from them. Some algorithms share a
//! point: AF-QCN and FQCN use QCN's reaction point with QCN's parameters.

mod audience;
pub mod group;
mod list;

use alloc::boxed::Box;
use core::any::{Any, TypeId};

use setpoint_units::{Bytes, Rate, Time, TimeDelta};

use crate::parameter::{Parameter, Parts, Preset, PresetChange, Profile};
use crate::scheme::{BridgeNeeds, BridgePart, Scheme, SourceNeeds, SourcePart};
use crate::{
    Admission, Answer, Answers, Arrival, Backlog, Counters, CpCounters, Delivery, Departure, Entropy,
    Feedback, Limit, Mark, Misfit, Notification, Observe, Outbox, Path, PointId, React, Reading, Replies,
    Reply, Role, Show, Signal, Update, af_qcn, afd, aimd, bcn, dcqcn, fqcn, hpcc, powertcp, qcn, smcc, swift,
    timely,
};
use list::algorithms;

pub use audience::{Audience, EveryFlow};
pub use group::{GroupParams, GroupRule};

algorithms! {
    Qcn = "qcn", "Quantised congestion notification, IEEE 802.1Qau.",
        qcn, bridge qcn::CongestionPoint = (qcn.cp), source qcn::ReactionPoint;
    AfQcn = "af-qcn", "QCN with stronger feedback for flows above their share (Kabbani et al. 2010).",
        af_qcn, bridge Box<af_qcn::CongestionPoint> = (af_qcn::CpParams { qcn: qcn.cp, af: af_qcn }), extends Qcn;
    Afd = "afd", "Approximate fair dropping: frames of flows above their share are dropped before they are queued (Pan et al. 2003).",
        afd, bridge Box<afd::CongestionPoint> = (afd);
    Fqcn = "fqcn", "QCN with feedback to every flow above the equal share, in proportion to its contribution to the congestion (Zhang and Ansari 2011).",
        fqcn, bridge Box<fqcn::CongestionPoint> = (fqcn::CpParams { qcn: qcn.cp, flows: fqcn }), extends Qcn;
    Smcc = "smcc", "Sliding mode congestion control (Jiang et al. 2015).",
        smcc, bridge smcc::CongestionPoint = (smcc.cp), source smcc::ReactionPoint;
    Bcn = "bcn", "Backward congestion notification (Bergamasco and Pan 2005).",
        bcn, bridge bcn::CongestionPoint = (bcn.cp), source bcn::ReactionPoint;
    Aimd = "aimd", "Additive increase, multiplicative decrease driven by feedback, with or without averaging (Alizadeh et al. 2008).",
        aimd, bridge aimd::CongestionPoint = (aimd.cp), source aimd::ReactionPoint;
    Dcqcn = "dcqcn", "Congestion control for RoCEv2 by marks in frames (Zhu et al. 2015), in the versions of papers, simulators and network cards.",
        dcqcn, bridge dcqcn::CongestionPoint = (dcqcn.cp), receiver dcqcn::NotificationPoint, source dcqcn::ReactionPoint;
    Timely = "timely", "Congestion control by the round-trip time and its gradient, Mittal et al. (2015), with the patched version of Zhu et al. (2016).",
        timely, receiver timely::NotificationPoint, source timely::ReactionPoint;
    Hpcc = "hpcc", "Congestion control by in-band telemetry: bridges report queues and loads in frames, Li et al. (2019).",
        hpcc, receiver hpcc::NotificationPoint, source hpcc::ReactionPoint;
    Powertcp = "powertcp", "Congestion control by power, the product of the arrival rate at a port and of the bytes on its link and in its queue, Addanki et al. (2022), by in-band telemetry or by delay.",
        powertcp, receiver powertcp::NotificationPoint, source powertcp::ReactionPoint;
    Swift = "swift", "A window that follows the round-trip time, whose target depends on the number of hops and on the window, Kumar et al. (2020), with the values of a simulator that calls them guesses.",
        swift, receiver swift::NotificationPoint, source swift::ReactionPoint;
}

impl Algorithm {
    /// Every parameter that the algorithm reads, starting with those of the congestion point.
    pub fn parameters(self) -> impl Iterator<Item = &'static Parameter> + Clone {
        self.base().into_iter().chain([self]).flat_map(|one| one.own_parameters().iter())
    }

    /// The parameters that the given role reads.
    pub fn parameters_of(self, role: Role) -> impl Iterator<Item = &'static Parameter> + Clone {
        self.parameters().filter(move |parameter| parameter.role == role)
    }

    /// The profile with the given name.
    pub fn profile(self, name: &str) -> Option<&'static Profile> {
        self.profiles().iter().find(|profile| profile.name == name)
    }

    /// Whether it has reaction points; otherwise its congestion points can only drop frames.
    pub fn notifies(self) -> bool {
        self.points(&Params::default()).1 != ReactionPointParams::None
    }

    /// Whether its congestion points divide a link by weights ([`crate::Tenant`]).
    pub fn divides(self) -> bool {
        self.points(&Params::default()).0.needs().tenants
    }

    /// Checks that its parameters are within their ranges, and that they are consistent with each other and, if
    /// `line_rate` is given, with a port of that rate.
    ///
    /// # Errors
    /// Returns the first problem.
    pub fn check(self, params: &Params, line_rate: Option<Rate>) -> Result<(), Misfit> {
        self.check_points(params, line_rate)?;
        self.points(params).1.check_replies(&self.notification_point(params))
    }

    /// The same without the replies that reaction points require.
    fn check_points(self, params: &Params, line_rate: Option<Rate>) -> Result<(), Misfit> {
        self.parameters().try_for_each(|parameter| parameter.check(parameter.read(params)))?;
        self.fit(params, line_rate)
    }
}

impl CongestionPoint {
    /// Creates a congestion point that notifies the given audience. If there is no algorithm, the audience is
    /// ignored.
    pub fn for_audience(params: &CongestionPointParams, id: PointId, audience: Audience) -> Self {
        let point = Self::new(params, id);
        match params {
            CongestionPointParams::None => point,
            _ => point.with_audience(audience),
        }
    }

    /// A congestion point from outside this crate that notifies the given audience.
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

impl ReactionPoint {
    /// Creates a reaction point for the limiter of a group, which receives notifications from several congestion
    /// points.
    pub fn for_group(params: &ReactionPointParams, group: &GroupParams, line_rate: Rate) -> Self {
        match group.rule {
            GroupRule::EveryNotification => Self::new(params, &Path::at(line_rate)),
            GroupRule::SlowestPath | GroupRule::WorstPoint => {
                let params = group::Params { point: *params, group: *group };
                Self::Group(Box::new(group::ReactionPoint::new(params, line_rate)))
            }
        }
    }

    /// A reaction point from outside this crate.
    pub fn custom(point: Box<dyn React>) -> Self {
        Self::Custom(point)
    }
}

/// Every parameter of every algorithm, each listed once.
pub fn parameters() -> impl Iterator<Item = &'static Parameter> + Clone {
    Algorithm::ALL.into_iter().flat_map(Algorithm::own_parameters)
}

impl Preset {
    /// The differences from the defaults, for all algorithms.
    pub fn changes(self) -> impl Iterator<Item = PresetChange> {
        parameters().filter_map(move |parameter| parameter.preset(self))
    }
}

impl Params {
    /// The parameters of a preset.
    pub fn preset(preset: Preset) -> Self {
        let mut params = Self::default();
        for parameter in parameters() {
            if let Some(change) = parameter.preset(preset) {
                parameter.write(&mut params, change.value).expect("presets are within the ranges");
            }
        }
        params
    }

    /// The parameters of a preset, changed by a profile for the same link speed.
    pub fn of(preset: Preset, profile: Option<&Profile>) -> Self {
        let mut params = Self::preset(preset);
        if let Some(profile) = profile {
            profile.apply(&mut params, preset.line_rate());
        }
        params
    }
}
