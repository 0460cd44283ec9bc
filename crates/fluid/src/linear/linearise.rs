//! From a bottleneck and a scheme to a loop.

use super::closed::{Corners, Loop};
use super::polynomial::Polynomial;
use crate::gains::{AfGains, LinearGains, QcnGains};
use crate::{Bottleneck, BottleneckError, Class, Increase, Reading, Refused, Scheme, Sending};

/// Why there is no linear loop.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NoLoop {
    /// The bottleneck makes no sense.
    #[error(transparent)]
    Bottleneck(#[from] BottleneckError),
    /// The model cannot follow the algorithm's parameters.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// The scheme is not smooth at its equilibrium.
    #[error(
        "{0} switches between two laws on lines through its equilibrium and has no linearisation there; the phase plane shows it"
    )]
    Switched(&'static str),
    /// Constant traffic leaves nothing.
    #[error("constant traffic takes all of the link, and leaves nothing to control")]
    NoBandwidth,
    /// Sources are not alike.
    #[error(
        "the controlled sources have different loop delays ({0} and {1} s); a linear loop is of sources that are alike"
    )]
    Delays(f64, f64),
}

/// The linearised loop of a bottleneck's controlled sources, around an equal share of what the last capacity leaves
/// them. Start and stop are not looked at: it is about all of them together.
///
/// # Errors
/// If there is no such loop; the error says why.
pub fn linearise(bottleneck: &Bottleneck, scheme: &Scheme, reading: &Reading) -> Result<Loop, NoLoop> {
    bottleneck.check()?;
    let point = Point::of(bottleneck)?;
    match scheme {
        Scheme::Qcn(params) => Ok(point.qcn(&QcnGains::new(params, bottleneck)?, reading)),
        Scheme::AfQcn(params, af) => {
            let mut gains = QcnGains::new(params, bottleneck)?;
            // At equal shares the AF controller is silent, and its part of the feedback is missing from QCN's.
            gains.gain *= 1.0 - AfGains::new(af).alpha;
            Ok(Loop {
                model: "AF-QCN at equal shares: QCN with 1 - α of its gain",
                ..point.qcn(&gains, reading)
            })
        }
        Scheme::Bcn(params) => {
            Ok(point
                .linear("BCN, on the steeper side of its feedback", &LinearGains::bcn(params, bottleneck)?))
        }
        Scheme::Aimd(params) => Ok(point.aimd(&LinearGains::aimd(params, bottleneck)?)),
        Scheme::Smcc(_) => Err(NoLoop::Switched("SMCC")),
    }
}

/// The equilibrium.
struct Point {
    sources: u32,
    delay_s: f64,
    /// C, the whole link, by which samples are counted, in frames per second.
    capacity: f64,
    /// R*, the share of each controlled source.
    share: f64,
}

impl Point {
    fn of(bottleneck: &Bottleneck) -> Result<Self, NoLoop> {
        let rate = bottleneck.capacity.last().map(|(_, rate)| *rate).ok_or(BottleneckError::Capacity)?;
        let capacity = bottleneck.frames_per_second(rate);
        let constant = |class: &Class| match class.sending {
            Sending::Constant(rate) => f64::from(class.sources) * bottleneck.frames_per_second(rate),
            Sending::Controlled { .. } => 0.0,
        };
        let background: f64 = bottleneck.classes.iter().map(constant).sum();
        let controlled =
            bottleneck.classes.iter().filter(|class| matches!(class.sending, Sending::Controlled { .. }));
        let sources: u32 = controlled.clone().map(|class| class.sources).sum();
        let mut delays = controlled.map(|class| class.delay.as_secs_f64());
        let delay_s = delays.next().unwrap_or(0.0);
        if let Some(other) = delays.find(|other| *other != delay_s) {
            return Err(NoLoop::Delays(delay_s, other));
        }
        let share = (capacity - background) / f64::from(sources);
        if share > 0.0 { Ok(Self { sources, delay_s, capacity, share }) } else { Err(NoLoop::NoBandwidth) }
    }

    /// QCN with the sampling probability of an uncongested queue:
    ///
    /// ```text
    /// x' = -a1 (x - y)                                          x, y, q: deviations of TR, CR and the queue
    /// y' = a2 (x - y) - a3 y - a4 (q + a5 y)(t - τ)             (x - y)(t - τ) where the increase is as printed
    /// q' = N y
    /// a1 = p R* (p (1-p)^B R* where messages in a row keep the target)
    /// a2 = p h R*/2   a3 = p h D/2   a4 = G p R*²   a5 = N w/(p C)
    /// h = 1/((1-p)^-B - 1)   D = TR* - CR* = (1-p)^(5B) R_AI/(B' a1/R*)
    /// ```
    fn qcn(&self, gains: &QcnGains, reading: &Reading) -> Loop {
        let (p, n) = (gains.sampling.lowest, f64::from(self.sources));
        let kept = libm::pow(1.0 - p, gains.cycle);
        let h = kept / (1.0 - kept);
        let d = gains.target_gap(reading.target);
        let (a1, a2, a3) =
            (gains.resets(reading.target) * self.share, p * h * self.share / 2.0, p * h * d / 2.0);
        let (a4, a5) = (gains.gain * p * self.share * self.share, n * gains.weight / (p * self.capacity));
        let s = Polynomial::s();
        let slow = Polynomial::shifted(a1);
        // a4 (N + a5 s)(s + a1): the queue and its growth, as seen through the target's memory.
        let feedback = Polynomial::new([a4 * n, a4 * a5]).times(&slow);
        let (model, numerator, denominator, corners) = match reading.increase {
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
            numerator,
            denominator,
            averaging_s: None,
            corners,
        }
    }

    /// Sources that change their rates by both signs of feedback: y' = -κ (q + a5 y)(t - τ), q' = N y, with κ = p R* g
    /// and g the gain on the steeper side.
    fn linear(&self, model: &'static str, gains: &LinearGains) -> Loop {
        let (p, n) = (gains.probability, f64::from(self.sources));
        let a5 = n * gains.weight / (p * self.capacity);
        let kappa = p * self.share * gains.steepest(self.share);
        Loop {
            model,
            sources: self.sources,
            delay_s: self.delay_s,
            numerator: Polynomial::new([kappa * n, kappa * a5]),
            denominator: Polynomial::new([0.0, 0.0, 1.0]),
            averaging_s: None,
            corners: Some(Corners { gain: kappa * a5, gamma: n / a5, lead: None }),
        }
    }

    /// The same with the Averaging Principle, if it is used: a source is sampled once in 1/(p R*).
    fn aimd(&self, gains: &LinearGains) -> Loop {
        if !gains.averages {
            return self.linear("AIMD, on the steeper side of its feedback", gains);
        }
        let interval = 1.0 / (gains.probability * self.share);
        let plain =
            self.linear("AIMD with the Averaging Principle, on the steeper side of its feedback", gains);
        Loop { averaging_s: Some(interval), corners: None, ..plain }
    }
}
