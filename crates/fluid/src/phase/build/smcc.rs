//! Planes of SMCC.

use setpoint_control::smcc;
use setpoint_units::Rate;

use super::{NoPlane, Parts, Point, bytes_above_zero};
use crate::phase::dynamics::Dynamics;
use crate::phase::plane::Plane;
use crate::phase::smcc::{Smcc, Stages};
use crate::phase::theorem3::Coefficients;

/// Each message reaches one source, at pA messages per second: `N r' = -pA a x` in state A, and `N r' = -pA b
/// y / (pC)` in state B.
pub(super) fn of_smcc(parts: &Parts, params: &smcc::Params) -> Result<Plane, NoPlane> {
    let (cp, rp) = (&params.cp, &params.rp);
    let sample_bytes = bytes_above_zero(cp.sample_base, "cp.sample_base")?;
    let reference = bytes_above_zero(rp.reference, "rp.reference")?;
    let (samples_per_s, controlled_samples_per_s) = parts.samples(sample_bytes);
    let per_byte = |rate: Rate| parts.bytes(rate) / reference;
    let coefficients = Coefficients {
        a1: per_byte(rp.state_a) * controlled_samples_per_s,
        a2: 0.0,
        b1: 0.0,
        b2: per_byte(rp.state_b) * controlled_samples_per_s / samples_per_s,
    };
    let stages = rp.two_stage.is_on().then(|| Stages {
        threshold: rp.threshold.get() as f64 * samples_per_s,
        small_a1: per_byte(rp.state_a_small) * controlled_samples_per_s,
    });
    let point = Point { set_point: cp.set_point, sample_bytes, rates: (rp.min_rate, rp.max_rate) };
    let law = Dynamics::Smcc(Smcc { coefficients, stages });
    parts.plane(law, "SMCC: equations (26) and (27) of its paper", &point)
}
