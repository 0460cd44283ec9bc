//! Bounds, switches and jumps against solutions located by hand.

use setpoint_fluid::dde::{
    Bound, Bounds, DdeError, EventKind, Initial, Moment, Options, Side, Solution, System, Tolerance, solve,
};

fn options(until: f64) -> Options {
    Options::new(until, Tolerance::new(1e-11, 1e-11))
}

fn assert_close(given: f64, expected: f64, tolerance: f64, what: &str) {
    assert!((given - expected).abs() <= tolerance, "{what}: {given}, expected {expected}");
}

/// The times of the events of one kind.
fn times_of(solution: &Solution, kind: EventKind) -> Vec<f64> {
    solution.events().iter().filter(|event| event.kind == kind).map(|event| event.time).collect()
}

/// A queue `q' = r - 1` with `r'` falling by one and, from time 4 on, rising by one; `q` from zero to `most`.
struct Queue {
    most: f64,
}

impl System for Queue {
    fn dimension(&self) -> usize {
        2
    }

    fn slope(&self, moment: &Moment<'_>, slope: &mut [f64]) {
        slope[0] = moment.state[1] - 1.0;
        slope[1] = if moment.time < 4.0 { -1.0 } else { 1.0 };
    }

    fn bounds(&self, component: usize) -> Bounds {
        if component == 0 { Bounds { least: 0.0, most: self.most } } else { Bounds::NONE }
    }

    fn jumps(&self) -> Vec<f64> {
        vec![4.0]
    }
}

#[test]
fn a_queue_runs_empty_waits_fills_and_is_full() {
    // r = 2 - t to 4, then -2 + (t - 4). q = 1/2 + t - t^2/2 is empty at 1 + sqrt 2; r = 1 again at 7, from where
    // q = (t - 7)^2 / 2, which is 2 at 9.
    let solution = solve(&Queue { most: 2.0 }, &Initial::constant(vec![0.5, 2.0]), &options(10.0)).unwrap();
    let empty = 1.0 + 2.0_f64.sqrt();
    let kinds = [
        (empty, EventKind::Reached { component: 0, bound: Bound::Least }),
        (4.0, EventKind::Jump),
        (7.0, EventKind::Released { component: 0, bound: Bound::Least }),
        (9.0, EventKind::Reached { component: 0, bound: Bound::Most }),
    ];
    assert_eq!(solution.events().len(), kinds.len(), "{:?}", solution.events());
    for (event, (time, kind)) in solution.events().iter().zip(kinds) {
        assert_eq!(event.kind, kind);
        assert_close(event.time, time, 1e-10, "the time of an event");
    }
    for index in 0..=1000 {
        let time = f64::from(index) * 0.01;
        let expected = match time {
            time if time <= empty => 0.5 + time - 0.5 * time * time,
            time if time <= 7.0 => 0.0,
            time if time <= 9.0 => 0.5 * (time - 7.0) * (time - 7.0),
            _ => 2.0,
        };
        assert_close(solution.at(time, 0), expected, 1e-10, "the queue");
    }
    assert_eq!(solution.at(5.5, 0).to_bits(), 0.0_f64.to_bits(), "held exactly at the bound");
    assert_eq!(solution.at(9.5, 0).to_bits(), 2.0_f64.to_bits(), "held exactly at the bound");
}

#[test]
fn a_component_that_starts_on_its_bound_is_held_or_not_by_its_slope() {
    let held = solve(&Queue { most: 2.0 }, &Initial::constant(vec![0.0, 0.5]), &options(3.0)).unwrap();
    assert_eq!(held.at(3.0, 0).to_bits(), 0.0_f64.to_bits());
    assert!(held.events().is_empty(), "{:?}", held.events());
    let free = solve(&Queue { most: 2.0 }, &Initial::constant(vec![0.0, 2.0]), &options(1.5)).unwrap();
    assert_close(free.at(1.0, 0), 0.5, 1e-12, "the queue rises from its bound");
}

/// A relay `x' = -sign x(t - d)`, which asks for the sign itself or for the solver's side.
struct Relay {
    delay: [f64; 1],
    by_side: Branching,
}

#[derive(Clone, Copy)]
enum Branching {
    Sign,
    Side,
}

impl System for Relay {
    fn dimension(&self) -> usize {
        1
    }

    fn delays(&self) -> &[f64] {
        &self.delay
    }

    fn slope(&self, moment: &Moment<'_>, slope: &mut [f64]) {
        let side = match self.by_side {
            Branching::Sign => Side::of(moment.delayed(0, 0)),
            Branching::Side => moment.side(0).expect("the solver tells"),
        };
        slope[0] = match side {
            Side::Above => -1.0,
            Side::On => 0.0,
            Side::Below => 1.0,
        };
    }

    fn switches(&self) -> usize {
        1
    }

    fn switch(&self, _: usize, moment: &Moment<'_>) -> f64 {
        moment.delayed(0, 0)
    }
}

#[test]
fn a_delayed_relay_swings_in_an_exact_triangle() {
    for by_side in [Branching::Sign, Branching::Side] {
        let delay = 0.3;
        // From x = d before zero: x = d - t until x was zero a delay ago, at 2 d, and so on: period 4 d, amplitude d.
        let relay = Relay { delay: [delay], by_side };
        let solution = solve(&relay, &Initial::constant(vec![delay]), &options(40.0 * delay)).unwrap();
        let switched = times_of(&solution, EventKind::Switched { index: 0 });
        assert_eq!(switched.len(), 19, "{switched:?}");
        for (index, time) in (1..).zip(&switched) {
            assert_close(*time, 2.0 * delay * f64::from(index), 1e-10, "the time of a switch");
        }
        for index in 0..4000 {
            let time = f64::from(index) * 0.01 * delay;
            let phase = (time / delay) % 4.0;
            let expected = delay * if phase < 2.0 { 1.0 - phase } else { phase - 3.0 };
            assert_close(solution.at(time, 0), expected, 1e-10, "the triangle");
        }
    }
}

/// A relay without delay: `x' = -sign x`.
struct Sliding;

impl System for Sliding {
    fn dimension(&self) -> usize {
        1
    }

    fn slope(&self, moment: &Moment<'_>, slope: &mut [f64]) {
        slope[0] = if moment.state[0] > 0.0 { -1.0 } else { 1.0 };
    }

    fn switches(&self) -> usize {
        1
    }

    fn switch(&self, _: usize, moment: &Moment<'_>) -> f64 {
        moment.state[0]
    }
}

#[test]
fn a_surface_that_attracts_from_both_sides_is_told() {
    let error = solve(&Sliding, &Initial::constant(vec![0.5]), &options(1.0)).unwrap_err();
    let DdeError::Sliding { switch: 0, time } = error else { panic!("{error}") };
    assert_close(time, 0.5, 1e-5, "where sliding is noticed");
}
