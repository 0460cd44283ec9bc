//! The phase plane of one bottleneck under one algorithm.

use super::bounds::Window;
use super::dynamics::Dynamics;
use super::line::Line;
use super::memory::Memory;
use super::theorem3::Coefficients;

/// A phase plane, created from a bottleneck and a scheme by [`Plane::new`].
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
/// use setpoint_control::smcc;
/// use setpoint_fluid::Scheme;
/// use setpoint_fluid::phase::{NoPlane, Plane, Start, Switching};
///
/// // `bottleneck`: 10 sources with a loop delay of 50 us on a 10 Gb/s link.
/// let plane = Plane::new(&bottleneck, &Scheme::Smcc(smcc::Params::default()))?;
/// let start = Start::at(plane.set_point(), 0.0);
/// let trajectory = plane.trajectory(start, Switching::Immediate, 0.1);
///
/// // Without a switching delay, SMCC balances the rates but stays off its set point.
/// let (offset, excess) = trajectory.end();
/// assert!(excess.abs() < 1e-3 * plane.available());
/// assert!(offset > 0.1 * plane.set_point());
/// # Ok::<(), NoPlane>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Plane {
    pub(super) law: Dynamics,
    pub(super) model: &'static str,
    pub(super) leaves_out: Vec<&'static str>,
    pub(super) window: Window,
    pub(super) set_point: f64,
    pub(super) sources: f64,
    pub(super) available: f64,
    pub(super) samples_per_s: f64,
    /// Bytes on the wire for each byte of a frame.
    pub(super) wire_share: f64,
}

/// The start of a trajectory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Start {
    /// Offset of the queue from its set point, in bytes.
    pub offset: f64,
    /// Excess of the rates, in bytes per second.
    pub excess: f64,
    /// N R(0) - A for QCN, in bytes per second. The default is the excess at the start if the start is on the side
    /// of decrease, since the decrease begins there; otherwise it is the excess at line rate, the rate at which
    /// flows start.
    pub target: Option<f64>,
}

impl Start {
    /// A start at a point.
    pub fn at(offset: f64, excess: f64) -> Self {
        Self { offset, excess, target: None }
    }

    /// The same start with a target, N R(0) - A.
    #[must_use]
    pub fn with_target(self, excess: f64) -> Self {
        Self { target: Some(excess), ..self }
    }
}

impl Plane {
    /// A short description of the model, with its source.
    pub fn model(&self) -> &'static str {
        self.model
    }

    /// Sentences that describe the parts of the algorithm that the model omits.
    pub fn leaves_out(&self) -> &[&'static str] {
        &self.leaves_out
    }

    /// The bounds on the queue and the rates.
    pub fn window(&self) -> Window {
        self.window
    }

    /// q0, the set point, in bytes.
    pub fn set_point(&self) -> f64 {
        self.set_point
    }

    /// N, the number of sources.
    pub fn sources(&self) -> f64 {
        self.sources
    }

    /// A, the available bandwidth, in bytes of frames per second.
    pub fn available(&self) -> f64 {
        self.available
    }

    /// pC, the number of samples per second. Its inverse is the sampling interval.
    pub fn samples_per_s(&self) -> f64 {
        self.samples_per_s
    }

    /// An excess in bits per second on the wire, including frame overhead, as rates are counted elsewhere.
    pub fn excess_bps(&self, excess: f64) -> f64 {
        excess * self.wire_share * 8.0
    }

    /// The excess N r - A if every source sends at the given rate in bits per second on the wire.
    pub fn excess_of_rate(&self, rate_bps: f64) -> f64 {
        self.sources * rate_bps / (8.0 * self.wire_share) - self.available
    }

    /// The switching lines.
    pub fn lines(&self) -> Vec<Line> {
        self.law.lines()
    }

    /// The coefficients of (26) and (27), with the larger a1 if there are two stages; `None` for algorithms
    /// other than SMCC.
    pub fn coefficients(&self) -> Option<Coefficients> {
        match &self.law {
            Dynamics::Smcc(law) => Some(law.coefficients),
            Dynamics::Qcn(_) | Dynamics::Feedback(_) => None,
        }
    }

    /// The same plane with other coefficients in (26) and (27), as in Remark 2; `None` for algorithms other
    /// than SMCC.
    #[must_use]
    pub fn with_coefficients(mut self, coefficients: Coefficients) -> Option<Self> {
        match &mut self.law {
            Dynamics::Smcc(law) => law.coefficients = coefficients,
            Dynamics::Qcn(_) | Dynamics::Feedback(_) => return None,
        }
        Some(self)
    }

    pub(super) fn memory(&self, start: &Start) -> Memory {
        let above = self.lines().first().is_some_and(|line| {
            line.offset_part * start.offset + line.excess_part * start.excess > line.level
        });
        let usual = if above { start.excess } else { self.window.excess.1 };
        Memory { target: start.target.unwrap_or(usual), since: 0.0 }
    }

    /// The integration step in seconds: a small fraction of the shortest characteristic time.
    pub fn step(&self) -> f64 {
        self.law.shortest_time().min(1.0 / self.samples_per_s) / STEPS
    }
}

/// Number of steps per shortest characteristic time. The error of a Runge-Kutta step is of fifth order in its
/// inverse.
const STEPS: f64 = 100.0;
