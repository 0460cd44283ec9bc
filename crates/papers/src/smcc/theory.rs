//! Phase planes of cases.

use std::sync::OnceLock;

use setpoint_fluid::phase::{Plane, PlaneOptions, Trajectory};
use setpoint_lab::theory::{Form, form};

use crate::prelude::*;
use crate::timeline::Timeline;

/// The fluid model of a case, and its events.
///
/// # Panics
/// If the case has no fluid model, which is a mistake in the experiment.
pub(super) fn fluid(case: &Case) -> (Form, Timeline) {
    let prepared = case.prepare(1, 1.0).unwrap_or_else(|wrong| panic!("{}: {wrong}", case.name));
    let form = form(&prepared).unwrap_or_else(|none| panic!("{}: {none}", case.name));
    (form, Timeline::new(&prepared.spec, 1.0))
}

/// The phase plane of a case for a given reading of the equations.
///
/// # Panics
/// As for [`fluid`].
pub(super) fn plane(case: &Case, reading: &PlaneOptions) -> Plane {
    let (form, _) = fluid(case);
    Plane::with_options(&form.bottleneck, &form.scheme, reading)
        .unwrap_or_else(|none| panic!("{}: {none}", case.name))
}

/// The standard deviation of a trajectory's queue in bytes, sampled every millisecond as in packet
/// simulations.
pub(super) fn deviation(course: &Trajectory, (from, to): (f64, f64)) -> f64 {
    let samples = ((to - from) * 1e3).round() as usize;
    let offset = |sample: usize| course.offset_at(from + (sample as f64 + 1.0) * 1e-3);
    Moments::of((0..samples).map(offset)).deviation()
}

/// A figure that is computed only once, since it does not depend on the seed.
pub(super) fn once(
    compute: impl Fn() -> Option<f64> + Send + Sync + 'static,
) -> impl Fn(&Seed<'_>) -> Option<f64> + Send + Sync + 'static {
    let value = OnceLock::new();
    move |_| *value.get_or_init(&compute)
}
