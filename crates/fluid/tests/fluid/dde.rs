//! The solver of delay-differential equations compared with closed forms, and its order of convergence.

use setpoint_fluid::dde::{Initial, Options, Solution, System, Tolerance, solve};

use crate::equations::Equations;

/// `y' = -y(t - 1)`.
fn retarded_equation() -> Equations<'static> {
    Equations::new(1, |moment, slope| slope[0] = -moment.delayed(0, 0)).delayed(1.0)
}

/// The solution of [`retarded_equation`] from the constant history one, by the method of steps:
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
    solve(&retarded_equation(), &Initial::constant(vec![1.0]), options).expect("it is solvable")
}

/// Many times from zero to `end` that are not step ends.
fn fine_times(end: f64) -> impl Iterator<Item = f64> {
    (0..=20_011).map(move |index| f64::from(index) * end / 20_011.0)
}

fn largest_difference(
    times: impl Iterator<Item = f64>,
    one: impl Fn(f64) -> f64,
    other: impl Fn(f64) -> f64,
) -> f64 {
    times.map(|time| (one(time) - other(time)).abs()).fold(0.0, f64::max)
}

#[test]
fn the_method_of_steps_is_met_to_ten_places() {
    let solution = solve_retarded(&Options::new(10.0, Tolerance::new(1e-11, 1e-11)));
    let error = largest_difference(fine_times(10.0), |time| solution.at(time, 0), retarded);
    assert!(error < 1e-10, "error {error:e} in {} steps", solution.steps());
}

#[test]
fn every_breakpoint_that_matters_is_the_end_of_a_step() {
    let solution = solve_retarded(&Options::new(10.0, Tolerance::new(1e-6, 1e-6)));
    for time in [1.0, 2.0, 3.0] {
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

/// `y' = 1.4 y (1 - y(t - 1))`, which oscillates and settles at one.
fn hutchinson() -> Equations<'static> {
    let equations = Equations::new(1, |moment, slope| {
        slope[0] = 1.4 * moment.state[0] * (1.0 - moment.delayed(0, 0));
    });
    equations.delayed(1.0)
}

/// The orders of convergence when the steps are halved.
fn orders(errors: &[f64]) -> Vec<f64> {
    errors.windows(2).map(|pair| (pair[0] / pair[1]).log2()).collect()
}

fn assert_order_four(errors: &[f64], what: &str) {
    let orders = orders(errors);
    assert!(
        orders.iter().all(|order| (3.8..=4.3).contains(order)),
        "{what}: orders {orders:?} of {errors:?}"
    );
}

/// Errors at the step ends and over the whole solution, for steps of 1/8, 1/16, ….
fn errors<S: System>(system: &S, start: f64, exact: impl Fn(f64) -> f64) -> [Vec<f64>; 2] {
    let solutions = (3..8).map(|power| {
        let options = Options::fixed(10.0, 0.5_f64.powi(power));
        solve(system, &Initial::constant(vec![start]), &options).expect("it is solvable")
    });
    let pairs = solutions.map(|solution| {
        // Step ends common to all these solutions.
        let ends = (1..=80).map(|index| f64::from(index) * 0.125);
        let at = |time: f64| solution.at(time, 0);
        [largest_difference(ends, at, &exact), largest_difference(fine_times(10.0), at, &exact)]
    });
    let pairs: Vec<[f64; 2]> = pairs.collect();
    [0, 1].map(|which| pairs.iter().map(|pair| pair[which]).collect())
}

#[test]
fn halved_steps_converge_with_order_four_at_their_ends_and_between() {
    let [ends, everywhere] = errors(&retarded_equation(), 1.0, retarded);
    assert_order_four(&ends, "ends, linear");
    assert_order_four(&everywhere, "everywhere, linear");
    let options = Options::new(10.0, Tolerance::new(1e-13, 1e-13));
    let reference = solve(&hutchinson(), &Initial::constant(vec![0.5]), &options).expect("it is solvable");
    let [ends, everywhere] = errors(&hutchinson(), 0.5, |time| reference.at(time, 0));
    assert_order_four(&ends, "ends, nonlinear");
    assert_order_four(&everywhere, "everywhere, nonlinear");
}

#[test]
fn an_ordinary_equation_needs_no_delay() {
    let decay = Equations::new(1, |moment, slope| slope[0] = -moment.state[0]);
    let options = Options::new(5.0, Tolerance::new(1e-11, 1e-11));
    let solution = solve(&decay, &Initial::constant(vec![1.0]), &options).expect("it is solvable");
    let error = largest_difference(fine_times(5.0), |time| solution.at(time, 0), |time| (-time).exp());
    assert!(error < 1e-10, "error {error:e}");
}

#[test]
fn a_history_that_does_not_meet_the_state_counts_from_its_own_side() {
    // y = 2 before zero and 1 at zero: y = 1 - 2 t until 1, then y' = -(1 - 2 (t - 1)): y = -1 - s + s^2, s = t - 1.
    let before = |_: f64, _: usize| 2.0;
    let options = Options::new(2.0, Tolerance::new(1e-10, 1e-10));
    let solution = solve(&retarded_equation(), &Initial::with_history(vec![1.0], &before), &options)
        .expect("it is solvable");
    let exact = |time: f64| {
        let late = time - 1.0;
        if time <= 1.0 { 1.0 - 2.0 * time } else { -1.0 - late + late * late }
    };
    let error = largest_difference(fine_times(2.0), |time| solution.at(time, 0), exact);
    assert!(error < 1e-13, "error {error:e}");
}

/// x' = 1 and y' = e^d y(t - d) with the delay d = 1 + x/2; if y = e^t before zero, then y = e^t at all later times.
#[test]
fn a_delay_that_depends_on_the_state_gives_the_closed_form() {
    let equations = Equations::new(2, |moment, slope| {
        let delay = 1.0 + moment.state[0] / 2.0;
        slope[0] = 1.0;
        slope[1] = delay.exp() * moment.ago(delay, 1);
    });
    let before = |time: f64, component: usize| if component == 0 { 0.0 } else { time.exp() };
    let options = Options::new(4.0, Tolerance::new(1e-10, 1e-10));
    let initial = Initial::with_history(vec![0.0, 1.0], &before);
    let solution = solve(&equations.delayed(1.0), &initial, &options).expect("it is solvable");
    let error = largest_difference(fine_times(4.0), |time| solution.at(time, 1) / time.exp(), |_| 1.0);
    assert!(error < 1e-8, "error {error:e} in {} steps", solution.steps());
}
