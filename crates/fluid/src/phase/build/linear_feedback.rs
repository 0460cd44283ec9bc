//! Planes of BCN and AIMD.

use setpoint_control::parameter::{Percent, Power};
use setpoint_control::{aimd, bcn};
use setpoint_units::{Bytes, Rate};

use super::{NoPlane, Parts, Point, bytes_above_zero};
use crate::gains::{part, two_to};
use crate::phase::dynamics::Dynamics;
use crate::phase::linear_feedback::LinearFeedback;
use crate::phase::plane::Plane;

pub(super) fn of_bcn(parts: &Parts, params: &bcn::Params) -> Result<Plane, NoPlane> {
    let (cp, rp) = (&params.cp, &params.rp);
    let sample_bytes = bytes_above_zero(cp.sample_base, "cp.sample_base")?;
    let point = Point { set_point: cp.set_point, sample_bytes, rates: (rp.min_rate, rp.max_rate) };
    let gains = Gains {
        weight: rp.weight,
        reference: rp.reference,
        increase: rp.largest_increase,
        decrease: Some(rp.largest_decrease),
    };
    let law = Dynamics::Feedback(gains.law(parts, sample_bytes)?);
    let mut plane = parts.plane(law, "BCN: equation (2) of the SMCC paper", &point)?;
    if cp.severe_stop.is_on() {
        plane.leaves_out.push("Sources are not stopped when the queue is very long.");
    }
    if rp.drift.is_on() {
        plane.leaves_out.push("Rates do not drift without feedback.");
    }
    Ok(plane)
}

pub(super) fn of_aimd(parts: &Parts, params: &aimd::Params) -> Result<Plane, NoPlane> {
    let (cp, rp) = (&params.cp, &params.rp);
    if rp.averaging != aimd::Averaging::Off {
        let why = "with averaging, a rate depends on earlier messages";
        return Err(NoPlane::Scheme { scheme: "aimd", why });
    }
    let sample_bytes = bytes_above_zero(cp.sample_base, "cp.sample_base")?;
    let point = Point { set_point: cp.set_point, sample_bytes, rates: (rp.min_rate, rp.max_rate) };
    let gains = Gains {
        weight: rp.weight,
        reference: rp.reference,
        increase: rp.largest_increase,
        decrease: (rp.decrease == aimd::Decrease::Multiplicative).then_some(rp.largest_decrease),
    };
    let law = Dynamics::Feedback(gains.law(parts, sample_bytes)?);
    parts.plane(law, "AIMD: equation (2) of the SMCC paper", &point)
}

/// The effect of the largest feedback, (1 + 2w) reference.
struct Gains {
    weight: Power,
    reference: Bytes,
    increase: Rate,
    /// `None` if the decrease is additive and equals the increase.
    decrease: Option<Percent>,
}

impl Gains {
    fn law(&self, parts: &Parts, sample_bytes: f64) -> Result<LinearFeedback, NoPlane> {
        let (samples_per_s, controlled_samples_per_s) = parts.samples(sample_bytes);
        let weight = two_to(self.weight);
        let largest_feedback = (2.0 * weight + 1.0) * bytes_above_zero(self.reference, "rp.reference")?;
        Ok(LinearFeedback {
            lead: weight / samples_per_s,
            available: parts.available,
            sources: parts.sources,
            controlled_samples_per_s,
            increase: parts.bytes(self.increase) / largest_feedback,
            decrease: self.decrease.map(|decrease| part(decrease) / largest_feedback),
            largest_feedback,
        })
    }
}
