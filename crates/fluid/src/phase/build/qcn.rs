//! Planes of QCN.

use setpoint_control::parameter::Percent;
use setpoint_control::qcn;

use super::{NoPlane, Parts, Point, bytes_above_zero};
use crate::Refused;
use crate::gains::{part, two_to, units_per_byte};
use crate::phase::dynamics::Dynamics;
use crate::phase::options::PlaneOptions;
use crate::phase::plane::Plane;
use crate::phase::qcn::Qcn;

pub(super) fn of_qcn(parts: &Parts, params: &qcn::Params, options: PlaneOptions) -> Result<Plane, NoPlane> {
    let (cp, rp) = (&params.cp, &params.rp);
    let refuse = |why| Err(NoPlane::Scheme { scheme: "qcn", why });
    if !rp.enable.is_on() {
        return refuse("its reaction points are disabled");
    }
    let cycle = match (rp.byte_counter.is_on(), rp.timer.is_on()) {
        (true, _) => bytes_above_zero(rp.byte_reset, "rp.byte_reset")? * parts.sources / parts.available,
        (false, true) => rp.time_reset.as_secs_f64(),
        (false, false) => return refuse("without a byte counter or timer, a rate never rises"),
    };
    if cycle <= 0.0 {
        return Err(Refused::Zero("rp.time_reset").into());
    }
    let sample_bytes = sample_bytes(cp, parts.frame)?;
    let point = Point { set_point: cp.set_point, sample_bytes, rates: (rp.min_rate, rp.max_rate) };
    let (samples_per_s, controlled_samples_per_s) = parts.samples(sample_bytes);
    let weight = two_to(cp.weight);
    let largest_feedback = (2.0 * weight + 1.0) * cp.set_point.get() as f64;
    // According to clause 32, only cycles of hyper-active increase are halved.
    let halved = rp.period_halving.is_on() && rp.rules == qcn::Rules::PseudoCode;
    let halving = if halved { 2.0 } else { 1.0 };
    let law = Qcn {
        lead: weight / samples_per_s,
        available: parts.available,
        sources: parts.sources,
        samples_per_s,
        controlled_samples_per_s,
        gain: gain_per_byte(params, largest_feedback),
        largest_feedback,
        cycle,
        active_cycle: cycle / halving,
        recovery: cycle * f64::from(rp.threshold),
        active_increase: parts.sources * parts.bytes(rp.active_increase),
        highest_target: 0.0,
        options,
    };
    let mut plane =
        parts.plane(Dynamics::Qcn(law), "QCN: equations (15) to (19) of the SMCC paper", &point)?;
    if let Dynamics::Qcn(law) = &mut plane.law {
        law.highest_target = plane.window.excess.1;
    }
    plane.leaves_out = left_out_of_qcn(params);
    Ok(plane)
}

/// Bytes between samples without congestion.
fn sample_bytes(cp: &qcn::CpParams, frame: f64) -> Result<f64, NoPlane> {
    let chance = |percent: Percent, key, frame: f64| match percent.hundredths() {
        0 => Err(Refused::Zero(key).into()),
        _ => Ok(frame / part(percent)),
    };
    match cp.sampling {
        qcn::Sampling::Table | qcn::Sampling::Regular => bytes_above_zero(cp.sample_base, "cp.sample_base"),
        qcn::Sampling::Fixed => chance(cp.fixed_probability, "cp.fixed_probability", frame),
        qcn::Sampling::Linear => chance(cp.lowest_probability, "cp.lowest_probability", frame),
        qcn::Sampling::LinearInterval => chance(cp.lowest_probability, "cp.lowest_probability", 1_500.0),
        qcn::Sampling::EveryFrame => Ok(frame),
    }
}

/// G: the fraction of the rate removed per byte of feedback, without quantisation.
fn gain_per_byte(params: &qcn::Params, largest: f64) -> f64 {
    let most = 1.0 - part(params.rp.min_decrease_factor);
    (two_to(params.rp.gain) * units_per_byte(&params.cp)).min(most / largest)
}

fn left_out_of_qcn(params: &qcn::Params) -> Vec<&'static str> {
    let (cp, rp) = (&params.cp, &params.rp);
    let both = rp.byte_counter.is_on() && rp.timer.is_on();
    let follows =
        matches!(cp.sampling, qcn::Sampling::Table | qcn::Sampling::Linear | qcn::Sampling::LinearInterval);
    [
        (true, "Feedback is not quantised."),
        (follows, "The sampling probability does not rise under congestion."),
        (both, "There is no timer and therefore no hyper-active increase."),
        (rp.target_reduction.is_on(), "There is no target rate reduction."),
    ]
    .into_iter()
    .filter_map(|(left_out, what)| left_out.then_some(what))
    .collect()
}
