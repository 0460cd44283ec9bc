//! Trajectories of SMCC: whether they reach y = 0, and where on it they end.

use setpoint_fluid::phase::{Plane, PlaneOptions, Settling, Start, Switching};

use super::setting::{Setting, settings};
use crate::smcc::TARGET;
use crate::smcc::theory::plane as plane_of;

/// The number of initial states along each side of the window.
const STARTS: usize = 13;
/// The total number of initial states.
pub(super) const STATES: usize = STARTS * STARTS;

pub(super) fn plane(setting: Setting) -> Plane {
    plane_of(&setting.case(), &PlaneOptions::default())
}

/// The share of initial states, spread evenly over the window, from which the final total rate is within a hundredth
/// of the bandwidth. There are two networks: three flows alone, and two flows with background traffic of 875 Mb/s.
/// Trajectories last for the given fraction of the usual time.
pub(super) fn reaches_line(setting: Setting, part: f64) -> f64 {
    let networks = [setting.case(), setting.crowded()];
    let share = networks.map(|case| {
        let plane = plane_of(&case, &PlaneOptions::default());
        let near = 0.01 * plane.available();
        share_of_starts(&plane, |start| {
            plane.trajectory(start, Switching::Immediate, part * until(&plane)).end().1.abs() <= near
        })
    });
    share.iter().sum::<f64>() / share.len() as f64
}

/// The share of initial states from which the queue finally stays within an eighth of its set point.
pub(super) fn reaches_set_point(setting: Setting, switching: fn(&Plane) -> Switching) -> f64 {
    let plane = plane(setting);
    let until = until(&plane);
    share_of_starts(&plane, |start| {
        let course = plane.trajectory(start, switching(&plane), until);
        let near = |offset: f64| offset.abs() <= TARGET / 8.0;
        course.range_from(0.9 * until).is_some_and(|(least, most)| near(least) && near(most))
    })
}

/// Switching with a delay of one sample.
pub(super) fn one_sample(plane: &Plane) -> Switching {
    Switching::Delayed(1.0 / plane.samples_per_s())
}

/// Switching with a delay of two samples.
pub(super) fn two_samples(plane: &Plane) -> Switching {
    Switching::Delayed(2.0 / plane.samples_per_s())
}

fn share_of_starts(plane: &Plane, test: impl Fn(Start) -> bool) -> f64 {
    let window = plane.window();
    let between =
        |(least, most): (f64, f64), index: usize| least + (most - least) * index as f64 / (STARTS - 1) as f64;
    let starts = (0..STATES).map(|index| {
        Start::at(between(window.offset, index / STARTS), between(window.excess, index % STARTS))
    });
    let passed = starts.filter(|start| test(*start)).count();
    passed as f64 / STATES as f64
}

/// Enough time to rise from the minimum rate with an empty queue, for sixteen turns of the ellipse, and for
/// the approach in state B.
fn until(plane: &Plane) -> f64 {
    let Some(coefficients) = plane.coefficients() else { return 0.0 };
    let up = -plane.window().excess.0 / (coefficients.a1 * TARGET);
    2.0 * up + 100.0 / coefficients.a1.sqrt() + 12.0 / coefficients.b2
}

/// The closed form of the offset at which a motion that turned at (x1, 0) settles with a delay of one
/// sample, divided by x1; zero if the motion passes the set point.
pub(super) fn landing(setting: Setting) -> Option<f64> {
    let plane = plane(setting);
    Some(match plane.coefficients()?.settling(1.0 / plane.samples_per_s()) {
        Settling::OffSetPoint(part) => part,
        Settling::Passes => 0.0,
    })
}

/// The same for a trajectory: the offset at which it settles, divided by the offset at which it turned.
pub(super) fn landed(setting: Setting, switching: fn(&Plane) -> Switching) -> Option<f64> {
    let plane = plane(setting);
    let coefficients = plane.coefficients()?;
    let omega = coefficients.a1.sqrt();
    // Small enough to stay away from all bounds.
    let excess = 0.01 * omega * TARGET;
    let delay = switching(&plane);
    let until = 3.0 / omega + 25.0 / coefficients.b2;
    let course = plane.trajectory(Start::at(0.0, excess), delay, until);
    let turn = course.crossings.iter().find(|(_, line)| *line == 1)?.0;
    let passes = course.crossings.iter().any(|(time, line)| *line == 0 && *time > turn);
    Some(if passes { 0.0 } else { course.end().0 / course.offset_at(turn) })
}

/// The share of settings for which the closed form and the trajectory agree.
pub(super) fn agreed(switching: fn(&Plane) -> Switching) -> Option<f64> {
    let agree =
        |setting: Setting| Some(f64::from((landing(setting)? - landed(setting, switching)?).abs() < 1e-3));
    let all: Vec<f64> = settings().map(agree).collect::<Option<_>>()?;
    Some(all.iter().sum::<f64>() / all.len() as f64)
}

/// The offset at which the queue settles after flows start at the line rate, with a delay of one sample;
/// none if it never stops oscillating.
pub(super) fn rest(setting: Setting) -> Option<f64> {
    let plane = plane(setting);
    let window = plane.window();
    let start = Start::at(window.offset.0, window.excess.1);
    let until = until(&plane);
    plane.trajectory(start, one_sample(&plane), until).rest(0.9 * until, 0.01 * TARGET)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deal_breakers_are_where_a_is_below_b() {
        // One pair is excluded, since its sampling interval is a fifth of a turn of the ellipse.
        for setting in settings().filter(|setting| setting.name() != "1024-2560") {
            let off = landing(setting).unwrap() > 0.0;
            assert_eq!(off, setting.a < setting.b, "{}", setting.name());
        }
    }

    #[test]
    fn without_delay_starts_stay_where_they_turn() {
        let share = reaches_set_point(Setting { a: 256, b: 160 }, |_| Switching::Immediate);
        assert!(share < 0.2, "{share}");
    }
}
