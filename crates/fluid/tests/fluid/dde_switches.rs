//! Switches and jumps compared with closed forms.

use setpoint_fluid::dde::{DdeError, EventKind, Initial, Moment, Options, Side, Tolerance, solve};

use crate::equations::{Equations, assert_close, options, times_of};

/// Whether a slope branches on the sign of the switching function itself or on the solver's side.
#[derive(Clone, Copy)]
enum Branching {
    Sign,
    Side,
}

impl Branching {
    fn side(self, moment: &Moment<'_>, switch: f64) -> Side {
        match self {
            Self::Sign => Side::of(switch),
            Self::Side => moment.side(0).expect("the solver knows the side"),
        }
    }
}

/// A relay `x' = -sign x(t - d)`.
fn relay(delay: f64, branching: Branching) -> Equations<'static> {
    let equations = Equations::new(1, move |moment, slope| {
        slope[0] = match branching.side(moment, moment.delayed(0, 0)) {
            Side::Above => -1.0,
            Side::On => 0.0,
            Side::Below => 1.0,
        };
    });
    equations.delayed(delay).switching(|moment| moment.delayed(0, 0))
}

#[test]
fn a_delayed_relay_oscillates_in_an_exact_triangle() {
    let cases = [0.3, 1.0, 1e-5].map(|delay| [(delay, Branching::Sign), (delay, Branching::Side)]);
    for (delay, branching) in cases.into_iter().flatten() {
        // From x = d before zero: x = d - t until x was zero a delay ago, at 2 d, and so on: period 4 d,
        // amplitude d.
        let options = Options::new(39.5 * delay, Tolerance::scaled(1e-11, &[delay]));
        let solution = solve(&relay(delay, branching), &Initial::constant(vec![delay]), &options).unwrap();
        let switched = times_of(&solution, EventKind::Switched { index: 0 });
        assert_eq!(switched.len(), 19, "{switched:?}");
        for (index, time) in (1..).zip(&switched) {
            assert_close(*time, 2.0 * delay * f64::from(index), 1e-10 * delay, "the time of a switch");
        }
        for index in 0..3950 {
            let time = f64::from(index) * 0.01 * delay;
            let phase = (time / delay) % 4.0;
            let expected = delay * if phase < 2.0 { 1.0 - phase } else { phase - 3.0 };
            assert_close(solution.at(time, 0), expected, 1e-10 * delay, "the triangle");
        }
    }
}

/// A switch without delay: a constant slope on either side of a surface.
fn slopes(below: f64, above: f64, branching: Branching) -> Equations<'static> {
    let equations = Equations::new(1, move |moment, slope| {
        let side = branching.side(moment, moment.state[0]);
        slope[0] = if side == Side::Above { above } else { below };
    });
    equations.switching(|moment| moment.state[0])
}

#[test]
fn a_surface_is_crossed_where_it_is() {
    for (branching, most) in [(Branching::Sign, 400), (Branching::Side, 40)] {
        let system = slopes(1.0, 3.0, branching);
        let solution = solve(&system, &Initial::constant(vec![-0.7]), &options(2.0)).unwrap();
        let switched = times_of(&solution, EventKind::Switched { index: 0 });
        assert_eq!(switched.len(), 1, "{switched:?}");
        assert_close(switched[0], 0.7, 1e-10, "the crossing");
        assert_close(solution.at(2.0, 0), 3.9, 1e-10, "the end");
        assert!(solution.steps() <= most, "{} steps", solution.steps());
    }
}

#[test]
fn a_surface_that_attracts_from_both_sides_is_reported() {
    for branching in [Branching::Sign, Branching::Side] {
        let system = slopes(1.0, -2.0, branching);
        let error = solve(&system, &Initial::constant(vec![1.0]), &options(1.0)).unwrap_err();
        let DdeError::Sliding { switch: 0, time } = error else { panic!("{error}") };
        assert_close(time, 0.5, 1e-5, "where sliding is detected");
        assert!(error.to_string().contains("attracts from both sides"), "{error}");
    }
}

#[test]
fn a_switch_that_is_zero_at_the_start_does_not_stop_anything() {
    for branching in [Branching::Sign, Branching::Side] {
        for (below, above, end) in [(1.0, 3.0, 3.0), (-1.0, -1.0, -1.0), (0.0, 1.0, 0.0)] {
            let system = slopes(below, above, branching);
            let solution = solve(&system, &Initial::constant(vec![0.0]), &options(1.0)).unwrap();
            assert_close(solution.at(1.0, 0), end, 1e-10, "the end");
        }
    }
}

/// `y' = -y(t - 1) + 1(t >= jump)`, which may or may not declare its jump.
fn push(jump: f64, declared: &[f64]) -> Equations<'static> {
    let equations = Equations::new(1, move |moment, slope| {
        let push = if moment.time >= jump { 1.0 } else { 0.0 };
        slope[0] = push - moment.delayed(0, 0);
    });
    equations.delayed(1.0).jumping_at(declared)
}

/// From rest: the sum over `k` of `(-1)^k (t - jump - k)^(k + 1) / (k + 1)!` while the base is positive.
fn pushed(time: f64, jump: f64) -> f64 {
    let (mut sum, mut factorial, mut k) = (0.0, 1.0, 0);
    while time - jump - f64::from(k) > 0.0 {
        factorial *= f64::from(k + 1);
        let sign = if k % 2 == 0 { 1.0 } else { -1.0 };
        sum += sign * (time - jump - f64::from(k)).powi(k + 1) / factorial;
        k += 1;
    }
    sum
}

fn worst_pushed(jump: f64, declared: &[f64], options: &Options) -> f64 {
    let system = push(jump, declared);
    let solution = solve(&system, &Initial::constant(vec![0.0]), options).unwrap();
    let times = (0..=20_011).map(|index| 10.0 * f64::from(index) / 20_011.0);
    times.map(|time| (solution.at(time, 0) - pushed(time, jump)).abs()).fold(0.0, f64::max)
}

#[test]
fn a_jump_at_an_odd_time_costs_no_accuracy() {
    let jump = 0.371_234_5;
    assert!(worst_pushed(jump, &[jump], &options(10.0)) < 1e-10);
    // With fixed steps, only the tracking of breakpoints preserves the order.
    let errors = |declared: &[f64]| {
        [4, 5, 6].map(|power| worst_pushed(jump, declared, &Options::fixed(10.0, 0.5_f64.powi(power))))
    };
    let [coarse, middle, fine] = errors(&[jump]);
    assert!(fine < 1e-8 && coarse / middle > 12.0 && middle / fine > 12.0, "{coarse:e} {middle:e} {fine:e}");
    let [_, _, fine] = errors(&[]);
    assert!(fine > 1e-4, "without tracking, the error is only {fine:e}");
}

#[test]
fn a_jump_before_the_start_or_after_the_end_is_none() {
    let system = push(-1.0, &[-1.0, 0.0, 11.0]);
    let solution = solve(&system, &Initial::constant(vec![0.0]), &options(10.0)).unwrap();
    assert!(solution.events().is_empty(), "{:?}", solution.events());
    assert_close(solution.at(7.7, 0), pushed(7.7, 0.0), 1e-10, "from the start on");
}
