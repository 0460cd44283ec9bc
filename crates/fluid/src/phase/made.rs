//! Planes from bottlenecks and schemes.

use setpoint_control::parameter::Power;
use setpoint_control::{aimd, bcn, qcn, smcc};
use setpoint_units::{Bytes, Rate};

use super::bounds::Window;
use super::law::Law;
use super::linear_feedback::LinearFeedback;
use super::plane::Plane;
use super::qcn::Qcn;
use super::reading::Reading;
use super::smcc::{Smcc, Stages};
use super::theorem3::Coefficients;
use crate::{Bottleneck, BottleneckError, Class, Scheme, Sending};

/// Why there is no plane.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoPlane {
    /// The bottleneck makes no sense.
    #[error(transparent)]
    Bottleneck(#[from] BottleneckError),
    /// The algorithm has more than two coordinates.
    #[error("no phase plane for {scheme}: {why}")]
    Scheme {
        /// The algorithm.
        scheme: &'static str,
        /// What stands in the way.
        why: &'static str,
    },
    /// Nothing controlled is left at the end.
    #[error("every controlled class stops; a phase plane is of those that never do")]
    AllStop,
    /// Traffic at a constant rate takes the whole link.
    #[error("constant traffic of {background_bps} b/s leaves nothing of a link of {capacity_bps} b/s")]
    NoBandwidth {
        /// What it takes.
        background_bps: u64,
        /// What there is.
        capacity_bps: u64,
    },
    /// The queue cannot be on both sides of its set point.
    #[error("a set point of {set_point} in a buffer of {buffer}; it must be above zero and below the buffer")]
    SetPoint {
        /// Where the queue should be.
        set_point: Bytes,
        /// What there is.
        buffer: Bytes,
    },
    /// A length that something is divided by is zero.
    #[error("{key} is zero; it must be more")]
    Zero {
        /// The parameter.
        key: &'static str,
    },
}

/// What all laws are made from. Bytes are of frames, without overhead.
struct Parts {
    sources: f64,
    /// A.
    available: f64,
    /// C.
    capacity: f64,
    wire_share: f64,
    /// The largest rate of all sources together.
    line: f64,
    buffer: Bytes,
    frame: f64,
}

/// What a congestion point is to a plane.
struct Point {
    set_point: Bytes,
    /// 1/p in bytes.
    sample_bytes: f64,
    /// The least and, if it is set, the largest rate of a source.
    rates: (Rate, Option<Rate>),
}

impl Plane {
    /// The plane of a bottleneck under a scheme, in the usual [reading](Reading).
    ///
    /// # Errors
    /// Why there is none.
    pub fn new(bottleneck: &Bottleneck, scheme: &Scheme) -> Result<Self, NoPlane> {
        Self::read(bottleneck, scheme, &Reading::default())
    }

    /// The plane in a reading of one's choice; it makes a difference for QCN only.
    ///
    /// # Errors
    /// Why there is none.
    pub fn read(bottleneck: &Bottleneck, scheme: &Scheme, reading: &Reading) -> Result<Self, NoPlane> {
        bottleneck.check()?;
        let parts = Parts::of(bottleneck)?;
        match scheme {
            Scheme::Qcn(params) => of_qcn(&parts, params, *reading),
            Scheme::Smcc(params) => of_smcc(&parts, params),
            Scheme::Bcn(params) => of_bcn(&parts, params),
            Scheme::Aimd(params) => of_aimd(&parts, params),
            Scheme::AfQcn(_) => Err(NoPlane::Scheme {
                scheme: scheme.name(),
                why: "every class has a feedback of its own, by what it has sent",
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

    fn plane(&self, law: Law, model: &'static str, point: &Point) -> Result<Plane, NoPlane> {
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

fn of_qcn(parts: &Parts, params: &qcn::Params, reading: Reading) -> Result<Plane, NoPlane> {
    let (cp, rp) = (&params.cp, &params.rp);
    let refuse = |why| Err(NoPlane::Scheme { scheme: "qcn", why });
    if !rp.enable.is_on() {
        return refuse("its reaction points do not obey");
    }
    let cycle = match (rp.byte_counter.is_on(), rp.timer.is_on()) {
        (true, _) => above_zero(rp.byte_reset, "rp.byte_reset")? * parts.sources / parts.available,
        (false, true) => rp.time_reset.as_secs_f64(),
        (false, false) => return refuse("without byte counter and timer a rate never rises"),
    };
    if cycle <= 0.0 {
        return Err(NoPlane::Zero { key: "rp.time_reset" });
    }
    let sample_bytes = sample_bytes(cp, parts.frame)?;
    let point = Point { set_point: cp.set_point, sample_bytes, rates: (rp.min_rate, rp.max_rate) };
    let (samples_per_s, heard_per_s) = parts.samples(sample_bytes);
    let weight = number(cp.weight);
    let largest_feedback = (2.0 * weight + 1.0) * cp.set_point.get() as f64;
    let halving = if rp.period_halving.is_on() { 2.0 } else { 1.0 };
    let law = Qcn {
        lead: weight / samples_per_s,
        available: parts.available,
        sources: parts.sources,
        samples_per_s,
        heard_per_s,
        gain: gain_per_byte(params, largest_feedback),
        largest_feedback,
        cycle,
        active_cycle: cycle / halving,
        recovery: cycle * f64::from(rp.threshold),
        active_increase: parts.sources * parts.bytes(rp.active_increase),
        highest_target: 0.0,
        reading,
    };
    let mut plane = parts.plane(Law::Qcn(law), "QCN: equations (15) to (19) of the SMCC paper", &point)?;
    if let Law::Qcn(law) = &mut plane.law {
        law.highest_target = plane.window.excess.1;
    }
    plane.leaves_out = left_out_of_qcn(params);
    Ok(plane)
}

/// Bytes between samples without congestion.
fn sample_bytes(cp: &qcn::CpParams, frame: f64) -> Result<f64, NoPlane> {
    let chance = |part: setpoint_control::parameter::Percent, key| match part.hundredths() {
        0 => Err(NoPlane::Zero { key }),
        part => Ok(frame * 10_000.0 / f64::from(part)),
    };
    match cp.sampling {
        qcn::Sampling::Table | qcn::Sampling::Regular => above_zero(cp.sample_base, "cp.sample_base"),
        qcn::Sampling::Fixed => chance(cp.fixed_probability, "cp.fixed_probability"),
        qcn::Sampling::Linear => chance(cp.lowest_probability, "cp.lowest_probability"),
        qcn::Sampling::EveryFrame => Ok(frame),
    }
}

/// G: the part of the rate that a byte of feedback takes away, if it were not quantised.
fn gain_per_byte(params: &qcn::Params, largest: f64) -> f64 {
    let steps_per_byte = match params.cp.quantizer {
        qcn::Quantizer::Standard => 63.0 / largest,
        qcn::Quantizer::SixtyFourSteps => 64.0 / largest,
        // The largest feedback is 32 to 63 steps, by where it lies between two powers of two.
        qcn::Quantizer::TopBits => 64.0 / libm::exp2(libm::floor(libm::log2(largest)) + 1.0),
    };
    let most = 1.0 - f64::from(params.rp.min_decrease_factor.hundredths()) / 10_000.0;
    (number(params.rp.gain) * steps_per_byte).min(most / largest)
}

fn left_out_of_qcn(params: &qcn::Params) -> Vec<&'static str> {
    let (cp, rp) = (&params.cp, &params.rp);
    let both = rp.byte_counter.is_on() && rp.timer.is_on();
    let follows = matches!(cp.sampling, qcn::Sampling::Table | qcn::Sampling::Linear);
    [
        (true, "feedback is not quantised"),
        (follows, "samples are as rare under congestion as without it"),
        (both, "the timer, and with it hyper-active increase"),
        (rp.target_reduction.is_on(), "target rate reduction"),
    ]
    .into_iter()
    .filter_map(|(left_out, what)| left_out.then_some(what))
    .collect()
}

/// Each message reaches one source, of pA in a second:
/// `N r' = -pA a x` in state A, and `N r' = -pA b y / (pC)` in state B.
fn of_smcc(parts: &Parts, params: &smcc::Params) -> Result<Plane, NoPlane> {
    let (cp, rp) = (&params.cp, &params.rp);
    let sample_bytes = above_zero(cp.sample_base, "cp.sample_base")?;
    let reference = above_zero(rp.reference, "rp.reference")?;
    let (samples_per_s, heard_per_s) = parts.samples(sample_bytes);
    let per_byte = |rate: Rate| parts.bytes(rate) / reference;
    let coefficients = Coefficients {
        a1: per_byte(rp.state_a) * heard_per_s,
        a2: 0.0,
        b1: 0.0,
        b2: per_byte(rp.state_b) * heard_per_s / samples_per_s,
    };
    let stages = rp.two_stage.is_on().then(|| Stages {
        threshold: rp.threshold.get() as f64 * samples_per_s,
        small_a1: per_byte(rp.state_a_small) * heard_per_s,
    });
    let point = Point { set_point: cp.set_point, sample_bytes, rates: (rp.min_rate, rp.max_rate) };
    let law = Law::Smcc(Smcc { coefficients, stages });
    parts.plane(law, "SMCC: equations (26) and (27) of its paper", &point)
}

fn of_bcn(parts: &Parts, params: &bcn::Params) -> Result<Plane, NoPlane> {
    let (cp, rp) = (&params.cp, &params.rp);
    let sample_bytes = above_zero(cp.sample_base, "cp.sample_base")?;
    let point = Point { set_point: cp.set_point, sample_bytes, rates: (rp.min_rate, rp.max_rate) };
    let (samples_per_s, heard_per_s) = parts.samples(sample_bytes);
    let weight = number(rp.weight);
    let largest_feedback = (2.0 * weight + 1.0) * above_zero(rp.reference, "rp.reference")?;
    let law = LinearFeedback {
        lead: weight / samples_per_s,
        available: parts.available,
        sources: parts.sources,
        heard_per_s,
        increase: parts.bytes(rp.largest_increase) / largest_feedback,
        decrease: Some(f64::from(rp.largest_decrease.hundredths()) / 10_000.0 / largest_feedback),
        largest_feedback,
    };
    let mut plane = parts.plane(Law::Feedback(law), "BCN: equation (2) of the SMCC paper", &point)?;
    if cp.severe_stop.is_on() {
        plane.leaves_out.push("stops of sources where the queue is very long");
    }
    if rp.drift.is_on() {
        plane.leaves_out.push("the drift of rates without feedback");
    }
    Ok(plane)
}

fn of_aimd(parts: &Parts, params: &aimd::Params) -> Result<Plane, NoPlane> {
    let (cp, rp) = (&params.cp, &params.rp);
    if rp.averaging != aimd::Averaging::Off {
        let why = "with averaging a rate remembers the messages before";
        return Err(NoPlane::Scheme { scheme: "aimd", why });
    }
    let sample_bytes = above_zero(cp.sample_base, "cp.sample_base")?;
    let point = Point { set_point: cp.set_point, sample_bytes, rates: (rp.min_rate, rp.max_rate) };
    let (samples_per_s, heard_per_s) = parts.samples(sample_bytes);
    let weight = number(rp.weight);
    let largest_feedback = (2.0 * weight + 1.0) * above_zero(rp.reference, "rp.reference")?;
    let part = f64::from(rp.largest_decrease.hundredths()) / 10_000.0;
    let law = LinearFeedback {
        lead: weight / samples_per_s,
        available: parts.available,
        sources: parts.sources,
        heard_per_s,
        increase: parts.bytes(rp.largest_increase) / largest_feedback,
        decrease: (rp.decrease == aimd::Decrease::Multiplicative).then_some(part / largest_feedback),
        largest_feedback,
    };
    parts.plane(Law::Feedback(law), "AIMD: equation (2) of the SMCC paper", &point)
}

fn above_zero(length: Bytes, key: &'static str) -> Result<f64, NoPlane> {
    if length.is_zero() { Err(NoPlane::Zero { key }) } else { Ok(length.get() as f64) }
}

fn number(power: Power) -> f64 {
    libm::exp2(f64::from(power.exponent()))
}
