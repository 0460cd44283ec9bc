//! Fluid models: how the queue and rates of a [`Bottleneck`] evolve under a [`Scheme`].
//!
//! * QCN: equations (9) to (13) of the Allerton paper, with the choices in [`ModelOptions`];
//! * AF-QCN: QCN with separate feedback for every class; derived here (see `qcn.rs`);
//! * BCN and AIMD, the latter with and without the Averaging Principle (`linear.rs`);
//! * DCQCN: the equations of the CoNEXT paper (`dcqcn.rs`), and our own for the vendor's rules (`vendor.rs`);
//! * TIMELY and patched TIMELY: the equations of the same paper, with delays that depend on the queue
//!   (`timely.rs`);
//! * SMCC: equations (26) and (27) of its paper, with a delay (`smcc.rs`).
//!
//! Every class of sources has its own delay, start, stop and line rate, and starts at line rate. The queue
//! stays between empty and full, and rates stay between the minimum rate and the line rate.

mod coupled;
mod cycle;
mod dcqcn;
mod delayed;
mod linear;
mod plant;
mod qcn;
mod reader;
mod smcc;
mod timely;
mod vendor;

use setpoint_units::{Rate, TimeDelta};

use self::coupled::{Coupled, Law};
use self::dcqcn::Dcqcn;
use self::linear::Linear;
use self::plant::{Kind, Plant};
use self::qcn::Qcn;
use self::smcc::Smcc;
use self::timely::Timely;
use self::vendor::Vendor;
use crate::dde::{self, DdeError, Initial, Options, Tolerance};
use crate::gains::{AfGains, DcqcnGains, LinearGains, QcnGains, SmccGains, TimelyGains, VendorGains};
use crate::{Bottleneck, BottleneckError, ModelOptions, Refused, Scheme};

pub use self::cycle::Cycle;

/// The time span of a solution and its sample interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Horizon {
    /// The end of the solution.
    pub until: TimeDelta,
    /// The sample interval.
    pub sample: TimeDelta,
    /// The initial state.
    pub start: Start,
}

/// The initial state of a solution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Start {
    /// An empty queue, and sources that start at their line rates.
    #[default]
    LineRates,
    /// Equal shares and a queue 0.1 % above its set point, to study a small disturbance.
    NearEquilibrium,
}

/// The queue length and rates over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Course {
    /// Sample times: multiples of the interval, starting with one interval, as in packet runs.
    pub time_s: Vec<f64>,
    /// Queue length.
    pub queue_bytes: Vec<f64>,
    /// For each class, the rate of one source; zero while it is off.
    pub rates_bps: Vec<Vec<f64>>,
    /// The number of solver steps.
    pub steps: usize,
}

/// The reason why there is no solution.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ModelError {
    /// The bottleneck is invalid.
    #[error(transparent)]
    Bottleneck(#[from] BottleneckError),
    /// The model does not support the algorithm's parameters.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// A scheme that switches needs a loop delay.
    #[error(
        "class `{0}` has a loop delay of zero, with which {1} would switch infinitely often; the phase plane has no such limit"
    )]
    NoDelay(String, &'static str),
    /// The sample interval is zero.
    #[error("the sample interval is zero; it must be positive")]
    NoInterval,
    /// The number of initial rates differs from the number of classes.
    #[error("{given} initial rates given for {classes} classes")]
    Rates {
        /// The number of rates.
        given: usize,
        /// The number of classes.
        classes: usize,
    },
    /// The solver failed.
    #[error(transparent)]
    Solver(#[from] DdeError),
}

/// Solves the fluid model of a bottleneck under a scheme.
///
/// ```
/// # use setpoint_fluid::{Bottleneck, Class, Sending};
/// # use setpoint_units::{Bytes, Rate, Time, TimeDelta};
/// #
/// # let bottleneck = Bottleneck {
/// #     frame: Bytes::new(1_500),
/// #     overhead: Bytes::ZERO,
/// #     capacity: vec![(Time::ZERO, Rate::from_gbps(10))],
/// #     buffer: Bytes::new(1_000_000),
/// #     classes: vec![Class {
/// #         name: "senders".to_owned(),
/// #         sources: 10,
/// #         delay: TimeDelta::from_micros(50),
/// #         line_rate: Rate::from_gbps(10),
/// #         start: Time::ZERO,
/// #         stop: None,
/// #         sending: Sending::Controlled { weight: 1 },
/// #     }],
/// # };
/// use setpoint_control::qcn;
/// use setpoint_fluid::model::{Horizon, ModelError, Start, solve};
/// use setpoint_fluid::{ModelOptions, Scheme};
///
/// // `bottleneck`: 10 sources with a loop delay of 50 us on a 10 Gb/s link.
/// let scheme = Scheme::Qcn(qcn::Params::default());
/// let horizon = Horizon {
///     until: TimeDelta::from_millis(100),
///     sample: TimeDelta::from_millis(1),
///     start: Start::LineRates,
/// };
/// let course = solve(&bottleneck, &scheme, &ModelOptions::default(), &horizon)?;
///
/// // The queue settles at its set point of 26 kB, and each source gets a tenth of the link.
/// assert!((course.queue_bytes[99] / 26_000.0 - 1.0).abs() < 0.01);
/// assert!((course.rates_bps[0][99] / 1e9 - 1.0).abs() < 0.01);
/// # Ok::<(), ModelError>(())
/// ```
///
/// # Errors
/// Returns an error if there is no such model or if the solver fails.
pub fn solve(
    bottleneck: &Bottleneck,
    scheme: &Scheme,
    options: &ModelOptions,
    horizon: &Horizon,
) -> Result<Course, ModelError> {
    solve_with(bottleneck, scheme, options, horizon, None)
}

/// Solves the fluid model like [`solve`], with sources that start at the given rates, one for each class, instead
/// of their line rates. The rates do not matter near the equilibrium ([`Start::NearEquilibrium`]).
///
/// # Errors
/// Returns an error if there is no such model, if the number of rates differs from that of the classes, or if the solver
/// fails.
pub fn solve_from(
    bottleneck: &Bottleneck,
    scheme: &Scheme,
    options: &ModelOptions,
    horizon: &Horizon,
    rates: &[Rate],
) -> Result<Course, ModelError> {
    if rates.len() != bottleneck.classes.len() {
        return Err(ModelError::Rates { given: rates.len(), classes: bottleneck.classes.len() });
    }
    let rates: Vec<f64> = rates.iter().map(|rate| bottleneck.frames_per_second(*rate)).collect();
    solve_with(bottleneck, scheme, options, horizon, Some(&rates))
}

fn solve_with(
    bottleneck: &Bottleneck,
    scheme: &Scheme,
    options: &ModelOptions,
    horizon: &Horizon,
    rates: Option<&[f64]>,
) -> Result<Course, ModelError> {
    bottleneck.check()?;
    if horizon.sample.is_zero() {
        return Err(ModelError::NoInterval);
    }
    let run = Run { bottleneck, horizon, rates };
    match scheme {
        Scheme::Qcn(params) => {
            run.law(Qcn { gains: QcnGains::new(params, bottleneck)?, fairness: None, options: *options })
        }
        Scheme::AfQcn(params, af) => run.law(Qcn {
            gains: QcnGains::new(params, bottleneck)?,
            fairness: Some(AfGains::new(af)),
            options: *options,
        }),
        Scheme::Bcn(params) => {
            run.law(Linear { gains: LinearGains::bcn(params, bottleneck)?, interval_s: None })
        }
        Scheme::Aimd(params) => run.law(aimd(LinearGains::aimd(params, bottleneck)?, bottleneck)),
        Scheme::Smcc(params) => {
            needs_delay(bottleneck, "SMCC")?;
            run.law(Smcc { gains: SmccGains::new(params, bottleneck)? })
        }
        Scheme::Dcqcn(params) => {
            let mut law = Dcqcn { gains: DcqcnGains::new(params, bottleneck)?, share: f64::NAN };
            law.share = Plant::new(bottleneck, law.layout()).equal_share();
            run.law(law)
        }
        Scheme::DcqcnVendor(params) => {
            let mut law = Vendor { gains: VendorGains::new(params, bottleneck)?, share: f64::NAN };
            law.share = Plant::new(bottleneck, law.layout()).equal_share();
            run.law(law)
        }
        Scheme::Timely(params) => run.law(timely(TimelyGains::new(params, bottleneck)?, bottleneck)),
    }
}

fn aimd(gains: LinearGains, bottleneck: &Bottleneck) -> Linear {
    let plain = Linear { gains, interval_s: None };
    let share = Plant::new(bottleneck, plain.layout()).equal_share();
    let averages = gains.averages && share > 0.0;
    Linear { interval_s: averages.then(|| 1.0 / (gains.probability * share)), ..plain }
}

fn timely(gains: TimelyGains, bottleneck: &Bottleneck) -> Timely {
    let plain = Timely { gains, transmission_s: 0.0, capacity: f64::NAN, share: f64::NAN };
    let plant = Plant::new(bottleneck, plain.layout());
    let (capacity, share) = (plant.last_capacity(), plant.equal_share());
    Timely { transmission_s: 1.0 / plant.largest_capacity(), capacity, share, ..plain }
}

fn needs_delay(bottleneck: &Bottleneck, scheme: &'static str) -> Result<(), ModelError> {
    match bottleneck.classes.iter().find(|class| class.delay.is_zero()) {
        Some(class) => Err(ModelError::NoDelay(class.name.clone(), scheme)),
        None => Ok(()),
    }
}

/// Relative accuracy of a step.
const ACCURACY: f64 = 1e-7;

struct Run<'a> {
    bottleneck: &'a Bottleneck,
    horizon: &'a Horizon,
    /// The initial rate of each class in frames per second; the line rates if absent.
    rates: Option<&'a [f64]>,
}

impl Run<'_> {
    fn law(&self, law: impl Law) -> Result<Course, ModelError> {
        let plant = Plant::new(self.bottleneck, law.layout());
        let (system, start) = match self.horizon.start {
            Start::LineRates => {
                let system = Coupled { plant, law };
                let start = system.start(self.rates);
                (system, start)
            }
            Start::NearEquilibrium => {
                let system = Coupled { plant: plant.without_starts(), law };
                let start = system.near_equilibrium();
                (system, start)
            }
        };
        let until = self.horizon.until.as_secs_f64();
        let options = Options::new(until, Tolerance::scaled(ACCURACY, &system.scales()));
        let solution = dde::solve(&system, &Initial::constant(start), &options)?;
        Ok(self.sampled(&system.plant, &solution))
    }

    fn sampled(&self, plant: &Plant, solution: &dde::Solution) -> Course {
        let count = self.horizon.until.as_picos() / self.horizon.sample.as_picos();
        let time =
            |index: u64| TimeDelta::from_picos(self.horizon.sample.as_picos() * (index + 1)).as_secs_f64();
        let time_s: Vec<f64> = (0..count).map(time).collect();
        let frame = self.bottleneck.frame.get() as f64;
        let rate = |class: &plant::Sources, time: f64| match class.kind {
            _ if !class.is_on(time) => 0.0,
            Kind::Constant(rate) => self.bottleneck.bits_per_second(rate),
            Kind::Controlled { first, .. } => self.bottleneck.bits_per_second(solution.at(time, first)),
        };
        Course {
            queue_bytes: time_s.iter().map(|time| solution.at(*time, 0) * frame).collect(),
            rates_bps: plant
                .classes
                .iter()
                .map(|class| time_s.iter().map(|time| rate(class, *time)).collect())
                .collect(),
            time_s,
            steps: solution.steps(),
        }
    }
}
