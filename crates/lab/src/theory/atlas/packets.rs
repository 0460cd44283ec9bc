//! Packet simulations at points of the atlas, and whether their queues oscillate.
//!
//! # Criterion
//!
//! The marks of single frames and the cuts of single flows make every queue vary, even if the loop is stable. In a network
//! with M times the flows, M times the link rate and M times the thresholds, every flow sees the same marks, so that the
//! fluid model is the same, with M times the queue. If the flows vary independently, the variation of the queue then grows
//! by a factor of only √M; an oscillation that all flows share grows by a factor of M. If the number of flows is multiplied
//! by four, the deviation relative to the mean therefore falls to one half if it is noise, and does not change if it is an
//! oscillation. The queue counts as stable if the ratio of the two relative deviations is at most [`NOISE`], as oscillating
//! if it is at least [`CYCLE`], and otherwise as unclear.
//!
//! QCN's feedback contains the growth of the queue between two samples, which is not the same in such networks. Its queue
//! counts as oscillating if it has a period ([`oscillation`]).

use serde::{Deserialize, Serialize};
use setpoint_record::run::outcome;
use setpoint_record::statistics::moments::Moments;
use setpoint_scenario::Prepared;
use setpoint_sim::{FlowOutcome, Monitor, Outcome, QueueOutcome, Side, Spec};
use setpoint_units::TimeDelta;

use super::network::{AtlasNetwork, AtlasScheme, Schedule, Size, red, shared_port};
use super::record::{AtlasRun, Verdict};
use crate::theory::error::TheoryError;
use crate::theory::form::form;
use crate::theory::oscillation;

/// The largest ratio of relative deviations that counts as noise; independent flows give one half.
pub const NOISE: f64 = 0.65;
/// The smallest ratio that counts as an oscillation; a common oscillation gives one.
pub const CYCLE: f64 = 0.8;
/// The ratio halfway between the two, by which bisection separates stable from oscillating networks.
pub const MIDDLE: f64 = std::f64::consts::FRAC_1_SQRT_2;
/// A queue that is empty for more than this part of the time does not control the rates.
const MOST_EMPTY: f64 = 0.25;
/// The difference between the means of the two halves, relative to their mean, above which the queue has not
/// settled.
const DRIFT: f64 = 0.4;
/// The smallest deviation relative to the set point at which QCN's queue oscillates, as in fluid solutions.
const LEAST_DEVIATION: f64 = 0.25 * std::f64::consts::FRAC_1_SQRT_2;

/// The queue of a packet simulation, divided by the size of its network.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct QueueFigures {
    /// Its mean.
    pub mean_bytes: f64,
    /// Its standard deviation.
    pub deviation_bytes: f64,
    /// The part of the time during which it was empty.
    pub empty_share: f64,
    /// The means of the two halves of the measured time.
    pub halves_bytes: [f64; 2],
    /// The period of its oscillation, according to its autocorrelation.
    pub period_s: Option<f64>,
    /// The part of the frames that its congestion point marked, over the whole run.
    pub marked_share: f64,
    /// The mean marking probability for the sampled queue lengths, over the whole run, and in the measured time.
    pub marking_share: [Option<f64>; 2],
    /// Notifications that reached a source per second, in the measured time.
    pub notifications_per_s: f64,
}

impl QueueFigures {
    /// Simulates a network of the given size.
    ///
    /// # Errors
    /// If the parameters are invalid, or the monitor stops the run.
    pub fn of(prepared: &Prepared, size: Size, monitor: &mut dyn Monitor) -> Result<Self, TheoryError> {
        let spec = &prepared.spec;
        let outcome = outcome(prepared, monitor)?;
        let port = shared_port(spec);
        let ours = |queue: &&QueueOutcome| Some(queue.port) == port && queue.side == Side::Output;
        let Some(queue) = outcome.queues.iter().find(ours) else { return Ok(Self::none()) };
        let interval = spec.sample_interval;
        let from = spec.measure_from.as_picos() / interval.as_picos();
        let means: Vec<f64> =
            queue.mean_series.iter().skip(from as usize).map(|bytes| *bytes as f64).collect();
        let (first, second) = means.split_at(means.len() / 2);
        let mean = |part: &[f64]| Moments::of(part.iter().copied()).mean / size.factor();
        let sent =
            outcome.ports.iter().find(|port| port.port == queue.port).map_or(0, |port| port.sent_frames);
        let set_point = form(prepared).map_or(0.0, |form| form.set_point.get() as f64);
        Ok(Self {
            mean_bytes: queue.length.mean / size.factor(),
            deviation_bytes: queue.length.deviation / size.factor(),
            empty_share: queue.length.empty,
            halves_bytes: [mean(first), mean(second)],
            period_s: oscillation::period(&means, interval.as_secs_f64(), LEAST_DEVIATION * set_point),
            marked_share: queue.marked_frames.unwrap_or(0) as f64 / sent.max(1) as f64,
            notifications_per_s: notifications(&outcome, from as usize, interval),
            marking_share: [0, from as usize].map(|from| marking(spec, queue.length_series.get(from..)?)),
        })
    }

    fn none() -> Self {
        Self {
            mean_bytes: 0.0,
            deviation_bytes: 0.0,
            empty_share: 1.0,
            halves_bytes: [0.0; 2],
            period_s: None,
            marked_share: 0.0,
            marking_share: [None; 2],
            notifications_per_s: 0.0,
        }
    }

    /// The deviation relative to the mean.
    #[must_use]
    pub fn relative(&self) -> f64 {
        self.deviation_bytes / self.mean_bytes.max(1.0)
    }

    /// The reason why the figures allow no verdict, if there is one.
    fn unclear(&self) -> Option<&'static str> {
        let [first, second] = self.halves_bytes;
        match (first - second).abs() / f64::midpoint(first, second).max(1.0) {
            _ if self.empty_share > MOST_EMPTY => {
                Some("the queue was empty for more than a quarter of the time")
            }
            drift if drift > DRIFT => Some("the queue had not settled"),
            _ => None,
        }
    }
}

/// The number of notifications that a flow receives per second, from the given sample onwards.
fn notifications(outcome: &Outcome, from: usize, interval: TimeDelta) -> f64 {
    let of = |flow: &FlowOutcome| {
        let measured = flow.notification_series.get(from..).unwrap_or_default();
        let sum: u64 = measured.iter().map(|count| u64::from(*count)).sum();
        sum as f64 / (measured.len().max(1) as f64 * interval.as_secs_f64())
    };
    Moments::of(outcome.flows.iter().map(of)).mean
}

/// The mean marking probability for samples of a queue, if the algorithm marks frames.
fn marking(spec: &Spec, samples: &[u64]) -> Option<f64> {
    let red = red(spec)?;
    let [kmin, kmax] = [red.k_min, red.k_max].map(|bytes| bytes.get() as f64);
    let largest = f64::from(red.p_max.hundredths()) / 1e4;
    let of = |bytes: &u64| match *bytes as f64 {
        bytes if bytes <= kmin => 0.0,
        bytes if bytes <= kmax => largest * (bytes - kmin) / (kmax - kmin),
        _ => 1.0,
    };
    Some(Moments::of(samples.iter().map(of)).mean)
}

/// A packet simulation at a point.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Point {
    pub(super) network: AtlasNetwork,
    pub(super) delay: TimeDelta,
    /// None without a model.
    pub(super) model_is_stable: Option<bool>,
    pub(super) schedule: Schedule,
}

impl Point {
    /// The simulation of the network itself, which identifies the point.
    pub(super) fn prepared(&self, seed: u64) -> Result<Prepared, TheoryError> {
        self.network.simulation(Size::ITSELF, self.delay, self.schedule, seed)
    }

    pub(super) fn name(&self) -> String {
        let Self { network: AtlasNetwork { scheme, speed, flows, .. }, delay, .. } = self;
        format!("{}, {speed}, {flows} flows, {delay}", scheme.name())
    }

    pub(super) fn run(&self, seed: u64, monitor: &mut dyn Monitor) -> Result<AtlasRun, TheoryError> {
        let whole = QueueFigures::of(&self.prepared(seed)?, Size::ITSELF, monitor)?;
        let (verdict, why, ratio) = match self.network.scheme {
            AtlasScheme::Qcn => {
                let verdict = if whole.period_s.is_some() { Verdict::Oscillates } else { Verdict::Stable };
                (verdict, whole.unclear(), None)
            }
            AtlasScheme::Dcqcn(_) => {
                let quarter = Size { times: 1, over: 4 };
                let prepared = self.network.simulation(quarter, self.delay, self.schedule, seed)?;
                let part = QueueFigures::of(&prepared, quarter, monitor)?;
                let ratio = whole.relative() / part.relative().max(1e-9);
                let why = whole.unclear().or(part.unclear());
                (judged(ratio), why, Some(ratio))
            }
        };
        let between = (verdict == Verdict::Unclear).then_some("the deviation falls by less than noise does");
        let why = why.or(between);
        Ok(AtlasRun {
            scheme: self.network.scheme.name(),
            speed_bps: self.network.speed.bits_per_second() as f64,
            flows: self.network.flows,
            delay_s: self.delay.as_secs_f64(),
            model_is_stable: self.model_is_stable,
            seed,
            verdict: if why.is_some() { Verdict::Unclear } else { verdict },
            why: why.map(str::to_owned),
            queue_mean_bytes: whole.mean_bytes,
            queue_deviation_bytes: whole.deviation_bytes,
            empty_share: whole.empty_share,
            deviation_ratio: ratio,
            measured_s: self.schedule.until.saturating_sub(self.schedule.from).as_secs_f64(),
        })
    }
}

/// The verdict for the ratio of the relative deviation with all flows to that with a quarter of them.
#[must_use]
pub fn judged(ratio: f64) -> Verdict {
    match ratio {
        ratio if ratio <= NOISE => Verdict::Stable,
        ratio if ratio >= CYCLE => Verdict::Oscillates,
        _ => Verdict::Unclear,
    }
}
