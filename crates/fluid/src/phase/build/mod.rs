//! Construction of planes from bottlenecks and schemes.

mod linear_feedback;
mod qcn;
mod smcc;

use setpoint_units::{Bytes, Rate};

use super::bounds::Window;
use super::dynamics::Dynamics;
use super::options::PlaneOptions;
use super::plane::Plane;
use crate::gains::above_zero;
use crate::{Bottleneck, BottleneckError, Class, Refused, Scheme, Sending};

/// The reason why there is no plane.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages show the fields")]
pub enum NoPlane {
    /// The bottleneck is invalid.
    #[error(transparent)]
    Bottleneck(#[from] BottleneckError),
    /// The model does not support the algorithm's parameters.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// The algorithm does not fit into two coordinates.
    #[error("no phase plane for {scheme}: {why}")]
    Scheme { scheme: &'static str, why: &'static str },
    /// No controlled class remains at the end.
    #[error("every controlled class stops; a phase plane needs one that never does")]
    AllStop,
    /// Constant traffic takes the whole link.
    #[error("constant traffic of {background_bps} b/s takes the whole link of {capacity_bps} b/s")]
    NoBandwidth { background_bps: u64, capacity_bps: u64 },
    /// The set point is not inside the buffer.
    #[error(
        "the set point is {set_point} and the buffer {buffer}; the set point must be above zero and below the buffer"
    )]
    SetPoint { set_point: Bytes, buffer: Bytes },
}

/// The inputs common to all algorithms. Bytes are frame bytes, without overhead.
struct Parts {
    sources: f64,
    /// A, the bandwidth available to controlled sources.
    available: f64,
    /// C, the link rate.
    capacity: f64,
    wire_share: f64,
    /// The sum of all line rates.
    line: f64,
    buffer: Bytes,
    frame: f64,
}

/// The parameters of a congestion point.
struct Point {
    set_point: Bytes,
    /// 1/p in bytes.
    sample_bytes: f64,
    /// The minimum and, if set, the maximum rate of a source.
    rates: (Rate, Option<Rate>),
}

impl Plane {
    /// The plane of a bottleneck under a scheme, with default [options](PlaneOptions).
    ///
    /// # Errors
    /// Returns an error that gives the reason if there is no such plane.
    pub fn new(bottleneck: &Bottleneck, scheme: &Scheme) -> Result<Self, NoPlane> {
        Self::with_options(bottleneck, scheme, &PlaneOptions::default())
    }

    /// The plane with the given options, which matter only for QCN.
    ///
    /// # Errors
    /// Returns an error that gives the reason if there is no such plane.
    pub fn with_options(
        bottleneck: &Bottleneck,
        scheme: &Scheme,
        options: &PlaneOptions,
    ) -> Result<Self, NoPlane> {
        bottleneck.check()?;
        let parts = Parts::of(bottleneck)?;
        match scheme {
            Scheme::Qcn(params) => qcn::of_qcn(&parts, params, *options),
            Scheme::Smcc(params) => smcc::of_smcc(&parts, params),
            Scheme::Bcn(params) => linear_feedback::of_bcn(&parts, params),
            Scheme::Aimd(params) => linear_feedback::of_aimd(&parts, params),
            Scheme::AfQcn(..) => Err(NoPlane::Scheme {
                scheme: scheme.name(),
                why: "every class has its own feedback, which depends on its arrivals",
            }),
            Scheme::Dcqcn(_) | Scheme::DcqcnVendor(_) => Err(NoPlane::Scheme {
                scheme: scheme.name(),
                why: "a source also has a target and α, so that two coordinates do not determine the motion; use \
                      `setpoint fluid` or `setpoint stability`",
            }),
            Scheme::Timely(_) => Err(NoPlane::Scheme {
                scheme: scheme.name(),
                why: "a source has two states, and feedback is delayed",
            }),
        }
    }
}

impl Parts {
    fn of(bottleneck: &Bottleneck) -> Result<Self, NoPlane> {
        let staying = |class: &&Class| class.stop.is_none();
        let (mut sources, mut line, mut background) = (0.0, 0.0, 0u64);
        for class in bottleneck.classes.iter().filter(staying) {
            match class.sending {
                Sending::Controlled { .. } => {
                    sources += f64::from(class.sources);
                    line += f64::from(class.sources) * bottleneck.frames_per_second(class.line_rate);
                }
                Sending::Constant(rate) => {
                    let all = rate.bits_per_second().saturating_mul(u64::from(class.sources));
                    background = background.saturating_add(all);
                }
            }
        }
        if sources == 0.0 {
            return Err(NoPlane::AllStop);
        }
        let link = bottleneck.capacity.last().ok_or(BottleneckError::Capacity)?.1.bits_per_second();
        if background >= link {
            return Err(NoPlane::NoBandwidth { background_bps: background, capacity_bps: link });
        }
        let frame = bottleneck.frame.get() as f64;
        let wire_share = (frame + bottleneck.overhead.get() as f64) / frame;
        let bytes = |bits: u64| bits as f64 / 8.0 / wire_share;
        Ok(Self {
            sources,
            available: bytes(link - background),
            capacity: bytes(link),
            wire_share,
            line: line * frame,
            buffer: bottleneck.buffer,
            frame,
        })
    }

    fn bytes(&self, rate: Rate) -> f64 {
        rate.bits_per_second() as f64 / 8.0 / self.wire_share
    }

    /// pC and pA.
    fn samples(&self, sample_bytes: f64) -> (f64, f64) {
        (self.capacity / sample_bytes, self.available / sample_bytes)
    }

    fn plane(&self, law: Dynamics, model: &'static str, point: &Point) -> Result<Plane, NoPlane> {
        if point.set_point.is_zero() || point.set_point >= self.buffer {
            return Err(NoPlane::SetPoint { set_point: point.set_point, buffer: self.buffer });
        }
        let set_point = point.set_point.get() as f64;
        let (least, most) = point.rates;
        let highest = most.map_or(self.line, |most| self.line.min(self.sources * self.bytes(most)));
        let lowest = (self.sources * self.bytes(least)).min(highest);
        let window = Window {
            offset: (-set_point, self.buffer.get() as f64 - set_point),
            excess: (lowest - self.available, highest - self.available),
        };
        Ok(Plane {
            law,
            model,
            leaves_out: Vec::new(),
            window,
            set_point,
            sources: self.sources,
            available: self.available,
            samples_per_s: self.samples(point.sample_bytes).0,
            wire_share: self.wire_share,
        })
    }
}

/// A length in bytes that must not be zero.
fn bytes_above_zero(length: Bytes, key: &'static str) -> Result<f64, NoPlane> {
    Ok(above_zero(length, key)?.get() as f64)
}
