//! Linear delayed oscillators at and near the exact border of stability.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, TAU};

use setpoint_fluid::dde::{Initial, Options, Solution, Tolerance, solve};

use crate::equations::Equations;

/// `y' = -gain y(t - d)`, at its stability boundary for `gain d = pi / 2`.
fn integrator(gain: f64, delay: f64) -> Equations<'static> {
    Equations::new(1, move |moment, slope| slope[0] = -gain * moment.delayed(0, 0)).delayed(delay)
}

fn options(until: f64) -> Options {
    Options::new(until, Tolerance::new(1e-12, 1e-12))
}

#[test]
fn the_amplitude_at_the_border_is_kept_over_twenty_periods() {
    let gain = 1.7;
    let system = integrator(gain, FRAC_PI_2 / gain);
    let before = |time: f64, _: usize| (gain * time).cos();
    let until = 20.0 * TAU / gain;
    let solution = solve(&system, &Initial::with_history(vec![1.0], &before), &options(until)).unwrap();
    let worst = (0..20_000)
        .map(|index| until * f64::from(index) / 20_000.0)
        .map(|time| (solution.at(time, 0) - (gain * time).cos()).abs())
        .fold(0.0, f64::max);
    assert!(worst < 1e-8, "off by {worst:e} in {} steps", solution.steps());
}

/// Times and heights of the maxima after a given time: where the slope falls through zero.
fn peaks(solution: &Solution, after: f64) -> Vec<(f64, f64)> {
    let falls = solution.times().windows(2).filter(|pair| {
        pair[0] > after && solution.slope_at(pair[0], 0) > 0.0 && solution.slope_at(pair[1], 0) <= 0.0
    });
    let tops = falls.map(|pair| {
        let (mut low, mut high) = (pair[0], pair[1]);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if solution.slope_at(middle, 0) > 0.0 { low = middle } else { high = middle }
        }
        (low, solution.at(low, 0))
    });
    tops.collect()
}

/// The growth rate and frequency of the rightmost root of `s + gain exp(-s d) = 0`, by Newton's method from the border.
fn root(gain: f64, delay: f64) -> (f64, f64) {
    let (mut re, mut im) = (0.0, gain);
    for _ in 0..50 {
        let size = gain * (-re * delay).exp();
        let (e_re, e_im) = (size * (im * delay).cos(), -size * (im * delay).sin());
        let (f_re, f_im) = (re + e_re, im + e_im);
        let (d_re, d_im) = (1.0 - delay * e_re, -delay * e_im);
        let norm = d_re * d_re + d_im * d_im;
        re -= (f_re * d_re + f_im * d_im) / norm;
        im -= (f_im * d_re - f_re * d_im) / norm;
    }
    (re, im)
}

#[test]
fn near_the_border_it_grows_or_decays_by_the_root() {
    let gain = 1.7;
    for factor in [1.005, 0.995] {
        let delay = factor * FRAC_PI_2 / gain;
        let (growth, frequency) = root(gain, delay);
        assert_eq!(growth > 0.0, factor > 1.0, "growth {growth}");
        let system = integrator(gain, delay);
        let solution = solve(&system, &Initial::constant(vec![1.0]), &options(40.0 * TAU / gain)).unwrap();
        // The other roots have decayed after ten periods.
        let peaks = peaks(&solution, 10.0 * TAU / gain);
        let ((begin, low), (end, high)) = (peaks[0], peaks[peaks.len() - 1]);
        let measured = (high / low).ln() / (end - begin);
        assert!((measured / growth - 1.0).abs() < 1e-5, "growth {measured}, by the root {growth}");
        #[expect(clippy::cast_precision_loss, reason = "a few dozen periods")]
        let turning = TAU * (peaks.len() - 1) as f64 / (end - begin);
        assert!((turning / frequency - 1.0).abs() < 1e-7, "frequency {turning}, by the root {frequency}");
    }
}

/// `y'' + y + c y'(t - d) = 0`: `i w` is a root for `w d = pi / 2` and `w^2 - c w - 1 = 0`.
fn delayed_damping() -> Equations<'static> {
    let equations = Equations::new(2, |moment, slope| {
        slope[0] = moment.state[1];
        slope[1] = -moment.state[0] - 1.5 * moment.delayed(0, 1);
    });
    equations.delayed(FRAC_PI_4)
}

#[test]
fn delayed_damping_at_its_border_oscillates_for_ever() {
    let before = |time: f64, component: usize| match component {
        0 => (2.0 * time).cos(),
        _ => -2.0 * (2.0 * time).sin(),
    };
    let initial = Initial::with_history(vec![1.0, 0.0], &before);
    let until = 20.0 * TAU / 2.0;
    let solution = solve(&delayed_damping(), &initial, &options(until)).unwrap();
    let worst = (0..20_000)
        .map(|index| until * f64::from(index) / 20_000.0)
        .map(|time| (solution.at(time, 0) - (2.0 * time).cos()).abs())
        .fold(0.0, f64::max);
    assert!(worst < 1e-8, "off by {worst:e} in {} steps", solution.steps());
}
