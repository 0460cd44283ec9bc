//! Linearisation of a bottleneck under a scheme.

use setpoint_units::Bytes;

use super::closed::{Corners, Echo, Loop};
use super::polynomial::Polynomial;
use crate::gains::{AfGains, DcqcnGains, LinearGains, QcnGains, TimelyGains, VendorGains};
use crate::share::{equal_share, is_held};
use crate::{Bottleneck, BottleneckError, Class, Increase, ModelOptions, Refused, Scheme, Sending};

/// The reason why there is no linear loop.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages show the fields")]
pub enum NoLoop {
    /// The bottleneck is invalid.
    #[error(transparent)]
    Bottleneck(#[from] BottleneckError),
    /// The model does not support the algorithm's parameters.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// The scheme is not smooth at its equilibrium.
    #[error(
        "{0} switches between two laws on lines through its equilibrium, so it has no linearisation there; use the phase plane"
    )]
    Switched(&'static str),
    /// Constant traffic takes the whole link.
    #[error("constant traffic takes the whole link, so there is nothing to control")]
    NoBandwidth,
    /// All sources together do not fill the link.
    #[error("all sources at their line rates do not fill the link, so there is nothing to control")]
    NoCongestion,
    /// An equal share is below the minimum rate.
    #[error(
        "an equal share is {share_bps:.0} b/s, but no source sends below {least_bps:.0} b/s; the queue is always full"
    )]
    LeastRate { share_bps: f64, least_bps: f64 },
    /// Rates rise by more between messages than the largest feedback removes.
    #[error(
        "rates rise by more between messages than the largest feedback removes; the queue is always full"
    )]
    Feedback,
    /// The equilibrium queue exceeds the buffer.
    #[error("the equilibrium queue would be {queue_bytes:.0} B, but the buffer holds {buffer}")]
    Buffer { queue_bytes: f64, buffer: Bytes },
    /// The equilibrium needs more marks than the congestion point sets up to Kmax.
    #[error(
        "the equilibrium needs a marking probability of {:.2} %, but it is at most {:.2} % up to Kmax; the queue oscillates around Kmax",
        100.0 * probability, 100.0 * largest
    )]
    Marking { probability: f64, largest: f64 },
    /// The original TIMELY has no fixed point.
    #[error("TIMELY has no fixed point: rates rise while the gradient is zero; patched TIMELY has one")]
    NoFixedPoint,
    /// The equilibrium is outside the range in which the law is smooth.
    #[error(
        "the equilibrium queue would be {queue_bytes:.0} B; it must be between {low_bytes:.0} B and {high_bytes:.0} B, the thresholds of the delay"
    )]
    Thresholds { queue_bytes: f64, low_bytes: f64, high_bytes: f64 },
    /// Weights divide the link unequally.
    #[error(
        "the controlled sources have different weights ({0} and {1}); a linear loop needs identical sources"
    )]
    Weights(u32, u32),
    /// Controlled sources have different loop delays.
    #[error(
        "the controlled sources have different loop delays ({0} and {1} s); a linear loop needs identical sources"
    )]
    Delays(f64, f64),
}

/// Linearises the loop of a bottleneck's controlled sources around an equal share of the bandwidth that the
/// last capacity leaves them. Sources whose line rates are below the share send at line rate and are not part
/// of the loop. Starts and stops are ignored: the loop includes all sources.
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
/// use setpoint_control::{qcn, smcc};
/// use setpoint_fluid::linear::{NoLoop, linearise};
/// use setpoint_fluid::{ModelOptions, Scheme};
///
/// // `bottleneck`: 10 sources with a loop delay of 50 us on a 10 Gb/s link.
/// let options = ModelOptions::default();
/// let qcn = linearise(&bottleneck, &Scheme::Qcn(qcn::Params::default()), &options)?;
/// let margin = qcn.margin().expect("stable without delay");
/// assert!(margin.delay_s > 50e-6, "the loop is stable at its own delay");
/// assert_eq!(qcn.unstable_roots(0.99 * margin.delay_s), 0);
/// assert_eq!(qcn.unstable_roots(1.01 * margin.delay_s), 2);
///
/// let smcc = linearise(&bottleneck, &Scheme::Smcc(smcc::Params::default()), &options);
/// assert!(matches!(smcc, Err(NoLoop::Switched(_))));
/// # Ok::<(), NoLoop>(())
/// ```
///
/// # Errors
/// Returns an error that gives the reason if there is no such loop.
pub fn linearise(bottleneck: &Bottleneck, scheme: &Scheme, options: &ModelOptions) -> Result<Loop, NoLoop> {
    bottleneck.check()?;
    let point = Point::of(bottleneck)?;
    match scheme {
        Scheme::Qcn(params) => {
            let gains = QcnGains::new(params, bottleneck)?;
            point.check_qcn(bottleneck, &gains, options)?;
            Ok(point.qcn(&gains, options))
        }
        Scheme::AfQcn(params, af) => {
            point.check_weights(bottleneck)?;
            // At equal shares the AF controller contributes nothing, and QCN's feedback is scaled by 1 - α.
            let gains = QcnGains::new(params, bottleneck)?.scaled(1.0 - AfGains::new(af).alpha);
            point.check_qcn(bottleneck, &gains, options)?;
            Ok(Loop {
                model: "AF-QCN at equal shares: QCN with 1 - α of its gain",
                ..point.qcn(&gains, options)
            })
        }
        Scheme::Bcn(params) => {
            let gains = LinearGains::bcn(params, bottleneck)?;
            point.check(bottleneck, gains.min_rate, gains.set_point)?;
            Ok(point.linear("BCN, on the steeper side of its feedback", &gains))
        }
        Scheme::Aimd(params) => {
            let gains = LinearGains::aimd(params, bottleneck)?;
            point.check(bottleneck, gains.min_rate, gains.set_point)?;
            Ok(point.aimd(&gains))
        }
        Scheme::Smcc(_) => Err(NoLoop::Switched("SMCC")),
        Scheme::Dcqcn(params) => {
            let gains = DcqcnGains::new(params, bottleneck)?;
            let at = point.check_dcqcn(bottleneck, &gains)?;
            Ok(point.dcqcn(&gains, &at))
        }
        Scheme::DcqcnVendor(params) => {
            let gains = VendorGains::new(params, bottleneck)?;
            let at = point.check_vendor(bottleneck, &gains)?;
            Ok(point.vendor(&gains, &at))
        }
        Scheme::Timely(params) => {
            let gains = TimelyGains::new(params, bottleneck)?;
            let queue = point.check_timely(bottleneck, &gains)?;
            Ok(point.timely(&gains, queue))
        }
    }
}

/// The equilibrium.
pub(crate) struct Point {
    pub(super) sources: u32,
    pub(super) delay_s: f64,
    /// C, the whole link, which determines the sampling rate, in frames per second.
    pub(super) capacity: f64,
    /// R*, the share of each controlled source.
    pub(crate) share: f64,
}

impl Point {
    pub(crate) fn of(bottleneck: &Bottleneck) -> Result<Self, NoLoop> {
        let rate = bottleneck.capacity.last().map(|(_, rate)| *rate).ok_or(BottleneckError::Capacity)?;
        let capacity = bottleneck.frames_per_second(rate);
        let constant = |class: &Class| match class.sending {
            Sending::Constant(rate) => f64::from(class.sources) * bottleneck.frames_per_second(rate),
            Sending::Controlled { .. } => 0.0,
        };
        let background: f64 = bottleneck.classes.iter().map(constant).sum();
        let controlled =
            bottleneck.classes.iter().filter(|class| matches!(class.sending, Sending::Controlled { .. }));
        let line = |class: &Class| bottleneck.frames_per_second(class.line_rate);
        let lines: Vec<(f64, f64)> =
            controlled.clone().map(|class| (f64::from(class.sources), line(class))).collect();
        let share = equal_share(capacity - background, &lines);
        if share <= 0.0 {
            return Err(NoLoop::NoBandwidth);
        }
        let mut free = controlled.filter(|class| !is_held(line(class), share));
        let Some(first) = free.next() else { return Err(NoLoop::NoCongestion) };
        let (mut sources, delay_s) = (first.sources, first.delay.as_secs_f64());
        for class in free {
            if class.delay != first.delay {
                return Err(NoLoop::Delays(delay_s, class.delay.as_secs_f64()));
            }
            sources += class.sources;
        }
        Ok(Self { sources, delay_s, capacity, share })
    }

    /// Checks that sources can send at their share, and that the queue fits into its buffer.
    pub(super) fn check(&self, bottleneck: &Bottleneck, min_rate: f64, queue: f64) -> Result<(), NoLoop> {
        if self.share < min_rate {
            let [share_bps, least_bps] = [self.share, min_rate].map(|rate| bottleneck.bits_per_second(rate));
            return Err(NoLoop::LeastRate { share_bps, least_bps });
        }
        if queue > bottleneck.frames(bottleneck.buffer) {
            let queue_bytes = queue * bottleneck.frame.get() as f64;
            return Err(NoLoop::Buffer { queue_bytes, buffer: bottleneck.buffer });
        }
        Ok(())
    }

    /// Like `check`, for QCN, whose queue is in equilibrium when a cut removes exactly what recovery has added:
    /// Gd Fb* R* = h D/2. Returns that queue.
    pub(super) fn check_qcn(
        &self,
        bottleneck: &Bottleneck,
        gains: &QcnGains,
        options: &ModelOptions,
    ) -> Result<f64, NoLoop> {
        let kept = libm::pow(1.0 - gains.sampling.lowest, gains.cycle);
        let cut = kept / (1.0 - kept) * gains.target_gap(options.target) / (2.0 * self.share);
        self.check(bottleneck, gains.min_rate, gains.set_point)?;
        if cut > gains.largest_cut {
            return Err(NoLoop::Feedback);
        }
        let queue = gains.set_point + cut / gains.gain;
        self.check(bottleneck, gains.min_rate, queue)?;
        Ok(queue)
    }

    /// Checks that the AF controller aims at equal shares.
    fn check_weights(&self, bottleneck: &Bottleneck) -> Result<(), NoLoop> {
        let weight = |class: &Class| match class.sending {
            Sending::Controlled { weight } => Some(weight.max(1)),
            Sending::Constant(_) => None,
        };
        let mut weights = bottleneck.classes.iter().filter_map(weight);
        let first = weights.next().unwrap_or(1);
        weights.find(|other| *other != first).map_or(Ok(()), |other| Err(NoLoop::Weights(first, other)))
    }

    /// QCN with the sampling probability of an uncongested queue:
    ///
    /// ```text
    /// x' = -a1 (x - y)                                          x, y, q: deviations of TR, CR and the queue
    /// y' = a2 (x - y) - a3 y - a4 (q + a5 y)(t - τ)             (x - y)(t - τ) if the increase is as printed
    /// q' = N y
    /// a1 = p R* (p (1-p)^B R* if successive messages keep the target)
    /// a2 = p h R*/2   a3 = p h D/2   a4 = G p R*²   a5 = N w/(p C)
    /// h = 1/((1-p)^-B - 1)   D = TR* - CR* = (1-p)^(5B) R_AI/(B' a1/R*)
    /// ```
    fn qcn(&self, gains: &QcnGains, options: &ModelOptions) -> Loop {
        let (p, n) = (gains.sampling.lowest, f64::from(self.sources));
        let kept = libm::pow(1.0 - p, gains.cycle);
        let h = kept / (1.0 - kept);
        let d = gains.target_gap(options.target);
        let (a1, a2, a3) =
            (gains.resets(options.target) * self.share, p * h * self.share / 2.0, p * h * d / 2.0);
        let (a4, a5) = (gains.gain * p * self.share * self.share, n * gains.weight / (p * self.capacity));
        let s = Polynomial::s();
        let slow = Polynomial::shifted(a1);
        // a4 (N + a5 s)(s + a1): the queue and its growth, filtered by the target's memory.
        let feedback = Polynomial::new([a4 * n, a4 * a5]).times(&slow);
        let (model, numerator, denominator, corners) = match options.increase {
            Increase::AtSource => {
                let beta = a1 + a2 + a3;
                let corners = Corners { gain: a4 * a5, gamma: n / a5, lead: Some((a1, beta)) };
                let denominator = s.times(&Polynomial::new([a1 * a3, beta, 1.0]));
                ("QCN, equations (9) to (12), increase at the source", feedback, denominator, Some(corners))
            }
            Increase::AsPrinted => {
                let numerator = Polynomial::new([0.0, 0.0, a2]).plus(&feedback);
                let denominator = s.times(&slow).times(&Polynomial::shifted(a3));
                ("QCN, equations (9) to (12) as printed", numerator, denominator, None)
            }
        };
        Loop {
            model,
            sources: self.sources,
            delay_s: self.delay_s,
            queueing_s: 0.0,
            numerator,
            denominator,
            echo: None,
            corners,
        }
    }

    /// Sources that react to feedback of both signs: y' = -κ (q + a5 y)(t - τ), q' = N y, with κ = p R* g,
    /// where g is the gain on the steeper side.
    fn linear(&self, model: &'static str, gains: &LinearGains) -> Loop {
        let (p, n) = (gains.probability, f64::from(self.sources));
        let a5 = n * gains.weight / (p * self.capacity);
        let kappa = p * self.share * gains.steepest(self.share);
        Loop {
            model,
            sources: self.sources,
            delay_s: self.delay_s,
            queueing_s: 0.0,
            numerator: Polynomial::new([kappa * n, kappa * a5]),
            denominator: Polynomial::new([0.0, 0.0, 1.0]),
            echo: None,
            corners: Some(Corners { gain: kappa * a5, gamma: n / a5, lead: None }),
        }
    }

    /// Like `linear`, with the Averaging Principle if it is on: a source is sampled once every 1/(p R*).
    fn aimd(&self, gains: &LinearGains) -> Loop {
        if !gains.averages {
            return self.linear("AIMD, on the steeper side of its feedback", gains);
        }
        let interval = 1.0 / (gains.probability * self.share);
        let plain =
            self.linear("AIMD with the Averaging Principle, on the steeper side of its feedback", gains);
        // Theorem 1: 3/4 of the current feedback minus 1/4 of the previous one.
        let echo = Echo { numerator: plain.numerator.scaled(-0.25), delay_s: interval };
        Loop { numerator: plain.numerator.scaled(0.75), echo: Some(echo), corners: None, ..plain }
    }
}
