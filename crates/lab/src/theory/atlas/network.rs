//! The networks of the atlas: N senders share one link.

use setpoint_control::{CongestionPointParams, dcqcn};
use setpoint_scenario::{Prepared, Scenario, Source};
use setpoint_sim::{PortId, Spec, paths};
use setpoint_units::{Bytes, Rate, TimeDelta};

use crate::theory::error::TheoryError;
use crate::theory::form::{Form, form};

/// The length of a frame, as in the CoNEXT paper.
pub const FRAME: Bytes = Bytes::new(1_000);

/// An algorithm with a set of parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AtlasScheme {
    /// QCN with the preset of the speed.
    Qcn,
    /// DCQCN with a profile for the speed.
    Dcqcn(&'static str),
}

impl AtlasScheme {
    /// QCN and every profile of DCQCN.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let profiles = dcqcn::PROFILES.iter().map(|profile| Self::Dcqcn(profile.name));
        std::iter::once(Self::Qcn).chain(profiles).collect()
    }

    /// Its name, such as `dcqcn hpcc`.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Qcn => "qcn".to_owned(),
            Self::Dcqcn(profile) => format!("dcqcn {profile}"),
        }
    }

    fn table(&self) -> &'static str {
        match self {
            Self::Qcn => "control.qcn",
            Self::Dcqcn(_) => "control.dcqcn",
        }
    }
}

/// N senders share one link. Links and ports of senders have the same speed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AtlasNetwork {
    /// The algorithm.
    pub scheme: AtlasScheme,
    /// The speed.
    pub speed: Rate,
    /// The number of senders.
    pub flows: u32,
    /// The buffer.
    pub buffer: Bytes,
}

/// A network of another size with the same fluid model: flows, link, thresholds and buffer are multiplied by `times/over`,
/// and the speed of the senders' ports and the rate of every flow remain the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// The numerator.
    pub times: u32,
    /// The denominator, a divisor of the number of flows.
    pub over: u32,
}

impl Size {
    /// The network itself.
    pub const ITSELF: Self = Self { times: 1, over: 1 };

    /// The factor.
    #[must_use]
    pub fn factor(self) -> f64 {
        f64::from(self.times) / f64::from(self.over)
    }

    fn of(self, value: u64) -> u64 {
        (u128::from(value) * u128::from(self.times) / u128::from(self.over)) as u64
    }
}

/// The times of a simulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// The start of the measurement.
    pub from: TimeDelta,
    /// The end of the simulation.
    pub until: TimeDelta,
}

impl AtlasNetwork {
    /// Its fluid form, with a short round-trip delay on the senders' links.
    ///
    /// # Errors
    /// If the parameters are invalid at this speed, or have no fluid form.
    pub fn form(&self) -> Result<Form, TheoryError> {
        Ok(form(&self.prepared(&self.text(Size::ITSELF, TimeDelta::from_micros(1), None, None), 1)?)?)
    }

    /// The total queue at which PFC with its default thresholds pauses the senders.
    pub(super) fn pauses_from(&self) -> Option<Bytes> {
        let text = self.text(Size::ITSELF, TimeDelta::from_micros(1), None, None);
        let with_pfc = format!("flow_control = \"pfc\"\n{text}");
        Some(form(&self.prepared(&with_pfc, 1).ok()?).ok()?.bottleneck.buffer)
    }

    /// The delay of its path, with a short round-trip delay on the senders' links. The path does not depend on the profile, so
    /// that of DCQCN's first profile also holds for profiles without a model.
    fn path_delay(&self) -> Result<TimeDelta, TheoryError> {
        let of = |network: &Self| network.form().map(|form| form.path_delay());
        match &self.scheme {
            AtlasScheme::Qcn => of(self),
            AtlasScheme::Dcqcn(_) => {
                of(&Self { scheme: AtlasScheme::Dcqcn(dcqcn::PROFILES[0].name), ..self.clone() })
            }
        }
    }

    /// A packet simulation of a network with the given size and delay, which excludes queueing.
    ///
    /// # Errors
    /// If the parameters are invalid at this speed.
    pub fn simulation(
        &self,
        size: Size,
        delay: TimeDelta,
        schedule: Schedule,
        seed: u64,
    ) -> Result<Prepared, TheoryError> {
        let fixed = self.path_delay()?.saturating_sub(TimeDelta::from_micros(1));
        let rtt = delay.saturating_sub(fixed).max(TimeDelta::from_nanos(2));
        let red = red(&self.prepared(&self.text(Size::ITSELF, rtt, None, None), seed)?.spec);
        self.prepared(&self.text(size, rtt, red, Some(schedule)), seed)
    }

    fn prepared(&self, text: &str, seed: u64) -> Result<Prepared, TheoryError> {
        Ok(Scenario::load(&Source::new("atlas.toml", text), &[])?.prepare(seed)?)
    }

    fn text(
        &self,
        size: Size,
        rtt: TimeDelta,
        red: Option<dcqcn::CpParams>,
        schedule: Option<Schedule>,
    ) -> String {
        let Self { scheme, speed, .. } = self;
        let flows = size.of(self.flows.into());
        let link = Rate::from_bits_per_second(size.of(speed.bits_per_second()));
        let buffer = Bytes::new(size.of(self.buffer.get()).max(1));
        let times = schedule.map_or(String::new(), |Schedule { from, until }| {
            let sample = TimeDelta::from_nanos((until.as_picos() / 4_000_000).max(1_000));
            format!("duration = \"{until}\"\nmeasure_from = \"{from}\"\nsample_interval = \"{sample}\"\n")
        });
        let profile = match scheme {
            AtlasScheme::Qcn => String::new(),
            AtlasScheme::Dcqcn(profile) => format!("profile = \"{profile}\"\n"),
        };
        let thresholds = red.map_or(String::new(), |red| {
            let [kmin, kmax] = [red.k_min, red.k_max].map(|bytes| Bytes::new(size.of(bytes.get())));
            format!("[{}.cp]\nk_min = \"{kmin}\"\nk_max = \"{kmax}\"\n", scheme.table())
        });
        format!(
            "name = \"atlas\"\n{times}\
             [topology.dumbbell]\nsenders = {flows}\nreceivers = {flows}\naccess_rate = \"{speed}\"\n\
             bottleneck_rate = \"{link}\"\nrtt = \"{rtt}\"\nbottleneck_delay = \"1 ns\"\n\
             [network]\nframe = \"{FRAME}\"\nbuffer = \"{buffer}\"\n\
             [{}]\npreset = \"{}G\"\n{profile}{thresholds}",
            scheme.table(),
            speed.bits_per_second() / 1_000_000_000
        )
    }
}

/// The parameters of marking, if the congestion point marks frames.
pub(super) fn red(spec: &Spec) -> Option<dcqcn::CpParams> {
    match spec.control.congestion_point {
        CongestionPointParams::Dcqcn(red) => Some(red),
        _ => None,
    }
}

/// The port of the link that all flows share: the second one on every path.
pub(super) fn shared_port(spec: &Spec) -> Option<PortId> {
    paths(spec).ok()?.first()?.get(1).copied()
}
