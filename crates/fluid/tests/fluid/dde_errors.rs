//! Errors of the solver, and their messages.

use setpoint_fluid::dde::{Bounds, DdeError, Initial, Moment, Options, System, Tolerance, solve};

use crate::equations::Equations;

/// `y' = -y(t - d)` with configurable faults.
#[derive(Clone)]
struct Faulty {
    delays: Vec<f64>,
    bounds: Bounds,
    jumps: Vec<f64>,
    slope: fn(f64) -> f64,
    switches: usize,
}

impl Default for Faulty {
    fn default() -> Self {
        let slope = |_: f64| 1.0;
        Self { delays: vec![1.0], bounds: Bounds::NONE, jumps: Vec::new(), slope, switches: 0 }
    }
}

impl System for Faulty {
    fn dimension(&self) -> usize {
        1
    }

    fn delays(&self) -> &[f64] {
        &self.delays
    }

    fn slope(&self, moment: &Moment<'_>, slope: &mut [f64]) {
        slope[0] = (self.slope)(moment.time);
    }

    fn bounds(&self, _: usize) -> Bounds {
        self.bounds
    }

    fn jumps(&self) -> Vec<f64> {
        self.jumps.clone()
    }

    fn switches(&self) -> usize {
        self.switches
    }

    fn switch(&self, _: usize, _: &Moment<'_>) -> f64 {
        f64::NAN
    }
}

fn options() -> Options {
    Options::new(10.0, Tolerance::new(1e-6, 1e-6))
}

fn error(system: &Faulty, state: &[f64], options: &Options) -> DdeError {
    solve(system, &Initial::constant(state.to_vec()), options).expect_err("it is refused")
}

fn words(system: &Faulty) -> String {
    error(system, &[1.0], &options()).to_string()
}

#[test]
fn delays_are_positive_and_finite() {
    for (delay, given) in [(-0.5, "-0.5"), (0.0, "0"), (f64::NAN, "NaN"), (f64::INFINITY, "inf")] {
        let system = Faulty { delays: vec![1.0, delay], ..Faulty::default() };
        assert_eq!(words(&system), format!("delay 1 is {given} s; a delay must be positive and finite"));
    }
}

#[test]
fn bounds_leave_room_and_hold_the_initial_state() {
    let bounded = |least, most| Faulty { bounds: Bounds { least, most }, ..Faulty::default() };
    assert_eq!(
        words(&bounded(2.0, 1.0)),
        "component 0 has bounds 2 and 1; the lower bound must be below the upper"
    );
    assert!(matches!(error(&bounded(f64::NAN, 1.0), &[1.0], &options()), DdeError::Bounds { .. }));
    assert_eq!(words(&bounded(2.0, 3.0)), "component 0 starts at 1; it must be finite and between 2 and 3");
    assert!(matches!(error(&Faulty::default(), &[f64::NAN], &options()), DdeError::Initial { .. }));
}

#[test]
fn the_initial_state_has_the_systems_dimension() {
    let error = error(&Faulty::default(), &[1.0, 2.0], &options());
    assert_eq!(error.to_string(), "the initial state has 2 components, the system has 1");
}

#[test]
fn jumps_are_at_finite_times() {
    let system = Faulty { jumps: vec![1.0, f64::NAN], ..Faulty::default() };
    assert_eq!(words(&system), "jump 1 is at NaN s; a jump must be at a finite time");
}

#[test]
fn options_are_positive_and_finite() {
    let cases = [
        (Options { until: -1.0, ..options() }, "option until is -1; it must be positive and finite"),
        (
            Options { tolerance: Tolerance::new(0.0, 1.0), ..options() },
            "option tolerance.relative is 0; it must be positive and finite",
        ),
        (
            Options { tolerance: Tolerance::new(1.0, f64::NAN), ..options() },
            "option tolerance.absolute is NaN; it must be positive and finite",
        ),
        (
            Options { first_step: Some(0.0), ..options() },
            "option first_step is 0; it must be positive and finite",
        ),
        (
            Options { longest_step: Some(f64::INFINITY), ..options() },
            "option longest_step is inf; it must be positive and finite",
        ),
        (
            Options { fixed_step: Some(-0.1), ..options() },
            "option fixed_step is -0.1; it must be positive and finite",
        ),
        (
            Options { fixed_step: Some(1.5), ..options() },
            "the fixed step is 1.5 s; it must not exceed the shortest delay, 1 s",
        ),
        (
            Options { tolerance: Tolerance::scaled(1e-6, &[1.0, 1.0]), ..options() },
            "2 absolute tolerances given; there must be 1 or 1",
        ),
    ];
    for (options, expected) in cases {
        assert_eq!(error(&Faulty::default(), &[1.0], &options).to_string(), expected);
    }
}

#[test]
fn slopes_and_switches_are_finite() {
    let at_once = Faulty { slope: |_| f64::NAN, ..Faulty::default() };
    assert_eq!(words(&at_once), "slope of component 0 is NaN at 0 s; it must be finite");
    let later = Faulty { slope: |time| if time < 2.0 { 1.0 } else { f64::INFINITY }, ..Faulty::default() };
    let DdeError::NotFinite { what, index: 0, time, .. } = error(&later, &[1.0], &options()) else {
        panic!("another error")
    };
    assert_eq!(what, "slope of component");
    assert!((time - 2.0).abs() < 1e-9, "noticed at {time}");
    let fixed = Options::fixed(10.0, 0.25);
    assert!(matches!(error(&later, &[1.0], &fixed), DdeError::NotFinite { .. }));
    let switch = Faulty { switches: 1, ..Faulty::default() };
    assert_eq!(words(&switch), "switching function 0 is NaN at 0 s; it must be finite");
}

#[test]
fn steps_are_limited_in_number_and_in_shortness() {
    let few = Options { most_steps: 3, longest_step: Some(0.125), first_step: Some(0.125), ..options() };
    assert_eq!(
        error(&Faulty::default(), &[1.0], &few).to_string(),
        "3 steps reached only 0.375 s of 10 s; allow more steps or a looser tolerance"
    );
    let pole = Faulty { slope: |time| 1.0 / (2.0 - time) / (2.0 - time), ..Faulty::default() };
    let DdeError::StepTooShort { time, step } = error(&pole, &[1.0], &options()) else {
        panic!("another error")
    };
    assert!((time - 2.0).abs() < 1e-9 && step < 1e-14, "at {time}, step {step}");
}

/// A slope that pushes a component to its bound everywhere except on the bound itself, where it pushes it
/// off.
fn bouncing() -> Equations<'static> {
    let equations = Equations::new(2, |moment, slope| {
        slope[0] = 0.0;
        slope[1] = if moment.state[1] == 0.0 { 1.0 } else { -1.0 };
    });
    equations.bounded(1, 0.0, f64::INFINITY)
}

#[test]
fn chattering_at_a_bound_is_reported() {
    let error =
        solve(&bouncing(), &Initial::constant(vec![0.0, 1.0]), &options()).expect_err("it is refused");
    let DdeError::Chattering { component: 1, time } = error else { panic!("{error}") };
    assert!((time - 1.0).abs() < 1e-6, "noticed at {time}");
    assert!(
        error.to_string().starts_with("component 1 reaches and leaves its bound endlessly at "),
        "{error}"
    );
}
