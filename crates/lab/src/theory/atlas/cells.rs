//! The cells of the atlas: one linear loop each.

use std::f64::consts::TAU;

use setpoint_fluid::ModelOptions;
use setpoint_fluid::linear::{Loop, NoLoop, linearise};
use setpoint_units::TimeDelta;

use super::network::AtlasNetwork;
use super::record::{AtlasCell, Limit, Stability};
use crate::theory::error::TheoryError;
use crate::theory::form::Form;
use crate::theory::record::EquilibriumRecord;

/// The number of time constants after which a disturbance has fallen to 2 %.
const TIME_CONSTANTS: f64 = 4.0;

/// A network with its form and its loop.
pub(super) struct Analysed {
    pub(super) form: Form,
    closed: Loop,
}

impl Analysed {
    pub(super) fn of(network: &AtlasNetwork) -> Result<Self, TheoryError> {
        let form = network.form()?;
        let closed = linearise(&form.bottleneck, &form.scheme, &ModelOptions::default())?;
        Ok(Self { form, closed })
    }

    /// The network delays at which the loop is stable, with the longest such delay and the angular frequency at
    /// that delay.
    pub(super) fn stability(&self) -> (Stability, Option<(f64, f64)>) {
        let waiting = self.form.waiting.as_secs_f64();
        match self.closed.margin() {
            None => (Stability::Never, None),
            Some(margin) if margin.delay_s.is_infinite() => (Stability::Always, None),
            Some(margin) if margin.delay_s <= waiting => (Stability::Never, None),
            Some(margin) => {
                (Stability::Bounded, Some((margin.delay_s - waiting, margin.crossover_rad_per_s)))
            }
        }
    }

    /// The time in which a small disturbance falls to 2 % at a delay of the network.
    fn settling_s(&self, delay: TimeDelta) -> Option<f64> {
        let root = self.closed.dominant((delay + self.form.waiting).as_secs_f64())?;
        (root.growth_per_s < 0.0).then(|| TIME_CONSTANTS / -root.growth_per_s)
    }
}

/// The cell of a network.
pub(super) fn cell(network: &AtlasNetwork, delay: TimeDelta) -> AtlasCell {
    let mut cell = AtlasCell {
        scheme: network.scheme.name(),
        speed_bps: network.speed.bits_per_second() as f64,
        flows: network.flows,
        stability: Stability::NoLoop,
        margin_s: None,
        waiting_s: 0.0,
        period_s: None,
        equilibrium: None,
        settling_s: None,
        pauses_from_bytes: network.pauses_from().map(|bytes| bytes.get() as f64),
        reason: None,
        limit: None,
    };
    match Analysed::of(network) {
        Ok(analysed) => {
            let (stability, margin) = analysed.stability();
            cell.stability = stability;
            cell.margin_s = margin.map(|(delay, _)| delay);
            cell.period_s = margin.map(|(_, omega)| TAU / omega);
            cell.waiting_s = analysed.form.waiting.as_secs_f64();
            cell.equilibrium =
                analysed.form.equilibrium(&ModelOptions::default()).map(EquilibriumRecord::from);
            cell.settling_s = analysed.settling_s(delay);
        }
        Err(error) => {
            cell.limit = Some(limit(&error));
            cell.reason = Some(error.to_string());
        }
    }
    cell
}

fn limit(error: &TheoryError) -> Limit {
    match error {
        TheoryError::NoForm(_) => Limit::NoModel,
        TheoryError::NoLoop(NoLoop::LeastRate { .. }) => Limit::MinRate,
        TheoryError::NoLoop(NoLoop::Marking { .. }) => Limit::BeyondKmax,
        TheoryError::NoLoop(NoLoop::Buffer { .. } | NoLoop::Feedback) => Limit::Full,
        _ => Limit::Other,
    }
}
