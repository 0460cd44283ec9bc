//! The solver of delay-differential equations against closed forms.

use setpoint_fluid::dde::{Initial, Moment, Options, Solution, System, Tolerance, solve};

/// `y' = -y(t - 1)`.
struct Retarded;

impl System for Retarded {
    fn dimension(&self) -> usize {
        1
    }

    fn delays(&self) -> &[f64] {
        &[1.0]
    }

    fn slope(&self, moment: &Moment<'_>, slope: &mut [f64]) {
        slope[0] = -moment.delayed(0, 0);
    }
}

/// The solution of [`Retarded`] from the constant history one, by the method of steps:
/// the sum over `k` from 0 to `floor(t) + 1` of `(-1)^k (t - (k - 1))^k / k!`.
fn retarded(time: f64) -> f64 {
    let (mut sum, mut factorial) = (1.0, 1.0);
    let mut k = 1;
    while f64::from(k - 1) <= time {
        factorial *= f64::from(k);
        let sign = if k % 2 == 0 { 1.0 } else { -1.0 };
        sum += sign * (time - f64::from(k - 1)).powi(k) / factorial;
        k += 1;
    }
    sum
}

fn solve_retarded(options: &Options) -> Solution {
    solve(&Retarded, &Initial::constant(vec![1.0]), options).expect("it is solved")
}

/// The largest error of a solution of [`Retarded`] on a fine grid of times.
fn largest_error(solution: &Solution) -> f64 {
    let times = (0..=20_000).map(|index| f64::from(index) * 10.0 / 20_000.0);
    times.map(|time| (solution.at(time, 0) - retarded(time)).abs()).fold(0.0, f64::max)
}

#[test]
fn the_method_of_steps_is_met_to_ten_places() {
    let solution = solve_retarded(&Options::new(10.0, Tolerance::new(1e-11, 1e-11)));
    let error = largest_error(&solution);
    assert!(error < 1e-10, "error {error:e} in {} steps", solution.steps());
}

#[test]
fn every_breakpoint_that_matters_is_the_end_of_a_step() {
    let solution = solve_retarded(&Options::new(10.0, Tolerance::new(1e-6, 1e-6)));
    for time in [1.0, 2.0, 3.0, 4.0] {
        assert!(solution.times().contains(&time), "no step ends at {time}: {:?}", solution.times());
    }
}

#[test]
fn the_slope_is_that_of_the_equation() {
    let solution = solve_retarded(&Options::new(10.0, Tolerance::new(1e-11, 1e-11)));
    for index in 0..1000 {
        let time = f64::from(index) * 0.01 + 1e-3;
        let expected = -if time < 1.0 { 1.0 } else { retarded(time - 1.0) };
        let slope = solution.slope_at(time, 0);
        assert!((slope - expected).abs() < 1e-7, "slope {slope} at {time}, expected {expected}");
    }
}
