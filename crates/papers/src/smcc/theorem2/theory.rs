//! The theorem's predictions for the settings, compared with trajectories.
//!
//! R(0) is the rate at which a descent begins: on the switching line, where fast recovery ends, as far
//! below the set point as x0 is above it. The theorem's largest T is then w/(pC), regardless of the
//! distance; see [`longest_cycle`].

use setpoint_fluid::phase::{Plane, PlaneOptions, RecoveryTarget, Start, Switching};
use setpoint_fluid::{Scheme, Sending};
use setpoint_lab::theory::Form;
use setpoint_units::{Bytes, Rate};

use super::STEADY;
use super::setting::{REDUCED, Setting};
use crate::smcc::TARGET;
use crate::smcc::theory::{deviation, fluid, plane};

/// The standard deviation of the queue, in bytes, for a setting's trajectory with a delay of one sample and
/// two meanings of R(0).
#[derive(Clone, Copy, Debug)]
pub(super) struct FluidDeviations {
    /// R(0) from the theorem.
    pub(super) descent_began: f64,
    /// R(0) from the paper's text.
    pub(super) latest_message: f64,
}

/// Numbers of points on the line at which the theorem and trajectories were compared.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Compared {
    /// Points from which the motion slides according to the theorem, and those of them from which it did.
    pub(super) predicted: u32,
    pub(super) slid: u32,
    /// The other points, and those of them from which the motion did not slide.
    pub(super) denied: u32,
    pub(super) did_not: u32,
}

/// N R(0) - A for a descent that begins on the line at an offset below the set point.
pub(super) fn target(plane: &Plane, offset: f64) -> f64 {
    plane.lines()[0].excess_at(-offset).unwrap_or_default()
}

/// The theorem's largest T for an offset, if the descent began equally far below the set point.
pub(super) fn longest_cycle(plane: &Plane, offset: f64) -> Option<f64> {
    plane.longest_cycle(offset, target(plane, offset))
}

/// If T divided by the largest T exceeds this, inequality (24) does not hold. At exactly one it holds, and
/// rounding must not change that.
pub(super) const BORDER: f64 = 1.0 + 1e-9;

/// T divided by the largest T with which the theorem predicts sliding.
pub(super) fn over_longest(setting: &Setting) -> Option<f64> {
    *setting.over_longest.get_or_init(|| {
        let plane = plane(&setting.case(), &PlaneOptions::default());
        Some(plane.cycle()? / longest_cycle(&plane, TARGET)?)
    })
}

/// The same for any cycle in bytes and background in bits per second on the grid's network; none if no
/// bandwidth is left.
pub(super) fn over_longest_at(form: &Form, cycle: f64, background: f64) -> Option<f64> {
    let mut form = form.clone();
    let Scheme::Qcn(params) = &mut form.scheme else { return None };
    params.rp.byte_reset = Bytes::new(cycle.round() as u64);
    let rate = Rate::new(background.round() as u64)?;
    for class in &mut form.bottleneck.classes {
        if let Sending::Constant(constant) = &mut class.sending {
            *constant = rate;
        }
    }
    let plane = Plane::new(&form.bottleneck, &form.scheme).ok()?;
    Some(plane.cycle()? / longest_cycle(&plane, TARGET)?)
}

/// The queue deviations of trajectories that begin at the start of the flows.
pub(super) fn fluid_deviations(setting: &Setting) -> FluidDeviations {
    let case = setting.case();
    let steady = fluid(&case).1.range(STEADY);
    let of = |target| {
        let plane = plane(&case, &PlaneOptions { target, ..PlaneOptions::default() });
        let delay = Switching::Delayed(1.0 / plane.samples_per_s());
        deviation(&plane.trajectory(from_the_start(&plane), delay, steady.1), steady)
    };
    FluidDeviations {
        descent_began: of(RecoveryTarget::DescentBegan),
        latest_message: of(RecoveryTarget::LatestMessage),
    }
}

/// The state in which flows start: at the line rate, with an empty queue.
pub(super) fn from_the_start(plane: &Plane) -> Start {
    let window = plane.window();
    Start::at(window.offset.0, window.excess.1)
}

/// Compares the theorem with trajectories at points on the line, ten for each setting of the grid.
pub(super) fn compared() -> Compared {
    let mut compared = Compared::default();
    for setting in REDUCED.iter() {
        let plane = plane(&setting.case(), &PlaneOptions::default());
        let target = target(&plane, TARGET);
        for tenth in 1..=10 {
            let offset = f64::from(tenth) / 10.0 * TARGET;
            let excess = plane.lines()[0].excess_at(offset).unwrap_or_default();
            // Rates would be below zero, so there is no such point.
            if !plane.window().contains((offset, excess)) {
                continue;
            }
            let start = Start::at(offset, excess).with_target(target);
            let course = plane.trajectory(start, Switching::Immediate, 0.1 / plane.samples_per_s());
            let slides = course.sliding.first().is_some_and(|(from, _)| *from == 0.0);
            let Some(theorem) = plane.theorem2(offset, target) else { continue };
            // If both sides of (24) are equal, the result depends on rounding.
            if (theorem.left - theorem.right).abs() <= 1e-9 * theorem.right.abs() {
                continue;
            }
            let predicted = theorem.holds();
            compared.predicted += u32::from(predicted);
            compared.slid += u32::from(predicted && slides);
            compared.denied += u32::from(!predicted);
            compared.did_not += u32::from(!predicted && !slides);
        }
    }
    compared
}

/// The share of the first half second, counted from the start of the flows, during which the motion slides.
pub(super) fn share_sliding(setting: &Setting, target: RecoveryTarget) -> f64 {
    let plane = plane(&setting.case(), &PlaneOptions { target, ..PlaneOptions::default() });
    let until = 0.5;
    plane.trajectory(from_the_start(&plane), Switching::Immediate, until).time_sliding() / until
}

#[cfg(test)]
mod tests {
    use super::super::setting::of;
    use super::*;

    #[test]
    fn the_largest_cycle_does_not_depend_on_where_the_descent_began() {
        let plane = plane(&of(&REDUCED, 150, 500).case(), &PlaneOptions::default());
        // w / (pC), in seconds: two samples of 100 kB at 1 Gb/s.
        let expected = 2.0 * 100e3 * 8.0 / 1e9;
        for offset in [1e3, 16e3, 64e3] {
            let longest = longest_cycle(&plane, offset).unwrap();
            assert!((longest / expected - 1.0).abs() < 1e-9, "{longest} is not {expected}");
        }
    }

    #[test]
    fn settings_are_where_the_formula_puts_them() {
        // T / (w / pC) = (cycle N / A) / (w sample / C).
        let cycle = over_longest(of(&REDUCED, 150, 500)).unwrap();
        assert!((cycle - 150.0 * 2.0 * 2.0 / 200.0).abs() < 1e-9, "{cycle}");
        let (form, _) = fluid(&of(&REDUCED, 15, 875).case());
        let other = over_longest_at(&form, 150e3, 500e6).unwrap();
        assert!((other - cycle).abs() < 1e-9, "{other}");
    }
}
